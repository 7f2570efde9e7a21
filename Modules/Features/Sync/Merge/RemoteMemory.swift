import Models
import Ports

/// What is remembered of a remote's copy of one record: kept in `state` under `remote/COLLECTION/ID`.
struct RemoteMemory: Sendable, Equatable {
  /// What the source remembers: an entity tag, or under `base` the record as the remote last had it.
  var memory: JSONObject = [:]
  /// The edit that the remote accepted last. It makes a pull that was under way meanwhile see that it came too late.
  var accepted: String?
  /// Whether the remote has the record no more, although it is still kept here for an edit's sake.
  var isGone = false

  /// The key of a record's memory.
  static func id(_ collection: CollectionName, _ id: String) -> String { "remote/\(collection)/\(id)" }

  /// Nothing remembered.
  init() {}

  /// What is remembered of the record.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  init(
    _ collection: CollectionName, _ id: String, in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) {
    guard let fields = try reader.fields(.state, Self.id(collection, id), coder) else { return }
    memory = fields["memory"]?.object ?? [:]
    accepted = fields["accepted"]?.string
    isGone = fields["gone"]?.bool ?? false
  }

  /// The whole record as the remote last had it, where the source remembers it.
  var base: JSONObject? { memory["base"]?.object }

  /// Keeps the memory, or drops it where it is empty.
  ///
  /// - Throws: `StoreError` where it cannot be written.
  func put(
    _ collection: CollectionName, _ id: String, in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    let key = Self.id(collection, id)
    if self == RemoteMemory() { return try transaction.delete(.state, key) }
    var fields: JSONObject = ["id": .string(key)]
    fields.append("memory", memory.isEmpty ? nil : .object(memory))
    fields.append("accepted", accepted)
    fields.append("gone", isGone ? true : nil)
    try transaction.put(coder.encode(fields), id: key, in: .state)
  }
}
