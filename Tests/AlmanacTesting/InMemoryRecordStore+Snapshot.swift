import Models
import Ports

/// A state of the store in memory.
struct InMemorySnapshot: StoreSnapshot {
  let content: InMemoryRecordStore.Content
  let sequence: UInt64
  let end: ChangeCursor?

  var collections: [CollectionName] { content.filter { !$0.value.isEmpty }.keys.sorted() }

  func record(_ collection: CollectionName, _ id: String) throws(StoreError) -> [UInt8]? {
    content.record(collection, id)
  }

  func scan(
    _ collection: CollectionName, _ range: ScanRange, _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    try content.scan(collection, range, body)
  }

  func count(_ collection: CollectionName) throws(StoreError) -> Int { content[collection]?.count ?? 0 }
}

extension [CollectionName: [InMemoryRecordStore.Entry]] {
  func record(_ collection: CollectionName, _ id: String) -> [UInt8]? {
    let key = Array<UInt8>(id.utf8)
    guard let entries = self[collection] else { return nil }
    let place = entries.place(of: key)
    return place < entries.count && entries[place].key == key ? entries[place].record : nil
  }

  func scan(
    _ collection: CollectionName, _ range: ScanRange, _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    let entries = self[collection] ?? []
    let prefix = Array<UInt8>(range.prefix.utf8)
    var place = entries.place(of: prefix)
    if let after = range.after {
      let key = Array<UInt8>(after.utf8)
      let next = entries.place(of: key)
      place = Swift.max(place, next < entries.count && entries[next].key == key ? next + 1 : next)
    }
    while place < entries.count, entries[place].key.starts(with: prefix) {
      let record = entries[place].record
      let slice = record[...]
      if try body(slice.span.bytes) == .stop { return }
      place += 1
    }
  }
}

extension [InMemoryRecordStore.Entry] {
  /// The first place whose key is not before `key`.
  func place(of key: [UInt8]) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].key.lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
