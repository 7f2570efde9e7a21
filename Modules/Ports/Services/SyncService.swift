public import Models

public protocol SyncService: Sendable {
  /// Checks a follow and returns its canonical form, which is not checked again as long as it is not changed.
  @discardableResult
  func check(_ follow: Follow) throws(FollowError) -> Follow

  /// Pulls the follows, then sends the outbox. A failed follow is reported and does not affect the others. What keeps edits
  /// from being sent is in the report too, as `outbox.unsent`, also where the store was busy or full.
  ///
  /// - Throws: `Failure` if nothing was done, because the store cannot be read, or if the task was cancelled. A cancelled
  ///   run keeps what was committed and is stored with the state `interrupted`.
  func sync(_ follows: [Follow], _ options: SyncOptions) async throws(Failure) -> SyncReport

  /// Sends the pending entries of the outbox, or only the given ones, for which it waits while another process sends them.
  ///
  /// - Parameter server: a name of `waitingEdits`, whose entries alone are sent and counted.
  /// - Returns: the counts of the outbox, or of the given entries. `unsent` says what failed, also in the store.
  /// - Throws: `Failure` if the outbox cannot be read; `tryLater` if another process takes too long.
  func flush(only entries: Set<ExactString>?, to server: ExactString?) async throws(Failure) -> OutboxCounts

  /// The pending entries by the name of the server that gets them. None of the servers waits for another one. Those that no
  /// source sends are under the empty name.
  func waitingEdits() throws(Failure) -> [ExactString: Set<ExactString>]

  /// The state of the follows, without contacting a server.
  func status(_ follows: [Follow]) throws(Failure) -> SyncStatus
}

extension SyncService {
  public func flush(only entries: Set<ExactString>?) async throws(Failure) -> OutboxCounts {
    try await flush(only: entries, to: nil)
  }
}

public struct SyncOptions: Hashable, Sendable {
  /// Whether to plan the sync without writing to the store or a server; the report contains the plan.
  public var dryRun: Bool
  /// Whether a plan may send requests other than GET and HEAD, if the source says that they only read: queries in a
  /// POST, and requests for access tokens.
  public var plansWithPosts: Bool
  /// Whether to ignore stored cursors and validators.
  public var full: Bool
  /// Whether to apply a list that lost most of its records.
  public var force: Bool
  /// Whether to ask a server before the time that it asked to wait for in an earlier sync.
  public var asksEarly: Bool
  /// The number of follows that run concurrently, at least 1.
  public var jobs: Int
  /// The number of concurrent follow-up requests of one follow, at least 1.
  public var ownerJobs: Int
  public var sendsEdits: Bool
  /// The id of the run that a person asked for; `nil` to generate one. Its failures do not lengthen the wait of a follow.
  public var run: String?
  /// What happens if another program that uses the store pulls a follow.
  public var turn: PullTurn

  /// All follows that go on, in their canonical form, so that the list of one that ended keeps no record; `nil` where that is
  /// not known.
  public var configured: [Follow]?

  public init(
    dryRun: Bool = false, plansWithPosts: Bool = false, full: Bool = false, force: Bool = false,
    asksEarly: Bool = false, jobs: Int = 4, ownerJobs: Int = 1, sendsEdits: Bool = true, run: String? = nil,
    turn: PullTurn = .whenFree, configured: [Follow]? = nil
  ) {
    (self.configured, self.asksEarly, self.dryRun) = (configured, asksEarly, dryRun)
    (self.plansWithPosts, self.full, self.force) = (plansWithPosts, full, force)
    (self.jobs, self.ownerJobs, self.sendsEdits) = (jobs, ownerJobs, sendsEdits)
    (self.run, self.turn) = (run, turn)
  }
}

/// When a follow is pulled that another program may be pulling. It matters only for a store that has leases.
public enum PullTurn: Hashable, Sendable {
  /// When the other program has ended its pull; after a minute, the follow fails.
  case whenFree
  /// At once, if no program has claimed the lease of the follow since it had this number; otherwise it fails at once.
  case next(after: Int64)
}

public struct SyncStatus: Hashable, Sendable {
  /// One status per follow, in the order of the request.
  public var follows: [FollowStatus]
  /// The outbox. `sent` is 0.
  public var outbox: OutboxCounts

  public init(follows: [FollowStatus], outbox: OutboxCounts) { (self.follows, self.outbox) = (follows, outbox) }
}

