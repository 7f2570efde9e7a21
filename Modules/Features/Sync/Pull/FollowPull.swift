import Models
import Ports

/// Fetches the pages of one follow and passes them to the writer, which commits them one by one.
struct FollowPull: Sendable {
  let follow: Follow
  let pages: any SourcePull
  let source: RedactedSource
  let transport: MeteringTransport
  let writer: PageWriter
  /// The version of the program, whose answers are kept; `nil` to keep none.
  let version: String?
  /// The answer that limits how often the server is asked.
  private let limit = FirstFailure()

  private var run: String { writer.run }
  private var store: any RecordStore { writer.store }
  private var coder: any RecordCoder { writer.coder }
  private var time: any TimeSource { writer.time }
  private var events: any EventSink { writer.events }
  private var options: SyncOptions { writer.options }

  struct Outcome: Sendable {
    var report: FollowReport
    var changes: [PlannedChange]
    var planned: [PlannedRequest] = []
    /// A state that differs only in the times of this pull and was not written.
    var unwritten: FollowState?
  }

  /// Pulls all pages, or until the first error, or until the task is cancelled: committed pages are kept, and the next pull
  /// continues after them.
  func callAsFunction() async -> Outcome {
    let begun = time.now
    let uptime = time.uptime
    events.report(.followStarted(follow: follow.path))
    var progress = PullProgress(
      state: FollowState(follow: follow.path), rejects: RejectFile(follow: follow.path), isWhole: true,
      cursorWritten: uptime)
    var failure: Failure?
    var isStopped = false
    do {
      try await pull(&progress, begun: begun)
      await end()
    } catch {
      await end()
      failure = error
      isStopped = error.reason == .cancelled && Task.isCancelled
      if !isStopped {
        let limited = limit.failure == nil ? nil : source
        await writer.keep(error, limiting: limited, samples: transport.samples, progress, begun: begun)
      }
    }
    progress.counts.requests = transport.requests
    progress.counts.bytes = transport.bytes
    var report = FollowReport(
      follow: follow.path, status: status(progress.counts, failure), counts: progress.counts,
      rejectsKept: progress.rejects.keptCount, error: failure)
    if options.dryRun { (report.notes, report.rejects) = (progress.notes, progress.firstRejects) }
    if !isStopped { events.report(.followFinished(report: report, duration: time.uptime - uptime)) }
    return Outcome(
      report: report, changes: progress.changes, planned: progress.planned,
      unwritten: progress.cursor == .onlyTimes && failure == nil ? progress.state : nil)
  }

  private func end() async {
    await pages.end()
    await transport.end()
  }

  private func status(_ counts: SyncCounts, _ failure: Failure?) -> FollowReport.Status {
    if failure != nil { return .failed }
    if counts.rejected > 0 { return .partial }
    return counts.added + counts.updated + counts.removed == 0 ? .unchanged : .ok
  }

  private func pull(_ progress: inout PullProgress, begun: Timestamp) async throws(Failure) {
    progress.state = try Failure.reading(FollowState(follow: follow.path, in: store.snapshot(), coder))
    let isOther = progress.state.fingerprint?.exact != source.fingerprint?.exact
    let isFull = options.full || isOther && progress.state.fingerprint != nil
    let isBegun = progress.state.parameters == FollowState.parameters(of: follow)
    let abandoned = isBegun || isFull || isOther ? nil : progress.state.cursor
    if isFull || isOther {
      progress.state.sourceState = [:]
      progress.state.fingerprint = source.fingerprint
    }
    if isFull || isOther || !isBegun { progress.state.cursor = nil }
    var start = Start(begun: begun, isFull: isFull, usesAnswers: !isFull && !isOther, abandoned: abandoned)
    // A plan has remarks about records.
    if let version, !options.dryRun, source.editableCollections.isEmpty {
      let snapshot = try Failure.reading(store.snapshot())
      let answers = KnownAnswers(
        follow, version: version, source, writer.senders, at: progress.state, in: snapshot, coder, begun: begun,
        isFull: isFull)
      (start.answers, progress.list) = (answers, answers.list)
    }
    progress.state.parameters = FollowState.parameters(of: follow)
    progress.state.lastTry = begun
    progress.state.isEnded = false
    progress.isWhole = progress.state.cursor == nil
    progress.judge = ListJudge(isFromStart: progress.isWhole)
    progress.firstSourceState = progress.state.sourceState
    repeat {
      if progress.mustReadAgain { progress.readAgain() }
      if progress.isOutdated { (progress.isOutdated, start.usesAnswers) = (false, false) }
      if source.editableCollections.isEmpty {
        try await pullAhead(&progress, start)
      } else {
        try await pullInTurn(&progress, start)
      }
    } while progress.mustReadAgain || progress.isOutdated
  }

