public import Models

/// A durable ordered map (collection, id) → JSON bytes, with transactions, snapshots and a change feed.
///
/// It does not know what the records mean. Records are compact JSON objects on one line whose first member is `id`.
/// Ids sort by their UTF-8 bytes. Any number of processes may use one store: readers never wait, writers take turns.
public protocol RecordStore: Sendable {
  /// The state after the last commit, which stays as it is.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  func snapshot() throws(StoreError) -> any StoreSnapshot

  /// Runs `body` on the newest state, alone among writers, and commits what it changed as one transaction.
  ///
  /// When this returns, the transaction survives a kill and a power cut. When `body` changes nothing, or only puts
  /// what is already there, nothing is written. When `body` or the commit throws, nothing was written.
  /// - Throws: what `body` throws; `StoreError.busy` when another writer held the lock for too long;
  ///   `StoreError` where the store cannot be written.
  func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result>

  /// Puts records into a collection as one commit, in any order and of any number: a store on a disk holds some of them
  /// at a time, and other writers go on until the last one was given.
  ///
  /// - Parameter next: gives a record, `nil` at the end.
  /// - Throws: what `next` throws; `invalidRecord`, with the later record's place as `offset`, where two have the
  ///   same id; `StoreError` as `write` does. Then nothing was written.
  func load(
    _ collection: CollectionName, _ next: () throws(StoreError) -> LoadedRecord?
  ) async throws(StoreError) -> LoadCounts

  /// The changes after `cursor`, oldest first, at most `limit`; without a cursor from the beginning: what was compacted
  /// into the collection files comes first, as puts.
  ///
  /// - Throws: `StoreError`, `cursorExpired` where the changes after the cursor are not kept any more.
  func changes(since cursor: ChangeCursor?, limit: Int) throws(StoreError) -> [StoreChange]
}

/// What can be read, in a snapshot and within a transaction.
public protocol RecordReader {
  /// The record, or `nil`. O(log n) for n records.
  ///
  /// - Throws: `StoreError` where the store cannot be read or is damaged there.
  func record(_ collection: CollectionName, _ id: String) throws(StoreError) -> [UInt8]?

  /// Hands every record of the range to `body`, by ascending id, without holding the collection in memory, until
  /// `body` says stop.
  ///
  /// - Throws: what `body` throws; `StoreError` where the store cannot be read or is damaged there.
  func scan(
    _ collection: CollectionName, _ range: ScanRange, _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError)

  /// How many records the collection holds. O(1) to O(n), depending on the store.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  func count(_ collection: CollectionName) throws(StoreError) -> Int
}

/// A state of the store that does not change any more.
public protocol StoreSnapshot: RecordReader, Sendable {
  /// The number of the last commit in it; 0 for an empty store.
  var sequence: UInt64 { get }

  /// The place in the change feed just after the last commit in it: from there come later changes only, and none that is
  /// in the snapshot. `nil` for a store without commits. O(1).
  var end: ChangeCursor? { get }

  /// The collections that hold records, by name.
  var collections: [CollectionName] { get }
}

/// The newest state, and the changes that are about to be committed.
public protocol StoreTransaction: RecordReader {
  /// Writes a record, whole.
  ///
  /// - Parameters:
  ///   - record: a compact JSON object on one line, `id` first.
  ///   - id: the same id, unescaped; 1 to 1024 bytes without control characters.
  /// - Throws: `StoreError.invalidRecord` where id or record are not as they must be.
  mutating func put(_ record: [UInt8], id: String, in collection: CollectionName) throws(StoreError)

  /// Removes a record; nothing happens where there is none.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  mutating func delete(_ collection: CollectionName, _ id: String) throws(StoreError)
}

/// Which records a scan sees.
public struct ScanRange: Hashable, Sendable {
  /// Only ids that begin with this.
  public var prefix: String
  /// Only ids that come after this one.
  public var after: String?

  /// A range; everything by default.
  public init(prefix: String = "", after: String? = nil) {
    self.prefix = prefix
    self.after = after
  }

  /// Every record.
  public static let all = ScanRange()
}

/// Whether a scan goes on.
public enum ScanStep: Sendable {
  /// Next record.
  case next
  /// Enough.
  case stop
}

