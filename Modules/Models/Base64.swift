/// Base64 (RFC 4648 section 4). Foundation is not used because it slows down the start of a program.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  package static func encoded(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = 0
      for byte in group { bits = bits << 8 | Int(byte) }
      bits <<= 8 * (3 - group.count)
      for place in 0..<4 { text.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : 0x3D) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  package static func isReadable(_ text: ArraySlice<UInt8>) -> Bool {
    text.allSatisfy { $0 <= 0x20 || $0 == 0x3D || values[Int($0)] != 0xFF }
  }

  /// Decodes text. Line breaks are ignored; `nil` for other invalid characters.
  package static func decoded(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits = 0
    var count = 0
    var padding = 0
    for character in text.utf8 where character != 0x0A && character != 0x0D {
      if character == 0x3D {
        padding += 1
        continue
      }
      let value = values[Int(character)]
      guard value != 0xFF, padding == 0 else { return nil }
      bits = bits << 6 | Int(value)
      count += 1
      if count == 4 {
        bytes += [UInt8(bits >> 16), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
        bits = 0
        count = 0
      }
    }
    switch count {
    case 0: return padding == 0 || bytes.isEmpty == false ? bytes : nil
    case 2: bytes.append(UInt8(bits >> 4))
    case 3: bytes += [UInt8(bits >> 10), UInt8(bits >> 2 & 0xFF)]
    default: return nil
    }
    return bytes
  }
}