  private struct Start: Sendable {
    let begun: Timestamp
    let isFull: Bool
    var answers: KnownAnswers?
    /// Whether answers that are known need not be read.
    var usesAnswers: Bool
    let abandoned: JSONObject?
  }

  /// Fetches each page after the previous one was committed. Records that can have edits require this: any change
  /// between fetching and committing a page then comes from a push.
  private func pullInTurn(_ progress: inout PullProgress, _ start: Start) async throws(Failure) {
    repeat {
      if Task.isCancelled { throw SyncEngine.stopped }
      try await writer.commit(fetch(progress.state, start), samples: transport.samples, &progress)
    } while progress.state.cursor != nil
  }

  /// The number of pages that are fetched while one is committed. They rarely wait, except while the store compacts.
  private static let pagesAhead = 3

  /// Fetches further pages while earlier ones are being committed.
  private func pullAhead(_ progress: inout PullProgress, _ start: Start) async throws(Failure) {
    let (pages, fetched) = AsyncStream.makeStream(of: Result<FetchedPage, Failure>.self)
    let (permits, permit) = AsyncStream.makeStream(of: Void.self)
    for _ in 0...Self.pagesAhead { permit.yield() }
    let outcome = await withTaskGroup(of: Void.self) { [state = progress.state] group -> Result<Void, Failure> in
      group.addTask {
        var state = state
        defer { fetched.finish() }
        for await _ in permits {
          do throws(Failure) {
            let page = try await fetch(state, start)
            state = page.next
            fetched.yield(.success(page))
            if state.cursor == nil { return }
          } catch {
            fetched.yield(.failure(error))
            return
          }
        }
      }
      defer { group.cancelAll() }
      do throws(Failure) {
        for await page in pages {
          if Task.isCancelled { throw SyncEngine.stopped }
          try await writer.commit(page.get(), samples: transport.samples, &progress)
          if progress.isOutdated { break }
          permit.yield()
        }
        if Task.isCancelled { throw SyncEngine.stopped }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try outcome.get()
  }

  private func fetch(_ state: FollowState, _ start: Start) async throws(Failure) -> FetchedPage {
    let page: PullPage
    let snapshot: any StoreSnapshot
    do throws(SourceError) {
      snapshot = try SourceError.reading(store.snapshot())
      var context = PullContext(
        transport: transport, snapshot: snapshot, cursor: state.cursor, sourceState: state.sourceState,
        now: start.begun,
        run: run, jobs: max(1, options.ownerJobs), latest: store.snapshot)
      (context.isPlan, context.isForced, context.isFull) = (options.dryRun, options.force, start.isFull)
      context.expect = transport.expect
      if state.cursor == nil { context.abandoned = start.abandoned }
      if start.usesAnswers, let answers = start.answers {
        context.known = { (request, body) throws(StoreError) in try answers.answer(to: request, body) }
      }
      page = try await pages.page(context)
    } catch {
      let failure = error.failure(of: source.descriptor)
      if error.isLimit { limit.note(failure) }
      throw failure
    }
    if let next = page.next, next == state.cursor {
      throw Failure(
        .api, .unavailable, "the list of \(follow.path) repeats: its cursor did not change", url: page.url,
        code: .own(.samePage))
    }
    var next = state
    next.cursor = page.next
    if let sourceState = page.sourceState { next.sourceState = sourceState }
    let before = state.cursor == nil && page.coverage != .unchanged ? 0 : state.rejected
    next.rejected = before + page.rejects.total
    return try FetchedPage(page, of: source.descriptor, snapshot: snapshot, next: next, answers: start.answers, coder)
  }
}
