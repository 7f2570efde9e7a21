import Models
import Ports

/// The former ids of records that got other ones from a remote, in `state` under `moved/COLLECTION/ID`.
enum MovedID {
  /// The present id; `nil` if no record is known to have had this one.
  static func current(
    _ collection: CollectionName, _ id: String, in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> String? { try reader.state(.moved(collection, id), coder)?["to"]?.string }

  static func put(
    _ collection: CollectionName, from old: String, to new: String, in transaction: inout any StoreTransaction,
    _ coder: any RecordCoder
  ) throws(StoreError) { try transaction.setState(.moved(collection, old), to: ["to": .string(new)], coder) }
}

/// The stored data about a remote's copy of one record, in `state` under `remote/COLLECTION/ID`.
struct RemoteState: Sendable, Equatable {
  var copy = RemoteCopy()
  /// The last edit that the remote accepted. A concurrent pull uses it to detect that its record is outdated.
  var accepted: String?
  /// Whether the remote removed the record, which is kept locally because of a pending edit.
  var isGone = false

  static func key(_ collection: CollectionName, _ id: String) -> StateKey { .init(.remote, "\(collection)/\(id)") }

  init() {}

  init(
    _ collection: CollectionName, _ id: String, in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) {
    self = try reader.state(Self.key(collection, id), coder).map { RemoteState($0) } ?? RemoteState()
  }

  /// Reads the stored form. Earlier versions stored the fields of the copy among the data of the source.
  init(_ fields: JSONObject) {
    copy.source = fields["source"]?.string.map { SourceName(rawValue: $0) }
    copy.sourceState = fields["memory"]?.object ?? [:]
    copy.base = fields["base"]?.object
    if copy.base == nil, let base = fields["memory"]?.object?["base"]?.object {
      copy.base = base
      copy.sourceState.members.removeAll { $0.key == "base" }
    }
    accepted = fields["accepted"]?.string
    isGone = fields["gone"]?.bool ?? false
  }

  /// Stores the data, or deletes the record if the data is empty.
  func put(
    _ collection: CollectionName, _ id: String, in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    let key = Self.key(collection, id)
    if self == RemoteState() { return try transaction.clearState(key) }
    try transaction.setState(key, to: fields, coder)
  }

  var fields: JSONObject {
    [
      "source": .of(copy.source?.rawValue), "base": .of(copy.base.map { .object($0) }),
      "memory": .of(copy.sourceState.isEmpty ? nil : .object(copy.sourceState)), "accepted": .of(accepted),
      "gone": .of(isGone ? true : nil),
    ]
  }

  /// Updates the data from a source; `nil` keeps the previous value.
  mutating func update(from source: SourceName, base: JSONObject?, sourceState: JSONObject?) {
    copy.source = source
    // An entity tag of an earlier version says nothing of this one.
    if sourceState == nil, let base, base != copy.base { copy.sourceState.entityTag = nil }
    if let base { copy.base = base }
    if let sourceState { copy.sourceState = sourceState }
    isGone = false
  }
}
