import Models
import Ports

/// Pulls one follow, page by page, each page one commit.
struct FollowPull: Sendable {
  let follow: Follow
  let source: any Source
  let store: any RecordStore
  let transport: MeteringTransport
  let coder: any RecordCoder
  let time: any TimeSource
  let events: any EventSink
  let editable: Set<CollectionName>
  let options: SyncOptions
  let run: String
  let shapes: (any ShapeReader)?

  /// What a pull did.
  struct Outcome: Sendable {
    /// How it ended.
    var report: FollowReport
    /// The changes, record by record.
    var changes: [PlannedChange]
    /// A state in which nothing but the times of this pull is new, and which was not written.
    var unwritten: FollowState?
  }

  /// How long a place in the list may stay unwritten while nothing changes.
  private static let patience = Duration.seconds(2)

  private struct Progress {
    var state: FollowState
    var rejects: RejectFile
    var counts = SyncCounts()
    var changes: [PlannedChange] = []
    var records = 0
    /// Whether it began with the first page.
    var isWhole: Bool
    /// Whether a page was committed since it began.
    var hasMoved = false
    /// When the place in the list was last written.
    var placed: Duration
    /// Whether it has moved on since.
    var isAhead = false
    /// Whether the pull ended, and nothing but its times is left to be written.
    var isQuiet = false
  }

  /// Pulls to the end, or to the first failure.
  ///
  /// - Throws: `CancellationError`; the pages that were committed stay, and the next pull goes on after them.
  func callAsFunction() async throws(CancellationError) -> Outcome {
    let begun = time.now
    let uptime = time.uptime
    events.report(.followStarted(follow: follow.path))
    var progress = Progress(
      state: FollowState(follow: follow.path), rejects: RejectFile(follow: follow.path), isWhole: true,
      placed: uptime)
    var failure: Failure?
    do {
      try await pull(&progress, begun: begun)
    } catch {
      if error.reason == .cancelled, Task.isCancelled { throw CancellationError() }
      failure = await keep(error, progress, begun: begun)
    }
    progress.counts.requests = transport.requests
    progress.counts.bytes = transport.bytes
    let report = FollowReport(
      follow: follow.path, status: status(progress.counts, failure), counts: progress.counts, error: failure)
    events.report(.followFinished(report: report, duration: time.uptime - uptime))
    return Outcome(
      report: report, changes: progress.changes,
      unwritten: progress.isQuiet && failure == nil ? progress.state : nil)
  }

  private func status(_ counts: SyncCounts, _ failure: Failure?) -> FollowReport.Status {
    if failure != nil { return .failed }
    if counts.rejected > 0 { return .partial }
    return counts.added + counts.updated + counts.removed == 0 ? .unchanged : .ok
  }

  private func pull(_ progress: inout Progress, begun: Timestamp) async throws(Failure) {
    do throws(StoreError) {
      progress.state = try FollowState(follow: follow.path, in: store.snapshot(), coder)
    } catch {
      throw error.failure
    }
    if options.full {
      progress.state.memory = [:]
      progress.state.cursor = nil
    }
    if progress.state.parameters != FollowState.parameters(of: follow) { progress.state.cursor = nil }
    progress.state.parameters = FollowState.parameters(of: follow)
    progress.state.lastTry = begun
    progress.isWhole = progress.state.cursor == nil
    var ahead: Result<Asked, Failure>?
    repeat {
      if Task.isCancelled { throw Failure(.transport, .cancelled, "the sync was stopped") }
      var asked: Result<Asked, Failure>
      if let ahead { asked = ahead } else { asked = await ask(progress.state, begun: begun) }
      ahead = try await take(asked.get(), &progress, begun: begun)
    } while progress.state.cursor != nil
  }

  /// A page, and the state of the store in which it was asked for.
  private struct Asked {
    let page: PullPage
    let snapshot: any StoreSnapshot
  }

  /// Asks the source for the page at which the state stands.
  private func ask(_ state: FollowState, begun: Timestamp) async -> Result<Asked, Failure> {
    do throws(SourceError) {
      let snapshot: any StoreSnapshot
      do throws(StoreError) { snapshot = try store.snapshot() } catch { throw SourceError.store(error) }
      let context = PullContext(
        transport: transport, snapshot: snapshot, cursor: state.cursor, memory: state.memory, now: begun, run: run,
        jobs: max(1, options.ownerJobs))
      return .success(Asked(page: try await source.pull(follow, context), snapshot: snapshot))
    } catch {
      return .failure(error.failure)
    }
  }

