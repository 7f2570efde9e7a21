public import Models
public import Ports

/// Encodes and decodes the records of the store.
///
/// Encoding takes about as long as copying. Decoding validates the whole record against RFC 8259.
public struct JSONRecordCoder: RecordCoder {
  public init() {}

  public func encode(_ fields: JSONObject) -> [UInt8] {
    JSONWriter.bytes { $0.write(fields) }
  }

  /// Encodes any value as one line of compact JSON.
  public func encode(_ value: JSONValue) -> [UInt8] { JSONText.bytes(value) }

  /// Decodes a JSON object.
  ///
  /// - Throws: `ParsingError`: `syntax`, `truncated` or `limit` where it is not valid JSON, `shape` where it is not an
  ///   object.
  public func decode(_ bytes: RawSpan) throws(ParsingError) -> JSONObject {
    try JSONDocument.read(bytes) { (node) throws(ParsingError) -> JSONObject in
      guard node.isObject else { throw node.error(expected: "an object") }
      return node.fields
    }
  }

  /// Checks that an object which somebody sends is kept as it was sent.
  public func checkSent(_ bytes: RawSpan) throws(ParsingError) {
    try JSONDocument.read(bytes) { (node) throws(ParsingError) in
      guard node.isObject else { throw node.error(expected: "an object") }
      try node.checkSent()
    }
  }

  /// Decodes one member that is a string; `nil` where it is absent or another value. The record is validated; no other
  /// value of it is decoded.
  public func text(_ member: String, of bytes: RawSpan) throws(ParsingError) -> String? {
    try JSONDocument.read(bytes) { (node) throws(ParsingError) -> String? in
      guard node.isObject else { throw node.error(expected: "an object") }
      return node.member(member)?.string
    }
  }

  /// A tenth of the time that decoding and encoding take. Texts with escapes, empty texts, and days after the 28th are
  /// left to these.
  public func appendStored(_ bytes: RawSpan, fields: [RecordField], to output: inout [UInt8]) -> StoredRecord? {
    let start = output.count
    let isGiven = try? JSONDocument.read(bytes) { (root) throws(ParsingError) -> Bool? in
      guard root.isObject else { return nil }
      if root.isCompact, root.holds(fields) { return true }
      return root.append(fields, to: &output) ? false : nil
    }
    if isGiven == true, let id = RecordRule.idPlace(of: bytes) { return .given(id: id) }
    let written = output[start...]
    if isGiven == false, let id = RecordRule.idPlace(of: written.span.bytes) {
      return .appended(id: start + id.lowerBound..<start + id.upperBound)
    }
    output.removeLast(output.count - start)
    return nil
  }
}

extension JSONNode {
  fileprivate func checkSent() throws(ParsingError) {
    switch kind {
    case .string where JSONString.hasHalfPair(raw): throw error(expected: "a text without half of a pair of surrogates")
    case .number where double?.isFinite != true: throw error(expected: "a number that is not so large")
    case .array: try forEachElement { (_, node) throws(ParsingError) in try node.checkSent() }
    case .object:
      if let twice = replacedMembers.first { throw twice.value.error(expected: "the name '\(twice.name)' once") }
      try forEachMember { (name, node) throws(ParsingError) in
        if JSONString.hasHalfPair(name.raw) {
          throw node.error(expected: "a name without half of a pair of surrogates")
        }
        try node.checkSent()
      }
    default: break
    }
  }

  /// Whether the document is written without white space, escapes and repeated names, as `JSONWriter` writes it.
  fileprivate var isCompact: Bool {
    var length = 0
    var i = position
    let end = position + JSONWord.size(word)
    while i < end {
      let word = tape[i]
      switch JSONWord.kind(word) {
      case JSONWord.string:
        if word & (JSONWord.escaped | JSONWord.shadowed) != 0 { return false }
        length &+= JSONWord.extra(word) &+ 2
      case JSONWord.number: length &+= JSONWord.extra(word)
      case JSONWord.no: length &+= 5
      case JSONWord.array, JSONWord.object:
        let count = at(i).elementCount
        // The brackets, the commas, and the colons of an object.
        length &+= 2 &+ max(count &- 1, 0) &+ (JSONWord.kind(word) == JSONWord.object ? count : 0)
        i &+= 2
      default: length &+= 4
      }
      i &+= 1
    }
    return length == count
  }

  /// Whether the members are these fields, in order and each of its kind.
  fileprivate func holds(_ fields: [RecordField]) -> Bool {
    var place = position + 3
    let end = position + JSONWord.extra(word)
    for field in fields {
      guard place < end, isName(field.name, at: place) else {
        if field.isOptional { continue }
        return false
      }
      guard at(place + 1).isStored(as: field) else { return false }
      place += 1 + JSONWord.size(tape[place + 1])
    }
    return place == end
  }

