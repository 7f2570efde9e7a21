public import Models

/// Queues edits of records for the sources that send them, and reads the remotes' copies of these records.
///
/// A feature states only the changes. The implementation decides which pending edit is extended by a new one, the base
/// of each edit, and the stored form. All methods work on the given reader or transaction, so that a record and its
/// edit are written in one commit.
public protocol PendingEdits: Sendable {
  /// The pending edits of one record, in the order of sending. O(n) for n pending edits of all records.
  ///
  /// - Throws: `StoreError`: `damaged` if an edit cannot be read.
  func edits(
    of collection: CollectionName, _ id: String, in reader: some RecordReader
  ) throws(StoreError) -> [OutboxEntry]

  /// The pending edits of a collection's records, in the order of sending. O(n log n) for n pending edits.
  func edits(of collection: CollectionName, in reader: some RecordReader) throws(StoreError) -> [OutboxEntry]

  /// The last known remote copy of a record; `nil` if no remote is known to have the record. O(log n).
  func remoteCopy(
    of collection: CollectionName, _ id: String, in reader: some RecordReader
  ) throws(StoreError) -> RemoteCopy?

  /// The edits of a collection's records that a remote accepted since the last pull, of sources that confirm edits.
  func acceptedEdits(of collection: CollectionName, in reader: some RecordReader) throws(StoreError) -> [AcceptedEdits]

  /// Calls `body` with each remote copy of a collection's records, by ascending record id. This includes records that
  /// were removed locally and whose removal has not been sent.
  func eachRemoteCopy(
    of collection: CollectionName, in reader: some RecordReader, _ body: (String, RemoteCopy) throws(StoreError) -> Void
  ) throws(StoreError)

  /// Queues the changed fields of a record. A pending edit of the record that was never sent is extended by them;
  /// fields that have the remote's values again are removed from it. A change of a field of a refused edit corrects that
  /// edit: both become one with a new key. The caller writes the record itself.
  ///
  /// - Returns: the edit that contains the change; `nil` if nothing is left to send.
  @discardableResult
  func queueChange(
    of collection: CollectionName, _ id: String, from before: JSONObject, to after: JSONObject,
    in transaction: inout any StoreTransaction
  ) throws(StoreError) -> OutboxEntry?

  /// An id for a record that is made here, which no other record has.
  func newID() -> String

  /// The id that a record has now, also where a remote gave a new record another one than it was made with. O(log n).
  ///
  /// - Returns: `id` itself if a record has it, or if no record is known to have had it.
  func currentID(of collection: CollectionName, _ id: String, in reader: some RecordReader) throws(StoreError) -> String

  /// Queues a record that the remote does not have.
  ///
  /// If the record is already queued, the pending edit takes the new fields unless it may have reached the server:
  /// requests with the same idempotency key always have the same content. A refused edit is replaced by one with a new
  /// key. The caller writes the record itself.
  /// - Parameters:
  ///   - fields: the fields to send, without `id`.
  ///   - before: the record before it was meant for the source, which a discarded edit restores; empty if only the edit has
  ///     the fields that the program sets.
  ///   - source: the source that sends the record; `nil` if only one source accepts edits of the collection.
  @discardableResult
  func queueNew(
    _ collection: CollectionName, _ id: String, _ fields: JSONObject, over before: JSONObject, source: SourceName?,
    in transaction: inout any StoreTransaction
  ) throws(StoreError) -> OutboxEntry

  /// Removes a record locally and queues its removal at the remote. Pending edits of the record are dropped, except
  /// those that may have reached the server, whose outcome is determined first.
  ///
  /// - Parameter after: the target whose edits are accepted before the removal is sent; `nil` for none.
  /// - Returns: the edit that sends the removal; `nil` if there is no such record, or if no remote has it.
  @discardableResult
  func queueRemoval(
    of collection: CollectionName, _ id: String, after: String?, in transaction: inout any StoreTransaction
  ) throws(StoreError) -> OutboxEntry?

  /// Drops the pending edits and the remote copy of a record that is no longer synced.
  @discardableResult
  func withdraw(
    _ collection: CollectionName, _ id: String, in transaction: inout any StoreTransaction
  ) throws(StoreError) -> [OutboxEntry]
}

extension PendingEdits {
  @discardableResult
  public func queueRemoval(
    of collection: CollectionName, _ id: String, in transaction: inout any StoreTransaction
  ) throws(StoreError) -> OutboxEntry? { try queueRemoval(of: collection, id, after: nil, in: &transaction) }
}

/// The last known copy of a record at a remote.
public struct RemoteCopy: Hashable, Sendable {
  /// The source of the record, which also sends its edits; `nil` in stores of earlier versions.
  public var source: SourceName?
  /// The remote's fields; `nil` if the source does not provide them. Missing fields are unknown.
  public var base: JSONObject?
  /// Data that the source keeps with the copy, such as an entity tag.
  public var sourceState: JSONObject

