import Ports

/// Writes to the store, while its process has the lock.
final class Writer {
  let store: JSONFileStore
  let lock: LockFile
  var disk: Disk { store.disk }
  var state: StoreState
  /// Whether the tables hold all that was committed.
  private(set) var isCurrent = true
  /// What was published before, once it was read.
  var publishedLog: PublishedLog?
  /// Whether published files that were changed from outside are kept; a repair has kept them already.
  var keepsChangedFiles = true
  /// The names under which changed published files were kept, by their published names.
  var keptFiles: [String: String] = [:]
  /// Whether what is found on the way is reported as an event; a repair returns it.
  var reports = true

  init(store: JSONFileStore, lock: LockFile, state: StoreState) {
    (self.store, self.lock, self.state) = (store, lock, state)
  }

  /// Makes the transaction durable.
  ///
  /// - Returns: how many records it changes; `nil` where there is nothing to write.
  func commit(_ transaction: DiskTransaction, at: Int) throws(StoreError) -> Int? {
    let sequence = state.sequence + 1
    if sequence == 1, transaction.lines.count > store.limits.compactJournal { return try load(transaction, at: at) }
    let count = try transaction.finish(sequence: sequence, at: at, explains: state.manifest.history != nil)
    guard count > 0 else { return nil }
    let journal = state.journal
    let start = state.end
    let end = start + transaction.lines.count
    do throws(StoreError) {
      try journal.file.write(transaction.lines.slice.raw, at: start)
    } catch {
      takeBack(from: start)
      throw error
    }
    do throws(StoreError) {
      try journal.file.sync()
    } catch {
      // It is unknown what is on the disk, and a second sync would report success (PostgreSQL's
      // 'fsyncgate', 2018). The transaction is made unreadable for other processes; they go on in another file.
      try? journal.file.write(ByteSlice(JournalFile.voidText).raw, at: start)
      store.markFailed(error)
      throw error
    }
    let frame = Frame(sequence: sequence, at: at, changes: count, bytes: end - start - Frame.headCount, sum: 0)
    state.sequence = sequence
    state.end = end
    // The commit is durable. If it cannot be read back now, it is read from the disk next time.
    var gatherer = ChangeGatherer()
    isCurrent = (try? gatherer.add(frame, at: start + Frame.headCount, of: journal)) != nil
    if isCurrent { gatherer.apply(to: &state.tables, from: journal) }
    publish()
    return count
  }

  /// Commits a long first transaction as collection files at once. There is no cursor from before it, so the
  /// journal need not have it, and the disk is spared half of the bytes.
  private func load(_ transaction: DiskTransaction, at: Int) throws(StoreError) -> Int? {
    let tables = transaction.tablesOfChanges
    let count = tables.values.reduce(0) { $0 + $1.count }
    guard count > 0 else { return nil }
    do throws(StoreError) {
      let note = JournalChanges.Note(commit: 1, at: at, because: transaction.cause)
      let version = state.manifest.version + 1
      try begin(with: tables, version: version, sequence: 1, at: at, history: history(of: tables, note))
    } catch {
      removeFailedFiles()
      throw error
    }
    try? removeOrphans()
    try? publishHistory()
    return count
  }

  /// Undoes a failed write, also on the disk: any part of it may be where the next transaction is written.
  private func takeBack(from start: Int) {
    do throws(StoreError) {
      try state.journal.file.truncate(to: start)
      try state.journal.file.sync()
    } catch {
      try? state.journal.file.write(ByteSlice(JournalFile.voidText).raw, at: start)
      store.markFailed(error)
    }
  }

  /// Tells readers how far the journal counts now.
  func publish() {
    // If it fails, the mark is taken away: without one every whole transaction counts.
    if (try? lock.write(mark(believed: true))) == nil { try? lock.write(mark(believed: false)) }
    if isCurrent { store.remember(state) }
  }

  func mark(believed: Bool) -> CommitMark {
    // What cannot be determined is left out; the next writer reads the journal then.
    let stamp = (try? state.journal.file.information()).map {
      CommitMark.Stamp(identity: $0.identity, changed: $0.changed)
    }
    return CommitMark(
      holder: disk.system.processID, boot: believed ? store.bootID ?? 0 : 0, version: state.manifest.version,
      journal: state.manifest.active.number, end: state.end, file: stamp)
  }
}

extension JSONFileStore {
  func markFailed(_ error: StoreError) { withCache { $0.failure = error } }

  var hasFailed: Bool { withCache { $0.failure != nil } }
}
