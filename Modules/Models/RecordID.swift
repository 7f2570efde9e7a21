/// Ids that Almanac gives itself: ULIDs, which sort by the time at which they were made.
public enum RecordID {
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// A new id: 26 characters of Crockford's base 32, 48 bits of milliseconds and 80 bits of chance.
  ///
  /// - Parameters:
  ///   - time: when the record is made.
  ///   - random: the chance; two numbers are drawn.
  public static func make(at time: Timestamp, random: () -> UInt64) -> String {
    let high = UInt64(max(0, time.secondsSinceEpoch)) &* 1000 << 16 | random() & 0xFFFF
    let low = random()
    var characters: [UInt8] = []
    characters.reserveCapacity(26)
    // 130 bits are written, of which the first two are zero.
    for index in 0..<26 {
      let shift = 125 - 5 * index
      let bits: UInt64
      if shift >= 64 {
        bits = high >> UInt64(shift - 64)
      } else if shift > 59 {
        bits = high << UInt64(64 - shift) | low >> UInt64(shift)
      } else {
        bits = low >> UInt64(shift)
      }
      characters.append(alphabet[Int(bits & 31)])
    }
    return String(decoding: characters, as: UTF8.self)
  }
}
