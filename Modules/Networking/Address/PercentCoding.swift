/// Percent-encoding (RFC 3986 section 2.1).
enum PercentCoding {
  /// The bytes that the text stands for; a `%` that begins no code stands for itself.
  static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    var pending = Array(text.utf8)[...]
    while let byte = pending.popFirst() {
      if byte == 0x25, pending.count >= 2, let high = hex(pending[pending.startIndex]),
        let low = hex(pending[pending.startIndex + 1])
      {
        bytes.append(high << 4 | low)
        pending = pending.dropFirst(2)
      } else {
        bytes.append(plusIsSpace && byte == 0x2B ? 0x20 : byte)
      }
    }
    return bytes
  }

  /// The text with everything but unreserved characters encoded.
  static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
      default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}

extension WebAddress {
  /// The pairs of the query, decoded, in their order.
  var parameters: [(name: String, value: String)] {
    (query ?? "").split(separator: "&").map { pair in
      let equals = pair.utf8.firstIndex(of: 0x3D)
      let name = equals.map { pair[..<$0] } ?? pair
      let value = equals.map { pair[pair.utf8.index(after: $0)...] } ?? ""
      return (
        String(decoding: PercentCoding.decoded(name, plusIsSpace: true), as: UTF8.self),
        String(decoding: PercentCoding.decoded(value, plusIsSpace: true), as: UTF8.self)
      )
    }
  }
}
