public struct Reject: Record {
  /// Derived from the follow, the place and the content, so that each reject is stored once.
  public var id: String
  public var follow: String
  /// The URL of the response, without secrets.
  public var url: String
  /// The index in the list of the response, from 0.
  public var index: Int
  public var path: String
  public var expected: String
  public var found: String
  /// The record as received, up to 64 KiB.
  public var raw: String
  public var at: Timestamp

  public init(
    id: String, follow: String, url: String, index: Int, path: String, expected: String, found: String, raw: String,
    at: Timestamp
  ) {
    (self.id, self.follow, self.url, self.index, self.path) = (id, follow, url, index, path)
    (self.expected, self.found, self.raw, self.at) = (expected, found, raw, at)
  }

  public static let collection = CollectionName.rejects

  public static let schema: [RecordField] = [
    .init("id"), .init("follow"), .init("url"), .init("index", .whole), .init("path"), .init("expected"),
    .init("found"), .init("raw"), .init("at", .time),
  ]

  public static let rawLimit = 64 * 1024

  public var fields: JSONObject {
    [
      "id": .string(id), "follow": .string(follow), "url": .string(url), "index": .int(index), "path": .string(path),
      "expected": .string(expected), "found": .string(found), "raw": .string(raw), "at": .string(at.description),
    ]
  }

  public init(fields: JSONObject) throws(RecordError) {
    let reader = FieldReader(Self.collection, fields)
    id = try reader.string("id")
    follow = try reader.string("follow")
    url = try reader.string("url")
    index = try reader.int("index")
    path = try reader.string("path")
    expected = try reader.string("expected")
    found = try reader.string("found")
    raw = try reader.string("raw")
    at = try reader.timestamp("at")
  }
}
