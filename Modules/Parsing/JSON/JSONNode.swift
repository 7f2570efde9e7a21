public import Models
public import Ports

/// A value in a document that `JSONDocument` reads.
///
/// Copying a node is cheap. It knows its place in the document, and creates strings, numbers and trees on request.
///
/// - Important: A node points into the text of its document. Do not use it after the closure of `JSONDocument.read`.
public struct JSONNode {
  @usableFromInline let base: UnsafePointer<UInt8>
  @usableFromInline let count: Int
  @usableFromInline let tape: UnsafeMutablePointer<UInt64>
  @usableFromInline let position: Int

  @inlinable @inline(__always)
  init(base: UnsafePointer<UInt8>, count: Int, tape: UnsafeMutablePointer<UInt64>, position: Int) {
    self.base = base
    self.count = count
    self.tape = tape
    self.position = position
  }

  @inlinable @inline(__always) var word: UInt64 { tape[position] }

  @inlinable @inline(__always) func at(_ position: Int) -> JSONNode {
    JSONNode(base: base, count: count, tape: tape, position: position)
  }

  public enum Kind: String, Sendable, CaseIterable {
    case null, boolean, number, string, array, object
  }

  @inlinable public var kind: Kind {
    switch JSONWord.kind(word) {
    case JSONWord.null: .null
    case JSONWord.no, JSONWord.yes: .boolean
    case JSONWord.number: .number
    case JSONWord.string: .string
    case JSONWord.array: .array
    default: .object
    }
  }

  @inlinable public var isNull: Bool { JSONWord.kind(word) == JSONWord.null }
  @inlinable public var isObject: Bool { JSONWord.kind(word) == JSONWord.object }
  @inlinable public var isArray: Bool { JSONWord.kind(word) == JSONWord.array }
  @inlinable public var isString: Bool { JSONWord.kind(word) == JSONWord.string }
  @inlinable public var isNumber: Bool { JSONWord.kind(word) == JSONWord.number }

  /// The string, unescaped; `nil` for other kinds. O(length).
  @inlinable public var string: String? { isString ? JSONString.text(word, base) : nil }

  /// The number with its digits as written; `nil` for other kinds.
  public var digits: String? { isNumber ? JSONNumber.text(word, base) : nil }

  /// The Boolean; `nil` for other kinds.
  @inlinable public var bool: Bool? {
    switch JSONWord.kind(word) {
    case JSONWord.yes: true
    case JSONWord.no: false
    default: nil
    }
  }

  /// The number, if it is written without fraction and exponent and fits an `Int`; `nil` otherwise.
  public var int: Int? {
    guard isNumber, word & JSONWord.whole != 0 else { return nil }
    return decimalInteger(UnsafeBufferPointer(start: base + JSONWord.offset(word), count: JSONWord.extra(word)))
  }

  /// The number, rounded to the nearest `Double`; `nil` for other kinds.
  public var double: Double? { isNumber ? JSONNumber.double(word, base) : nil }

  /// The number of elements or members; 0 for scalars. A repeated name counts once.
  @inlinable public var elementCount: Int {
    JSONWord.kind(word) >= JSONWord.array ? Int(truncatingIfNeeded: tape[position + 1] & 0xFFF_FFFF) : 0
  }

  /// The value as a tree. Of members with the same name, it contains the last one. O(values).
  public var value: JSONValue {
    switch JSONWord.kind(word) {
    case JSONWord.null: return .null
    case JSONWord.no: return .bool(false)
    case JSONWord.yes: return .bool(true)
    case JSONWord.number: return .number(JSONNumber.text(word, base))
    case JSONWord.string: return .string(JSONString.text(word, base))
    case JSONWord.array:
      var values: [JSONValue] = []
      values.reserveCapacity(elementCount)
      var next = position &+ 3
      let end = position &+ JSONWord.extra(word)
      while next < end {
        values.append(at(next).value)
        next &+= JSONWord.size(tape[next])
      }
      return .array(values)
    default: return .object(fields)
    }
  }

  /// The members of an object as a tree, in their order; empty for other kinds. O(values).
  public var fields: JSONObject {
    var members: [JSONObject.Member] = []
    members.reserveCapacity(elementCount)
    forEachMember { name, value in members.append(JSONObject.Member(key: name.text, value: value.value)) }
    return JSONObject(members: members)
  }
}

extension JSONNode {
  public var offset: Int { JSONWord.offset(word) }

  /// The offset after the end of the value.
  public var endOffset: Int {
    let start = offset
    switch JSONWord.kind(word) {
    case JSONWord.null, JSONWord.yes: return start + 4
    case JSONWord.no: return start + 5
    case JSONWord.number: return start + JSONWord.extra(word)
    case JSONWord.string: return start + JSONWord.extra(word) + 2
    default: return Int(truncatingIfNeeded: tape[position + 1] >> 28)
    }
  }

