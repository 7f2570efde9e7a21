/// A value that is kept in the store as one JSON object.
///
/// `fields` and `init(fields:)` are each other's reverse: what one writes the other reads. Absent optionals are left
/// out of the object, never written as null.
public protocol Record: Sendable, Hashable {
  /// The collection that holds records of this kind.
  static var collection: CollectionName { get }

  /// The fields that `fields` writes, in their order.
  static var schema: [RecordField] { get }

  /// The key within the collection; it is the first member of `fields`.
  var id: String { get }

  /// The record as it is written, `id` first.
  var fields: JSONObject { get }

  /// The fields that follow from others unless they were given, with those others; empty by default.
  static var dependentFields: [String: [String]] { get }

  /// What a field of `dependentFields` is after those that it follows from changed from `old` to `new`; `nil` where it
  /// follows from them alone.
  static func dependentValue(_ field: String, from old: JSONObject, to new: JSONObject) -> JSONValue?

  /// Reads a record as it was written.
  ///
  /// - Throws: `RecordError` where a field is missing or of another type. Unknown fields are passed over.
  init(fields: JSONObject) throws(RecordError)

  /// Whether two records as they are written say the same, so that one need not be written over the other.
  static func areEqual(_ lhs: JSONObject, _ rhs: JSONObject) -> Bool
}

extension Record {
  /// Member by member, in any order.
  public static func areEqual(_ lhs: JSONObject, _ rhs: JSONObject) -> Bool { lhs == rhs }
}

extension Record {
  /// No field follows from others.
  public static var dependentFields: [String: [String]] { [:] }

  /// Follows from the others alone.
  public static func dependentValue(_ field: String, from old: JSONObject, to new: JSONObject) -> JSONValue? { nil }
}

/// A stored record does not have the shape that its collection promises.
public struct RecordError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The collection.
  public var collection: CollectionName
  /// The record's id, where it could be read.
  public var id: String?
  /// The field that is wrong.
  public var field: String
  /// What should stand there.
  public var expected: String
  /// What stands there; `nothing` where it is missing.
  public var found: String

  /// Makes an error.
  public init(collection: CollectionName, id: String?, field: String, expected: String, found: String) {
    self.collection = collection
    self.id = id
    self.field = field
    self.expected = expected
    self.found = found
  }

  /// The error in one line.
  public var description: String {
    "\(collection)/\(id ?? "?"): field '\(field)': expected \(expected), found \(found)"
  }
}
