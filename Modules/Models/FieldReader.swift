/// Reads the fields of one record. The error of an invalid field names the field.
public struct FieldReader: Sendable {
  /// The collection, for error messages.
  public let collection: CollectionName
  public let fields: JSONObject

  public init(_ collection: CollectionName, _ fields: JSONObject) {
    self.collection = collection
    self.fields = fields
  }

  public func string(_ key: String) throws(RecordError) -> String {
    guard let value = try optionalString(key) else { throw error(key, "a string", nil) }
    return value
  }

  public func optionalString(_ key: String) throws(RecordError) -> String? {
    guard let value = fields[key], value != .null else { return nil }
    guard let string = value.string else { throw error(key, "a string", value) }
    return string
  }

  /// The value of a required integer.
  public func int(_ key: String) throws(RecordError) -> Int {
    guard let value = try optionalInt(key) else { throw error(key, "a whole number", nil) }
    return value
  }

  public func optionalInt(_ key: String) throws(RecordError) -> Int? {
    guard let value = fields[key], value != .null else { return nil }
    guard let int = value.int else { throw error(key, "a whole number", value) }
    return int
  }

  public func optionalBool(_ key: String) throws(RecordError) -> Bool? {
    guard let value = fields[key], value != .null else { return nil }
    guard let bool = value.bool else { throw error(key, "true or false", value) }
    return bool
  }

  public func object(_ key: String) throws(RecordError) -> JSONObject {
    guard let object = fields[key]?.object else { throw error(key, "an object", fields[key]) }
    return object
  }

  /// The value of a required array of strings.
  public func strings(_ key: String) throws(RecordError) -> [String] {
    guard let values = fields[key]?.array else { throw error(key, "a list of strings", fields[key]) }
    var strings: [String] = []
    strings.reserveCapacity(values.count)
    for value in values {
      guard let string = value.string else { throw error(key, "a list of strings", value) }
      strings.append(string)
    }
    return strings
  }

  /// The value of a required RFC 3339 time.
  public func timestamp(_ key: String) throws(RecordError) -> Timestamp {
    guard let time = try optionalTimestamp(key) else { throw error(key, "an RFC 3339 time", nil) }
    return time
  }

  /// The value of an optional RFC 3339 time.
  public func optionalTimestamp(_ key: String) throws(RecordError) -> Timestamp? {
    guard let text = try optionalString(key) else { return nil }
    guard let time = Timestamp(rfc3339: text) else { throw error(key, "an RFC 3339 time", fields[key]) }
    return time
  }

  public func error(_ key: String, _ expected: String, _ found: JSONValue?) -> RecordError {
    let shown: String =
      switch found {
      case nil: "nothing"
      case .string(let text)?: "string \"\(text)\""
      case .number(let digits)?: "number \(digits)"
      case let value?: value.kind
      }
    return RecordError(collection: collection, id: fields["id"]?.string, field: key, expected: expected, found: shown)
  }
}