  /// Commits a page, and asks for the next one meanwhile where that may be: a page of records that can have edits is
  /// asked for when the one before stands, so that what changed between asking and committing is a push's doing.
  private func take(
    _ asked: Asked, _ progress: inout Progress, begun: Timestamp
  ) async throws(Failure) -> Result<Asked, Failure>? {
    let page = asked.page
    if let next = page.next, next == progress.state.cursor {
      throw Failure(
        .api, .unavailable, "the list of \(follow.path) does not go on: it names the same page again", url: page.url,
        code: "same-page")
    }
    let gone: [String] =
      try page.listing.map { listing throws(Failure) in
        try RemovalGuard.gone(listing, url: page.url, force: options.force)
      } ?? []
    var next = progress.state
    next.cursor = page.next
    if let memory = page.memory { next.memory = memory }
    guard next.cursor != nil, !(source is any EditableSource) else {
      try await commit(asked, gone, next, &progress)
      return nil
    }
    async let ahead = ask(next, begun: begun)
    try await commit(asked, gone, next, &progress)
    return await ahead
  }

  /// Commits a page with the state that follows it.
  private func commit(
    _ asked: Asked, _ gone: [String], _ next: FollowState, _ progress: inout Progress
  ) async throws(Failure) {
    do throws(StoreError) {
      try await write(asked, gone, next, &progress)
    } catch {
      throw error.failure
    }
    progress.hasMoved = true
    progress.records += asked.page.changes.count
    events.report(
      .pageCommitted(
        follow: follow.path, done: asked.page.progress?.done ?? progress.records, total: asked.page.progress?.total))
  }

  private func write(
    _ asked: Asked, _ gone: [String], _ next: FollowState, _ progress: inout Progress
  ) async throws(StoreError) {
    let page = asked.page
    let now = time.now
    var state = next
    if page.next == nil {
      state.lastSuccess = now
      state.failures = 0
      state.error = nil
    }
    // A page that changed nothing is not worth a wait for the disk: its place is written with a later page, or after
    // a while, and a killed pull asks for it again.
    let canWait = page.next != nil && page.memory == nil && time.uptime - progress.placed < Self.patience
    let isEnd = page.next == nil && progress.isWhole && !transport.sawNotModified
    let rejects = progress.rejects
    let shape = isEnd ? shapeNote() : nil
    let committed = try await store.write {
      [state] (transaction: inout any StoreTransaction) throws(StoreError) -> (PageCommit, RejectFile, Bool, Bool) in
      var rejects = rejects
      var commit = try PageCommit(in: transaction, coder, editable: editable, asked: asked.snapshot)
      commit.plans = options.dryRun
      for change in page.changes { try commit.apply(change, in: &transaction) }
      for id in gone {
        if let listing = page.listing { try commit.remove(listing.collection, id, in: &transaction) }
      }
      try rejects.put(page.rejects, url: page.url, at: now, in: &transaction, coder)
      if isEnd { try rejects.dropUnseen(in: &transaction, coder) }
      try shape?.keep(at: now, in: &transaction, coder)
      let isIdle = commit.changedNothing && page.rejects.isEmpty
      let waits = canWait && isIdle
      let isQuiet =
        if isIdle, page.next == nil { try state.hasOnlyNewTimes(in: transaction, coder) } else { false }
      if !waits, !isQuiet { try state.put(in: &transaction, coder) }
      return (commit, rejects, waits, isQuiet)
    }
    let (commit, filed, waits, isQuiet) = committed.value
    progress.state = state
    progress.isQuiet = isQuiet
    progress.isAhead = waits
    if !waits { progress.placed = time.uptime }
    progress.rejects = filed
    progress.counts += commit.counts
    progress.counts.rejected += page.rejects.count
    progress.changes += commit.changes
    report(page, commit)
  }

  private func report(_ page: PullPage, _ commit: PageCommit) {
    for reject in page.rejects {
      events.report(
        .rejected(follow: follow.path, path: reject.path, expected: reject.expected, found: reject.found))
    }
    for entry in commit.settled { events.report(.edit(id: entry.id, target: entry.target, outcome: "settled")) }
    for entry in commit.judged {
      events.report(.edit(id: entry.id, target: entry.target, outcome: entry.state.rawValue))
    }
  }

  /// What the pull's answers look like, unless it is only a plan.
  private func shapeNote() -> ShapeNote? {
    guard let shapes, !options.dryRun else { return nil }
    return ShapeNote(
      follow: follow, shape: shapes.shape(of: transport.samples), reader: shapes, isFirst: options.full)
  }

  /// Remembers the failure; what was committed stays.
  private func keep(_ failure: Failure, _ progress: Progress, begun: Timestamp) async -> Failure {
    // An answer that the parser did not understand is where drift is told first.
    var shape = failure.kind == .parsing && progress.isWhole ? shapeNote() : nil
    shape?.isUnderstood = false
    do throws(StoreError) {
      _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
        var state =
          progress.isAhead ? progress.state : try FollowState(follow: follow.path, in: transaction, coder)
        state.lastTry = begun
        state.failures += 1
        state.error = failure
        // A place from which it cannot go on is no place to go on from the next time.
        if !progress.isWhole, !progress.hasMoved, !failure.retryable { state.cursor = nil }
        try state.put(in: &transaction, coder)
        try shape?.keep(at: begun, in: &transaction, coder)
        return true
      }
    } catch {
      events.report(.warning(message: "the failure of \(follow.path) could not be remembered: \(error)"))
    }
    return failure
  }
}
