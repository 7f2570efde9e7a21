/// A field of the records of one collection.
public struct RecordField: Hashable, Sendable {
  /// The type of a field.
  public enum Kind: Hashable, Sendable {
    /// A string.
    case text
    /// A whole number.
    case whole
    /// A decimal number, as a string with its original digits.
    case decimal
    /// `true` or `false`.
    case flag
    /// An RFC 3339 time in UTC, `YYYY-MM-DDThh:mm:ssZ`.
    case time
    /// A time, or a day alone, `YYYY-MM-DD`.
    case timeOrDay
    /// `YYYY-MM-DD`, or `--MM-DD` without a year.
    case birthday
    /// A list of strings.
    case texts
    /// A list of objects.
    case objects
    /// An object with these members.
    case object([RecordField])
    /// An object with any members.
    case anyObject
  }

  /// The name. In a leaf, levels are separated by `.`.
  public var name: String
  /// The type.
  public var kind: Kind
  /// Whether the field may be absent.
  public var isOptional: Bool

  /// Creates a required field.
  public init(_ name: String, _ kind: Kind = .text) {
    self.name = name
    self.kind = kind
    isOptional = false
  }

  /// Creates an optional field.
  public static func optional(_ name: String, _ kind: Kind = .text) -> RecordField {
    var field = RecordField(name, kind)
    field.isOptional = true
    return field
  }

  /// The field itself, or the nested fields of an object with known members, by path: `price.amount`.
  public var leaves: [RecordField] {
    guard case .object(let members) = kind else { return [self] }
    return members.flatMap(\.leaves).map { leaf in
      var leaf = leaf
      leaf.name = "\(name).\(leaf.name)"
      leaf.isOptional = leaf.isOptional || isOptional
      return leaf
    }
  }
}

extension CollectionName {
  /// The fields of the collection's records, in the order in which they are written; empty where the collection's
  /// records have no fixed shape. Records that were imported may have more.
  public var fields: [RecordField] {
    switch self {
    case .apps:
      [
        .init("id"), .optional("storefront"), .optional("appID"), .optional("bundleID"), .init("name"),
        .init("artist"), .optional("summary"), .init("thumbnailURL"), .init("artworkURL"),
        .optional("price", .object([.init("amount", .decimal), .init("currency")])), .optional("category"),
        .optional("releaseDate", .timeOrDay), .optional("url"),
      ]
    case .charts:
      [
        .init("id"), .init("storefront"), .init("chart"), .optional("genre"), .init("observedAt", .time),
        .init("lastObservedAt", .time), .init("ranks", .texts),
      ]
    case .photos:
      [
        .init("id"), .init("ownerID"), .init("title"), .init("thumbnailURL"), .init("imageURL"), .init("pageURL"),
        .optional("takenAt", .time), .optional("postedAt", .time), .optional("tags", .texts),
      ]
    case .owners:
      [
        .init("id"), .init("username"), .optional("realName"), .optional("location"), .init("iconURL"),
        .optional("photosURL"), .optional("profileURL"), .optional("photoCount", .whole), .optional("isPro", .flag),
        .optional("deleted", .flag),
      ]
    case .profiles: [.init("id"), .init("name"), .init("email"), .optional("description")]
    case .people:
      [
        .init("id"), .init("firstName"), .init("lastName"), .optional("birthday", .birthday), .init("fullName"),
        .optional("remoteID"),
      ]
    case .outbox:
      [
        .init("id"), .init("target"), .init("kind"), .init("fields", .anyObject), .init("base", .anyObject),
        .optional("theirs", .anyObject), .init("attempts", .whole), .optional("outcomeUnknown", .flag),
        .init("state"), .optional("lastError"), .init("createdAt", .time), .optional("source"),
      ]
    case .rejects:
      [
        .init("id"), .init("follow"), .init("url"), .init("index", .whole), .init("path"), .init("expected"),
        .init("found"), .init("raw"), .init("at", .time),
      ]
    case .runs:
      [
        .init("id"), .init("state"), .init("startedAt", .time), .init("finishedAt", .time),
        .init("follows", .objects), .init("totals", .object(Self.counts(SyncCounts().fields))),
        .init("outbox", .object(Self.counts(OutboxCounts().fields))),
      ]
    default: []
    }
  }

  private static func counts(_ fields: JSONObject) -> [RecordField] { fields.keys.map { .init($0, .whole) } }
}
