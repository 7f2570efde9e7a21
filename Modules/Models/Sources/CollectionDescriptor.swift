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
