/// A JSON value (RFC 8259) whose numbers keep the digits that they came with. Texts are compared by their bytes.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, exactly as written.
  case number(String)
  /// A string, unescaped.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object, in the order of its members.
  case object(JSONObject)

  /// A whole number.
  public static func int(_ value: Int) -> JSONValue { .number(String(value)) }

  /// The string, if it is one.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The number, if it is a whole one that fits.
  public var int: Int? {
    if case .number(let digits) = self { Int(digits) } else { nil }
  }

  /// The truth value, if it is one.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements, if it is an array.
  public var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The object, if it is one.
  public var object: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// What kind of value it is, in the words of RFC 8259, for messages.
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
  /// Whether both are the same value; objects in whatever order, texts and numbers as they are written.
  public static func == (lhs: JSONValue, rhs: JSONValue) -> Bool {
    switch lhs {
    case .null:
      if case .null = rhs { return true }
    case .bool(let left):
      if case .bool(let right) = rhs { return left == right }
    case .number(let left):
      if case .number(let right) = rhs { return ExactString.areEqual(left, right) }
    case .string(let left):
      if case .string(let right) = rhs { return ExactString.areEqual(left, right) }
    case .array(let left):
      if case .array(let right) = rhs { return left == right }
    case .object(let left):
      if case .object(let right) = rhs { return left == right }
    }
    return false
  }

  /// Hashes kind and value.
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
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object with the members as written.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(members: elements.map { JSONObject.Member(key: $0.0, value: $0.1) }))
  }
}

/// A JSON object that keeps the order of its members.
///
/// A lookup searches the members one by one, O(members): for the dozen members of a record this is faster than a hash
/// table. Names are compared by their bytes.
public struct JSONObject: Sendable {
  /// A name with its value.
  public struct Member: Sendable {
    /// The unescaped name.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// Makes a member.
    public init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The members, in the order in which they are written.
  public var members: [Member]

  /// An object with the given members.
  public init(members: [Member] = []) { self.members = members }

  /// The names, in order.
  public var keys: [String] { members.map(\.key) }

  /// Whether it has no member.
  public var isEmpty: Bool { members.isEmpty }

  /// The value of a member; `nil` where there is no such member. Setting `nil` removes the member. Setting a value
  /// replaces it in place, or appends it.
  public subscript(key: String) -> JSONValue? {
    get {
      members.firstIndex { ExactString.areEqual($0.key, key) }.map { members[$0].value }
    }
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

  /// Appends a string member; `nil` is left out.
  @inlinable
  public mutating func append(_ key: String, _ value: String?) {
    if let value { add(key, .string(value)) }
  }

  /// Appends a whole number; `nil` is left out.
  @inlinable
  public mutating func append(_ key: String, _ value: Int?) {
    if let value { add(key, .int(value)) }
  }

  /// Appends a truth value; `nil` is left out.
  @inlinable
  public mutating func append(_ key: String, _ value: Bool?) {
    if let value { add(key, .bool(value)) }
  }

  /// Appends any value; `nil` is left out.
  @inlinable
  public mutating func append(_ key: String, _ value: JSONValue?) {
    if let value { add(key, value) }
  }

  // Consumes both arguments, which saves a retain and a release of each.
  @usableFromInline
  mutating func add(_ key: consuming String, _ value: consuming JSONValue) {
    // A record has about a dozen members: one allocation instead of five.
    if members.isEmpty { members.reserveCapacity(12) }
    members.append(Member(key: key, value: value))
  }
}

extension JSONObject.Member: Hashable {
  /// Whether both have the same value under the same name, byte by byte.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    ExactString.areEqual(lhs.key, rhs.key) && lhs.value == rhs.value
  }

  /// Hashes name and value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key.exact)
    hasher.combine(value)
  }
}

extension JSONObject: Hashable {
  /// Objects are equal when they have the same members, in whatever order (RFC 8259 section 4).
  /// O(members) where the order is the same, otherwise O(members²).
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

  /// Hashes the members without their order.
  public func hash(into hasher: inout Hasher) {
    for member in members.sorted(by: { $0.key.exact < $1.key.exact }) { hasher.combine(member) }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object with the members as written.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(members: elements.map { Member(key: $0.0, value: $0.1) })
  }
}