  /// The bytes of the value as written.
  package var raw: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + offset, count: endOffset - offset)
  }

  /// The value as written, truncated to `limit` bytes at the end of a character.
  public func rawText(limit: Int = .max) -> String {
    let bytes = raw
    guard bytes.count > limit else { return String(decoding: bytes, as: UTF8.self) }
    var end = limit
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[..<end]), as: UTF8.self)
  }

  public var place: TextPlace { TextPlace(of: offset, in: UnsafeBufferPointer(start: base, count: count)) }

  /// The path of the value in its document. O(preceding values on its level and above).
  public var path: JSONPath { JSONPath(of: position, in: tape, base: base) }

  /// A short description for error messages: the kind, with a scalar value or a number of elements.
  public var summary: String {
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

  /// The error that this value is not as expected, with its path, offset, line and column.
  ///
  /// - Parameters:
  ///   - expected: what should be here: `a string`.
  ///   - missing: the name of a missing member; then the error is about that member.
  public func error(expected: String, missing: String? = nil) -> ParsingError {
    let found = missing == nil ? summary : "nothing"
    if tape[0] & JSONWord.isCounting != 0 { return ParsingError(.shape, expected: expected, found: found) }
    var path = path
    if let missing { path.steps.append(.name(missing)) }
    // Rejected records do not report their line, and counting the lines before each would take quadratic time.
    let place = tape[0] & JSONWord.inList != 0 ? TextPlace(line: 1, column: 1) : place
    return ParsingError(
      .shape, path: path.description, offset: offset, line: place.line, column: place.column, expected: expected,
      found: found)
  }

  /// Stores the position of the element that is being read, so that the paths of its values are found from there.
  @inline(__always)
  func markElement(_ index: Int, _ node: JSONNode) {
    tape[position] |= JSONWord.marked
    tape[position + 2] = JSONWord.make(0, offset: index, extra: node.position - position)
  }

  /// Stops determining places: further rejected records of the list are only counted.
  func skipPlaces() { tape[0] |= JSONWord.isCounting }
}

extension JSONNode {
  public struct Name {
    @usableFromInline let word: UInt64
    @usableFromInline let base: UnsafePointer<UInt8>

    @inlinable @inline(__always) init(_ word: UInt64, _ base: UnsafePointer<UInt8>) {
      self.word = word
      self.base = base
    }

    public var text: String { JSONString.text(word, base) }

    /// The bytes of the name as written, without the quotes.
    var raw: UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(start: base + JSONWord.offset(word) + 1, count: JSONWord.extra(word))
    }

    @inlinable @inline(__always)
    public static func == (name: Name, other: StaticString) -> Bool {
      let length = other.utf8CodeUnitCount
      guard name.word & JSONWord.escaped == 0 else { return equalUnescaped(name, other) }
      guard JSONWord.extra(name.word) == length else { return false }
      return JSONString.areEqual(name.base + JSONWord.offset(name.word) + 1, other.utf8Start, length)
    }

    /// The number after `prefix`; `nil` for names of another form.
    package func number(after prefix: StaticString) -> Int? { rest(after: prefix).flatMap(decimalInteger) }

    /// The rest after `prefix`; `nil` for names without it.
    package func suffix(after prefix: StaticString) -> String? {
      rest(after: prefix).map { String(decoding: $0, as: UTF8.self) }
    }

    private func rest(after prefix: StaticString) -> UnsafeBufferPointer<UInt8>? {
      let length = prefix.utf8CodeUnitCount
      guard JSONWord.extra(word) > length, word & JSONWord.escaped == 0,
        JSONString.areEqual(raw.baseAddress!, prefix.utf8Start, length)
      else { return nil }
      return UnsafeBufferPointer(rebasing: raw[length...])
    }

    /// Whether the unescaped name has these bytes.
    @inline(__always)
    func isSpelled(_ other: [UInt8]) -> Bool {
      if word & JSONWord.escaped != 0 { return JSONString.unescaped(word, base) == other }
      return JSONWord.extra(word) == other.count
        && JSONString.areEqual(base + JSONWord.offset(word) + 1, other, other.count)
    }

    /// Whether the unescaped name has the bytes at an address.
    @inline(__always)
    func isSpelled(_ other: UnsafePointer<UInt8>, count: Int) -> Bool {
      if word & JSONWord.escaped != 0 {
        return JSONString.unescaped(word, base).elementsEqual(UnsafeBufferPointer(start: other, count: count))
      }
      return JSONWord.extra(word) == count && JSONString.areEqual(base + JSONWord.offset(word) + 1, other, count)
    }

