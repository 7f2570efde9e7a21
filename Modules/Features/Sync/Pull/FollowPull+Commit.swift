import Models
import Ports

extension FollowPull {
  /// What became of a follow's place in its list when a page was committed.
  enum Place: Sendable {
    /// It is written.
    case written
    /// The page changed nothing, and the place is written with a later one.
    case waiting
    /// The pull ended, and nothing but its times is left to be written.
    case quiet
  }

  /// What the commit of a page brought.
  private struct Taken: Sendable {
    var commit: PageCommit
    var rejects: RejectFile
    var place: Place
  }

  /// How long a place in the list may stay unwritten while nothing changes.
  private static let patience = Duration.seconds(2)

  /// Commits a page with the state that follows it.
  func take(_ asked: Asked, _ progress: inout Progress) async throws(Failure) {
    let page = asked.page
    let gone: [ExactString] =
      try page.listing.map { listing throws(Failure) in
        try RemovalGuard.gone(listing, url: page.url, force: options.force)
      } ?? []
    let isRejected = isAllRejected(asked, progress)
    do throws(StoreError) {
      try await write(asked, gone, isRejected: isRejected, &progress)
    } catch {
      throw error.failure
    }
    if isRejected {
      let count = progress.counts.rejected
      throw Failure(
        .parsing, .unparsable, count == 1 ? "the only record was rejected" : "all \(count) records were rejected",
        hint: "'almanac list rejects' shows place and reason of each", url: page.url, code: "all-rejected")
    }
    progress.hasMoved = true
    progress.records += asked.changes.changes.count
    events.report(
      .pageCommitted(
        follow: follow.path, done: page.progress?.done ?? progress.records, total: page.progress?.total))
  }

  /// Whether the page ends a pull that brought records, and every one of them was rejected.
  private func isAllRejected(_ asked: Asked, _ progress: Progress) -> Bool {
    asked.page.next == nil && progress.isWhole && !asked.page.isNotModified
      && progress.records + asked.changes.changes.count == 0
      && progress.counts.rejected + asked.page.rejects.total > 0
  }

  private func write(
    _ asked: Asked, _ gone: [ExactString], isRejected: Bool, _ progress: inout Progress
  ) async throws(StoreError) {
    let page = asked.page
    let now = time.now
    var state = asked.next
    if isRejected {
      // With what is remembered of these answers, the server would say next time that nothing changed.
      state.memory = [:]
    } else if page.next == nil {
      state.lastSuccess = now
      state.failures = 0
      state.error = nil
    }
    // A page that changed nothing is not worth a wait for the disk: its place is written with a later page, or after
    // a while, and a killed pull asks for it again.
    let canWait = page.next != nil && page.memory == nil && time.uptime - progress.placed < Self.patience
    let isEnd = page.next == nil && progress.isWhole && !page.isNotModified
    let (rejects, isWhole) = (progress.rejects, progress.isWhole)
    let shape = isEnd && !isRejected ? shapeNote() : nil
    let committed = try await store.write {
      [state] (transaction: inout any StoreTransaction) throws(StoreError) -> Taken in
      var taken = Taken(
        commit: try PageCommit(in: transaction, coder, editable: editable, asked: asked.snapshot), rejects: rejects,
        place: .written)
      taken.commit.plans = options.dryRun
      try taken.commit.apply(asked.changes, in: &transaction)
      for id in gone {
        if let listing = page.listing { try taken.commit.remove(listing.collection, id.text, in: &transaction) }
      }
      try taken.rejects.put(page.rejects, url: page.url, isWhole: isWhole, at: now, in: &transaction, coder)
      if isEnd { try taken.rejects.dropUnseen(in: &transaction, coder) }
      try shape?.keep(at: now, in: &transaction, coder)
      if taken.commit.changedNothing, page.rejects.isEmpty {
        if canWait {
          taken.place = .waiting
        } else if page.next == nil, try state.hasOnlyNewTimes(in: transaction, coder) {
          taken.place = .quiet
        }
      }
      if taken.place == .written { try state.put(in: &transaction, coder) }
      return taken
    }
    let taken = committed.value
    progress.state = state
    progress.place = taken.place
    if taken.place != .waiting { progress.placed = time.uptime }
    progress.rejects = taken.rejects
    progress.counts += taken.commit.counts
    progress.counts.rejected += page.rejects.total
    progress.changes += taken.commit.changes
    report(page, taken.commit)
  }

  private func report(_ page: PullPage, _ commit: PageCommit) {
    for reject in page.rejects.kept {
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
  func keep(_ failure: Failure, _ progress: Progress, begun: Timestamp) async -> Failure {
    // An answer that the parser did not understand is where drift is told first.
    var shape = failure.kind == .parsing && progress.isWhole ? shapeNote() : nil
    shape?.isUnderstood = false
    do throws(StoreError) {
      _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
        var state =
          progress.place == .waiting ? progress.state : try FollowState(follow: follow.path, in: transaction, coder)
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
