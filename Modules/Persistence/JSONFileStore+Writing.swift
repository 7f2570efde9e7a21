import CLibrary
import Models
public import Ports

extension JSONFileStore {
  /// Runs the body alone on the newest state and commits what it changed. A backup is not changed.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> { try await write(asOf: nil, body) }

  /// - Parameter at: the time of the commit, in seconds since 1970; `nil` for the present.
  func write<Result: Sendable>(
    asOf at: Int?, _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> {
    try checkIsNoBackup()
    let lock = try await acquireWriteLock()
    defer { releaseWriteLock(lock) }
    let writer = try openWriter(lock)
    if let at, writer.state.sequence == 0 { try writer.beginHistory(at: at) }
    // Asked for after the commit, a failure would hide that the commit was made.
    try writer.state.journal.file.learnedIdentity()
    let transaction = DiskTransaction(tables: writer.state.tables)
    var handle: any StoreTransaction = transaction
    let value = try body(&handle)
    guard let records = try writer.commit(transaction, at: at ?? time.now.secondsSinceEpoch) else {
      return Committed(value: value, sequence: nil, records: 0)
    }
    // The folder may have been replaced since the lock was taken. Then the commit is in the old one, and was not made.
    try checkPlace(lock)
    let sequence = writer.state.sequence
    withCache { cache in
      for name in transaction.names { cache.unpublished[name, default: 0] += transaction.lines.count }
    }
    writer.compactIfLong(at: time.now.secondsSinceEpoch)
    return Committed(value: value, sequence: sequence, records: records)
  }

  /// Opens the store for writing, and corrects what a writer that was interrupted left, as the first write would do
  /// otherwise. A program calls it at its start to tell its users before they go on. A missing store is made.
  ///
  /// - Returns: what was found and corrected; empty where every earlier write was finished.
  /// - Throws: `StoreError` as `write` does; `damaged` if the store has to be repaired.
  @discardableResult
  public func recover() async throws(StoreError) -> [String] {
    try checkIsNoBackup()
    let lock = try await acquireWriteLock()
    defer { releaseWriteLock(lock) }
    let before = withCache { $0.warningCount }
    _ = try openWriter(lock)
    return withCache { Array($0.warnings.suffix($0.warningCount - before)) }
  }

  /// Waits until no other task and no other process writes.
  ///
  /// - Parameter timeout: how long for other processes; that of the store where absent.
  func acquireWriteLock(timeout: Duration? = nil) async throws(StoreError) -> LockFile {
    let start = time.uptime
    let timeout = timeout ?? lockTimeout
    await mutex.lock()
    do throws(StoreError) {
      try checkTakesWrites()
      let lock = try openLock()
      var queue = WriterQueue(lock: lock, passedOver: withCache { $0.passedOver })
      defer { queue.leave() }
      while true {
        let now = time.uptime
        if queue.isNext(at: now), try lock.tryLock() {
          do throws(StoreError) { try checkPlace(lock) } catch {
            lock.unlock()
            throw error
          }
          let passedOver = queue.nowPassedOver
          withCache { $0.passedOver = passedOver }
          return lock
        }
        guard now - start < timeout else { throw busy(lock, waited: timeout) }
        queue.enter(at: now)
        do throws(CancellationError) { try await time.sleep(for: queue.pause) } catch {
          throw StoreError(.aborted, "cancelled while waiting for another writer", path: disk.path(LockFile.name))
        }
      }
    } catch {
      mutex.unlock()
      throw error
    }
  }

  func releaseWriteLock(_ lock: LockFile) {
    lock.unlock()
    mutex.unlock()
  }

  public func checkPlace() throws(StoreError) { try checkPlace(withCache { $0.lock }) }

  /// Throws `cannotRead` where the path may not be looked at any more: what was read before says nothing then.
  func checkReadable() throws(StoreError) {
    do throws(StoreError) { try checkPlace() } catch { if error.code == .cannotRead { throw error } }
  }

  private func checkPlace(_ lock: LockFile?) throws(StoreError) {
    let file = lock?.file ?? withCache { $0.markFile }
    let isInPlace = try disk.call(.cannotRead) { () throws(FileFailure) in try disk.system.isInPlace }
    let isNamed = try file?.isNamed ?? true
    guard isInPlace, isNamed else {
      throw StoreError(
        .moved, "the store's folder was moved, deleted or replaced while it was in use; nothing was changed",
        hint: disk.suggestions.moved, path: disk.system.path)
    }
    guard let state = withCache({ $0.state }) else { return }
    let journal = state.journal.file
    if try journal.isNamed { return }
    // Another process may have compacted the store, and dropped this journal file. Other checks tell of the manifest.
    let manifest = try? StateLoader(disk: disk, limits: limits).manifest()
    guard let manifest, manifest.active.number == state.manifest.active.number else { return }
    if try disk.open(journal.name) == nil {
      throw StoreError(
        .damaged, "the store's journal was deleted while it was in use; nothing was changed",
        hint: disk.suggestions.repair, path: disk.path(journal.name))
    }
    throw StoreError(
      .moved, "the store's journal was replaced while it was in use; nothing was changed",
      hint: disk.suggestions.moved, path: disk.path(journal.name))
  }

  /// Checks that the store was opened for writing, that no earlier write failed, and that this user may write the folder and
  /// the files that each commit writes: it is appended to the journal, under the lock.
  public func checkWritable() throws(StoreError) {
    try checkTakesWrites()
    let names = ((try? disk.names()) ?? []).filter { $0 == LockFile.name || $0.hasPrefix("journal.") }.sorted()
    for name in names + [""] {
      guard access(name.isEmpty ? disk.system.path : disk.path(name), W_OK) != 0 else { continue }
      let number = errno
      guard [EACCES, EPERM, EROFS].contains(number) else { continue }
      throw disk.error(FileFailure("access", name, number), .cannotWrite)
    }
  }

  /// Checks that the store was opened for writing, and that no earlier write failed.
  func checkTakesWrites() throws(StoreError) {
    if isReadOnly { throw StoreError(.cannotWrite, "the store was opened for reading only", path: disk.system.path) }
    if let failure = withCache({ $0.failure }) {
      throw StoreError(
        .poisoned, "an earlier write failed: \(failure.message)", hint: "start the program again", path: failure.path)
    }
  }

  /// Refuses to change a backup: the next one would replace it, and the change would be lost.
  func checkIsNoBackup() throws(StoreError) {
    if withCache({ $0.isNoBackup }) { return }
    if try disk.openFolder(create: false), let error = disk.backupError { throw error }
    withCache { $0.isNoBackup = true }
  }

  private func openLock() throws(StoreError) -> LockFile {
    if let lock = withCache({ $0.lock }) { return lock }
    _ = try disk.openFolder(create: true)
    let lock = try LockFile.open(on: disk)
    withCache { $0.lock = lock }
    return lock
  }

  private func busy(_ lock: LockFile, waited: Duration) -> StoreError {
    // The last one that wrote its name. A process that has ended is not who holds the lock now.
    let last = (try? lock.mark).flatMap { $0 }.map(\.holder).flatMap { Platform.isRunning($0) ? $0 : nil }
    let holder = last.map { "process \($0)" } ?? "another process"
    let milliseconds = Int(waited / .milliseconds(1))
    let time = milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    return StoreError(
      .busy, "\(holder) is writing to the store, and has not finished within \(time)", hint: "try again later",
      path: disk.path(LockFile.name))
  }
}