    @usableFromInline
    static func equalUnescaped(_ name: Name, _ other: StaticString) -> Bool {
      JSONString.unescaped(name.word, name.base)
        .elementsEqual(UnsafeBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount))
    }
  }

  /// Whether it is a text without characters. O(1).
  var isEmptyText: Bool { isString && word & JSONWord.escaped == 0 && JSONWord.extra(word) == 0 }

  /// The value of a member; `nil` where there is no such member or the value is not an object. Of members with the same
  /// name, the last one counts. O(members).
  @inlinable @inline(__always)
  public subscript(name: StaticString) -> JSONNode? {
    guard isObject else { return nil }
    var i = position &+ 3
    let end = position &+ JSONWord.extra(word)
    while i < end {
      let nameWord = tape[i]
      if nameWord & JSONWord.shadowed == 0, Name(nameWord, base) == name { return at(i &+ 1) }
      i &+= 1 &+ JSONWord.size(tape[i &+ 1])
    }
    return nil
  }

  /// The value of a member whose name is known only at run time. O(members).
  public func member(_ name: String) -> JSONNode? { member(spelled: Array(name.utf8)) }

  /// The value of a member whose unescaped name has these bytes. O(members).
  func member(spelled name: [UInt8]) -> JSONNode? {
    guard isObject else { return nil }
    var i = position + 3
    let end = position + JSONWord.extra(word)
    while i < end {
      let nameWord = tape[i]
      if nameWord & JSONWord.shadowed == 0, Name(nameWord, base).isSpelled(name) { return at(i + 1) }
      i += 1 + JSONWord.size(tape[i + 1])
    }
    return nil
  }

  /// The element of an array at an index from 0; `nil` where there is no such element. O(index).
  public subscript(index: Int) -> JSONNode? {
    guard isArray, index >= 0, index < elementCount else { return nil }
    var i = position + 3
    for _ in 0..<index { i += JSONWord.size(tape[i]) }
    return at(i)
  }

  /// Calls `body` with the name and value of each member, in their order. Of members with the same name, only the last one
  /// is visited. Does nothing for other kinds.
  @inlinable @inline(__always)
  public func forEachMember<E: Error>(_ body: (Name, JSONNode) throws(E) -> Void) throws(E) {
    guard isObject else { return }
    var i = position &+ 3
    let end = position &+ JSONWord.extra(word)
    while i < end {
      let nameWord = tape[i]
      if nameWord & JSONWord.shadowed == 0 { try body(Name(nameWord, base), at(i &+ 1)) }
      i &+= 1 &+ JSONWord.size(tape[i &+ 1])
    }
  }

  /// Calls `body` with the index and value of each element of an array. Does nothing for other kinds.
  @inlinable @inline(__always)
  public func forEachElement<E: Error>(_ body: (Int, JSONNode) throws(E) -> Void) throws(E) {
    guard isArray else { return }
    var i = position &+ 3
    let end = position &+ JSONWord.extra(word)
    var index = 0
    while i < end {
      try body(index, at(i))
      i &+= JSONWord.size(tape[i])
      index &+= 1
    }
  }

  /// A member that a later one with the same name replaces.
  public struct ReplacedMember {
    public let name: String
    public let value: JSONNode
  }

  /// The members that later ones with the same name replace. O(members).
  public var replacedMembers: [ReplacedMember] {
    guard isObject else { return [] }
    var found: [ReplacedMember] = []
    var i = position + 3
    let end = position + JSONWord.extra(word)
    while i < end {
      if tape[i] & JSONWord.shadowed != 0 {
        found.append(ReplacedMember(name: JSONString.text(tape[i], base), value: at(i + 1)))
      }
      i += 1 + JSONWord.size(tape[i + 1])
    }
    return found
  }

  /// Looks up members that usually occur in a fixed order: each search starts after the previous match.
  public struct Cursor {
    @usableFromInline let object: JSONNode
    @usableFromInline let end: Int
    @usableFromInline var next: Int

    /// Creates a cursor over the members of an object. It finds nothing in other kinds.
    @inlinable @inline(__always)
    public init(_ object: JSONNode) {
      self.object = object
      end = object.isObject ? object.position &+ JSONWord.extra(object.word) : object.position
      next = object.position &+ 3
    }

    /// The value of a member; `nil` where there is no such member. O(1) in the expected order, O(members) otherwise.
    @inlinable @inline(__always)
    public mutating func callAsFunction(_ name: StaticString) -> JSONNode? {
      var i = next
      while i < end {
        let nameWord = object.tape[i]
        let value = i &+ 1
        let after = value &+ JSONWord.size(object.tape[value])
        if nameWord & JSONWord.shadowed == 0, Name(nameWord, object.base) == name {
          next = after
          return object.at(value)
        }
        i = after
      }
      return fromStart(name)
    }

    @usableFromInline
    mutating func fromStart(_ name: StaticString) -> JSONNode? {
      var i = object.position &+ 3
      while i < next, i < end {
        let nameWord = object.tape[i]
        let value = i &+ 1
        if nameWord & JSONWord.shadowed == 0, Name(nameWord, object.base) == name { return object.at(value) }
        i = value &+ JSONWord.size(object.tape[value])
      }
      return nil
    }
  }
}
