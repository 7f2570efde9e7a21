public import Models

/// An answer with a page of a list, and what a later pull needs that gets the same bytes.
public struct KnownAnswer: Hashable, Sendable {
  /// What was asked for, unique within the follow: the address without keys.
  @ExactString public var request: String
  /// The length of the body in bytes, and its XXH64.
  public var size: Int
  public var sum: UInt64
  /// What the source needs to go on after the page without reading it.
  public var summary: JSONObject
  /// The ids of its records by collection, with spaces between them, and the number of all. The engine sets these.
  public var ids: JSONObject = [:]
  public var count = 0
  /// The sum of the XXH64 of each of the records, as they were stored after the page. The engine sets it.
  public var stored: UInt64 = 0

  public init(_ body: [UInt8], to request: String, summary: JSONObject = [:]) {
    (size, sum) = (body.count, XXHash64.sum(body))
    (self.summary, self.request) = (summary, request)
  }

  public var records: [RecordName] {
    ids.members.flatMap { list in
      let collection = CollectionName(rawValue: list.key)
      return (list.value.string ?? "").utf8.split(separator: UInt8(ascii: " ")).map {
        RecordName(collection, String(Substring($0)))
      }
    }
  }
}
