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
