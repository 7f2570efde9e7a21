/// The kinds of records that have a type, by their collections.
public enum KnownRecords {
  /// Every type.
  public static let types: [any Record.Type] = [
    App.self, ChartSnapshot.self, Photo.self, Owner.self, Profile.self, Person.self, OutboxEntry.self, Reject.self,
  ]

  /// The type of a collection's records; `nil` for a collection without a type.
  public static func type(of collection: CollectionName) -> (any Record.Type)? {
    types.first { $0.collection == collection }
  }

  /// Whether two records of a collection say the same, as their type compares them.
  public static func areEqual(_ lhs: JSONObject, _ rhs: JSONObject, in collection: CollectionName) -> Bool {
    type(of: collection)?.areEqual(lhs, rhs) ?? (lhs == rhs)
  }

  /// The record as its type writes it, then what no type knows: what an old or a foreign program wrote comes out
  /// complete, in order, with fields that follow from others (`fullName`) where they are missing. A record of a
  /// collection without a type stays as it is, `id` first.
  ///
  /// - Throws: `RecordError` where a field is missing or of another type, or the id is not the one that follows from
  ///   the fields.
  public static func canonical(_ fields: JSONObject, in collection: CollectionName) throws(RecordError) -> JSONObject {
    let reader = FieldReader(collection, fields)
    let id = try reader.string("id")
    guard let type = type(of: collection) else {
      var written: JSONObject = ["id": .string(id)]
      written.members += fields.members.filter { $0.key != "id" }
      return written
    }
    let record = try type.init(fields: fields)
    guard record.id.exact == id.exact else { throw reader.error("id", "'\(record.id)'", .string(id)) }
    let known = record.fields
    var written = known
    // Looked through, as there are few: a set of the names would take longer than everything else here.
    for member in fields.members where known[member.key] == nil {
      if member.value != .null { written.members.append(member) }
    }
    return written
  }
}
