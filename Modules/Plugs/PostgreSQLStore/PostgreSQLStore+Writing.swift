public import Models
public import Ports
import Synchronization

extension PostgreSQLStore {
  /// Runs the body with the lock of the store, and commits its changes.
  ///
  /// The body runs again where the server ended the transaction before it was committed: it restarted, or ended the
  /// connection. Where the answer to a commit is lost, the store is asked whether it has the commit.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> { try await write(asOf: nil, body) }

  func write<Result: Sendable>(
    asOf at: Timestamp?, _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> {
    let start = time.uptime
    try await takeTurn()
    defer { pool.turn.give() }
    var tries = 0
    while true {
      let failure: StoreError
      switch try attempt(asOf: at, body) {
      case .committed(let committed): return committed
      case .made: continue
      case .again(let error): failure = error
      case .unknown(let pending, let committed, let error):
        if try await isStored(pending, orThrow: error) { return committed }
        failure = error
      }
      tries += 1
      // The first failure may be that of a connection that had ended long ago.
      let isFirst = tries == 1 && !pool.outage.isKnown
      if !isFirst, time.uptime - start >= timeout || tries >= 1000 { throw placed(failure) }
      if !isFirst { try await pause(failure) }
    }
  }

  /// Waits for the writers of this process that came before; give the turn back with `pool.turn.give()`.
  ///
  /// - Throws: `StoreError.unreachable` where the server is silent, and this writer has waited for as long as it may.
  func takeTurn() async throws(StoreError) {
    let end = time.uptime + max(timeout, Outage.least)
    let hasTurn = await pool.turn.take(until: end)
    // The writer before this one may have found out that the server is silent.
    let error = time.uptime >= end ? pool.outage.error : nil
    if hasTurn, error == nil { return }
    if hasTurn { pool.turn.give() }
    throw placed(error ?? StoreError(.unreachable, "the server was silent", hint: "try again"))
  }

  private enum Attempt<Result: Sendable> {
    case committed(Committed<Result>)
    /// The tables did not exist, and do now.
    case made
    /// Nothing was committed, and nothing but the server was the reason.
    case again(StoreError)
    case unknown(PendingCommit, Committed<Result>, StoreError)
  }

  private func attempt<Result: Sendable>(
    asOf at: Timestamp?, _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Attempt<Result> {
    let connection: Connection
    do throws(StoreError) { connection = try pool.take() } catch { return .again(error) }
    defer { pool.give(connection) }
    let begun = time.uptime
    do throws(StoreError) {
      let transaction = try begin(connection)
      pool.outage.end()
      transaction.at = at
      var handle: any StoreTransaction = transaction
      let value = try body(&handle)
      guard let pending = try transaction.pending() else {
        try connection.run("rollback")
        return .committed(Committed(value: value, sequence: nil, records: 0))
      }
      let committed = Committed(value: value, sequence: UInt64(pending.sequence), records: pending.records)
      do throws(StoreError) { try connection.pipeline(pending.statements) } catch {
        if connection.isBroken { return .unknown(pending, committed, error) }
        throw error
      }
      return .committed(committed)
    } catch {
      if connection.isBroken {
        if !connection.isGivenUp { pool.note(error, since: begun) }
        return .again(error)
      }
      // Serialization failures, deadlocks, and a lock that was not given in time.
      let isRepeatable = ["40001", "40P01", "55P03"].contains(connection.lastState)
      let (isMissingSchema, removal) = (connection.isMissingSchema, removal(connection))
      // Only the owner of the tables may change them. Others go on without a history.
      let isHistoryRefused = connection.lastState == "42501" && keeps != nil && !pool.isHistoryRefused
      rollback(connection)
      if let removal { throw removal }
      if isMissingSchema {
        try createSchema(connection)
        return .made
      }
      if isHistoryRefused {
        pool.refuseHistory()
        return .made
      }
      if isRepeatable { return .again(error) }
      throw placed(error)
    }
  }

  private func begin(_ connection: Connection) throws(StoreError) -> PostgreSQLTransaction {
    let head = try lock(connection)
    var keepsHistory = Int64(head.text(0, 0)) ?? 0 >= Schema.historyFormat
    if !keepsHistory, keeps != nil, !pool.isHistoryRefused {
      try beginHistory(connection)
      keepsHistory = true
    }
    return PostgreSQLTransaction(
      self, connection, sequence: Int64(head.text(0, 1)) ?? 0, token: head.text(0, 2).filter { $0 != "-" },
      explains: keepsHistory)
  }

  /// Begins a transaction, waits for the lock of the store, and checks the lease that this object requires.
  @discardableResult
  func lock(_ connection: Connection) throws(StoreError) -> Rows {
    let head = try connection.run(
      schema.head(requiring: fence?.name), timeout: Connection.lockTimeout,
      unless: { [outage = pool.outage] in outage.isKnown })
    guard head.count > 0 else { throw isRemoved }
    pool.noteSchema()
    try checkFormat(Int64(head.text(0, 0)) ?? .max)
    if let fence {
      let number = Int64(head.text(0, 3))
      guard number == fence.number else { throw leaseLost(fence.name, fence.number, to: number) }
      if head.raw(0, 4) != nil { throw isPulledByEarlierVersion(head.text(0, 4)) }
    }
    return head
  }

  /// Ends a transaction that failed. If it waited for the lock without success, a holder to whom the server has been sending rows for
  /// as long is ended: its program is paused, and the server does not limit that as it limits the time between two
  /// statements.
  private func rollback(_ connection: Connection) {
    let hasWaited = connection.lastState == "55P03"
    _ = try? connection.run("rollback")
    if hasWaited { _ = try? connection.run(schema.endStuck) }
  }

  /// - Returns: whether this process made it. Of several that do so at the same moment, one did.
  public func create() throws(StoreError) -> Bool {
    if try isThere() { return false }
    return try reading { (connection) throws(StoreError) in try createSchema(connection) }
  }

  /// Makes the tables. Another process may be doing the same, and one of them fails then.
  @discardableResult
  private func createSchema(_ connection: Connection) throws(StoreError) -> Bool {
    var isNew = false
    do throws(StoreError) {
      // A user who owns the schema need not have the privilege to create one, which the statement requires in any case.
      let isThere = try connection.run("select 1 from pg_namespace where nspname = '\(schema.name)'").count > 0
      let create = (isThere ? "" : schema.createSchema) + schema.create
      isNew = try connection.run(create, timeout: Connection.longTimeout).count == 1
    } catch {
      // Two objects of one name, or rows of the catalog that both change.
      guard ["23505", "42P06", "42P07", "XX000"].contains(connection.lastState) else { throw placed(error) }
    }
    pool.noteSchema()
    return isNew
  }

  /// Runs statements; makes the schema and runs them again where it does not exist.
  func creatingSchema(_ body: (Connection) throws(StoreError) -> Void) async throws(StoreError) {
    for _ in 0..<10 {
      let isDone = try reading { (connection) throws(StoreError) -> Bool in
        do throws(StoreError) { try body(connection) } catch {
          let (isMissingSchema, removal) = (connection.isMissingSchema, removal(connection))
          if !connection.isBroken { rollback(connection) }
          if let removal { throw removal }
          guard isMissingSchema else { throw error }
          try createSchema(connection)
          return false
        }
        return true
      }
      if isDone { return }
    }
    throw StoreError(.busy, "the store cannot be made: another process removes it", path: address.text)
  }

  /// Whether a commit is in the store whose answer was lost.
  private func isStored(_ pending: PendingCommit, orThrow lost: StoreError) async throws(StoreError) -> Bool {
    let start = time.uptime
    while true {
      do throws(StoreError) {
        let connection = try Connection(address)
        // The old transaction has ended once the lock is free.
        try connection.run(schema.lock, timeout: Connection.longTimeout)
        let rows = try connection.query("token", schema.token, [.number(pending.sequence), .text(pending.token)])
        let isStored = rows.count == 1
        try connection.run("rollback")
        pool.give(connection)
        return isStored
      } catch {
        var isOver = (error.code != .unreachable && error.code != .busy) || time.uptime - start >= timeout * 2
        if !isOver { do throws(StoreError) { try await pause(lost) } catch { isOver = true } }
        guard !isOver else {
          throw StoreError(
            .unknownOutcome, "whether the last commit was stored is not known: \(error.message)",
            hint: "look before you repeat it", path: address.text)
        }
      }
    }
  }

  private func pause(_ failure: StoreError) async throws(StoreError) {
    do throws(CancellationError) { try await time.sleep(for: .milliseconds(100)) } catch { throw placed(failure) }
  }
}

extension PostgreSQLStore {
  /// Puts records into a collection as one commit. All of them are held in memory before the lock is taken.
  public func load(
    _ collection: CollectionName, because cause: ChangeCause?, _ next: () async throws(StoreError) -> LoadBatch?
  ) async throws(StoreError) -> LoadCounts {
    var records: [LoadedRecord] = []
    var seen: Set<[UInt8]> = []
    while let batch = try await next() {
      for record in batch {
        guard seen.insert(Array(record.id.utf8)).inserted else { throw .duplicate(record.id, at: record.place) }
        records.append(record)
      }
    }
    let ids = records.map(\.id)
    return try await write { (transaction) throws(StoreError) -> LoadCounts in
      var counts = LoadCounts()
      transaction.cause = cause
      try transaction.expect(collection, ids)
      for record in records {
        let old = try transaction.record(collection, record.id)
        if old == record.record {
          counts.unchanged += 1
          continue
        }
        if old == nil { counts.added += 1 } else { counts.updated += 1 }
        try transaction.put(record.record, id: record.id, in: collection)
      }
      return counts
    }.value
  }
}

struct PendingCommit {
  var sequence: Int64
  var token: String
  var records: Int
  var statements: [(text: String, parameters: [Parameter])]
}

/// Writers of this process take turns in the order in which they came, so that they do not need a connection each.
final class WriteTurn: Sendable {
  private struct Waiter {
    var end: Duration
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var isTaken = false
    var waiting: [Waiter] = []
  }

  private let state = Mutex(State())

  /// - Parameter end: from when on `refuse` may end the wait.
  /// - Returns: whether it came; if it did, call `give` afterwards.
  func take(until end: Duration) async -> Bool {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isTaken { state.waiting.append(Waiter(end: end, continuation: continuation)) }
        defer { state.isTaken = true }
        return !state.isTaken
      }
      if isFree { continuation.resume(returning: true) }
    }
  }

  func give() {
    let next = state.withLock { state -> Waiter? in
      guard !state.waiting.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.continuation.resume(returning: true)
  }

  /// Ends the wait of all that have waited for as long as they may: the one before them waits for a silent server.
  func refuse(at now: Duration) {
    let refused = state.withLock { state in
      defer { state.waiting.removeAll { $0.end <= now } }
      return state.waiting.filter { $0.end <= now }
    }
    for waiter in refused { waiter.continuation.resume(returning: false) }
  }
}
