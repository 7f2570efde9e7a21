import Models
package import Ports

extension JSONNode {
  /// Bytes before the value.
  package var offset: Int { JSONWord.offset(word) }

  /// The offset just past the value.
  package var endOffset: Int {
    let start = offset
    switch JSONWord.kind(word) {
    case JSONWord.null, JSONWord.yes: return start + 4
    case JSONWord.no: return start + 5
    case JSONWord.number: return start + JSONWord.extra(word)
    case JSONWord.string: return start + JSONWord.extra(word) + 2
    default: return Int(truncatingIfNeeded: tape[position + 1] >> 28)
    }
  }

  /// The bytes of the value as they stand in the text.
  package var raw: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + offset, count: endOffset - offset)
  }

  /// The value as it stands in the text, cut after `limit` bytes at the end of a character.
  package func rawText(limit: Int = .max) -> String {
    let bytes = raw
    guard bytes.count > limit else { return String(decoding: bytes, as: UTF8.self) }
    var end = limit
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[..<end]), as: UTF8.self)
  }

  /// Line and column of the value. O(offset).
  package var place: TextPlace { TextPlace(of: offset, in: UnsafeBufferPointer(start: base, count: count)) }

  /// Where the value stands in its document. O(values before it on its level and above).
  package var path: JSONPath { JSONPath(of: position, in: tape, base: base) }

  /// What stands here, for messages: the kind, with the value where it is short.
  package var shown: String {
    switch kind {
    case .null: return "null"
    case .boolean: return bool == true ? "true" : "false"
    case .number: return "number \(JSONNode.shortened(digits ?? ""))"
    case .string: return "string \(JSONText.compact(.string(JSONNode.shortened(string ?? ""))))"
    case .array: return elementCount == 0 ? "an empty array" : "an array of \(elementCount)"
    case .object: return elementCount == 0 ? "an empty object" : "an object"
    }
  }

  private static func shortened(_ text: String) -> String {
    text.utf8.count <= 64 ? text : "\(text.prefix(48))…"
  }

  /// The error that this value is not what it should be.
  ///
  /// - Parameters:
  ///   - expected: what should stand here.
  ///   - missing: the name of a member that is not there; the error is then about it.
  package func error(expected: String, missing: String? = nil) -> ParsingError {
    let found = missing == nil ? shown : "nothing"
    if tape[0] & JSONWord.isCounting != 0 { return ParsingError(.shape, expected: expected, found: found) }
    var path = path
    if let missing { path.steps.append(.name(missing)) }
    // Nobody sees the line of a record that is set aside, and to count the lines before each takes quadratic time.
    let place = tape[0] & JSONWord.inList != 0 ? TextPlace(line: 1, column: 1) : place
    return ParsingError(
      .shape, path: path.description, offset: offset, line: place.line, column: place.column, expected: expected,
      found: found)
  }

  /// Notes at which element of this array a reader is, so that the path of what is in it is found from there.
  @inline(__always)
  func markElement(_ index: Int, _ node: JSONNode) {
    tape[position] |= JSONWord.marked
    tape[position + 2] = JSONWord.make(0, offset: index, extra: node.position - position)
  }

  /// From now on the list's records that are set aside are only counted: their errors have no place.
  func skipPlaces() { tape[0] |= JSONWord.isCounting }
}
