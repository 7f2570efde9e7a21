public import Models

/// Queues edits of records for the sources that send them, and shows the remotes' copies of these records.
///
/// A feature says what changed. The implementation decides which waiting edit takes a new one up, what each edit is
/// based on, and how all of it is stored. Every method works on the reader or the transaction that it is given, so that
/// a record and its edit are one commit.
public protocol PendingEdits: Sendable {
  /// The waiting edits of one record, in the order in which they are sent. O(n) for n waiting edits of all records.
  ///
  /// - Throws: `StoreError`, `damaged` where an edit cannot be read.
  func edits(
    of collection: CollectionName, _ id: String, in reader: some RecordReader
  ) throws(StoreError) -> [OutboxEntry]

  /// The waiting edits of a collection's records, in the order in which they are sent. O(n log n) for n waiting edits.
  ///
  /// - Throws: `StoreError`, `damaged` where an edit cannot be read.
  func edits(of collection: CollectionName, in reader: some RecordReader) throws(StoreError) -> [OutboxEntry]

  /// The remote's last known copy of a record; `nil` where no remote has the record, as far as is known. O(log n).
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  func remoteCopy(
    of collection: CollectionName, _ id: String, in reader: some RecordReader
  ) throws(StoreError) -> RemoteCopy?

  /// Hands each remote copy of a collection's records to `body`, by ascending record id. Records that were removed here
  /// and whose removal waits to be sent are among them.
  ///
  /// - Throws: what `body` throws; `StoreError` where the store cannot be read.
  func eachRemoteCopy(
    of collection: CollectionName, in reader: some RecordReader,
    _ body: (String, RemoteCopy) throws(StoreError) -> Void
  ) throws(StoreError)

  /// Queues the fields in which a record was changed. A waiting edit of the record that was never sent takes them up;
  /// fields that are back at the remote's values leave it. The record itself is written by the caller.
  ///
  /// - Parameters:
  ///   - before: the record before the change.
  ///   - after: the record after it.
  /// - Returns: the edit that sends the change; `nil` where nothing is left to send.
  /// - Throws: `StoreError` where the store cannot be read or written.
  @discardableResult
  func queueChange(
    of collection: CollectionName, _ id: String, from before: JSONObject, to after: JSONObject,
    in transaction: inout any StoreTransaction
  ) throws(StoreError) -> OutboxEntry?

  /// Queues a record that the remote does not have yet.
  ///
  /// Where the record is queued already, the waiting edit takes the fields over as long as it cannot have arrived, and
  /// stays as it is otherwise: one idempotency key never comes with two contents. A refused one is replaced, under a new
  /// key. The record itself is written by the caller.
  /// - Parameters:
  ///   - fields: what is sent, without `id`.
  ///   - source: the source that sends it; `nil` where only one source takes edits of the collection.
  /// - Returns: the edit that sends the record.
  /// - Throws: `StoreError` where the store cannot be read or written.
  @discardableResult
  func queueNew(
    _ collection: CollectionName, _ id: String, _ fields: JSONObject, source: SourceName?,
    in transaction: inout any StoreTransaction
  ) throws(StoreError) -> OutboxEntry

  /// Removes a record here and queues its removal at the remote. Waiting edits of the record go, except those that may
  /// have arrived: they are settled first.
  ///
  /// - Returns: the edit that sends the removal; `nil` where there is no such record, or no remote has it.
  /// - Throws: `StoreError` where the store cannot be read or written.
  @discardableResult
  func queueRemoval(
    of collection: CollectionName, _ id: String, in transaction: inout any StoreTransaction
  ) throws(StoreError) -> OutboxEntry?

  /// Withdraws a record's waiting edits and drops the remote's copy of it, for a record that is no longer synced.
  ///
  /// - Returns: the edits that were withdrawn.
  /// - Throws: `StoreError` where the store cannot be read or written.
  @discardableResult
  func withdraw(
    _ collection: CollectionName, _ id: String, in transaction: inout any StoreTransaction
  ) throws(StoreError) -> [OutboxEntry]
}

/// A remote's copy of a record, as it was last seen.
public struct RemoteCopy: Hashable, Sendable {
  /// The source that the record came from, which sends its edits; `nil` in stores of earlier versions.
  public var source: SourceName?
  /// The record's fields at the remote; `nil` where its source does not say. Fields that it leaves out are not known.
  public var base: JSONObject?
  /// What the source remembers of the copy, an entity tag for instance.
  public var memory: JSONObject

  /// Makes a copy.
  public init(source: SourceName? = nil, base: JSONObject? = nil, memory: JSONObject = [:]) {
    self.source = source
    self.base = base
    self.memory = memory
  }
}

/// What a source needs to send one edit.
public struct PushContext: Sendable {
  /// Sends requests; counts them for the report.
  public var transport: any HTTPTransport
  /// The record as it is sent: the stored one with this edit, and without the edits that come after it. For a removal, the
  /// remote's last known copy.
  public var record: JSONObject
  /// The record as the remote last had it; `nil` where that is not known.
  public var base: JSONObject?
  /// What the source remembers of the remote's copy.
  public var memory: JSONObject
  /// The state of the store, to look up what is known.
  public var snapshot: any StoreSnapshot
  /// The time of this flush.
  public var now: Timestamp

  /// Makes a context.
  public init(
    transport: any HTTPTransport, record: JSONObject, base: JSONObject? = nil, memory: JSONObject = [:],
    snapshot: any StoreSnapshot, now: Timestamp
  ) {
    self.transport = transport
    self.record = record
    self.base = base
    self.memory = memory
    self.snapshot = snapshot
    self.now = now
  }
}

/// What became of an edit that was sent. An edit that was refused, or whose arrival is unknown, is a `SourceError`: its
/// `disposition` says which.
public enum PushOutcome: Hashable, Sendable {
  /// The remote has the edit; the record as it answered. Fields that the answer leaves out keep their values.
  case accepted(RemoteRecord)
  /// The remote's record changed since the edit's base; the record as it is there, to be merged. Nothing was sent, or it
  /// was turned down (409, 412).
  case remoteIsNewer(RemoteRecord)
  /// The remote has the record no longer: a removal was carried out, or there is nothing left to change.
  case removed
}

/// A record as a remote has it.
public struct RemoteRecord: Hashable, Sendable {
  /// The record.
  public var fields: JSONObject
  /// What to keep as the remote's copy; `nil` leaves it as it is.
  public var base: JSONObject?
  /// What to remember of the copy, an entity tag for instance; `nil` leaves it as it is.
  public var memory: JSONObject?

  /// Makes a record.
  public init(_ fields: JSONObject, base: JSONObject? = nil, memory: JSONObject? = nil) {
    self.fields = fields
    self.base = base
    self.memory = memory
  }
}
