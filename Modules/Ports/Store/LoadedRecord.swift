/// One of the records that are put together.
public struct LoadedRecord: Sendable {
  /// The record's id.
  public var id: String
  /// A compact JSON object on one line, `id` first.
  public var record: [UInt8]
  /// Where it came from: the number of a line.
  public var place: Int

  /// Makes a record.
  public init(id: String, record: [UInt8], place: Int) {
    self.id = id
    self.record = record
    self.place = place
  }
}

/// What putting records did.
public struct LoadCounts: Hashable, Sendable {
  /// Records that are new.
  public var added = 0
  /// Records that changed.
  public var updated = 0
  /// Records that were there as they are.
  public var unchanged = 0

  /// Nothing put.
  public init() {}
}

extension StoreError {
  /// Two records that are put together have this id; the later one came from `place`.
  public static func duplicate(_ id: String, at place: Int) -> StoreError {
    StoreError(.invalidRecord, "expected an id that no record before has, found '\(id)'", offset: place)
  }
}
