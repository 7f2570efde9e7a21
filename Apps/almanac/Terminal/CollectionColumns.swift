import Models

/// What a table and what comma-separated values show of each collection.
enum CollectionColumns {
  /// The columns of a table: what a person looks for.
  static func table(_ collection: CollectionName) -> [Answer.Column] {
    switch collection {
    case .apps:
      [
        .init("id"), .init("name"), .init("artist"), .init("price.amount", "PRICE", number: true),
        .init("price.currency", "CURRENCY"), .init("category"), .init("releaseDate", "RELEASED"),
      ]
    case .charts:
      [
        .init("storefront"), .init("chart"), .init("genre"), .init("observedAt", "OBSERVED"),
        .init("lastObservedAt", "LAST OBSERVED"), .init("count", "RANKS", number: true),
      ]
    case .photos:
      [.init("id"), .init("title"), .init("ownerID", "OWNER"), .init("takenAt", "TAKEN"), .init("pageURL", "PAGE")]
    case .owners:
      [
        .init("id"), .init("username"), .init("realName", "REAL NAME"), .init("location"),
        .init("photoCount", "PHOTOS", number: true), .init("deleted"),
      ]
    case .profiles: [.init("id"), .init("name"), .init("email"), .init("description")]
    case .people: [.init("id"), .init("fullName", "NAME"), .init("birthday"), .init("remoteID", "REMOTE ID")]
    case .outbox:
      [
        .init("id"), .init("target"), .init("kind"), .init("state"), .init("attempts", number: true),
        .init("fields"), .init("theirs"), .init("lastError", "LAST ERROR"),
      ]
    case .rejects:
      [.init("id"), .init("follow"), .init("index", number: true), .init("path"), .init("expected"), .init("found")]
    case .runs:
      [
        .init("id"), .init("state"), .init("startedAt", "STARTED"), .init("finishedAt", "FINISHED"),
        .init("totals.added", "ADDED", number: true), .init("totals.updated", "UPDATED", number: true),
        .init("totals.rejected", "REJECTED", number: true),
      ]
    default: [.init("id")]
    }
  }

  /// The fields of comma-separated values: everything, nested objects by their parts.
  static func csv(_ collection: CollectionName) -> [String] {
    switch collection {
    case .apps:
      [
        "id", "bundleID", "name", "artist", "summary", "thumbnailURL", "artworkURL", "price.amount", "price.currency",
        "category", "releaseDate", "url",
      ]
    case .charts: ["id", "storefront", "chart", "genre", "observedAt", "lastObservedAt", "ranks"]
    case .photos:
      ["id", "ownerID", "title", "thumbnailURL", "imageURL", "pageURL", "takenAt", "postedAt", "tags"]
    case .owners:
      [
        "id", "username", "realName", "location", "iconURL", "photosURL", "profileURL", "photoCount", "isPro",
        "deleted",
      ]
    case .profiles: ["id", "name", "email", "description"]
    case .people: ["id", "firstName", "lastName", "birthday", "fullName", "remoteID"]
    case .outbox:
      ["id", "target", "kind", "fields", "base", "attempts", "state", "lastError", "createdAt", "theirs"]
    case .rejects: ["id", "follow", "url", "index", "path", "expected", "found", "raw", "at"]
    case .runs:
      [
        "id", "state", "startedAt", "finishedAt", "totals.requests", "totals.added", "totals.updated", "totals.removed",
        "totals.rejected",
      ]
    default: ["id"]
    }
  }
}
