public import Models
public import Ports

/// A store that remembers what one command writes, in the same commit, so that it can be undone.
public struct RememberingStore: WrappedStore {
  public let base: any RecordStore
  private let coder: any RecordCoder
  private let edits: any PendingEdits
  private let time: any TimeSource
  private let command: String
  private let run: String
  private let isListed: Bool

  /// - Parameters:
  ///   - command: its words: `people remove`.
  ///   - run: a ULID that tells it apart from other commands; all of its commits have the same.
  ///   - isListed: whether it is one of the commands that are offered; if not, only who knows its run can undo it.
  public init(
    _ base: any RecordStore, coder: any RecordCoder, edits: any PendingEdits, time: any TimeSource, command: String,
    run: String, isListed: Bool
  ) {
    (self.base, self.coder, self.edits, self.time) = (base, coder, edits, time)
    (self.command, self.run, self.isListed) = (command, run, isListed)
  }

  public func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> {
    let since = hasHistory ? try base.snapshot().sequence : nil
    return try await base.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Result in
      var remembering: any StoreTransaction = RememberingTransaction(base: transaction)
      let value = try body(&remembering)
      guard let done = remembering as? RememberingTransaction else { return value }
      transaction = done.base
      try keep(done, since, in: &transaction)
      return value
    }
  }

  /// Whether the store may say later what records were.
  private var hasHistory: Bool { base is any HistoricalStore }

  /// Loads, and remembers the records as they were, if the file has no more of them than an entry holds: a file may have
  /// any number of records. Otherwise it is remembered how many changed.
  public func load(
    _ collection: CollectionName, because cause: ChangeCause?, _ next: () async throws(StoreError) -> LoadBatch?
  ) async throws(StoreError) -> LoadCounts {
    let before = try base.snapshot()
    var changes: [UndoEntry.Change] = []
    var loaded = 0
    let counts = try await base.load(collection, because: cause) { () async throws(StoreError) -> LoadBatch? in
      guard let batch = try await next() else { return nil }
      loaded += batch.count
      guard loaded <= UndoEntry.mostChanges else {
        changes = []
        return batch
      }
      for record in batch {
        var change = UndoEntry.Change(collection, record.id, before: try before.record(collection, record.id))
        change.after = UndoEntry.digest(record.record)
        if change.before != record.record {
          change.remoteFields = try remoteFields(change, record.record, in: before)
          changes.append(change)
        }
      }
      return batch
    }
    guard counts.added + counts.updated > 0 else { return counts }
    // Another program may have changed records of the file in the meantime.
    let isKnown = changes.count == counts.added + counts.updated
    _ = try await base.write { (transaction) throws(StoreError) in
      try keep(since: hasHistory ? before.sequence : nil, in: &transaction) { entry in
        if isKnown { return entry.add(changes) }
        entry.add(counts.added + counts.updated, of: collection)
      }
    }
    return counts
  }

  /// Remembers that the command did what cannot be undone, so that an undo does not go to the one before.
  public func keepErasure() async throws(StoreError) {
    _ = try await base.write { (transaction) throws(StoreError) in
      try keep(since: nil, in: &transaction) { $0.lose() }
    }
  }

  private func keep(
    _ done: RememberingTransaction, _ since: UInt64?, in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    if done.isTooLarge { return try keep(since: nil, in: &transaction) { $0.lose() } }
    var changes: [UndoEntry.Change] = []
    for var change in done.changes {
      let now = try transaction.record(change.collection, change.id)
      guard now != change.before else { continue }
      change.after = UndoEntry.digest(now)
      change.remoteFields = try remoteFields(change, now, in: transaction)
      changes.append(change)
    }
    if !changes.isEmpty { try keep(since: since, in: &transaction) { $0.add(changes) } }
  }

  private func remoteFields(
    _ change: UndoEntry.Change, _ after: [UInt8]?, in reader: any RecordReader
  ) throws(StoreError) -> [String]? {
    let (collection, id) = (change.collection, change.id)
    guard !collection.isInternal, let before = change.before, let after,
      let base = try edits.remoteCopy(of: collection, id, in: reader)?.base
    else { return nil }
    let (old, new) = try (coder.object(before, collection, id), coder.object(after, collection, id))
    let names = Set((old.keys + new.keys).map(\.exact))
    return names.map(\.text).filter { $0 != "id" && old[$0] != new[$0] && old[$0] == base[$0] }.sorted()
  }

  /// Adds to the entry of this command, or begins one and drops the oldest.
  private func keep(
    since: UInt64?, in transaction: inout any StoreTransaction, _ add: (inout UndoEntry) -> Void
  ) throws(StoreError) {
    let keys = try transaction.stateKeys(.undo, from: isListed ? UndoEntry.listed : UndoEntry.unlisted)
    let own = isListed ? keys.last : UndoEntry.key(ofRun: run)
    let last = try own.flatMap { (key) throws(StoreError) in try transaction.state(key, coder) }
    var entry = last.flatMap { UndoEntry($0) }
    if entry?.run.exact != run.exact {
      let key = isListed ? UndoEntry.key(after: keys.last) : UndoEntry.key(ofRun: run)
      entry = UndoEntry(key, run: run, command: command, at: time.now, since: since)
      for old in keys.dropLast(UndoEntry.mostCommands - 1) { try transaction.clearState(old) }
    }
    guard var entry else { return }
    entry.at = time.now
    add(&entry)
    try transaction.setState(entry.key, to: entry.fields, coder)
  }
}

/// A transaction that keeps each record as it was before the first change.
private struct RememberingTransaction: WrappedTransaction {
  var base: any StoreTransaction
  private(set) var changes: [UndoEntry.Change] = []
  /// Whether there are so many changes that they are not kept in memory.
  private(set) var isTooLarge = false
  private var seen: [CollectionName: Set<ExactString>] = [:]

  init(base: any StoreTransaction) { self.base = base }

  mutating func put(_ record: [UInt8], id: String, in collection: CollectionName) throws(StoreError) {
    try remember(collection, id)
    try base.put(record, id: id, in: collection)
  }

  mutating func delete(_ collection: CollectionName, _ id: String) throws(StoreError) {
    try remember(collection, id)
    try base.delete(collection, id)
  }

  private mutating func remember(_ collection: CollectionName, _ id: String) throws(StoreError) {
    guard !isTooLarge, seen[collection, default: []].insert(id.exact).inserted else { return }
    changes.append(UndoEntry.Change(collection, id, before: try base.record(collection, id)))
    // Many of them may prove to be none.
    guard changes.count > UndoEntry.mostInHistory else { return }
    (changes, seen, isTooLarge) = ([], [:], true)
  }
}