/// What a commit did.
public struct Committed<Value: Sendable>: Sendable {
  /// What the body gave back.
  public var value: Value
  /// The commit's number; `nil` where nothing had to be written.
  public var sequence: UInt64?
  /// How many records were put or deleted.
  public var records: Int

  /// Makes a result.
  public init(value: Value, sequence: UInt64?, records: Int) {
    self.value = value
    self.sequence = sequence
    self.records = records
  }
}

/// A place in the change feed that stays valid across restarts.
public struct ChangeCursor: Hashable, Sendable, CustomStringConvertible {
  /// The cursor as it is printed.
  @ExactString public private(set) var description: String

  /// A cursor as it was printed.
  public init(_ text: String) { description = text }
}

/// One change of one record.
public struct StoreChange: Hashable, Sendable {
  /// The place just after this change.
  public var cursor: ChangeCursor
  /// When it was committed.
  public var at: Timestamp
  /// The collection.
  public var collection: CollectionName
  /// The record's id.
  @ExactString public var id: String
  /// The record as it was put; `nil` where it was deleted.
  public var record: [UInt8]?

  /// Makes a change.
  public init(cursor: ChangeCursor, at: Timestamp, collection: CollectionName, id: String, record: [UInt8]?) {
    self.cursor = cursor
    self.at = at
    self.collection = collection
    self.id = id
    self.record = record
  }
}

/// An error of the store.
public struct StoreError: FailureRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// What happened.
  public enum Code: String, Sendable, CaseIterable {
    /// Another writer held the lock for too long.
    case busy
    /// The folder or a file could not be made.
    case cannotCreate
    /// A file could not be read.
    case cannotRead
    /// A file could not be written.
    case cannotWrite
    /// The disk or the quota is full.
    case full
    /// Bytes are not what was written; see `path` and `offset`.
    case damaged
    /// The store has a format that this program does not know.
    case newerFormat
    /// An earlier write failed and its outcome is unknown; reopen the store.
    case poisoned
    /// An id or a record that the store does not take.
    case invalidRecord
    /// A store cannot be kept there: on a network file system, or behind a link.
    case unsuitablePlace
    /// The changes after this cursor are not kept any more.
    case cursorExpired
    /// The body of a transaction refused to go on.
    case aborted
  }

  /// What happened.
  public var code: Code
  /// What happened, in one line.
  public var message: String
  /// What to do about it.
  public var hint: String?
  /// The file or folder.
  public var path: String?
  /// The place in the file, in bytes.
  public var offset: Int?

  /// Makes an error.
  public init(_ code: Code, _ message: String, hint: String? = nil, path: String? = nil, offset: Int? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    self.path = path
    self.offset = offset
  }

  /// The error in one line.
  public var description: String {
    message + (path.map { " (\($0)\(offset.map { ", byte \($0)" } ?? ""))" } ?? "")
  }

  /// The error as users see it.
  public var failure: Failure {
    let reason: Failure.Reason =
      switch code {
      case .busy: .tryLater
      case .cannotCreate, .unsuitablePlace: .cannotCreate
      case .cannotRead, .cannotWrite, .full, .damaged, .newerFormat, .poisoned: .inputOutput
      case .invalidRecord: .unparsable
      case .cursorExpired: .usage
      case .aborted: .internalFault
      }
    return Failure(
      .store, reason, description, hint: hint, code: code.rawValue, path: path, retryable: code == .busy)
  }
}

/// One of the records that are put together.
public struct LoadedRecord: Sendable {
  /// The record's id.
  public var id: String
  /// A compact JSON object on one line, `id` first.
  public var record: [UInt8]
  /// Where it came from: the number of a line.
  public var place: Int

  /// Makes a record.
  public init(id: String, record: [UInt8], place: Int) {
    self.id = id
    self.record = record
    self.place = place
  }
}

/// What putting records did.
public struct LoadCounts: Hashable, Sendable {
  /// Records that are new.
  public var added = 0
  /// Records that changed.
  public var updated = 0
  /// Records that were there as they are.
  public var unchanged = 0

  /// Nothing put.
  public init() {}
}

extension StoreError {
  /// Two records that are put together have this id; the later one came from `place`.
  public static func duplicate(_ id: String, at place: Int) -> StoreError {
    StoreError(.invalidRecord, "expected an id that no record before has, found '\(id)'", offset: place)
  }
}
