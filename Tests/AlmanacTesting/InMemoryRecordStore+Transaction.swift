import Models
import Ports

/// What a body sees and changes.
final class InMemoryTransaction: StoreTransaction {
  struct Change {
    let collection: CollectionName
    let id: String
    let record: [UInt8]?
  }

  private struct Key: Hashable {
    let collection: CollectionName
    let id: [UInt8]
  }

  private let before: InMemoryRecordStore.Content
  private(set) var content: InMemoryRecordStore.Content
  private var touched: [(key: Key, id: String)] = []
  private var seen: Set<Key> = []

  init(content: InMemoryRecordStore.Content) {
    before = content
    self.content = content
  }

  /// What differs from before, in the order in which it was touched first.
  var changes: [Change] {
    touched.compactMap { key, id in
      let old = before.record(key.collection, id)
      let new = content.record(key.collection, id)
      return old == new ? nil : Change(collection: key.collection, id: id, record: new)
    }
  }

  func record(_ collection: CollectionName, _ id: String) throws(StoreError) -> [UInt8]? {
    content.record(collection, id)
  }

  func scan(
    _ collection: CollectionName, _ range: ScanRange, _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    try content.scan(collection, range, body)
  }

  func count(_ collection: CollectionName) throws(StoreError) -> Int { content[collection]?.count ?? 0 }

  func put(_ record: [UInt8], id: String, in collection: CollectionName) throws(StoreError) {
    let key = Array(id.utf8)
    try Self.check(record, key: key, collection: collection)
    touch(collection, key, id)
    let entry = InMemoryRecordStore.Entry(key: key, record: record)
    let entries = content[collection] ?? []
    let place = entries.place(of: key)
    if place < entries.count, entries[place].key == key {
      content[collection]![place] = entry
    } else {
      content[collection, default: []].insert(entry, at: place)
    }
  }

  func delete(_ collection: CollectionName, _ id: String) throws(StoreError) {
    let key = Array(id.utf8)
    guard let entries = content[collection] else { return }
    let place = entries.place(of: key)
    guard place < entries.count, entries[place].key == key else { return }
    touch(collection, key, id)
    content[collection]!.remove(at: place)
  }

  private func touch(_ collection: CollectionName, _ id: [UInt8], _ text: String) {
    let key = Key(collection: collection, id: id)
    if seen.insert(key).inserted { touched.append((key, text)) }
  }

  private static func check(_ record: [UInt8], key: [UInt8], collection: CollectionName) throws(StoreError) {
    guard (1...1024).contains(key.count), !key.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw StoreError(.invalidRecord, "an id has 1 to 1024 bytes and no control characters")
    }
    guard record.starts(with: Array("{\"id\":\"".utf8)), record.last == 0x7D, !record.contains(where: { $0 < 0x20 })
    else {
      throw StoreError(.invalidRecord, "a record is a JSON object on one line that begins with its id")
    }
    // Ids with escapes are left to the store on the disk; the plain ones are compared here.
    let text = record.dropFirst(7).prefix { $0 != 0x22 }
    if !text.contains(0x5C), !text.elementsEqual(key) {
      throw StoreError(.invalidRecord, "the record's id is not '\(String(decoding: key, as: UTF8.self))'")
    }
    let isName = { (byte: UInt8) in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
    }
    guard (1...64).contains(collection.rawValue.utf8.count), collection.rawValue.utf8.allSatisfy(isName) else {
      throw StoreError(.invalidRecord, "'\(collection)' is not a collection's name")
    }
  }
}
