public struct CollectionDescriptor: Sendable {
  public var name: CollectionName
  /// The fields in their stored order; empty without a fixed schema. Imported records may have more fields.
  public var fields: [RecordField]
  /// The fields that a table shows by default; nested ones as paths.
  public var columns: [String]
  public var media: [String]
  /// The fields whose edits are sent to the source; empty if records cannot be edited, or if a feature edits them.
  public var editableFields: [String] = []
  /// The fields of new records that are sent to the source; empty if it takes no new ones.
  public var newFields: [String] = []
  /// The members that each new record must have, because the address that takes it contains them.
  public var addressFields: [String] = []
  public var isRemovable = false
  /// Whether records stay here, and are nothing wrong, that no source has: people whom somebody added.
  public var keepsLocal = false
  /// The collection of data that belongs to these records, under the same ids; it is removed with them.
  public var companion: CollectionName?
  /// The field with the name of a record; `nil` if it has none.
  public var nameField: String?
  /// What a store begins to keep of the past of these records.
  public var history = HistoryPolicy.forever
  /// The record type; `nil` if records are stored as received.
  public var record: (any Record.Type)?

  public init(_ record: any Record.Type, columns: [String], media: [String] = []) {
    self.init(record.collection, fields: record.schema, columns: columns, media: media)
    self.record = record
    nameField = columns.first == "id" ? columns.dropFirst().first : nil
  }

  /// Describes a collection by its fields alone. The name of a record is its field `name`, or else `title`.
  public init(_ name: CollectionName, fields: [RecordField], columns: [String], media: [String] = []) {
    (self.name, self.fields, self.columns, self.media) = (name, fields, columns, media)
    nameField = ["name", "title"].first { name in fields.contains { $0.name == name && $0.kind == .text } }
  }

  public static let people: CollectionDescriptor = {
    var people = CollectionDescriptor(Person.self, columns: ["fullName", "birthday", "remoteID", "id"])
    people.nameField = "fullName"
    people.companion = .cards
    people.keepsLocal = true
    return people
  }()

  public static let groups: CollectionDescriptor = {
    var groups = CollectionDescriptor(PersonGroup.self, columns: ["id", "name", "members", "origin"])
    groups.editableFields = ["name", "members"]
    groups.newFields = groups.editableFields
    // The card is made in the address book.
    groups.addressFields = ["origin"]
    groups.isRemovable = true
    return groups
  }()

  /// The fields that are derived, or that the program sets.
  public var ownFields: Set<ExactString> {
    Set((["id"] + (record?.dependentFields ?? [:]).keys + (record?.assignedFields ?? [])).map(\.exact))
  }

  /// The fields that conditions can name; members of objects by their paths: `price.amount`.
  public var leaves: [RecordField] { fields.flatMap(\.leaves) }
}

extension CollectionDescriptor {
  /// The collections of every store: pending edits, rejected records and reports of past syncs.
  public static let common = [
    CollectionDescriptor(
      OutboxEntry.self, columns: ["id", "target", "kind", "state", "attempts", "fields", "theirs", "lastError"]),
    CollectionDescriptor(Reject.self, columns: ["id", "follow", "index", "path", "expected", "found"]),
    CollectionDescriptor(
      .runs,
      fields: [
        .init("id"), .init("state"), .init("startedAt", .time), .init("finishedAt", .time),
        .init("follows", .objects), .init("totals", .object(counts(SyncCounts().fields))),
        .init("outbox", .object(counts(OutboxCounts().fields))),
      ],
      columns: ["id", "state", "startedAt", "finishedAt", "totals.added", "totals.updated", "totals.rejected"]),
  ].map(\.withoutHistory)

  /// The same collection, whose records are a history already, or of no use later.
  public var withoutHistory: CollectionDescriptor {
    var collection = self
    collection.history = .none
    return collection
  }

  private static func counts(_ fields: JSONObject) -> [RecordField] { fields.keys.map { .init($0, .whole) } }
}

/// The collections that users can list: those of the sources, followed by those of every store.
public struct CollectionCatalog: Sendable {
  public private(set) var collections: [CollectionDescriptor]

