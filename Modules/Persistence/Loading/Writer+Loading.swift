public import Models
public import Ports

extension JSONFileStore {
  /// Up to some megabytes are an ordinary transaction. More are sorted on the disk, without the write lock, and become a
  /// new collection file at once. The change feed begins anew then, as that commit is not in the journal.
  @discardableResult
  public func load(
    _ collection: CollectionName, because cause: ChangeCause?, _ next: () async throws(StoreError) -> LoadBatch?
  ) async throws(StoreError) -> LoadCounts {
    let sorter = LoadSorter(disk: disk, limits: limits)
    do throws(StoreError) {
      while let batch = try await next() {
        if sorter.isEmpty, !batch.isEmpty { try prepareToLoad(collection) }
        try await sorter.add(batch)
      }
    } catch {
      await sorter.stop()
      throw error
    }
    let merge = try await sorter.merged()
    if sorter.isSmall { return try await put(merge, in: collection, cause) }
    guard sorter.hasChanges else {
      var counts = LoadCounts()
      while merge.head != nil {
        counts.unchanged += 1
        try merge.advance()
      }
      return counts
    }
    let lock = try await acquireWriteLock()
    defer { releaseWriteLock(lock) }
    let counts = try openWriter(lock).load(
      merge, into: collection.rawValue, at: time.now.secondsSinceEpoch, because: cause)
    try checkPlace()
    return counts
  }

  private func put(
    _ records: LoadMerge, in collection: CollectionName, _ cause: ChangeCause?
  ) async throws(StoreError) -> LoadCounts {
    try await write { (transaction) throws(StoreError) -> LoadCounts in
      transaction.cause = cause
      var counts = LoadCounts()
      while let entry = records.head {
        let (id, record) = (entry.key.text, entry.record.array)
        let old = entry.isStored ? nil : try transaction.record(collection, id)
        if entry.isStored || old == record {
          counts.unchanged += 1
        } else {
          try transaction.put(record, id: id, in: collection)
          if old == nil { counts.added += 1 } else { counts.updated += 1 }
        }
        try records.advance()
      }
      return counts
    }.value
  }

  /// Throws before all records are read if they could not be written in the end.
  private func prepareToLoad(_ collection: CollectionName) throws(StoreError) {
    try checkTakesWrites()
    try checkIsNoBackup()
    try DiskTransaction.check(collection)
    _ = try disk.openFolder(create: true)
  }
}

extension Writer {
  /// Commits sorted records as a new collection file, which is begun at the first one that changes something.
  func load(
    _ records: LoadMerge, into collection: String, at: Int, because cause: ChangeCause?
  ) throws(StoreError) -> LoadCounts {
    do throws(StoreError) {
      let table = state.tables[collection] ?? Table()
      let note = JournalChanges.Note(commit: state.sequence + 1, at: at, because: cause)
      let kept = state.manifest.history.map { _ in store.kept(collection, in: state.manifest) }
      let changes =
        kept.map { $0.policy.keep != .none } ?? false
        ? RunWriter(collection, number: (state.manifest.version + 1) << 12 + 1, kept, on: disk) : nil
      var output = LoadOutput(collection, version: state.manifest.version + 1, over: table, changes, note, on: disk)
      try table.scan(prefix: .empty, after: nil) { (old) throws(StoreError) in
        guard let key = RecordKey(of: old) else { throw StoreError(.damaged, "a record does not begin with its id") }
        _ = try key.withBytes { (id) throws(StoreError) in try output.merge(records, upTo: id, of: old) }
        return .next
      }
      try output.merge(records)
      guard let file = output.file else {
        try removeOrphans()
        return output.counts
      }
      let part = try withExtendedLifetime((table, records)) { () throws(StoreError) in try file.finish(store.syncing) }
      let run = try changes?.finish(syncing)
      try renew(with: part, LoadedChange(run: run, note: note), sequence: state.sequence + 1, at: at)
      return output.counts
    } catch {
      removeFailedFiles()
      throw error
    }
  }
}

/// What a load makes of a table.
private struct LoadOutput {
  private let (collection, version, disk): (String, UInt64, Disk)
  private let table: Table
  private let changes: RunWriter?
  private let note: JournalChanges.Note
  private(set) var counts = LoadCounts()
  /// `nil` as long as nothing has changed.
  private(set) var file: CollectionFileWriter?

  init(
    _ collection: String, version: UInt64, over table: Table, _ changes: RunWriter?, _ note: JournalChanges.Note,
    on disk: Disk
  ) {
    (self.collection, self.version, self.disk) = (collection, version, disk)
    (self.table, self.changes, self.note) = (table, changes, note)
  }

  /// Writes the records up to an id, and the old record of this id unless there is a new one.
  mutating func merge(_ records: LoadMerge, upTo id: ByteSlice, of old: ByteSlice) throws(StoreError) {
    while let record = records.head {
      let order = record.key.compare(id)
      if order > 0 { break }
      if order < 0 {
        try add(record)
      } else if record.isStored || record.record == old {
        counts.unchanged += 1
      } else {
        counts.updated += 1
        try put(record, over: old)
        return try records.advance()
      }
      try records.advance()
      if order == 0 { break }
    }
    try file?.add(old)
  }

  /// Writes the records that are left.
  mutating func merge(_ records: LoadMerge) throws(StoreError) {
    while let record = records.head {
      try add(record)
      try records.advance()
    }
  }

  /// Another program may have removed a record that was stored, and that the load does not change.
  private mutating func add(_ record: LoadEntry) throws(StoreError) {
    if record.isStored {
      counts.unchanged += 1
    } else {
      counts.added += 1
      try put(record, over: nil)
    }
  }

  private mutating func put(_ record: LoadEntry, over old: ByteSlice?) throws(StoreError) {
    if file == nil {
      let new = try CollectionFileWriter(collection: collection, version: version, on: disk)
      try table.scan(prefix: .empty, after: nil) { (old) throws(StoreError) in
        guard let key = RecordKey(of: old), key.withBytes({ $0.compare(record.key) < 0 }) == true else { return .stop }
        try new.add(old)
        return .next
      }
      file = new
    }
    try file?.add(record.record)
    try changes?.add(record.key, old, record.record, note)
  }
}
