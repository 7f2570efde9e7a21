/// The collections that users can list: those of the sources, then those that every store has.
public struct CollectionCatalog: Sendable {
  /// Every collection, in the order in which they are shown.
  public let collections: [CollectionDescriptor]

  /// The catalog of a program's sources. Where two of them fill one collection, the first description counts.
  public init(_ sources: [SourceDescriptor]) {
    var known: Set<CollectionName> = []
    collections = (sources.flatMap(\.collections) + CollectionDescriptor.common)
      .filter { known.insert($0.name).inserted }
  }

  /// The names, in the order in which they are shown.
  public var names: [CollectionName] { collections.map(\.name) }

  /// Whether users can list the collection.
  public func contains(_ name: CollectionName) -> Bool { self[name] != nil }

  /// The collection's description; `nil` where there is none. O(number of collections).
  public subscript(name: CollectionName) -> CollectionDescriptor? { collections.first { $0.name == name } }

  /// The fields of a collection; empty where its records have no fixed shape.
  public func fields(of name: CollectionName) -> [RecordField] { self[name]?.fields ?? [] }

  /// Whether two records of a collection say the same, as their type compares them.
  public func areEqual(_ lhs: JSONObject, _ rhs: JSONObject, in collection: CollectionName) -> Bool {
    self[collection]?.record?.areEqual(lhs, rhs) ?? (lhs == rhs)
  }

  /// The record as its type writes it, then the members that the type does not know. A record of an older or another
  /// program comes out complete and in order, with missing fields derived from others (`fullName`). A record of a
  /// collection without a type stays as it is, `id` first.
  ///
  /// - Throws: `RecordError` where a field is missing or of another type, or where the id does not follow from the
  ///   fields.
  public func canonical(_ fields: JSONObject, in collection: CollectionName) throws(RecordError) -> JSONObject {
    let reader = FieldReader(collection, fields)
    let id = try reader.string("id")
    guard let type = self[collection]?.record else {
      var written: JSONObject = ["id": .string(id)]
      written.members += fields.members.filter { $0.key != "id" }
      return written
    }
    let record = try type.init(fields: fields)
    guard record.id.exact == id.exact else { throw reader.error("id", "'\(record.id)'", .string(id)) }
    let known = record.fields
    var written = known
    // A linear search, because a set of so few names would take longer than everything else here.
    for member in fields.members where known[member.key] == nil {
      if member.value != .null { written.members.append(member) }
    }
    return written
  }
}
