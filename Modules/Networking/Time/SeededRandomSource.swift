public import Ports
import Synchronization

/// The same numbers for the same seed: SplitMix64 (Steele, Lea and Flood, 2014).
public final class SeededRandomSource: RandomSource {
  private let state: Mutex<UInt64>

  /// A row of numbers that follows from the seed.
  public init(seed: UInt64) { state = Mutex(seed) }

  /// The next number of the row.
  public func next() -> UInt64 {
    state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = state
      word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
      return word ^ (word >> 31)
    }
  }
}

extension RandomSource {
  /// A duration from zero up to, but not including, `limit`, each microsecond as likely as the other.
  package func duration(below limit: Duration) -> Duration {
    let microseconds = limit.microseconds
    guard microseconds > 0 else { return .zero }
    // The remainder's bias is below 2⁻³⁰ for any limit that is used here.
    return .microseconds(Int64(next() % UInt64(microseconds)))
  }
}

extension Duration {
  /// Whole microseconds, cut off; durations above 292,000 years are not expected.
  package var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }

  /// Whole seconds, rounded up, at least 0.
  package var secondsRoundedUp: Int {
    self <= .zero ? 0 : Int(components.seconds) + (components.attoseconds > 0 ? 1 : 0)
  }
}
