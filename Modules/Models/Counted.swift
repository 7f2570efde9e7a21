extension Int {
  /// The number with its noun: `1 record`, `2 records`.
  ///
  /// - Parameters:
  ///   - one: the noun, and a verb if it has one, for 1: `edit waits`.
  ///   - many: the same for other numbers; by default the noun with an `s`.
  public func counted(_ one: String, _ many: String? = nil) -> String {
    "\(self) \(self == 1 ? one : many ?? one + "s")"
  }
}
