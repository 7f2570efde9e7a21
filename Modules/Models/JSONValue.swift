/// A JSON value (RFC 8259). Numbers keep their original digits. Strings are compared by their bytes.
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  public static func int(_ value: Int) -> JSONValue { .number(String(value)) }

  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The integer; `nil` for a value of another kind, and for a number that is not an integer or does not fit.
  public var int: Int? { if case .number(let digits) = self { Int(digits) } else { nil } }

  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

  public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// The kind of the value in the terms of RFC 8259, for messages.
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

extension JSONValue: Hashable {
  /// Compares objects in any order; strings and numbers must be equal as written.
  public static func == (lhs: JSONValue, rhs: JSONValue) -> Bool {
    switch lhs {
    case .null: if case .null = rhs { return true }
    case .bool(let left): if case .bool(let right) = rhs { return left == right }
    case .number(let left): if case .number(let right) = rhs { return ExactString.areEqual(left, right) }
    case .string(let left): if case .string(let right) = rhs { return ExactString.areEqual(left, right) }
    case .array(let left): if case .array(let right) = rhs { return left == right }
    case .object(let left): if case .object(let right) = rhs { return left == right }
    }
    return false
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    switch self {
    case .null: break
    case .bool(let value): hasher.combine(value)
    case .number(let text), .string(let text): hasher.combine(text.exact)
    case .array(let values): hasher.combine(values)
    case .object(let object): hasher.combine(object)
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int) { self = .int(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue?)...) { self = .object(JSONObject(elements)) }
}

extension JSONValue {
  /// A member of a literal that is left out where it is `nil`.
  public static func of(_ text: String?) -> JSONValue? { text.map { .string($0) } }
  public static func of(_ number: Int?) -> JSONValue? { number.map { .int($0) } }
  public static func of(_ flag: Bool?) -> JSONValue? { flag.map { .bool($0) } }
  public static func of(_ value: JSONValue?) -> JSONValue? { value }

  /// The number that a text writes; `nil` if the text is not a number in JSON's grammar (RFC 8259 section 6).
  public init?(number text: String) {
    var rest = Array(text.utf8)[...]
    func digits() -> Int {
      let run = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest[run.endIndex...]
      return run.count
    }
    if rest.first == 0x2D { rest = rest.dropFirst() }
    let isZero = rest.first == 0x30
    let whole = digits()
    guard whole > 0, !isZero || whole == 1 else { return nil }
    if rest.first == 0x2E {
      rest = rest.dropFirst()
      guard digits() > 0 else { return nil }
    }
    if let mark = rest.first, mark | 0x20 == 0x65 {
      rest = rest.dropFirst()
      if rest.first == 0x2B || rest.first == 0x2D { rest = rest.dropFirst() }
      guard digits() > 0 else { return nil }
    }
    guard rest.isEmpty else { return nil }
    self = .number(text)
  }
}

/// A JSON object that preserves the order of its members.
///
/// A lookup is a linear search, O(members), which for the dozen members of a record is faster than a hash table. Names
/// are compared by their bytes.
public struct JSONObject: Sendable {
  public struct Member: Sendable {
    /// The unescaped name.
    public var key: String
    public var value: JSONValue

    public init(key: String, value: JSONValue) { (self.key, self.value) = (key, value) }
  }

  public var members: [Member]

  public init(members: [Member] = []) { self.members = members }

  public var keys: [String] { members.map(\.key) }

  public var isEmpty: Bool { members.isEmpty }

  /// The value of a member; `nil` if there is no such member. Assigning `nil` removes the member; assigning a value
  /// replaces the value in place or appends the member.
  public subscript(key: String) -> JSONValue? {
    get { members.firstIndex { ExactString.areEqual($0.key, key) }.map { members[$0].value } }
    set {
      let index = members.firstIndex { ExactString.areEqual($0.key, key) }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  @inlinable
  public mutating func append(_ key: String, _ value: String?) { if let value { add(key, .string(value)) } }

  @inlinable
  public mutating func append(_ key: String, _ value: Int?) { if let value { add(key, .int(value)) } }

  @inlinable
  public mutating func append(_ key: String, _ value: Bool?) { if let value { add(key, .bool(value)) } }

  @inlinable
  public mutating func append(_ key: String, _ value: JSONValue?) { if let value { add(key, value) } }

  /// The object, followed by the members of another one.
  public func adding(_ others: JSONObject) -> JSONObject { JSONObject(members: members + others.members) }

  // Consumes both arguments, which saves a retain and a release of each.
  @usableFromInline
  mutating func add(_ key: consuming String, _ value: consuming JSONValue) {
    // Reserving once replaces the five allocations of a record with a dozen members.
    if members.isEmpty { members.reserveCapacity(12) }
    members.append(Member(key: key, value: value))
  }
}

extension JSONObject.Member: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    ExactString.areEqual(lhs.key, rhs.key) && lhs.value == rhs.value
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(key.exact)
    hasher.combine(value)
  }
}

extension JSONObject: Hashable {
  /// Objects are equal if they have the same members in any order (RFC 8259 section 4). O(members) if the order is the
  /// same, otherwise O(members²).
  public static func == (lhs: JSONObject, rhs: JSONObject) -> Bool {
    guard lhs.members.count == rhs.members.count else { return false }
    for index in lhs.members.indices {
      if ExactString.areEqual(lhs.members[index].key, rhs.members[index].key) {
        guard lhs.members[index].value == rhs.members[index].value else { return false }
      } else {
        guard rhs[lhs.members[index].key] == lhs.members[index].value else { return false }
      }
    }
    return true
  }

  public func hash(into hasher: inout Hasher) {
    for member in members.sorted(by: { $0.key.exact < $1.key.exact }) { hasher.combine(member) }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue?)...) { self.init(elements) }

  fileprivate init(_ elements: [(String, JSONValue?)]) {
    members = []
    members.reserveCapacity(elements.count)
    for case (let key, let value?) in elements { members.append(Member(key: key, value: value)) }
  }
}
