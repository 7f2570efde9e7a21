/// A seeded source of chance: the same seed, topic and index give the same throws, in any order of asking.
///
/// It is SplitMix64, whose state may start anywhere, so that record 99,999 is made without the 99,999 before it.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64, _ topic: String, _ index: Int = 0) {
    var hash = Dice.mix(seed &+ 0x9E37_79B9_7F4A_7C15)
    for byte in topic.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    state = Dice.mix(hash &+ Dice.mix(UInt64(bitPattern: Int64(index))))
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Dice.mix(state)
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  /// A number from 0 up to, not including, the limit.
  mutating func below(_ limit: Int) -> Int {
    Int(truncatingIfNeeded: next() >> 33) % max(1, limit)
  }

  /// One of these.
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  /// True this often, of one.
  mutating func chance(_ probability: Double) -> Bool {
    Double(next() >> 11) / Double(1 << 53) < probability
  }

  /// Hexadecimal digits.
  mutating func hex(_ count: Int) -> String {
    var text = ""
    while text.utf8.count < count { text += String(next() | 1 << 63, radix: 16) }
    return String(text.prefix(count))
  }
}
