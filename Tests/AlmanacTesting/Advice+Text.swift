public import Models

/// Advice compares as it reads.
extension Advice {
  /// Whether it reads so somewhere.
  public func contains(_ text: some StringProtocol) -> Bool { description.contains(text) }
  public func hasPrefix(_ text: some StringProtocol) -> Bool { description.hasPrefix(text) }
  public func hasSuffix(_ text: some StringProtocol) -> Bool { description.hasSuffix(text) }
}
