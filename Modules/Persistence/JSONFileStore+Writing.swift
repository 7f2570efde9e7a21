import Models
public import Ports

extension JSONFileStore {
  /// Runs the body alone on the newest state and commits what it changed.
  public func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> {
    let lock = try await takeTurn()
    defer { giveTurn(lock) }
    let writer = try openWriter(lock)
    let transaction = DiskTransaction(tables: writer.state.tables)
    var handle: any StoreTransaction = transaction
    let value = try body(&handle)
    guard let records = try writer.commit(transaction, at: time.now.secondsSinceEpoch) else {
      return Committed(value: value, sequence: nil, records: 0)
    }
    let sequence = writer.state.sequence
    writer.foldIfLong(at: time.now.secondsSinceEpoch)
    return Committed(value: value, sequence: sequence, records: records)
  }

  /// Waits until no other task and no other process writes.
  func takeTurn() async throws(StoreError) -> LockFile {
    let start = time.uptime
    await turn.take()
    do throws(StoreError) {
      try checkWritable()
      let lock = try openLock()
      var pause = Duration.milliseconds(1)
      while true {
        if try lock.take() { return lock }
        guard time.uptime - start < lockPatience else { throw busy(lock) }
        do throws(CancellationError) { try await time.sleep(for: pause) } catch {
          throw StoreError(.aborted, "cancelled while waiting for another writer", path: disk.path(LockFile.name))
        }
        // Short steps at first, as commits take less than a millisecond; then longer ones.
        pause = min(pause * 2, .milliseconds(20))
      }
    } catch {
      turn.give()
      throw error
    }
  }

  func giveTurn(_ lock: LockFile) {
    lock.give()
    turn.give()
  }

  private func checkWritable() throws(StoreError) {
    if isReadOnly {
      throw StoreError(.cannotWrite, "the store was opened for reading only", path: disk.system.path)
    }
    if let poison = withCache({ $0.poison }) {
      throw StoreError(
        .poisoned, "an earlier write failed: \(poison.message)", hint: "start the program again", path: poison.path)
    }
  }

  private func openLock() throws(StoreError) -> LockFile {
    if let lock = withCache({ $0.lock }) { return lock }
    _ = try disk.openFolder(create: true)
    let lock = try LockFile.open(on: disk)
    withCache { $0.lock = lock }
    return lock
  }

  private func busy(_ lock: LockFile) -> StoreError {
    let holder = (try? lock.mark).flatMap { $0 }.map { "process \($0.holder)" } ?? "another process"
    return StoreError(
      .busy, "\(holder) is writing to the store, and has been for \(lockPatience.components.seconds) s",
      hint: "try again later", path: disk.path(LockFile.name))
  }
}
