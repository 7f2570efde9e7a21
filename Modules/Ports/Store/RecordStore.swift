public import Models

/// A durable ordered map (collection, id) → JSON bytes, with transactions, snapshots and a change feed.
///
/// The store does not interpret records, which are compact JSON objects on one line whose first member is `id`. Ids
/// sort by their UTF-8 bytes. Any number of processes may use one store: readers never wait, and writers take turns.
public protocol RecordStore: Sendable {
  /// Returns an immutable view of the state after the last commit.
  func snapshot() throws(StoreError) -> any StoreSnapshot

  /// Runs `body` on the latest state with exclusive write access, and commits its changes as one transaction.
  ///
  /// When the method returns, the transaction survives a kill and a power failure. Nothing is written if `body` changes
  /// nothing or only puts records that are already stored, or if `body` or the commit throws; only after
  /// `StoreError.unknownOutcome` it may have been written. A store on a server may run `body` again, on the state that is the
  /// latest then: only its result and its changes may differ after a call.
  ///
  /// `body` and the write to the disk or the server run where the caller runs: a caller on the main actor blocks it for
  /// that time. A task that is cancelled stops waiting for other processes; a commit that has begun is finished.
  /// - Throws: the errors of `body`; `StoreError.busy` if a writer of another process held the lock for too long,
  ///   `aborted` if the task was cancelled meanwhile. Tasks of one process take turns, and wait for each other without a limit; `StoreError` if the store cannot be written.
  @discardableResult
  func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result>

  /// Puts any number of records into a collection as one commit, in any order. A store on a disk holds only some of
  /// them in memory at a time, and does not block other writers before the last record was read.
  ///
  /// - Parameters:
  ///   - cause: why, for the history of a store that keeps one; `nil` if nobody asks for it.
  ///   - next: returns the next records, and `nil` at the end; it is not called again then.
  /// - Throws: the errors of `next`; `invalidRecord` if two records have the same id, with the place of the second one
  ///   as `offset`; the errors of `write`. Nothing was written then.
  @discardableResult
  func load(
    _ collection: CollectionName, because cause: ChangeCause?, _ next: () async throws(StoreError) -> LoadBatch?
  ) async throws(StoreError) -> LoadCounts

  /// Returns the changes after `cursor`, oldest first, at most `limit`. Without a cursor it starts at the beginning;
  /// records that were compacted into the collection files come first, as puts.
  ///
  /// - Throws: `StoreError`: `cursorExpired` if the changes after the cursor are no longer available, `invalidCursor` if
  ///   the text is not a cursor.
  func changes(since cursor: ChangeCursor?, limit: Int) throws(StoreError) -> [StoreChange]
}

/// A store whose commits can be awaited.
public protocol ObservableRecordStore: RecordStore {
  /// The changes after a cursor, and then those of each later commit of any process, in batches of up to 1,000. A store
  /// in files is not polled; a server is asked a few times a second.
  ///
  /// To begin with the present state, read a snapshot and pass its `end`; without a cursor, its records come first.
  /// - Throws: from the sequence, `StoreError` as `changes(since:limit:)` does, and if the store cannot be watched.
  func changes(after cursor: ChangeCursor?) -> AsyncThrowingStream<[StoreChange], any Error>
}

/// Read access, in a snapshot and within a transaction.
public protocol RecordReader {
  /// Returns the record, or `nil`. O(log n) for n records.
  func record(_ collection: CollectionName, _ id: String) throws(StoreError) -> [UInt8]?

  /// Calls `body` with every record of the range, by ascending id, until it returns `stop`, without holding them all.
  func scan(
    _ collection: CollectionName, _ range: ScanRange, _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError)

  /// Returns the number of records in the collection. O(1) to O(n), depending on the store.
  func count(_ collection: CollectionName) throws(StoreError) -> Int
}

public protocol StoreSnapshot: RecordReader, Sendable {
  /// The number of the last commit; 0 for an empty store.
  var sequence: UInt64 { get }

  /// The position in the change feed after the last commit: reading on from there returns only later changes. `nil` for
  /// a store without commits. O(1).
  var end: ChangeCursor? { get }

  /// The collections that contain records, by name.
  var collections: [CollectionName] { get }
}

/// The latest state, including the changes of this transaction.
public protocol StoreTransaction: RecordReader {
  /// The time by the clock of the store's server, which is the same for all programs that use the store; `nil` where the
  /// store has no clock but the caller's. `nil` by default.
  var now: Timestamp? { get throws(StoreError) }

  /// Why the changes are made, for the history of the store; `nil` until somebody says so. A wrapper passes it on.
  var cause: ChangeCause? { get set }

  /// Announces ids that the body is about to read or change, so that a store on a server reads them at once instead of one
  /// by one. It changes no result. Does nothing by default.
  mutating func expect(_ collection: CollectionName, _ ids: [String]) throws(StoreError)

  /// - Parameters:
  ///   - record: a compact JSON object on one line, `id` first.
  ///   - id: the same id, unescaped; 1 to 1024 bytes without control characters.
  ///
  /// Only the id, the line and the beginning of the record are checked: what is within the object is the caller's.
  ///
  /// - Throws: `StoreError.invalidRecord` if the id is not valid, or the record does not begin with it or has several lines.
  mutating func put(_ record: [UInt8], id: String, in collection: CollectionName) throws(StoreError)

  /// Deletes a record; does nothing if there is no such record.
  mutating func delete(_ collection: CollectionName, _ id: String) throws(StoreError)
}

extension StoreTransaction {
  /// A store on a disk is used with the clock of its machine.
  public var now: Timestamp? { get throws(StoreError) { nil } }