  /// Creates the catalog of a program's sources. If two sources share a collection, the first description is used.
  public init(_ sources: [SourceDescriptor]) {
    var known: Set<CollectionName> = []
    collections = (sources.flatMap(\.collections) + CollectionDescriptor.common)
      .filter { known.insert($0.name).inserted }
  }

  /// The catalog with collections that a store holds and no source fills any more; their records have no fixed shape.
  public func adding(_ stored: [CollectionName]) -> CollectionCatalog {
    var catalog = self
    for name in stored.sorted() where !name.isInternal && !contains(name) {
      catalog.collections.append(CollectionDescriptor(name, fields: [], columns: ["id"]))
    }
    return catalog
  }

  public func removing(_ isRemoved: (CollectionName) -> Bool) -> CollectionCatalog {
    var catalog = self
    catalog.collections.removeAll { isRemoved($0.name) }
    return catalog
  }

  public var names: [CollectionName] { collections.map(\.name) }

  public func contains(_ name: CollectionName) -> Bool { self[name] != nil }

  public subscript(name: CollectionName) -> CollectionDescriptor? { collections.first { $0.name == name } }

  /// The fields of a collection; empty if its records have no fixed schema.
  public func fields(of name: CollectionName) -> [RecordField] { self[name]?.fields ?? [] }

  public func areEqual(_ lhs: JSONObject, _ rhs: JSONObject, in collection: CollectionName) -> Bool {
    self[collection]?.record?.areEqual(lhs, rhs) ?? (lhs == rhs)
  }

  /// The value of a derived field after those that it depends on changed from `old` to `new`; `nil` if there is none.
  public func derived(
    _ key: String, from old: JSONObject, to new: JSONObject, in collection: CollectionName
  ) -> JSONValue? {
    var new = new
    new[key] = self[collection]?.record?.dependentValue(key, from: old, to: new)
    return (try? canonical(new, in: collection))?[key]
  }

  /// Returns the record in its canonical form: the fields in the order of the record type, followed by those that the
  /// type does not know. Missing derived fields (`fullName`) are added, so that a record of another version or program
  /// is complete. A record of a collection without a type is returned unchanged, with `id` first.
  ///
  /// - Throws: `RecordError` if a field is missing or of the wrong type, or if the id does not match the fields.
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
    // For so few names a linear search is much faster than building a set.
    for member in fields.members where known[member.key] == nil && member.value != .null {
      // A field without a value is absent.
      let isEmpty = member.value.string == "" || member.value.array == []
      if isEmpty, type.schema.contains(where: { $0.name.exact == member.key.exact }) { continue }
      written.members.append(member)
    }
    return written
  }
}

/// The name of a collection. A collection holds records of one kind and is stored in a file of the same name.
public struct CollectionName: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Lower-case letters, digits and `-`, as in the file name.
  public let rawValue: String

  /// Creates a name. The name is not checked here; the store rejects names that are not valid file names.
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let apps = CollectionName(rawValue: "apps")
  public static let charts = CollectionName(rawValue: "charts")
  public static let prices = CollectionName(rawValue: "prices")
  public static let photos = CollectionName(rawValue: "photos")
  public static let owners = CollectionName(rawValue: "owners")
  public static let profiles = CollectionName(rawValue: "profiles")
  public static let people = CollectionName(rawValue: "people")
  /// Groups of people that have cards of their own in address books.
  public static let groups = CollectionName(rawValue: "groups")
  /// Contact cards of people as they were received, by the ids of the people. Not shown to users.
  public static let cards = CollectionName(rawValue: "cards")
  public static let outbox = CollectionName(rawValue: "outbox")
  public static let rejects = CollectionName(rawValue: "rejects")
  public static let runs = CollectionName(rawValue: "runs")
  /// Internal state: cursors, validators, budgets. Not shown to users.
  public static let state = CollectionName(rawValue: "state")

  public var isInternal: Bool { self == .state || self == .cards }

  public var description: String { rawValue }

  public static func < (lhs: CollectionName, rhs: CollectionName) -> Bool { lhs.rawValue.exact < rhs.rawValue.exact }

  public static func == (lhs: CollectionName, rhs: CollectionName) -> Bool { lhs.rawValue.exact == rhs.rawValue.exact }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue.exact) }
}
