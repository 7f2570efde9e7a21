package import Models

/// One value of a text that was scanned; of use within `JSONDocument.read` only.
///
/// Two words wide and free to copy: it knows where it stands, and makes strings, numbers and trees when asked.
package struct JSONNode {
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

  /// The kinds of RFC 8259 section 3.
  package enum Kind: String, Sendable, CaseIterable {
    /// `null`, `true` or `false`, a number, a string, an array, an object.
    case null, boolean, number, string, array, object
  }

  /// What kind of value it is.
  @inlinable package var kind: Kind {
    switch JSONWord.kind(word) {
    case JSONWord.null: .null
    case JSONWord.no, JSONWord.yes: .boolean
    case JSONWord.number: .number
    case JSONWord.string: .string
    case JSONWord.array: .array
    default: .object
    }
  }

  /// Whether it is `null`.
  @inlinable package var isNull: Bool { JSONWord.kind(word) == JSONWord.null }
  /// Whether it is an object.
  @inlinable package var isObject: Bool { JSONWord.kind(word) == JSONWord.object }
  /// Whether it is an array.
  @inlinable package var isArray: Bool { JSONWord.kind(word) == JSONWord.array }
  /// Whether it is a string.
  @inlinable package var isString: Bool { JSONWord.kind(word) == JSONWord.string }
  /// Whether it is a number.
  @inlinable package var isNumber: Bool { JSONWord.kind(word) == JSONWord.number }

  /// The string, unescaped; `nil` for other kinds. O(length).
  @inlinable package var string: String? { isString ? JSONString.text(word, base) : nil }

  /// The number as written; `nil` for other kinds.
  package var digits: String? { isNumber ? JSONNumber.text(word, base) : nil }

  /// The truth value; `nil` for other kinds.
  @inlinable package var bool: Bool? {
    switch JSONWord.kind(word) {
    case JSONWord.yes: true
    case JSONWord.no: false
    default: nil
    }
  }

  /// The number, where it is written as a whole one that fits; `nil` otherwise.
  package var int: Int? {
    guard isNumber, word & JSONWord.whole != 0 else { return nil }
    return decimalInteger(UnsafeBufferPointer(start: base + JSONWord.offset(word), count: JSONWord.extra(word)))
  }

  /// The number, rounded to the nearest that fits; `nil` for other kinds.
  package var double: Double? { isNumber ? JSONNumber.double(word, base) : nil }

  /// How many elements or members; 0 for scalars. A name that comes twice counts once.
  @inlinable package var elementCount: Int {
    JSONWord.kind(word) >= JSONWord.array ? Int(truncatingIfNeeded: tape[position + 1] & 0xFFF_FFFF) : 0
  }

  /// The whole value as a tree, the last of repeated names only. O(values).
  package var value: JSONValue {
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
  package var fields: JSONObject {
    var members: [JSONObject.Member] = []
    members.reserveCapacity(elementCount)
    forEachMember { name, value in members.append(JSONObject.Member(key: name.text, value: value.value)) }
    return JSONObject(members: members)
  }
}
