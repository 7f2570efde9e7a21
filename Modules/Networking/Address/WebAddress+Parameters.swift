import Models

extension WebAddress {
  /// The pairs of the query, decoded, in their order.
  var parameters: [(name: String, value: String)] {
    (query ?? "").utf8.split(separator: 0x26).map { pair in
      let equals = pair.firstIndex(of: 0x3D)
      let name = equals.map { pair[..<$0] } ?? pair
      let value = equals.map { pair[pair.index(after: $0)...] } ?? pair[pair.endIndex...]
      return (WebAddress.decoded(name), WebAddress.decoded(value))
    }
  }

  /// A name or a value of a query, with its escapes undone.
  static func decoded(_ part: Substring.UTF8View) -> String {
    let text = Substring(part)
    guard part.contains(where: { $0 == 0x25 || $0 == 0x2B }) else { return String(text) }
    return String(decoding: percentDecodedBytes(text, plusIsSpace: true), as: UTF8.self)
  }
}
