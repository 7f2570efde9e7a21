import Models
public import Ports
import Synchronization

/// A store in memory, with the same order, snapshots and change feed as a store on a disk.
public final class InMemoryRecordStore: ObservableRecordStore, LoadsAtOnce {
  struct Entry: Sendable {
    let key: [UInt8]
    let record: [UInt8]
  }

  /// Sorted entries by collection. A value type, so that a snapshot is a copy.
  typealias Content = [CollectionName: [Entry]]

  struct State: Sendable {
    var content: Content = [:]
    var sequence: UInt64 = 0
    var log: [StoreChange] = []
    /// Of each commit: when and why, and the length of the log after it.
    var commits: [(origin: CommitOrigin, end: Int)] = []
    var isWriting = false
    /// Called after each commit, by number.
    var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    var nextWatcher = 0
  }

  private let time: any TimeSource
  private let state = Mutex(State())
  private let nextFailure = Mutex<StoreError?>(nil)

  public init(time: any TimeSource = ManualTime()) { self.time = time }

  /// Makes the next `write` fail with this error, after its body ran and before anything is stored.
  public func failNextCommit(with error: StoreError) { nextFailure.withLock { $0 = error } }

  public func snapshot() throws(StoreError) -> any StoreSnapshot {
    state.withLock {
      InMemorySnapshot(
        content: $0.content, sequence: $0.sequence,
        end: $0.log.isEmpty ? nil : ChangeCursor(String($0.log.count)))
    }
  }

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
      state.commits.append((CommitOrigin(at: at, cause: transaction.cause), state.log.count))
      for watcher in state.watchers.values { watcher.yield() }
      return state.sequence
    }
    return Committed(value: value, sequence: sequence, records: changes.count)
  }

  public func changes(since cursor: ChangeCursor?, limit: Int) throws(StoreError) -> [StoreChange] {
    let start = cursor.map { Int($0.description) ?? -1 } ?? 0
    let log = state.withLock { $0.log }
    guard start >= 0 else { throw StoreError(.invalidCursor, "'\(cursor.map(\.description) ?? "")' is not a cursor") }
    guard start <= log.count else {
      throw StoreError(.cursorExpired, "not a cursor of this store: \(cursor.map(\.description) ?? "")")
    }
    return Array(log[start...].prefix(max(0, limit)))
  }

  public func changes(after cursor: ChangeCursor?) -> AsyncThrowingStream<[StoreChange], any Error> {
    let (stream, continuation) = AsyncThrowingStream<[StoreChange], any Error>.makeStream()
    let (commits, commit) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.nextWatcher += 1
      state.watchers[state.nextWatcher] = commit
      return state.nextWatcher
    }
    commit.yield()
    let task = Task {
      var cursor = cursor
      do {
        for await _ in commits {
          while case let batch = try changes(since: cursor, limit: 1000), let last = batch.last {
            continuation.yield(batch)
            cursor = last.cursor
          }
        }
        continuation.finish()
      } catch { continuation.finish(throwing: error) }
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.watchers[number] = nil }
      commit.finish()
      task.cancel()
    }
    return stream
  }

  /// Reads the state, for a moment.
  func withState<Result>(_ body: (State) -> sending Result) -> sending Result { state.withLock { body($0) } }

  private func takeTurn() -> Bool {
    state.withLock { state in
      guard !state.isWriting else { return false }
      state.isWriting = true
      return true
    }
  }
}

struct InMemorySnapshot: StoreSnapshot, InMemoryReader {
  let content: InMemoryRecordStore.Content
  let sequence: UInt64
  let end: ChangeCursor?

  var collections: [CollectionName] { content.filter { !$0.value.isEmpty }.keys.sorted() }
}

protocol InMemoryReader: RecordReader {
  var content: InMemoryRecordStore.Content { get }
}

extension InMemoryReader {
  func record(_ collection: CollectionName, _ id: String) throws(StoreError) -> [UInt8]? {
    content.record(collection, id)
  }

  func scan(
    _ collection: CollectionName, _ range: ScanRange, _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError) { try content.scan(collection, range, body) }

  func count(_ collection: CollectionName) throws(StoreError) -> Int { content[collection]?.count ?? 0 }
}

extension [CollectionName: [InMemoryRecordStore.Entry]] {
  func record(_ collection: CollectionName, _ id: String) -> [UInt8]? {
    let key = Array<UInt8>(id.utf8)
    guard let entries = self[collection] else { return nil }
    let place = entries.place(of: key)
    return place < entries.count && entries[place].key == key ? entries[place].record : nil
  }

  func scan(
    _ collection: CollectionName, _ range: ScanRange, _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    let entries = self[collection] ?? []
    let prefix = Array<UInt8>(range.prefix.utf8)
    var place = entries.place(of: prefix)
    if let after = range.after {
      let key = Array<UInt8>(after.utf8)
      let next = entries.place(of: key)
      place = Swift.max(place, next < entries.count && entries[next].key == key ? next + 1 : next)
    }
    while place < entries.count, entries[place].key.starts(with: prefix) {
      let record = entries[place].record
      let slice = record[...]
      if try body(slice.span.bytes) == .stop { return }
      place += 1
    }
  }
}

extension [InMemoryRecordStore.Entry] {
  /// The index of the first key that is not less than `key`.
  func place(of key: [UInt8]) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].key.lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The state that a body reads and changes.
final class InMemoryTransaction: StoreTransaction, InMemoryReader {
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
  var cause: ChangeCause?

  init(content: InMemoryRecordStore.Content) {
    before = content
    self.content = content
  }

  /// The differences from the previous state, in the order of the first change.
  var changes: [Change] {
    touched.compactMap { key, id in
      let old = before.record(key.collection, id)
      let new = content.record(key.collection, id)
      return old == new ? nil : Change(collection: key.collection, id: id, record: new)
    }
  }

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
    let problem =
      RecordRule.problem(ofCollection: collection)
      ?? key.withUnsafeBytes { id in
        RecordRule.problem(ofID: id) ?? record.withUnsafeBytes { RecordRule.problem(of: $0, id: id) }
      }
    if let problem { throw StoreError(.invalidRecord, problem) }
  }
}
