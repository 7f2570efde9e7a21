import Ports

// Answers to requests for tokens: all that they say may be a secret, whatever its name.

extension Redaction {
  /// The body with each text in it masked: the values of a JSON text, or all of another one. The length does not change.
  static func shape(of body: [UInt8]) -> [UInt8] {
    var result = body
    for place in texts(in: body) { result.replaceSubrange(place, with: repeatElement(0x78, count: place.count)) }
    return result
  }

  /// The values of an answer that may be tokens: neither short, nor several words, nor addresses.
  static func said(by response: HTTPResponse) -> [String] {
    let values = texts(in: response.body).map { String(decoding: response.body[$0], as: UTF8.self) }
    let fields = response.headers.fields.filter { !$0.isNamed("Content-Type") }.map(\.value)
    return (values + fields).filter { text in text.utf8.count >= 12 && !text.contains(" ") && !text.contains("://") }
  }

  /// The ranges of the texts that are values; of all bytes where it is no JSON object or list.
  private static func texts(in body: [UInt8]) -> [Range<Int>] {
    guard let first = body.first(where: { $0 > 0x20 }) else { return [] }
    guard first == 0x7B || first == 0x5B else { return [body.indices] }
    var ranges: [Range<Int>] = []
    var index = 0
    while let start = body[index...].firstIndex(of: 0x22) {
      var end = start + 1
      while end < body.count, body[end] != 0x22 { end += body[end] == 0x5C ? 2 : 1 }
      end = min(end, body.count)
      index = min(end + 1, body.count)
      let isName = body[index...].first { $0 > 0x20 } == 0x3A
      if !isName { ranges.append(start + 1..<end) }
    }
    return ranges
  }
}
