public import Models

/// Pulls follows and sends edits.
public protocol SyncService: Sendable {
  /// Checks a follow with its source.
  ///
  /// - Returns: the follow in its usual spelling.
  /// - Throws: `FollowError`, also where there is no such source.
  @discardableResult
  func check(_ follow: Follow) throws(FollowError) -> Follow

  /// Pulls the follows, then sends the outbox. A follow that fails is in the report and harms no other.
  ///
  /// - Throws: `Failure` where nothing could be done at all: the store cannot be read, the task was cancelled.
  func sync(_ follows: [Follow], _ options: SyncOptions) async throws(Failure) -> SyncReport

  /// Sends what waits in the outbox; only the named entries where there are names. Named entries that another process
  /// is sending are waited for.
  ///
  /// - Throws: `Failure` where the outbox cannot be read; `tryLater` where another process takes too long.
  func flush(only entries: Set<ExactString>?) async throws(Failure) -> OutboxCounts

  /// How the follows stand, without asking any server.
  ///
  /// - Throws: `Failure` where the store cannot be read.
  func status(_ follows: [Follow]) throws(Failure) -> SyncStatus
}

/// How a sync is done.
public struct SyncOptions: Hashable, Sendable {
  /// Ask the servers, but write nothing here or there; the report holds the plan.
  public var dryRun: Bool
  /// Forget cursors and validators.
  public var full: Bool
  /// Apply also a list that lost most of its records.
  public var force: Bool
  /// How many follows run side by side, at least 1.
  public var jobs: Int
  /// How many follow-up requests of one follow run side by side, at least 1.
  public var ownerJobs: Int
  /// Whether the outbox is sent.
  public var sendsEdits: Bool
  /// The run's id; a new one where absent.
  public var run: String?

  /// Options; by default everything is done, four follows at a time.
  public init(
    dryRun: Bool = false, full: Bool = false, force: Bool = false, jobs: Int = 4, ownerJobs: Int = 1,
    sendsEdits: Bool = true, run: String? = nil
  ) {
    self.dryRun = dryRun
    self.full = full
    self.force = force
    self.jobs = jobs
    self.ownerJobs = ownerJobs
    self.sendsEdits = sendsEdits
    self.run = run
  }
}

/// How follows and outbox stand.
public struct SyncStatus: Hashable, Sendable {
  /// One per follow, in the order in which they were asked for.
  public var follows: [FollowStatus]
  /// The outbox; `sent` is 0.
  public var outbox: OutboxCounts

  /// Makes a status.
  public init(follows: [FollowStatus], outbox: OutboxCounts) {
    self.follows = follows
    self.outbox = outbox
  }
}

/// How one follow stands.
public struct FollowStatus: Hashable, Sendable {
  /// The follow's path.
  public var follow: String
  /// When it was last tried.
  public var lastTry: Timestamp?
  /// When it last succeeded; partial counts.
  public var lastSuccess: Timestamp?
  /// When it is due next.
  public var next: Timestamp?
  /// Whether its last success is too old.
  public var isStale: Bool
  /// How many records were rejected by the last pull, those included that are not kept.
  public var rejected: Int
  /// How many tries failed since then.
  public var failures: Int
  /// Why the last try failed; absent after a success.
  public var error: Failure?

  /// Makes a status.
  public init(
    follow: String, lastTry: Timestamp? = nil, lastSuccess: Timestamp? = nil, next: Timestamp? = nil, isStale: Bool,
    rejected: Int = 0, failures: Int = 0, error: Failure? = nil
  ) {
    self.follow = follow
    self.lastTry = lastTry
    self.lastSuccess = lastSuccess
    self.next = next
    self.isStale = isStale
    self.rejected = rejected
    self.failures = failures
    self.error = error
  }

  /// The status as it is printed.
  public var fields: JSONObject {
    var fields: JSONObject = ["follow": .string(follow)]
    fields.append("lastTry", lastTry?.description)
    fields.append("lastSuccess", lastSuccess?.description)
    fields.append("next", next?.description)
    fields.append("stale", isStale)
    fields.append("rejected", rejected == 0 ? nil : rejected)
    fields.append("error", error.map { .object($0.fields) })
    return fields
  }
}

/// Looks at the outbox and decides what becomes of its entries.
public protocol OutboxService: Sendable {
  /// Every entry, oldest first.
  ///
  /// - Throws: `Failure` where the store cannot be read.
  func entries() throws(Failure) -> [OutboxEntry]

  /// Makes a refused entry, or all of them, wait again; conflicts stay.
  ///
  /// - Throws: `Failure`, `notFound` where there is no such entry.
  func retry(_ id: String?) async throws(Failure) -> [OutboxEntry]

  /// Drops an entry and sets the record back to what the remote last had.
  ///
  /// - Throws: `Failure`, `notFound` where there is no such entry.
  func discard(_ id: String) async throws(Failure) -> OutboxEntry

  /// Decides a conflict: with `mine` the edit waits again on top of the remote's record, with `theirs` it is dropped
  /// and the remote's values are taken.
  ///
  /// - Throws: `Failure`, `notFound` where there is no such entry, `usage` where it is no conflict.
  func resolve(_ id: String, take side: ConflictSide) async throws(Failure) -> OutboxEntry
}

/// Which side wins a conflict.
public enum ConflictSide: String, Sendable, CaseIterable {
  /// The edit made here.
  case mine
  /// The remote's record.
  case theirs
}