public struct FollowStatus: Hashable, Sendable {
  public var follow: String
  /// Where the follow is kept, with a store on a server.
  public var origin: Follow.Origin?
  public var lastTry: Timestamp?
  /// The time of the last success, which includes partial ones.
  public var lastSuccess: Timestamp?
  /// Whether there was a success whose time is not known: a clock that was wrong recorded it.
  public var isSuccessUndated = false
  public var next: Timestamp?
  public var isStale: Bool
  /// Whether the follow is paused: it has no next sync, and is not stale.
  public var isPaused: Bool
  /// Whether its limit or an option was changed since the last pull: it is due at once.
  public var isChanged: Bool
  /// When the pause of its host or its budget ends, or when its server asked to be asked again; `nil` where it may be asked.
  public var pausedUntil: Timestamp?
  /// The number of records that the last pull rejected, including those that were not stored.
  public var rejected: Int
  public var failures: Int
  /// The time of the first of them; `nil` after a success, and if it is not known.
  public var failingSince: Timestamp?
  public var error: Failure?
  /// The pause that the last attempt met, where `error` is an earlier one of the follow's own.
  public var pause: Failure?
  /// The program that pulls it now, where that is known.
  public var pulledBy: String?

  public init(
    follow: String, lastTry: Timestamp? = nil, lastSuccess: Timestamp? = nil, next: Timestamp? = nil, isStale: Bool,
    isPaused: Bool = false, isChanged: Bool = false, pausedUntil: Timestamp? = nil, rejected: Int = 0,
    failures: Int = 0, failingSince: Timestamp? = nil, error: Failure? = nil, pause: Failure? = nil
  ) {
    (self.pause, self.follow, self.lastTry, self.lastSuccess, self.next) = (pause, follow, lastTry, lastSuccess, next)
    (self.isStale, self.isPaused, self.isChanged, self.pausedUntil) = (isStale, isPaused, isChanged, pausedUntil)
    (self.rejected, self.failures, self.failingSince, self.error) = (rejected, failures, failingSince, error)
  }

  public enum State: String, Sendable, CaseIterable {
    case paused
    /// It was not synced yet, its limit or an option was changed, its host or its budget is paused, or its server asked to
    /// come back later for the first time.
    case waiting
    case failing
    case stale
    case fresh
  }

  /// The state in one word, which stays the same until the next attempt: a pause of the host is not a failure of the follow,
  /// unless the follow is stale because of it; one that has failed itself fails until it succeeds, also during a pause.
  public var state: State {
    if isPaused { return .paused }
    if let error {
      guard error.isPause || failures <= 1 && error.isRequestToWait else { return .failing }
      return isStale && (lastSuccess != nil || isSuccessUndated) ? .stale : .waiting
    }
    if lastSuccess == nil && !isSuccessUndated || isChanged { return .waiting }
    return isStale ? .stale : .fresh
  }

  /// What is to be said about the last attempt: until its end the pause, and its reason; then the error of the follow.
  public var problem: Failure? { pausedUntil == nil ? error : pause ?? error }

  public mutating func findPauseEnd(at now: Timestamp) {
    pausedUntil = (pause ?? error)?.pauseEnd(since: lastTry, now: now)
  }

  /// Removes times of the future: a clock that was wrong recorded them.
  public mutating func removeTimes(after now: Timestamp) {
    func known(_ time: Timestamp?) -> Timestamp? { time.flatMap { $0 <= now ? $0 : nil } }
    isSuccessUndated = lastSuccess.map { $0 > now } ?? isSuccessUndated
    (lastTry, lastSuccess, failingSince) = (known(lastTry), known(lastSuccess), known(failingSince))
  }

  public var fields: JSONObject {
    [
      "follow": .string(follow), "state": .string(state.rawValue), "origin": .of(origin?.rawValue),
      "lastTry": .of(lastTry?.description), "lastSuccess": .of(lastSuccess?.description),
      "next": .of(next?.description), "stale": .of(isStale), "paused": .of(isPaused ? true : nil),
      "changed": .of(isChanged ? true : nil), "pausedUntil": .of(pausedUntil?.description),
      "rejected": .of(rejected == 0 ? nil : rejected), "failures": .of(failures == 0 ? nil : failures),
      "failingSince": .of(failingSince?.description), "error": .of(error.map { .object($0.fields) }),
      "pause": .of(pause.map { .object($0.fields) }), "pulledBy": .of(pulledBy),
    ]
  }
}

public protocol OutboxService: Sendable {
  /// All entries, oldest first.
  func entries() throws(Failure) -> [OutboxEntry]

  /// The edits that wait for another process, which has begun to send an edit of the same record, by target. If that
  /// process does not say what became of it, another one asks the remote after the time.
  func holds() throws(Failure) -> [ExactString: EditHold]

