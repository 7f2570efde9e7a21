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

  /// How far a pull has come.
  struct Progress {
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
    /// What became of it with the last page.
    var place = Place.written
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
      follow: follow.path, status: status(progress.counts, failure), counts: progress.counts,
      rejectsKept: progress.rejects.keptCount, error: failure)
    events.report(.followFinished(report: report, duration: time.uptime - uptime))
    return Outcome(
      report: report, changes: progress.changes,
      unwritten: progress.place == .quiet && failure == nil ? progress.state : nil)
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
    if source is any EditableSource {
      try await pullInTurn(&progress, begun: begun)
    } else {
      try await pullAhead(&progress, begun: begun)
    }
  }

  /// A page, and the state of the store in which it was asked for.
  struct Asked: Sendable {
    /// The page without its changes.
    let page: PullPage
    let changes: EncodedChanges
    let snapshot: any StoreSnapshot
    /// The state of the follow once the page stands.
    let next: FollowState
  }

  /// Asks for a page when the one before stands, so that what changed between asking and committing is a push's doing:
  /// for records that can have edits.
  private func pullInTurn(_ progress: inout Progress, begun: Timestamp) async throws(Failure) {
    repeat {
      if Task.isCancelled { throw Self.stopped }
      try await take(ask(progress.state, begun: begun), &progress)
    } while progress.state.cursor != nil
  }

  /// How many pages may wait to be committed. Pages come about as fast as they are committed, but for the moments in
  /// which the store tidies up.
  private static let room = 3

  /// Asks for the next pages, one after another, while the ones before are being committed.
  private func pullAhead(_ progress: inout Progress, begun: Timestamp) async throws(Failure) {
    let pages = PagesAhead<Result<Asked, Failure>>(room: Self.room)
    let outcome = await withTaskGroup(of: Void.self) { [state = progress.state] group -> Result<Void, Failure> in
      group.addTask { await ask(from: state, into: pages, begun: begun) }
      defer {
        pages.end()
        group.cancelAll()
      }
      do throws(Failure) {
        while let asked = await pages.next() {
          if Task.isCancelled { throw Self.stopped }
          try await take(asked.get(), &progress)
        }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try outcome.get()
  }

  private func ask(from first: FollowState, into pages: PagesAhead<Result<Asked, Failure>>, begun: Timestamp) async {
    var state = first
    repeat {
      do throws(Failure) {
        let asked = try await ask(state, begun: begun)
        state = asked.next
        guard await pages.put(.success(asked)) else { return }
      } catch {
        _ = await pages.put(.failure(error))
        break
      }
    } while state.cursor != nil
    pages.end()
  }

  private static var stopped: Failure { Failure(.transport, .cancelled, "the sync was stopped") }

  /// Asks the source for the page at which the state stands.
  private func ask(_ state: FollowState, begun: Timestamp) async throws(Failure) -> Asked {
    var page: PullPage
    let snapshot: any StoreSnapshot
    do throws(SourceError) {
      do throws(StoreError) { snapshot = try store.snapshot() } catch { throw SourceError.store(error) }
      let context = PullContext(
        transport: transport, snapshot: snapshot, cursor: state.cursor, memory: state.memory, now: begun, run: run,
        jobs: max(1, options.ownerJobs))
      page = try await source.pull(follow, context)
    } catch {
      throw error.failure
    }
    if let next = page.next, next == state.cursor {
      throw Failure(
        .api, .unavailable, "the list of \(follow.path) does not go on: it names the same page again", url: page.url,
        code: "same-page")
    }
    var next = state
    next.cursor = page.next
    if let memory = page.memory { next.memory = memory }
    let before = state.cursor == nil && !page.isNotModified ? 0 : state.rejected
    next.rejected = before + page.rejects.total
    let changes = EncodedChanges(page.changes, coder)
    page.changes = []
    return Asked(page: page, changes: changes, snapshot: snapshot, next: next)
  }

}
