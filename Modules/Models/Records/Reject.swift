/// A record that a parser set aside.
public struct Reject: Record {
  /// Made from follow, place and content, so that the same reject is not kept twice.
  public var id: String
  /// The follow's path.
  public var follow: String
  /// Where the response came from, without secrets.
  public var url: String
  /// The record's place in the response's list, from 0.
  public var index: Int
  /// The JSON path of what is wrong.
  public var path: String
  /// What should have stood there.
  public var expected: String
  /// What stood there.
  public var found: String
  /// The record as it came, up to 64 KiB.
  public var raw: String
  /// When it was set aside.
  public var at: Timestamp

  /// Makes a reject.
  public init(
    id: String, follow: String, url: String, index: Int, path: String, expected: String, found: String, raw: String,
    at: Timestamp
  ) {
    self.id = id
    self.follow = follow
    self.url = url
    self.index = index
    self.path = path
    self.expected = expected
    self.found = found
    self.raw = raw
    self.at = at
  }

  /// `rejects`.
  public static let collection = CollectionName.rejects

  /// The longest `raw` that is kept, in bytes.
  public static let rawLimit = 64 * 1024

  /// The record as it is written.
  public var fields: JSONObject {
    [
      "id": .string(id), "follow": .string(follow), "url": .string(url), "index": .int(index), "path": .string(path),
      "expected": .string(expected), "found": .string(found), "raw": .string(raw), "at": .string(at.description),
    ]
  }

  /// Reads a reject as it was written.
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
