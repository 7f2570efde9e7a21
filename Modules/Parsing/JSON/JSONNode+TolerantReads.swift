public import Ports

// Tolerant reads: what servers write in several ways, such as number or string, object or string, one or many, null or
// absent. All parsers use these functions instead of special cases of their own.

extension JSONNode {
  /// The value of a member that is neither absent nor null.
  @inline(__always)
  public func nonNull(_ name: StaticString) -> JSONNode? {
    guard let node = self[name], !node.isNull else { return nil }
    return node
  }

  /// The value of the member `error`; `nil` where it means success: absent, null, false, 0 or empty.
  package var reportedError: JSONNode? {
    guard let error = nonNull("error"), error.bool != false, error.string != "", error.int != 0 else { return nil }
    return (error.isObject || error.isArray) && error.elementCount == 0 ? nil : error
  }

  /// The value without a wrapper: the member `_content` or `label` of an object that has one, otherwise the value itself;
  /// `nil` for null.
  @inline(__always)
  public var unwrapped: JSONNode? {
    guard isObject else { return isNull ? nil : self }
    guard let inner = self["_content"] ?? self["label"] else { return self }
    return inner.isNull ? nil : inner
  }

  /// A string or a number, possibly wrapped, as text; `nil` for null.
  ///
  /// - Throws: `ParsingError` `shape` for other kinds.
  @inline(__always)
  public func text() throws(ParsingError) -> String? {
    guard let node = unwrapped else { return nil }
    if let string = node.string { return string }
    guard let digits = node.digits else { throw node.error(expected: "a string or a number") }
    return digits
  }

  /// A number or a string, possibly wrapped, as a whole number; `nil` for null and for an empty string.
  ///
  /// - Throws: `ParsingError` `shape` where it is not a whole number that fits an `Int`.
  public func wholeNumber() throws(ParsingError) -> Int? {
    guard let node = unwrapped else { return nil }
    if let int = node.int ?? node.double.flatMap({ Int(exactly: $0) }) { return int }
    if let text = node.string {
      if text.isEmpty { return nil }
      if let int = Int(text) { return int }
    }
    throw node.error(expected: "a whole number")
  }

  /// `true`, `false`, 1, 0 or a string of these, possibly wrapped; `nil` for null and for an empty string.
  ///
  /// - Throws: `ParsingError` `shape` for other values.
  public func boolean() throws(ParsingError) -> Bool? {
    guard let node = unwrapped else { return nil }
    if let bool = node.bool { return bool }
    switch try node.text() {
    case "1", "true": return true
    case "0", "false": return false
    case "", nil: return nil
    default: throw node.error(expected: "true or false")
    }
  }

  /// Calls `body` with each element of an array, or with the value itself where it is not an array. Does nothing for null.
  @inline(__always)
  public func forEachOfOneOrMany(_ body: (Int, JSONNode) throws(ParsingError) -> Void) throws(ParsingError) {
    if isArray {
      try forEachElement(body)
    } else if !isNull {
      try body(0, self)
    }
  }

  /// The first element of an array, or the value itself where it is not an array; `nil` for null and an empty array.
  public var firstOfOneOrMany: JSONNode? { isArray ? self[0] : isNull ? nil : self }

  /// The text of a required member, as `text()` reads it.
  ///
  /// - Parameters:
  ///   - name: the name of the member.
  ///   - allowsEmpty: whether an empty string is accepted.
  /// - Throws: `ParsingError` `shape` where the member is missing, null, empty or of another kind.
  @inline(__always)
  public func requiredText(_ name: StaticString, allowsEmpty: Bool = false) throws(ParsingError) -> String {
    guard let node = self[name] else { throw error(expected: "a string", missing: "\(name)") }
    guard let text = try node.text(), allowsEmpty || !text.isEmpty else {
      throw node.error(expected: allowsEmpty ? "a string" : "a string that is not empty")
    }
    return text
  }

  /// The text of an optional member, as `text()` reads it; `nil` where it is absent, null or empty.
  ///
  /// - Throws: `ParsingError` `shape` where it is neither a string nor a number.
  @inline(__always)
  public func optionalText(_ name: StaticString) throws(ParsingError) -> String? {
    guard let text = try self[name]?.text(), !text.isEmpty else { return nil }
    return text
  }
}

extension JSONNode {
  /// Reads each record of an array, or the value itself as the only record. Null yields none, except as the whole document:
  /// there it is a record that `read` refuses. Records for which `read` throws are rejected, with their place and their
  /// text. O(bytes), regardless of the number of rejected records.
  @inline(__always)
  public func records<Record: Sendable>(_ read: (JSONNode) throws(ParsingError) -> Record) -> Parsed<[Record]> {
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
    } else if !isNull || position == 0 {
      take(0, self)
    }
    return Parsed(records, rejects: rejects)
  }

  @inline(never)
  private func rejected(_ index: Int, _ error: ParsingError) -> RejectedRecord {
    RejectedRecord(
      index: index, path: error.path, expected: error.expected, found: error.found, raw: rawText(limit: 64 * 1024))
  }
}