  public mutating func explain(_ cause: ChangeCause) { self.cause = cause }

  public mutating func expect(_ collection: CollectionName, _ ids: [String]) throws(StoreError) {}
}

extension RecordStore {
  @discardableResult
  public func load(
    _ collection: CollectionName, _ next: () async throws(StoreError) -> LoadBatch?
  ) async throws(StoreError) -> LoadCounts { try await load(collection, because: nil, next) }

  /// Reads one state of the store.
  ///
  /// - Throws: the errors of the body and of the store.
  public func read<Value>(_ body: (any StoreSnapshot) throws(StoreError) -> Value) throws(Failure) -> Value {
    do { return try body(snapshot()) } catch { throw error.failure }
  }

  /// Commits what the body changes.
  ///
  /// - Throws: the errors of the body and of the store.
  public func commit<Value: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Value
  ) async throws(Failure) -> Value {
    do { return try await write(body).value } catch { throw error.failure }
  }
}

/// A store with something between another one and its callers. What it does not do itself, the other one does; only one that
/// can be observed hands on the commits.
public protocol WrappedStore: ObservableRecordStore { var base: any RecordStore { get } }

extension WrappedStore {
  public func snapshot() throws(StoreError) -> any StoreSnapshot { try base.snapshot() }

  public func changes(since cursor: ChangeCursor?, limit: Int) throws(StoreError) -> [StoreChange] {
    try base.changes(since: cursor, limit: limit)
  }

  /// Ends with the error `cannotRead` if the other store cannot be observed.
  public func changes(after cursor: ChangeCursor?) -> AsyncThrowingStream<[StoreChange], any Error> {
    if let base = base as? any ObservableRecordStore { return base.changes(after: cursor) }
    return AsyncThrowingStream { throw StoreError(.cannotRead, "the store inside of this one cannot be observed") }
  }
}

/// A transaction with something between another one and its body. What it does not do itself, the other one does.
public protocol WrappedTransaction: StoreTransaction { var base: any StoreTransaction { get set } }

extension WrappedTransaction {
  public var now: Timestamp? { get throws(StoreError) { try base.now } }

  public var cause: ChangeCause? {
    get { base.cause }
    set { base.cause = newValue }
  }

  public mutating func expect(_ collection: CollectionName, _ ids: [String]) throws(StoreError) {
    try base.expect(collection, ids)
  }

  public func record(_ collection: CollectionName, _ id: String) throws(StoreError) -> [UInt8]? {
    try base.record(collection, id)
  }

  public func scan(
    _ collection: CollectionName, _ range: ScanRange, _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    try base.scan(collection, range, body)
  }

  public func count(_ collection: CollectionName) throws(StoreError) -> Int { try base.count(collection) }
}

public struct ScanRange: Hashable, Sendable {
  public var prefix: String
  public var after: String?

  public init(prefix: String = "", after: String? = nil) { (self.prefix, self.after) = (prefix, after) }

  public static let all = ScanRange()
}

public enum ScanStep: Sendable {
  case next
  case stop
}

public struct Committed<Value: Sendable>: Sendable {
  public var value: Value
  /// The number of the commit; `nil` if nothing had to be written.
  public var sequence: UInt64?
  /// The number of records that were put or deleted.
  public var records: Int

  public init(value: Value, sequence: UInt64?, records: Int) {
    (self.value, self.sequence, self.records) = (value, sequence, records)
  }
}

/// A position in the change feed, which remains valid across restarts.
public struct ChangeCursor: Hashable, Sendable, CustomStringConvertible {
  @ExactString public private(set) var description: String

  public init(_ text: String) { description = text }
}

public struct StoreChange: Hashable, Sendable {
  public var cursor: ChangeCursor
  public var at: Timestamp
  public var collection: CollectionName
  @ExactString public var id: String
  public var record: [UInt8]?

  public init(cursor: ChangeCursor, at: Timestamp, collection: CollectionName, id: String, record: [UInt8]?) {
    (self.cursor, self.at, self.collection, self.id, self.record) = (cursor, at, collection, id, record)
  }
}

public struct StoreError: FailureRepresentable, Hashable, Sendable, CustomStringConvertible {
  public typealias Code = StoreCode

  public var code: Code
  public var message: String
  public var hint: Advice?
  public var path: String?
  public var offset: Int?

  public init(_ code: Code, _ message: String, hint: Advice? = nil, path: String? = nil, offset: Int? = nil) {
    (self.code, self.message, self.hint, self.path, self.offset) = (code, message, hint, path, offset)
  }

  public var description: String { message + (path.map { " (\($0)\(offset.map { ", byte \($0)" } ?? ""))" } ?? "") }

  public var failure: Failure {
    let reason: Failure.Reason =
      switch code {
      case .busy, .unreachable, .leaseLost, .snapshotExpired: .tryLater
      case .cannotCreate, .unsuitablePlace: .cannotCreate
      case .cannotRead, .cannotWrite, .full, .damaged, .newerFormat, .poisoned, .moved, .unknownOutcome: .inputOutput
      case .invalidRecord: .unparsable
      case .notFound, .notKept: .notFound
      case .denied: .denied
      case .invalidAddress: .config
      case .cursorExpired, .invalidCursor: .usage
      case .aborted: .internalFault
      }
    return Failure(
      .store, reason, description, hint: hint, code: .store(code), path: path,
      retryable: reason == .tryLater || code == .moved)
  }
}

extension Failure {
  /// Reads a value from a store and converts the error.
  public static func reading<Value>(_ value: @autoclosure () throws(StoreError) -> Value) throws(Failure) -> Value {
    do { return try value() } catch { throw error.failure }
  }
}
