/// Numbers that look like chance and come again for the same seed: SplitMix64
/// (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). For the simulated disk.
struct Chance: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// A number from 0 up to, not including, a bound.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// True so many times of 256.
  mutating func flip(_ share: Int) -> Bool { below(256) < share }

  /// How much of a kind survives a crash, of 256: nothing, all, or some.
  var share: Int { mutating get { [0, 16, 128, 240, 256][below(5)] } }
}
