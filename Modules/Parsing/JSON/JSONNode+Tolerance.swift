package import Ports

/// The one vocabulary for what servers write in more than one way: number or string, object or string, one or many,
/// null or absent. Every parser uses these, and none has special cases of its own.
extension JSONNode {
  /// A member that is there and not null.
  @inline(__always)
  package func present(_ name: StaticString) -> JSONNode? {
    guard let node = self[name], !node.isNull else { return nil }
    return node
  }

  /// What the member `error` tells; `nil` where it says that there is none: absent, null, false, 0, empty.
  package var failure: JSONNode? {
    guard let error = present("error"), error.bool != false, error.string != "", error.int != 0 else { return nil }
    return (error.isObject || error.isArray) && error.elementCount == 0 ? nil : error
  }

  /// Object or string: what an object with `_content` or `label` wraps, and any other value itself; `nil` for null.
  @inline(__always)
  package var content: JSONNode? {
    guard isObject else { return isNull ? nil : self }
    guard let inner = self["_content"] ?? self["label"] else { return self }
    return inner.isNull ? nil : inner
  }

  /// Number or string, bare or wrapped, as text; `nil` for null.
  ///
  /// - Throws: `ParsingError` for every other kind.
  @inline(__always)
  package func text() throws(ParsingError) -> String? {
    guard let node = content else { return nil }
    if let string = node.string { return string }
    guard let digits = node.digits else { throw node.error(expected: "a string or a number") }
    return digits
  }

  /// Number or string, bare or wrapped, as a whole number; `nil` for null and for empty text.
  ///
  /// - Throws: `ParsingError` where it is no whole number.
  package func wholeNumber() throws(ParsingError) -> Int? {
    guard let node = content else { return nil }
    if let int = node.int ?? node.double.flatMap({ Int(exactly: $0) }) { return int }
    if let text = node.string {
      if text.isEmpty { return nil }
      if let int = Int(text) { return int }
    }
    throw node.error(expected: "a whole number")
  }

  /// True or false, also as 0 and 1, bare, wrapped or in quotes; `nil` for null and for empty text.
  ///
  /// - Throws: `ParsingError` for anything else.
  package func truth() throws(ParsingError) -> Bool? {
    guard let node = content else { return nil }
    if let bool = node.bool { return bool }
    switch try node.text() {
    case "1", "true": return true
    case "0", "false": return false
    case "", nil: return nil
    default: throw node.error(expected: "true or false")
    }
  }

  /// One or many: hands every element of an array to `body`, or the value itself where it is no array; nothing for
  /// null.
  @inline(__always)
  package func forEachOfOneOrMany(
    _ body: (Int, JSONNode) throws(ParsingError) -> Void
  ) throws(ParsingError) {
    if isArray {
      try forEachElement(body)
    } else if !isNull {
      try body(0, self)
    }
  }

  /// The first of one or many.
  package var firstOfOneOrMany: JSONNode? { isArray ? self[0] : isNull ? nil : self }

  /// The text of a member that must be there and not be empty.
  ///
  /// - Throws: `ParsingError` where it is missing, null, empty or another kind.
  @inline(__always)
  package func requiredText(_ name: StaticString) throws(ParsingError) -> String {
    guard let node = self[name] else { throw error(expected: "a string", missing: "\(name)") }
    guard let text = try node.text(), !text.isEmpty else { throw node.error(expected: "a string that is not empty") }
    return text
  }

  /// The text of a member that must be there and may be empty.
  ///
  /// - Throws: `ParsingError` where it is missing, null or another kind.
  package func presentText(_ name: StaticString) throws(ParsingError) -> String {
    guard let node = self[name] else { throw error(expected: "a string", missing: "\(name)") }
    guard let text = try node.text() else { throw node.error(expected: "a string") }
    return text
  }

  /// The text of a member; `nil` where it is absent, null or empty.
  ///
  /// - Throws: `ParsingError` where it is neither string nor number.
  @inline(__always)
  package func optionalText(_ name: StaticString) throws(ParsingError) -> String? {
    guard let text = try self[name]?.text(), !text.isEmpty else { return nil }
    return text
  }
}

extension JSONNode {
  /// Reads every record of a list; what throws is set aside, with its place and the record as it came. O(bytes),
  /// however many are set aside.
  @inline(__always)
  package func records<Record>(
    _ read: (JSONNode) throws(ParsingError) -> Record
  ) -> (records: [Record], rejects: RejectedRecords) {
    var records: [Record] = []
    var rejects: RejectedRecords = []
    records.reserveCapacity(isArray ? elementCount : 1)
    func take(_ index: Int, _ node: JSONNode) {
      do throws(ParsingError) {
        records.append(try read(node))
      } catch {
        rejects.append(node.rejected(index, error))
        if rejects.isFull { skipPlaces() }
      }
    }
    if isArray {
      let outer = tape[0]
      tape[0] |= JSONWord.inList
      forEachElement { index, node in
        markElement(index, node)
        take(index, node)
      }
      tape[0] = outer
    } else if !isNull {
      take(0, self)
    }
    return (records, rejects)
  }

  @inline(never)
  private func rejected(_ index: Int, _ error: ParsingError) -> RejectedRecord {
    RejectedRecord(
      index: index, path: error.path, expected: error.expected, found: error.found,
      raw: rawText(limit: 64 * 1024))
  }
}
