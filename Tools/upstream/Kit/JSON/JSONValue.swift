import Foundation

/// A JSON value of a request body or a fault script.
///
/// Foundation reads it, so that a defect in the project's parser cannot remain unnoticed.
public enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Field])

  public struct Field: Sendable, Equatable {
    public let name: String
    public let value: JSONValue
  }

  public struct Failure: Error, CustomStringConvertible {
    public var description: String { "not JSON" }
  }

  /// Parses one JSON text (RFC 8259).
  /// - Throws: ``Failure`` if the bytes are not valid JSON.
  public init(parsing bytes: [UInt8]) throws(Failure) {
    guard let value = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) else {
      throw Failure()
    }
    self.init(value)
  }

  private init(_ value: Any) {
    switch value {
    case let text as String: self = .string(text)
    case let values as [Any]: self = .array(values.map { JSONValue($0) })
    case let object as [String: Any]:
      self = .object(object.sorted { $0.key < $1.key }.map { Field(name: $0.key, value: JSONValue($0.value)) })
    case let number as NSNumber:
      let isFlag = String(cString: number.objCType) == "c"
      self = isFlag ? .bool(number.boolValue) : .number(number.stringValue)
    default: self = .null
    }
  }

  /// The first member of this name; nil if it is absent or this is not an object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }

  public var string: String? { if case .string(let text) = self { text } else { nil } }

  public var int: Int? { if case .number(let text) = self { Int(text) } else { nil } }

  public var double: Double? { if case .number(let text) = self { Double(text) } else { nil } }

  public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

  public var fields: [Field]? { if case .object(let fields) = self { fields } else { nil } }
}
