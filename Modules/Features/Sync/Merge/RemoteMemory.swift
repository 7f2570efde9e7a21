import Models
import Ports

/// What is remembered of a remote's copy of one record: kept in `state` under `remote/COLLECTION/ID`.
struct RemoteMemory: Sendable, Equatable {
  /// The remote's copy, as it was last seen.
  var copy = RemoteCopy()
  /// The edit that the remote accepted last. A pull that was under way meanwhile sees by it that it came too late.
  var accepted: String?
  /// Whether the remote removed the record, which is still stored here because of a waiting edit.
  var isGone = false

  /// The key of a record's memory.
  static func id(_ collection: CollectionName, _ id: String) -> String { prefix(collection) + id }

  /// What the keys of a collection's records begin with.
  static func prefix(_ collection: CollectionName) -> String { "remote/\(collection)/" }

  /// Nothing remembered.
  init() {}

  /// What is remembered of the record.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  init(
    _ collection: CollectionName, _ id: String, in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) {
    self = try reader.fields(.state, Self.id(collection, id), coder).map { RemoteMemory($0) } ?? RemoteMemory()
  }

  /// What is remembered, as it is stored. Earlier versions kept the copy's fields among what the source remembers.
  init(_ fields: JSONObject) {
    copy.source = fields["source"]?.string.map { SourceName(rawValue: $0) }
    copy.memory = fields["memory"]?.object ?? [:]
    copy.base = fields["base"]?.object
    if copy.base == nil, let base = copy.memory["base"]?.object {
      copy.base = base
      copy.memory["base"] = nil
    }
    accepted = fields["accepted"]?.string
    isGone = fields["gone"]?.bool ?? false
  }

  /// Keeps the memory, or drops it where it is empty.
  ///
  /// - Throws: `StoreError` where it cannot be written.
  func put(
    _ collection: CollectionName, _ id: String, in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    let key = Self.id(collection, id)
    if self == RemoteMemory() { return try transaction.delete(.state, key) }
    var fields: JSONObject = ["id": .string(key)]
    fields.append("source", copy.source?.rawValue)
    fields.append("base", copy.base.map { .object($0) })
    fields.append("memory", copy.memory.isEmpty ? nil : .object(copy.memory))
    fields.append("accepted", accepted)
    fields.append("gone", isGone ? true : nil)
    try transaction.put(coder.encode(fields), id: key, in: .state)
  }

  /// Takes in what a source says of the remote's copy; what it does not say stays as it is.
  mutating func update(from source: SourceName, base: JSONObject?, memory: JSONObject?) {
    copy.source = source
    if let base { copy.base = base }
    if let memory { copy.memory = memory }
    isGone = false
  }
}
