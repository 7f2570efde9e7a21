/// Reads the fields of one record. The error of an invalid field names the field.
public struct FieldReader: Sendable {
  public let collection: CollectionName
  public let fields: JSONObject

  public init(_ collection: CollectionName, _ fields: JSONObject) {
    (self.collection, self.fields) = (collection, fields)
  }

  public func string(_ key: String) throws(RecordError) -> String { try required(key, "a string") { $0.string } }

  public func optionalString(_ key: String) throws(RecordError) -> String? {
    try optional(key, "a string") { $0.string }
  }

  public func int(_ key: String) throws(RecordError) -> Int { try required(key, "a whole number") { $0.int } }

  public func optionalInt(_ key: String) throws(RecordError) -> Int? { try optional(key, "a whole number") { $0.int } }

  public func optionalBool(_ key: String) throws(RecordError) -> Bool? {
    try optional(key, "true or false") { $0.bool }
  }

  public func timestamp(_ key: String) throws(RecordError) -> Timestamp {
    guard let time = try optionalTimestamp(key) else { throw error(key, "an RFC 3339 time", nil) }
    return time
  }

  public func optionalTimestamp(_ key: String) throws(RecordError) -> Timestamp? {
    guard let text = try optionalString(key) else { return nil }
    guard let time = Timestamp(rfc3339: text) else { throw error(key, "an RFC 3339 time", fields[key]) }
    return time
  }

  @inline(__always)
  private func required<Value>(
    _ key: String, _ expected: String, _ read: (JSONValue) -> Value?
  ) throws(RecordError) -> Value {
    guard let value = try optional(key, expected, read) else { throw error(key, expected, nil) }
    return value
  }

  @inline(__always)
  private func optional<Value>(
    _ key: String, _ expected: String, _ read: (JSONValue) -> Value?
  ) throws(RecordError) -> Value? {
    guard let found = fields[key], found != .null else { return nil }
    guard let value = read(found) else { throw error(key, expected, found) }
    return value
  }

  public func object(_ key: String) throws(RecordError) -> JSONObject {
    guard let object = fields[key]?.object else { throw error(key, "an object", fields[key]) }
    return object
  }

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
