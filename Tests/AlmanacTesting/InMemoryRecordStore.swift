import Models
public import Ports
import Synchronization

/// A store in memory, with the same order, snapshots and change feed as one on a disk. Nothing survives it.
public final class InMemoryRecordStore: RecordStore {
  struct Entry: Sendable {
    let key: [UInt8]
    let record: [UInt8]
  }

  /// Sorted entries by collection; a value, so that a snapshot is a copy.
  typealias Content = [CollectionName: [Entry]]

  struct State: Sendable {
    var content: Content = [:]
    var sequence: UInt64 = 0
    var log: [StoreChange] = []
    var isWriting = false
  }

  private let time: any TimeSource
  private let state = Mutex(State())
  private let nextFailure = Mutex<StoreError?>(nil)

  /// An empty store.
  public init(time: any TimeSource = ManualTime()) { self.time = time }

  /// Makes the next `write` fail with this error, after its body ran and before anything is kept.
  public func failNextCommit(with error: StoreError) { nextFailure.withLock { $0 = error } }

  /// The state after the last commit.
  public func snapshot() throws(StoreError) -> any StoreSnapshot {
    state.withLock {
      InMemorySnapshot(
        content: $0.content, sequence: $0.sequence,
        end: $0.log.isEmpty ? nil : ChangeCursor(String($0.log.count)))
    }
  }

  /// Runs the body alone and keeps what it changed.
  public func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> {
    while !takeTurn() { await Task.yield() }
    defer { state.withLock { $0.isWriting = false } }
    let transaction = InMemoryTransaction(content: state.withLock { $0.content })
    var handle: any StoreTransaction = transaction
    let value = try body(&handle)
    let failure = nextFailure.withLock { failure in
      defer { failure = nil }
      return failure
    }
    if let failure { throw failure }
    let changes = transaction.changes
    guard !changes.isEmpty else { return Committed(value: value, sequence: nil, records: 0) }
    let at = time.now
    let sequence = state.withLock { state in
      state.sequence += 1
      state.content = transaction.content
      for change in changes {
        state.log.append(
          StoreChange(
            cursor: ChangeCursor(String(state.log.count + 1)), at: at, collection: change.collection,
            id: change.id, record: change.record))
      }
      return state.sequence
    }
    return Committed(value: value, sequence: sequence, records: changes.count)
  }

  /// The changes after the cursor.
  public func changes(since cursor: ChangeCursor?, limit: Int) throws(StoreError) -> [StoreChange] {
    let start = cursor.map { Int($0.description) ?? -1 } ?? 0
    let log = state.withLock { $0.log }
    guard start >= 0, start <= log.count else {
      throw StoreError(.cursorExpired, "not a cursor of this store: \(cursor.map(\.description) ?? "")")
    }
    return Array(log[start...].prefix(max(0, limit)))
  }

  private func takeTurn() -> Bool {
    state.withLock { state in
      guard !state.isWriting else { return false }
      state.isWriting = true
      return true
    }
  }
}