  /// Writes an object with the members in the order of the fields.
  ///
  /// - Returns: whether it has these and no others, each of its kind and without escapes.
  fileprivate func append(_ fields: [RecordField], to output: inout [UInt8]) -> Bool {
    var count = 0
    for field in fields {
      guard let value = member(of: field) else {
        if field.isOptional { continue }
        return false
      }
      count += 1
      // What is null is absent.
      if value.isNull, field.isOptional { continue }
      guard value.isStored(as: field) else { return false }
      output += count == 1 ? "{\"".utf8 : ",\"".utf8
      output += field.name.utf8
      output += "\":".utf8
      guard value.appendPlain(to: &output) else { return false }
    }
    output.append(UInt8(ascii: "}"))
    return count == elementCount
  }

  private func member(of field: RecordField) -> JSONNode? {
    var place = position + 3
    let end = position + JSONWord.extra(word)
    while place < end {
      if tape[place] & JSONWord.shadowed == 0, isName(field.name, at: place) { return at(place + 1) }
      place += 1 + JSONWord.size(tape[place + 1])
    }
    return nil
  }

  /// Writes a value without white space; false where it has escapes or repeated names.
  private func appendPlain(to output: inout [UInt8]) -> Bool {
    guard JSONWord.kind(word) >= JSONWord.array else {
      output += raw
      return word & JSONWord.escaped == 0 || !isString
    }
    output.append(base[offset])
    var place = position + 3
    let end = position + JSONWord.extra(word)
    while place < end {
      if place > position + 3 { output.append(UInt8(ascii: ",")) }
      if isObject {
        guard tape[place] & (JSONWord.escaped | JSONWord.shadowed) == 0 else { return false }
        output += at(place).raw
        output.append(UInt8(ascii: ":"))
        place += 1
      }
      guard at(place).appendPlain(to: &output) else { return false }
      place += JSONWord.size(tape[place])
    }
    output.append(base[endOffset - 1])
    return true
  }

  private func isName(_ name: String, at place: Int) -> Bool {
    let word = tape[place]
    guard JSONWord.extra(word) == name.utf8.count else { return false }
    let start = base + JSONWord.offset(word) + 1
    // Names of fields are literals, whose bytes are already available.
    return name.utf8.withContiguousStorageIfAvailable { JSONString.areEqual(start, $0.baseAddress!, $0.count) } ?? false
  }

  /// Whether the value of a field is written as it is stored; false also where that is not certain.
  private func isStored(as field: RecordField) -> Bool {
    let text = UnsafeBufferPointer(start: base + JSONWord.offset(word) + 1, count: JSONWord.extra(word))
    switch field.kind {
    case .text: return isString && !text.isEmpty
    case .flag: return bool != nil
    case .whole:
      return isNumber && word & JSONWord.whole != 0 && text.count <= 18 && base[offset] != 0x2D
    case .birthday:
      guard isString, text.count == 7 else { return isString && text.count == 10 && Self.isDay(text) }
      return text[0] == 0x2D && text[1] == 0x2D && Self.isDayOfYear(text, from: 2)
    case .time:
      guard isString, text.count == 20, Self.isDay(text), text[10] == 0x54, text[13] == 0x3A, text[16] == 0x3A,
        text[19] == 0x5A
      else { return false }
      return Self.number(text, 11, 2, 0...23) && Self.number(text, 14, 2, 0...59) && Self.number(text, 17, 2, 0...59)
    case .texts:
      var areTexts = isArray && elementCount > 0
      forEachElement { _, element in areTexts = areTexts && element.isString && JSONWord.extra(element.word) > 0 }
      return areTexts
    case .objects:
      var areItems = isArray && elementCount > 0 && !field.members.isEmpty
      forEachElement { _, element in areItems = areItems && element.isItem(field.members) }
      return areItems
    case .decimal, .timeOrDay, .object, .anyObject: return false
    }
  }

  /// Whether an object has one of the members that are not optional, and nothing but the members, in order.
  private func isItem(_ members: [RecordField]) -> Bool {
    guard isObject else { return false }
    var (place, next, hasValue) = (position + 3, 0, false)
    let end = position + JSONWord.extra(word)
    while place < end {
      while next < members.count, !isName(members[next].name, at: place) { next += 1 }
      let value = at(place + 1)
      guard next < members.count, value.isStored(as: members[next]), value.bool != false else { return false }
      hasValue = hasValue || !members[next].isOptional
      next += 1
      place += 1 + JSONWord.size(tape[place + 1])
    }
    return hasValue
  }

  /// Whether a text begins with a day that every month has: `YYYY-MM-DD`.
  private static func isDay(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    number(text, 0, 4, 1583...9999) && text[4] == 0x2D && isDayOfYear(text, from: 5)
  }

  /// Whether `MM-DD` stands there, and is a day of every year.
  private static func isDayOfYear(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    guard number(text, start, 2, 1...12), text[start + 2] == 0x2D else { return false }
    let month = (text[start] - 0x30) * 10 + text[start + 1] - 0x30
    let last = month == 2 ? 28 : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
    return number(text, start + 3, 2, 1...last)
  }

  private static func number(
    _ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int, _ range: ClosedRange<Int>
  ) -> Bool {
    var value = 0
    for place in start..<start + count {
      guard JSONLexer.isDigit(text[place]) else { return false }
      value = value * 10 + Int(text[place] - 0x30)
    }
    return range.contains(value)
  }
}
