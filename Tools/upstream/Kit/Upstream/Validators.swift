/// ETags and conditional requests (RFC 9110, sections 8.8 and 13).
enum Validators {
  /// A strong ETag of a body: 64 bits of FNV-1a.
  static func tag(_ body: [UInt8]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    body.withUnsafeBufferPointer { bytes in
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
    return "\"\(String(hash, radix: 16))\""
  }

  /// The tags of an `If-Match` or `If-None-Match`.
  static func list(_ header: String) -> [String] {
    header.split(separator: ",").map { item in
      let tag = item.drop { $0 == " " }
      return String((tag.hasPrefix("W/") ? tag.dropFirst(2) : tag).prefix { $0 != " " })
    }
  }

  /// Whether the client has this already. `If-Modified-Since` counts only where no tag was sent.
  static func isUnchanged(_ request: ReceivedRequest, tag: String, modified: String?) -> Bool {
    if let known = request.headers["if-none-match"] {
      return known == "*" || list(known).contains(tag)
    }
    guard let modified else { return false }
    return request.headers["if-modified-since"] == modified
  }
}
