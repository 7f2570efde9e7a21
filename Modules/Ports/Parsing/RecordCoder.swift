public import Models

/// Turns records into the bytes that the store keeps, and back.
public protocol RecordCoder: Sendable {
  /// Writes an object as one line of compact JSON, members in their order, without the line's end. The same object
  /// always gives the same bytes.
  func encode(_ fields: JSONObject) -> [UInt8]

  /// Writes any value in the same way.
  func encode(_ value: JSONValue) -> [UInt8]

  /// Reads one JSON object.
  ///
  /// - Throws: `ParsingError` where the bytes are not one whole JSON object.
  func decode(_ bytes: RawSpan) throws(ParsingError) -> JSONObject
}

extension RecordCoder {
  /// Reads one JSON object.
  ///
  /// - Throws: `ParsingError` where the bytes are not one whole JSON object.
  public func decode(_ bytes: [UInt8]) throws(ParsingError) -> JSONObject {
    try decode(bytes.span.bytes)
  }
}

/// Looks at single fields of stored records without reading the rest of them.
public protocol RecordFilterCompiler: Sendable {
  /// Makes a filter that is true where all conditions are.
  func filter(_ conditions: [RecordCondition]) -> any RecordFilter
}

/// A compiled set of conditions.
public protocol RecordFilter: Sendable {
  /// Whether the record meets every condition. A record that is no JSON object meets none.
  func matches(_ record: RawSpan) -> Bool
}

/// `FIELD OP VALUE`.
public struct RecordCondition: Hashable, Sendable {
  /// How two values are compared.
  public enum Comparison: String, Sendable, CaseIterable {
    /// Equal.
    case equal = "="
    /// Not equal, or absent.
    case notEqual = "!="
    /// Less.
    case less = "<"
    /// Less or equal.
    case lessOrEqual = "<="
    /// Greater.
    case greater = ">"
    /// Greater or equal.
    case greaterOrEqual = ">="
    /// Contains, without regard to ASCII case.
    case contains = "~"
  }

  /// The field, with `.` between the levels: `price.amount`.
  public var field: String
  /// How it is compared.
  public var comparison: Comparison
  /// With what: numbers compare as numbers where both sides are, everything else as text.
  public var value: String

  /// Makes a condition.
  public init(field: String, comparison: Comparison, value: String) {
    self.field = field
    self.comparison = comparison
    self.value = value
  }
}
