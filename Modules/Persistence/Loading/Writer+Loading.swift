public import Models
public import Ports

extension JSONFileStore {
  /// Up to some megabytes are an ordinary transaction. More are sorted on the disk, without the write lock, and become a
  /// new collection file at once. The change feed begins anew then, as that commit is not in the journal.
  public func load(
    _ collection: CollectionName, because cause: ChangeCause?, _ next: () throws(StoreError) -> LoadedRecord?
  ) async throws(StoreError) -> LoadCounts {
    let sorter = LoadSorter(disk: disk, limits: limits)
    while let record = try next() {
      if sorter.isEmpty { try prepareToLoad(collection) }
      try sorter.add(record)
    }
    if let records = try sorter.inMemory() { return try await put(records, in: collection, cause) }
    let merge = try sorter.merged()
    let lock = try await acquireWriteLock()
    defer { releaseWriteLock(lock) }
    let counts = try openWriter(lock).load(
      merge, into: collection.rawValue, at: time.now.secondsSinceEpoch, because: cause)
    try checkPlace()
    return counts
  }

  private func put(
    _ records: [LoadedRecord], in collection: CollectionName, _ cause: ChangeCause?
  ) async throws(StoreError) -> LoadCounts {
    try await write { (transaction) throws(StoreError) -> LoadCounts in
      transaction.cause = cause
      var counts = LoadCounts()
      for record in records {
        let old = try transaction.record(collection, record.id)
        if old == record.record {
          counts.unchanged += 1
          continue
        }
        try transaction.put(record.record, id: record.id, in: collection)
        if old == nil { counts.added += 1 } else { counts.updated += 1 }
      }
      return counts
    }.value
  }

  /// Throws before all records are read if they could not be written in the end.
  private func prepareToLoad(_ collection: CollectionName) throws(StoreError) {
    try checkWritable()
    try checkIsNoBackup()
    try DiskTransaction.check(collection)
    _ = try disk.openFolder(create: true)
  }
}

extension Writer {
  /// Commits sorted records as a new collection file.
  func load(
    _ records: LoadMerge, into collection: String, at: Int, because cause: ChangeCause?
  ) throws(StoreError) -> LoadCounts {
    var counts = LoadCounts()
    do throws(StoreError) {
      let table = state.tables[collection] ?? Table()
      let note = JournalChanges.Note(commit: state.sequence + 1, at: at, because: cause)
      let kept = state.manifest.history.map { _ in store.kept(collection, in: state.manifest) }
      let changes =
        kept.map { $0.policy.keep != .none } ?? false
        ? RunWriter(collection, number: (state.manifest.version + 1) << 12 + 1, kept, on: disk) : nil
      let output = try CollectionFileWriter(collection: collection, version: state.manifest.version + 1, on: disk)
      try table.scan(prefix: .empty, after: nil) { (old) throws(StoreError) in
        guard let key = RecordKey(of: old) else { throw StoreError(.damaged, "a record does not begin with its id") }
        _ = try key.withBytes { (id) throws(StoreError) in
          try Self.merge(records, upTo: id, of: old, output, changes, note, &counts)
        }
        return .next
      }
      while let record = records.head {
        try output.add(record.record)
        try changes?.add(record.key, nil, record.record, note)
        counts.added += 1
        try records.advance()
      }
      guard counts.added + counts.updated > 0 else {
        try removeOrphans()
        return counts
      }
      let part = try withExtendedLifetime((table, records)) { () throws(StoreError) in try output.finish(store.syncing)
      }
      let run = try changes?.finish(syncing)
      try renew(with: part, LoadedChange(run: run, note: note), sequence: state.sequence + 1, at: at)
    } catch {
      removeFailedFiles()
      throw error
    }
    return counts
  }

  /// Writes the records up to an id, and the old record of this id unless there is a new one.
  private static func merge(
    _ records: LoadMerge, upTo id: ByteSlice, of old: ByteSlice, _ output: CollectionFileWriter,
    _ changes: RunWriter?, _ note: JournalChanges.Note, _ counts: inout LoadCounts
  ) throws(StoreError) {
    while let record = records.head {
      let order = record.key.compare(id)
      if order > 0 { break }
      try output.add(record.record)
      try changes?.add(record.key, order == 0 ? old : nil, record.record, note)
      if order == 0 {
        if record.record == old { counts.unchanged += 1 } else { counts.updated += 1 }
        return try records.advance()
      }
      counts.added += 1
      try records.advance()
    }
    try output.add(old)
  }
}
