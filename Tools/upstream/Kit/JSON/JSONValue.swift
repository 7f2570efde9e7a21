/// A JSON value that was read: request bodies and fault scripts.
///
/// The tool has a reader of its own, so that a fault in the project's reader cannot hide behind itself.
public enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// The number as it was written.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Field])

  /// One member of an object.
  public struct Field: Sendable, Equatable {
    /// The name.
    public let name: String
    /// The value.
    public let value: JSONValue
  }

  /// A place where text is no JSON.
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// The byte at which reading stopped.
    public let offset: Int

    /// For a person.
    public var description: String { "not JSON at byte \(offset)" }
  }

  /// Reads one JSON text (RFC 8259).
  /// - Throws: ``Failure`` when the bytes are anything else.
  public init(parsing bytes: [UInt8]) throws(Failure) {
    var reader = JSONReader(bytes: bytes)
    self = try reader.text()
  }

  /// The first member of this name; nil where there is none or this is no object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }

  /// The text of a string.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// A whole number.
  public var int: Int? {
    if case .number(let text) = self { Int(text) } else { nil }
  }

  /// Any number.
  public var double: Double? {
    if case .number(let text) = self { Double(text) } else { nil }
  }

  /// True or false.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements of an array.
  public var array: [JSONValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  /// The members of an object.
  public var fields: [Field]? {
    if case .object(let fields) = self { fields } else { nil }
  }

  /// The value as text.
  public var text: String {
    var text = JSONText()
    text.value(self)
    return String(decoding: text.bytes, as: UTF8.self)
  }
}
