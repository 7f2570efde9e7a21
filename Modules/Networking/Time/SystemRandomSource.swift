public import Ports

/// The system's own generator.
public struct SystemRandomSource: RandomSource {
  /// Makes a source; it has no state.
  public init() {}

  /// 64 bits from the operating system.
  public func next() -> UInt64 {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
  }
}
