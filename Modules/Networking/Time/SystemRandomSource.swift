import Models
public import Ports

public struct SystemRandomSource: RandomSource {
  public init() {}

  public func next() -> UInt64 {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
  }
}

extension RandomSource {
  /// A uniformly distributed duration in whole microseconds, from zero up to but not including `limit`.
  package func duration(below limit: Duration) -> Duration {
    let microseconds = limit.microseconds
    guard microseconds > 0 else { return .zero }
    // The bias of the remainder is below 2⁻³⁰ for every limit in use.
    return .microseconds(Int64(next() % UInt64(microseconds)))
  }
}

extension Duration {
  /// Whole microseconds, truncated; at most 292,000 years.
  package var microseconds: Int64 {
    Int64(Int(components.seconds).times(1_000_000).plus(Int(components.attoseconds / 1_000_000_000_000)))
  }

  /// Whole seconds, rounded up, at least 0.
  package var secondsRoundedUp: Int {
    self <= .zero ? 0 : Int(components.seconds) + (components.attoseconds > 0 ? 1 : 0)
  }
}
