/// A 64-bit FNV-1a hash (http://www.isthe.com/chongo/tech/comp/fnv/): the same in every run and on every machine,
/// which `Hasher` is not.
struct StableHash {
  private var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Takes in a text, and a mark after it, so that two texts are not the same as their sum.
  mutating func combine(_ text: String) {
    for byte in text.utf8 { mix(byte) }
    mix(0xFF)
  }

  private mutating func mix(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  /// 16 hexadecimal digits.
  var hex: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
