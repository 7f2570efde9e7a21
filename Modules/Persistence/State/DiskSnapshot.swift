import Models
import Ports

/// A state of the store whose files are held open.
struct DiskSnapshot: StoreSnapshot {
  let sequence: UInt64
  let tables: [String: Table]
  /// The store's number, which cursors carry.
  var store: UInt64?

  var end: ChangeCursor? {
    store.map { FeedPosition.journal(sequence: sequence, changes: .max, offset: 0).cursor(store: $0) }
  }

  var collections: [CollectionName] {
    tables.filter { $0.value.count > 0 }.keys.sorted().map { CollectionName(rawValue: $0) }
  }

  func record(_ collection: CollectionName, _ id: String) throws(StoreError) -> [UInt8]? {
    guard let table = tables[collection.rawValue] else { return nil }
    return try withKey(id) { (key) throws(StoreError) in try table.record(key) }
  }

  func scan(
    _ collection: CollectionName, _ range: ScanRange, _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    guard let table = tables[collection.rawValue] else { return }
    try withRange(range) { (prefix, after) throws(StoreError) in
      try table.scan(prefix: prefix, after: after) { (record) throws(StoreError) in try body(record.raw.bytes) }
    }
  }

  func count(_ collection: CollectionName) throws(StoreError) -> Int { tables[collection.rawValue]?.count ?? 0 }
}

func withKey<Result>(_ id: String, _ body: (ByteSlice) throws(StoreError) -> Result) throws(StoreError) -> Result {
  guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
    return try ContiguousArray(id.utf8).span.withUnsafeBufferPointer { (buffer) throws(StoreError) in
      try body(ByteSlice(buffer))
    }
  }
  var id = id
  id.makeContiguousUTF8()
  let span = id.utf8Span.span
  return try span.withUnsafeBufferPointer { (buffer) throws(StoreError) in try body(ByteSlice(buffer)) }
}

/// Calls `body` with the bounds of a range.
func withRange<Result>(
  _ range: ScanRange, _ body: (_ prefix: ByteSlice, _ after: ByteSlice?) throws(StoreError) -> Result
) throws(StoreError) -> Result {
  try withKey(range.prefix) { (prefix) throws(StoreError) in
    guard let after = range.after else { return try body(prefix, nil) }
    return try withKey(after) { (after) throws(StoreError) in try body(prefix, after) }
  }
}