  public init(source: SourceName? = nil, base: JSONObject? = nil, sourceState: JSONObject = [:]) {
    (self.source, self.base, self.sourceState) = (source, base, sourceState)
  }
}

/// The edits of a record that a remote accepted since the last pull.
public struct AcceptedEdits: Hashable, Sendable {
  public var record: RecordName
  /// What was known of the remote before them.
  public var before: RemoteCopy
  /// Whether the first one made the record, and whether the last one removed it.
  public var isNew: Bool
  public var isRemoval: Bool

  public init(_ record: RecordName, before: RemoteCopy, isNew: Bool, isRemoval: Bool) {
    (self.record, self.before, self.isNew, self.isRemoval) = (record, before, isNew, isRemoval)
  }

  public struct Outcome: Hashable, Sendable {
    public var record: RecordName
    /// Whether the remote went back to what it was before: then they are pending again.
    public var isLost: Bool

    public init(_ record: RecordName, isLost: Bool) { (self.record, self.isLost) = (record, isLost) }
  }
}

public struct PushContext: Sendable {
  public var transport: any HTTPTransport
  /// The record to send, with this edit and without later ones. For a removal, the last known copy of the remote.
  public var record: JSONObject
  public var base: JSONObject?
  public var sourceState: JSONObject
  /// Whether the remote is known to have removed the record: then a change of it creates the record again.
  public var isGone: Bool
  public var snapshot: any StoreSnapshot
  public var now: Timestamp
  /// Sends changes without overwriting anything newer.
  public var changes: any ChangeSender
  public var memory: (any FlushMemory)?

  public init(
    transport: any HTTPTransport, record: JSONObject, base: JSONObject? = nil, sourceState: JSONObject = [:],
    isGone: Bool = false, snapshot: any StoreSnapshot, now: Timestamp, changes: any ChangeSender,
    memory: (any FlushMemory)? = nil
  ) {
    (self.transport, self.record, self.base, self.sourceState) = (transport, record, base, sourceState)
    (self.isGone, self.memory) = (isGone, memory)
    (self.snapshot, self.now, self.changes) = (snapshot, now, changes)
  }
}

/// What a source keeps while one flush sends edits to one server, one after the other: an answer that holds for all of them.
public protocol FlushMemory: Sendable {
  /// What was kept last; `nil` before that.
  var kept: (any Sendable)? { get }

  func keep(_ value: any Sendable)
}

/// The outcome of an edit that was sent. A refused edit, and an edit that may or may not have arrived, is a
/// `SourceError` with a corresponding `disposition`.
public enum PushOutcome: Hashable, Sendable {
  /// The remote accepted the edit and returned this record. Fields that are missing in it keep their values.
  case accepted(RemoteRecord)
  /// The remote's record changed since the base of the edit and has to be merged. The edit was not sent, or the remote
  /// rejected it (409, 412).
  case remoteIsNewer(RemoteRecord)
  /// The remote no longer has the record, because a removal succeeded or the record to change does not exist.
  case removed
}

public struct RemoteRecord: Hashable, Sendable {
  public var fields: JSONObject
  /// The remote's copy to store; `nil` to keep the previous copy.
  public var base: JSONObject?
  /// The data to keep with the copy, such as an entity tag; `nil` to keep the previous data.
  public var sourceState: JSONObject?
  /// The id that the remote gave to a new record, which the stored record takes on; `nil` if it keeps its own.
  public var newID: String?
  /// What the user should know about the answer, such as fields that the remote did not keep.
  public var notes: [String] = []

  public init(_ fields: JSONObject, base: JSONObject? = nil, sourceState: JSONObject? = nil, newID: String? = nil) {
    (self.newID, self.fields, self.base, self.sourceState) = (newID, fields, base, sourceState)
  }
}

/// The members that others know of the data which a source keeps with a remote's copy of a record, or with a follow. All
/// others are the source's own.
extension JSONObject {
  public var entityTag: String? {
    get { self["etag"]?.string }
    set { self["etag"] = newValue.map { .string($0) } }
  }

  /// Of the data of a follow: whether its source takes no changes of the records.
  public var isReadOnly: Bool {
    get { self["readOnly"]?.bool ?? false }
    set { self["readOnly"] = newValue ? true : nil }
  }

  /// The entity tag without the mark of a weak one, which a proxy may add (RFC 9110 section 8.8.3).
  public var comparableTag: String? { entityTag.map { $0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0 } }

  /// When the record was changed at the remote, if that says so.
  public var changedAt: Timestamp? {
    get { self["changedAt"]?.timestamp }
    set { self["changedAt"] = newValue.map { .string($0.description) } }
  }

  /// What identifies the content of the whole record at the remote, also of what the fields do not have; the entity tag does
  /// the same if the source says nothing else. A removal of a record with other content is a conflict.
  public var recordContent: String? {
    get { self["content"]?.string ?? comparableTag }
    set { self["content"] = newValue.map { .string($0) } }
  }
}
