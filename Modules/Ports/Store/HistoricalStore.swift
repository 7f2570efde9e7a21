public import Models

/// A store that answers what it held after an earlier commit, and which commit changed what.
public protocol HistoricalStore: RecordStore {
  /// The last commit at or before a time, by the greatest number: where a clock was set back, later commits may have an
  /// earlier time. Times are whole seconds: of the commits of one second it is the last one, also where the time was taken
  /// between them; a commit's number, as in `snapshot().sequence`, is exact. `nil` if there is none. O(log n) for n commits;
  /// O(n) where a clock was set back.
  func moment(_ time: Timestamp) throws(StoreError) -> Moment?

  /// The state after a commit. A collection whose state is not kept throws `notKept` when it is read.
  ///
  /// - Throws: `StoreError`: `notKept` if the history begins later, `notFound` if there is no such commit yet.
  func snapshot(at commit: UInt64) throws(StoreError) -> any StoreSnapshot

  /// The changes of a record, newest first.
  ///
  /// - Throws: `StoreError` if the store cannot be read; `notKept` if no history of the collection is kept, `damaged` if
  ///   changes of this record may be lost.
  func history(
    _ collection: CollectionName, _ id: String, before: UInt64?, limit: Int
  ) throws(StoreError) -> [RecordChange]

  /// Calls `body` with the changes of a collection in a range of commits, by id, then by commit, until it returns `stop`.
  /// The collection is not held in memory. Changes that a damage lost are left out, with what the records were before
  /// them; `HistoryStatus.lost` tells of them.
  ///
  /// - Throws: the errors of `body`; `StoreError` as for one record, but not `damaged` for what is left out.
  func history(
    _ collection: CollectionName, in commits: ClosedRange<UInt64>, _ body: (RecordChange) throws(StoreError) -> ScanStep
  ) throws(StoreError)

  /// What is known of a commit; `nil` if it is not kept, or changed only what has no history.
  func origin(of commit: UInt64) throws(StoreError) -> CommitOrigin?
}

public struct Moment: Hashable, Sendable {
  public var commit: UInt64
  public var at: Timestamp

  public init(commit: UInt64, at: Timestamp) { (self.commit, self.at) = (commit, at) }
}

public struct CommitOrigin: Hashable, Sendable {
  public var at: Timestamp
  /// `nil` where it is unknown: the commit is older than the history, or names no cause.
  public var cause: ChangeCause?

  public init(at: Timestamp, cause: ChangeCause?) { (self.at, self.cause) = (at, cause) }
}

public struct RecordChange: Hashable, Sendable {
  @ExactString public var id: String
  public var commit: UInt64
  public var before: [UInt8]?
  public var after: [UInt8]?

  public init(id: String, commit: UInt64, before: [UInt8]?, after: [UInt8]?) {
    (self.id, self.commit, self.before, self.after) = (id, commit, before, after)
  }
}

public struct RecordName: Hashable, Sendable {
  public var collection: CollectionName
  @ExactString public var id: String

  public init(_ collection: CollectionName, _ id: String) { (self.collection, self.id) = (collection, id) }
}

/// Decides and removes what a store keeps of its past.
public protocol HistoryMaintenance: Sendable {
  /// What is kept, and what it takes, of each collection that has a history or could have one, by name.
  func histories() throws(StoreError) -> [HistoryStatus]

  /// Changes what is kept of a collection. What is not kept any more is removed at once where it is, and by the next
  /// compaction where it only became too old; a looser policy brings nothing back.
  func setPolicy(_ policy: HistoryPolicy, of collection: CollectionName) async throws(StoreError)

  /// Commits as of another time, for a store to which the past of another one is copied: by ascending time, before all else.
  func write(
    at time: Timestamp, _ body: (inout any StoreTransaction) throws(StoreError) -> Void
  ) async throws(StoreError)

  /// Erases records with all that the store ever kept of them, under the write lock. An erasure that has begun is
  /// completed by the next writer if the process is killed. A snapshot that was taken before still has the records: let go of
  /// it.
  ///
  /// - Parameter select: names the records to erase, such as a record and its companion.
  /// - Returns: what was erased, and the places that hold one of the ids and were not reached.
  /// - Throws: the errors of `select`; `StoreError` as `write` does.
  @discardableResult
  func erase(_ select: (any RecordReader) throws(StoreError) -> [RecordName]) async throws(StoreError) -> ErasedRecords
}

public struct HistoryStatus: Hashable, Sendable {
  public var collection: CollectionName
  public var policy: HistoryPolicy
  /// The commit after which the first known state is, and its time; `nil` without history.
  public var since: Moment?
  /// A repair could not save what some records were before this commit; `nil` where every state since `since` is known.
  public var lost: UInt64?
  /// Compacted changes and their size in bytes. Newer ones are still in the journal.
  public var changes: Int
  public var bytes: Int

  public init(
    _ collection: CollectionName, _ policy: HistoryPolicy, since: Moment?, lost: UInt64? = nil, changes: Int, bytes: Int
  ) {
    (self.collection, self.policy, self.since, self.changes, self.bytes) = (collection, policy, since, changes, bytes)
    self.lost = lost
  }
}

public struct ErasedRecords: Hashable, Sendable {
  /// The records that were stored until now.
  public var records = 0
  public var changes = 0
  /// Files that hold an id of them and were left, such as those that a repair put aside.
  public var remaining: [String] = []

  public init(records: Int = 0, changes: Int = 0) { (self.records, self.changes) = (records, changes) }
}
