enum UTF16Text {
  /// The text in UTF-8; `nil` if it does not begin with the byte order mark of UTF-16. O(bytes).
  static func utf8(_ bytes: [UInt8]) -> [UInt8]? {
    switch (bytes.first, bytes.dropFirst().first) {
    case (0xFE, 0xFF): utf8(bytes, isBigEndian: true)
    case (0xFF, 0xFE): utf8(bytes, isBigEndian: false)
    default: nil
    }
  }

  /// The text in UTF-8, without a byte order mark. O(bytes).
  static func utf8(_ bytes: [UInt8], isBigEndian: Bool) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for index in stride(from: 0, to: bytes.count - 1, by: 2) {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isBigEndian ? first << 8 | second : second << 8 | first)
    }
    if units.first == 0xFEFF { units.removeFirst() }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
