import Models

/// A record that a store loads.
public struct LoadedRecord: Sendable {
  public var id: String
  /// A compact JSON object on one line, `id` first.
  public var record: [UInt8]
  /// The origin of the record: a line number.
  public var place: Int
  /// Whether a snapshot of the store has the same bytes. It changes nothing then, and a store need not compare them again.
  public var isStored: Bool

  public init(id: String, record: [UInt8], place: Int, isStored: Bool = false) {
    (self.id, self.record, self.place, self.isStored) = (id, record, place, isStored)
  }
}

/// Records that a store loads one after another.
public struct LoadBatch: Sendable, RandomAccessCollection {
  /// A record, as parts of the bytes.
  public struct Entry: Sendable {
    /// The id, without escapes; it may be a part of the record.
    public var id: Range<Int>
    public var record: Range<Int>
    public var place: Int
    public var isStored: Bool

    public init(id: Range<Int>, record: Range<Int>, place: Int, isStored: Bool) {
      (self.id, self.record, self.place, self.isStored) = (id, record, place, isStored)
    }
  }

  public private(set) var bytes: [UInt8]
  public private(set) var entries: [Entry]

  public init(bytes: [UInt8] = [], entries: [Entry] = []) { (self.bytes, self.entries) = (bytes, entries) }

  public mutating func append(_ record: LoadedRecord) {
    let start = bytes.count
    bytes += record.record
    let end = bytes.count
    bytes += record.id.utf8
    entries.append(
      Entry(id: end..<bytes.count, record: start..<end, place: record.place, isStored: record.isStored))
  }

  public var startIndex: Int { 0 }

  public var endIndex: Int { entries.count }

  public subscript(index: Int) -> LoadedRecord {
    let entry = entries[index]
    return LoadedRecord(
      id: String(decoding: bytes[entry.id], as: UTF8.self), record: Array(bytes[entry.record]), place: entry.place,
      isStored: entry.isStored)
  }
}

public struct LoadCounts: Hashable, Sendable {
  public var added = 0
  public var updated = 0
  public var unchanged = 0

  public init() {}
}

extension StoreError {
  /// The error for two records with the same id; `place` is that of the second one.
  public static func duplicate(_ id: String, at place: Int) -> StoreError {
    StoreError(.invalidRecord, "expected an id that no earlier record has, found '\(id)'", offset: place)
  }
}
