import AlmanacTesting
import Models
import Ports
import Synchronization

/// A sync that takes as long as a test wants, by a clock that the test moves, and fails when the test wants.
final class FakeSync: SyncService {
  struct Pull: Hashable, Sendable {
    var follow: String
    var begun: Timestamp
    /// By the clock that never goes back, in seconds.
    var uptime: Int
    var failed: Bool
    var turn: PullTurn
  }

  private struct State {
    var pulls: [Pull] = []
    var active: [ExactString: Int] = [:]
    var overlaps = 0
    var mostAtOnce = 0
    var waiting: [(follow: String, until: Duration, continuation: CheckedContinuation<Void, Never>)] = []
    var flushes: [ExactString] = []
    var flushedNames: Set<ExactString>?
    var flushed = OutboxCounts()
    var onFlush: (@Sendable (ExactString) async -> Void)?
    var failing: Set<String> = []
    var refused: Set<String> = []
    var statuses: [FollowStatus] = []
  }

  private let time: ManualTime
  private let seconds: Int
  private let outbox: @Sendable () -> [OutboxEntry]
  private let state = Mutex(State())

  /// A sync whose pulls take so many seconds.
  init(time: ManualTime, seconds: Int = 0, outbox: @escaping @Sendable () -> [OutboxEntry] = { [] }) {
    (self.time, self.seconds, self.outbox) = (time, seconds, outbox)
  }

  var pulls: [Pull] { state.withLock { $0.pulls } }
  /// How often a follow was pulled while it was already being pulled.
  var overlaps: Int { state.withLock { $0.overlaps } }
  /// How many were pulled at the same time at most.
  var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }
  /// The servers that edits were sent to, in order.
  var flushedServers: [ExactString] { state.withLock { $0.flushes } }
  /// How often the outbox was sent.
  var flushes: Int { flushedServers.count }
  /// The edits that the last flush named; `nil` for all whose time has come.
  var flushedNames: Set<ExactString>? { state.withLock { $0.flushedNames } }
  /// What is being pulled and waits for the clock: pulls that have just begun, or are about to end, are not in it.
  var waiting: Set<ExactString> { state.withLock { Set($0.waiting.map(\.follow.exact)) } }

  func fail(_ follows: Set<String>) { state.withLock { $0.failing = follows } }

  /// Follows that another program has the lease of from now on.
  func refuse(_ follows: Set<String>) { state.withLock { $0.refused = follows } }

  /// What `status` knows of earlier days.
  func remember(_ statuses: [FollowStatus]) { state.withLock { $0.statuses = statuses } }

  /// Ends the pulls whose time has come.
  func release() {
    let now = time.uptime
    let ended = state.withLock { state in
      let ended = state.waiting.filter { $0.until <= now }
      state.waiting.removeAll { $0.until <= now }
      return ended
    }
    for one in ended { one.continuation.resume() }
  }

  func check(_ follow: Follow) throws(FollowError) -> Follow { follow }

  func sync(_ follows: [Follow], _ options: SyncOptions) async throws(Failure) -> SyncReport {
    let begun = time.now
    var reports: [FollowReport] = []
    for follow in follows {
      if state.withLock({ $0.refused.contains(follow.path) }) {
        let error = Failure.pulledElsewhere(StoreError(.busy, "another program pulls it"))
        reports.append(FollowReport(follow: follow.path, status: .failed, error: error))
        continue
      }
      let failed = state.withLock { state in
        let failed = state.failing.contains(follow.path)
        state.pulls.append(
          Pull(
            follow: follow.path, begun: time.now, uptime: Int(time.uptime.components.seconds), failed: failed,
            turn: options.turn))
        if state.active[follow.$path, default: 0] > 0 { state.overlaps += 1 }
        state.active[follow.$path, default: 0] += 1
        state.mostAtOnce = max(state.mostAtOnce, state.active.count)
        return failed
      }
      if seconds > 0 {
        await withCheckedContinuation { continuation in
          state.withLock { $0.waiting.append((follow.path, time.uptime + .seconds(seconds), continuation)) }
        }
      }
      state.withLock { state in
        state.active[follow.$path, default: 1] -= 1
        if state.active[follow.$path] == 0 { state.active[follow.$path] = nil }
      }
      let error = failed ? Failure(.transport, .unavailable, "no answer") : nil
      reports.append(FollowReport(follow: follow.path, status: failed ? .failed : .unchanged, error: error))
    }
    return SyncReport(startedAt: begun, finishedAt: time.now, follows: reports)
  }

  func flush(only entries: Set<ExactString>?, to server: ExactString?) async throws(Failure) -> OutboxCounts {
    let (counts, body) = state.withLock { state in
      state.flushes.append(server ?? "")
      state.flushedNames = entries
      return (state.flushed, state.onFlush)
    }
    await body?(server ?? "")
    return counts
  }

  func waitingEdits() throws(Failure) -> [ExactString: Set<ExactString>] {
    Dictionary(grouping: outbox().filter { $0.state == .pending }) { ($0.source?.rawValue ?? "").exact }
      .mapValues { Set($0.map(\.$id)) }
  }

  /// What a flush leaves from now on, and what happens before it ends.
  func leave(_ pending: Int, unsent: Failure? = nil, onFlush: (@Sendable (ExactString) async -> Void)? = nil) {
    state.withLock { state in
      (state.flushed.pending, state.flushed.unsent) = (pending, unsent)
      state.onFlush = onFlush
    }
  }

  func status(_ follows: [Follow]) throws(Failure) -> SyncStatus {
    let known = state.withLock { $0.statuses }
    let statuses = follows.map { follow in
      known.first { $0.follow == follow.path } ?? FollowStatus(follow: follow.path, isStale: true)
    }
    return SyncStatus(follows: statuses, outbox: OutboxCounts())
  }
}

/// An outbox that holds what a test puts into it.
struct FakeOutbox: OutboxService {
  let list: @Sendable () -> [OutboxEntry]
  var held: @Sendable () -> [ExactString: EditHold] = { [:] }

  func entries() throws(Failure) -> [OutboxEntry] { list() }
  func holds() throws(Failure) -> [ExactString: EditHold] { held() }
  func followingFields(of entry: OutboxEntry) throws(Failure) -> [ExactString: [String]] { [:] }
  func decisions() throws(Failure) -> [JSONObject] { [] }
  func retry(_ id: String?, makesAgain: Bool) async throws(Failure) -> [OutboxEntry] { [] }
  func discard(_ id: String) async throws(Failure) -> OutboxEntry { throw Failure(.store, .notFound, "none") }
  func resolve(_ id: String, take side: ConflictSide) async throws(Failure) -> OutboxEntry {
    throw Failure(.store, .notFound, "none")
  }
  func resolve(_ id: String, mine fields: Set<ExactString>) async throws(Failure) -> OutboxEntry {
    throw Failure(.store, .notFound, "none")
  }
}

/// A store whose journal is never worth folding.
struct QuietStore: WrappedStore, LoadsAtOnce, StoreMaintenance {
  let store: InMemoryRecordStore
  var base: any RecordStore { store }

  func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> { try await store.write(body) }
  func compact() async throws(StoreError) -> StoreStatistics { try statistics() }
  func publish(_ effort: PublishEffort) async throws(StoreError) {}
  func behind() throws(StoreError) -> [CollectionName] { [] }
  func verify() throws(StoreError) -> [StoreFinding] { [] }
  func repair() async throws(StoreError) -> [StoreFinding] { [] }
  func statistics() throws(StoreError) -> StoreStatistics {
    StoreStatistics(records: 0, bytes: 0, journalBytes: 0)
  }
}
