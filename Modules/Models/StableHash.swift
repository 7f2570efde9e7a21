/// A 64-bit FNV-1a hash (draft-eastlake-fnv): the same in every run and on every machine, which `Hasher` is not.
///
/// It does not withstand an attacker who looks for two texts with one hash.
package struct StableHash {
  private var value: UInt64

  /// An empty hash.
  ///
  /// - Parameter offset: where it begins; another one than FNV's own gives a second, independent hash of the same texts.
  package init(offset: UInt64 = 0xCBF2_9CE4_8422_2325) { value = offset }

  /// Adds a text and its end, so that two texts do not hash like the text that they form together. O(length).
  package mutating func combine(_ text: String) {
    for byte in text.utf8 { mix(byte) }
    mix(0xFF)
  }

  private mutating func mix(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  /// 16 hexadecimal digits.
  package var hex: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