  /// The conflicts that were decided without a question, the oldest first: `{"id", "at", "target", "took", "mine", "theirs"}`, in
  /// which `took` is the side that won.
  func decisions() throws(Failure) -> [JSONObject]

  /// Makes a refused entry, or all refused entries, pending again. Conflicts are not changed.
  ///
  /// - Parameter makesAgain: whether a new record that the remote made already, with an answer that cannot be read, is sent
  ///   again too.
  /// - Throws: `Failure`: `notFound` if there is no such entry, `usage` if it is one that the remote made.
  func retry(_ id: String?, makesAgain: Bool) async throws(Failure) -> [OutboxEntry]

  /// Discards an entry and restores the remote's last known values.
  ///
  /// - Throws: `Failure`: `notFound` if there is no such entry.
  func discard(_ id: String) async throws(Failure) -> OutboxEntry

  /// The fields of an edit that it changed only because it changed others, with those others: a full name that follows
  /// from the last name. In a conflict they have no side of their own, but follow what is decided of the others.
  func followingFields(of entry: OutboxEntry) throws(Failure) -> [ExactString: [String]]

  /// Resolves a conflict. With `mine`, the edit is pending again, based on the remote's record; with `theirs`, the
  /// remote's values are stored; fields that the remote has not changed stay as a pending edit.
  ///
  /// - Returns: the edit as it is now; without fields if nothing of it is left in the outbox.
  /// - Throws: `Failure`: `notFound` if there is no such entry, `usage` if it is not a conflict.
  func resolve(_ id: String, take side: ConflictSide) async throws(Failure) -> OutboxEntry

  /// Resolves a conflict field by field. The edit is pending again with the given fields; for the others in conflict the
  /// remote's values are stored. Fields that the remote has not changed stay in the edit, given or not.
  ///
  /// - Throws: `Failure`: as `resolve(_:take:)`; `usage` also if the edit does not contain one of the fields.
  func resolve(_ id: String, mine fields: Set<ExactString>) async throws(Failure) -> OutboxEntry
}

extension OutboxService {
  public func retry(_ id: String?) async throws(Failure) -> [OutboxEntry] { try await retry(id, makesAgain: false) }
}

public struct EditHold: Hashable, Sendable {
  /// The process that is sending: its id and its machine, `4711 on db1`.
  public var process: String
  /// The latest time at which the edit is sent.
  public var until: Timestamp

  public init(process: String, until: Timestamp) { (self.process, self.until) = (process, until) }

  public var fields: JSONObject { ["process": .string(process), "until": .string(until.description)] }
}

extension OutboxEntry {
  /// The edit in its printed form, with the member `waitsFor` where it waits for another process.
  public func printed(heldBy holds: [ExactString: EditHold]) -> JSONObject {
    fields.adding(["waitsFor": .of(state == .pending ? holds[$target].map { .object($0.fields) } : nil)])
  }
}

public enum ConflictSide: String, Sendable, CaseIterable {
  case mine
  case theirs
}

extension OutboxEntry {
  /// What the two sides of a conflict are in which one of them removed the record; `nil` for any other edit.
  public var removalNote: String? {
    if isRemoved { return "the server has removed it; theirs removes the record here, mine creates it again" }
    guard kind == .delete, state == .conflict, let theirs else { return nil }
    let isShown =
      theirs.keys.contains { $0 != "id" && theirs[$0] != base[$0] } || base.keys.contains { theirs[$0] == nil }
    return isShown
      ? "the server has changed it; theirs restores the record here, mine removes it at the server"
      : "the server has changed what is not shown here; theirs restores the record here, mine removes it at the server"
  }
}

extension Failure {
  public static func madeAlready(_ entry: OutboxEntry, _ suggestions: Suggestions) -> Failure {
    Failure(
      .store, .usage, "\(entry.target) was created at the server already: sent again, it would be there twice",
      hint: suggestions(.discardEdit(target: entry.target)), code: .own(.duplicate))
  }

  public static func noConflict(_ entry: OutboxEntry, _ suggestions: Suggestions) -> Failure {
    let isWaiting = entry.state == .pending
    let state = isWaiting ? "waits to be sent" : "is \(entry.state.rawValue)"
    let next = suggestions(isWaiting ? .syncToSend(path: nil) : .listEdits)
    return Failure(
      .store, .usage, "the edit of \(entry.target) \(state): it is not in conflict",
      hint: "\(next)\n\(suggestions(.discardEdit(target: entry.target)))", code: .own(.noConflict))
  }
}
