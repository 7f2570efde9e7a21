/// Reads the fields of one record and says which one is wrong.
public struct FieldReader: Sendable {
  /// The collection, for errors.
  public let collection: CollectionName
  /// The object that is read.
  public let fields: JSONObject

  /// A reader of one object.
  public init(_ collection: CollectionName, _ fields: JSONObject) {
    self.collection = collection
    self.fields = fields
  }

  /// A field that must be a string.
  public func string(_ key: String) throws(RecordError) -> String {
    guard let value = try optionalString(key) else { throw error(key, "a string", nil) }
    return value
  }

  /// A field that is a string or absent.
  public func optionalString(_ key: String) throws(RecordError) -> String? {
    guard let value = fields[key], value != .null else { return nil }
    guard let string = value.string else { throw error(key, "a string", value) }
    return string
  }

  /// A field that must be a whole number.
  public func int(_ key: String) throws(RecordError) -> Int {
    guard let value = try optionalInt(key) else { throw error(key, "a whole number", nil) }
    return value
  }

  /// A field that is a whole number or absent.
  public func optionalInt(_ key: String) throws(RecordError) -> Int? {
    guard let value = fields[key], value != .null else { return nil }
    guard let int = value.int else { throw error(key, "a whole number", value) }
    return int
  }

  /// A field that is true, false or absent.
  public func optionalBool(_ key: String) throws(RecordError) -> Bool? {
    guard let value = fields[key], value != .null else { return nil }
    guard let bool = value.bool else { throw error(key, "true or false", value) }
    return bool
  }

  /// A field that must be an object.
  public func object(_ key: String) throws(RecordError) -> JSONObject {
    guard let object = fields[key]?.object else { throw error(key, "an object", fields[key]) }
    return object
  }

  /// A field that must be a list of strings.
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

  /// A field that must be a point in time.
  public func timestamp(_ key: String) throws(RecordError) -> Timestamp {
    guard let time = try optionalTimestamp(key) else { throw error(key, "an RFC 3339 time", nil) }
    return time
  }

  /// A field that is a point in time or absent.
  public func optionalTimestamp(_ key: String) throws(RecordError) -> Timestamp? {
    guard let text = try optionalString(key) else { return nil }
    guard let time = Timestamp(rfc3339: text) else { throw error(key, "an RFC 3339 time", fields[key]) }
    return time
  }

  /// The error for one field.
  public func error(_ key: String, _ expected: String, _ found: JSONValue?) -> RecordError {
    let shown: String =
      switch found {
      case nil: "nothing"
      case .string(let text)?: "string \"\(text)\""
      case .number(let digits)?: "number \(digits)"
      case let value?: value.kind
      }
    return RecordError(
      collection: collection, id: fields["id"]?.string, field: key, expected: expected, found: shown)
  }
}
