/// What is known of a collection before any record is read.
public struct CollectionDescriptor: Sendable {
  /// The collection.
  public var name: CollectionName
  /// The fields of its records, in the order in which they are written; empty where they have no fixed shape. Records
  /// that were imported may have more.
  public var fields: [RecordField]
  /// The fields that a table shows, of nested ones the paths: what a person looks for.
  public var columns: [String]
  /// The fields that hold addresses of images to download.
  public var media: [String]
  /// The type that knows the rules of its records; `nil` where records are kept as they came.
  public var record: (any Record.Type)?

  /// Describes a collection whose records have a type.
  public init(_ record: any Record.Type, columns: [String], media: [String] = []) {
    self.init(record.collection, fields: record.schema, columns: columns, media: media)
    self.record = record
  }

  /// Describes a collection by its fields alone.
  public init(_ name: CollectionName, fields: [RecordField], columns: [String], media: [String] = []) {
    self.name = name
    self.fields = fields
    self.columns = columns
    self.media = media
  }

  /// The fields that can be compared, objects by the paths of their members: `price.amount`.
  public var leaves: [RecordField] { fields.flatMap(\.leaves) }
}

extension CollectionDescriptor {
  /// The collections that every store has: waiting edits, rejected records and reports of past syncs.
  public static let common = [
    CollectionDescriptor(
      OutboxEntry.self,
      columns: ["id", "target", "kind", "state", "attempts", "fields", "theirs", "lastError"]),
    CollectionDescriptor(Reject.self, columns: ["id", "follow", "index", "path", "expected", "found"]),
    CollectionDescriptor(
      .runs,
      fields: [
        .init("id"), .init("state"), .init("startedAt", .time), .init("finishedAt", .time),
        .init("follows", .objects), .init("totals", .object(counts(SyncCounts().fields))),
        .init("outbox", .object(counts(OutboxCounts().fields))),
      ],
      columns: ["id", "state", "startedAt", "finishedAt", "totals.added", "totals.updated", "totals.rejected"]),
  ]

  private static func counts(_ fields: JSONObject) -> [RecordField] { fields.keys.map { .init($0, .whole) } }
}

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

/// The name of a collection: records of one kind in the store, kept in a file of the same name.
public struct CollectionName: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Lower-case letters, digits and `-`, as it stands in the file name.
  public let rawValue: String

  /// Makes a name; it is not checked here, the store refuses names that are no file names.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Apps of an app store.
  public static let apps = CollectionName(rawValue: "apps")
  /// Chart snapshots: who stood where, and when.
  public static let charts = CollectionName(rawValue: "charts")
  /// Photos.
  public static let photos = CollectionName(rawValue: "photos")
  /// Owners of photos.
  public static let owners = CollectionName(rawValue: "owners")
  /// User profiles.
  public static let profiles = CollectionName(rawValue: "profiles")
  /// People with their birthdays.
  public static let people = CollectionName(rawValue: "people")
  /// Edits that a remote must still accept.
  public static let outbox = CollectionName(rawValue: "outbox")
  /// Records that a parser set aside, with place and reason.
  public static let rejects = CollectionName(rawValue: "rejects")
  /// Reports of past syncs.
  public static let runs = CollectionName(rawValue: "runs")
  /// The system's own memory: cursors, validators, budgets. Not shown to users.
  public static let state = CollectionName(rawValue: "state")

  /// Whether it holds the system's own memory, which users do not see.
  public var isInternal: Bool { self == .state }

  /// The collection's name.
  public var description: String { rawValue }

  /// Orders by name.
  public static func < (lhs: CollectionName, rhs: CollectionName) -> Bool { lhs.rawValue.exact < rhs.rawValue.exact }

  /// Compares by the bytes of the name.
  public static func == (lhs: CollectionName, rhs: CollectionName) -> Bool { lhs.rawValue.exact == rhs.rawValue.exact }

  /// Hashes the bytes of the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue.exact) }
}
