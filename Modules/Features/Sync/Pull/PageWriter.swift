import Models
import Ports

struct PullProgress {
  /// The state of the follow's cursor after the commit of a page.
  enum CursorState: Sendable {
    case written
    /// The page changed nothing, and the cursor will be written with a later one.
    case waiting
    /// The pull has ended, and only its times have not been written.
    case onlyTimes
  }

  var state: FollowState
  var rejects: RejectFile
  var counts = SyncCounts()
  var changes: [PlannedChange] = []
  var notes: [String] = []
  var planned: [PlannedRequest] = []
  var firstRejects: [Reject] = []
  var records = 0
  var isWhole: Bool
  var hasMoved = false
  /// What the source kept with the follow when the pull began.
  var firstSourceState: JSONObject = [:]
  var judge = ListJudge(isFromStart: true)
  /// Whether the list is to be read again, because it lacks records that may have moved between its pages.
  var mustReadAgain = false
  /// Whether records of a known answer changed before its page was committed, so that the page is to be read.
  var isOutdated = false
  var list = AnsweredList()
  var isSecondReading = false
  /// The uptime at which the cursor was last written.
  var cursorWritten: Duration
  var cursor = CursorState.written

  /// Begins to read the list again: what either reading lists is there. The counts are those of one reading.
  mutating func readAgain() {
    (mustReadAgain, isSecondReading) = (false, true)
    judge.readAgain()
    list.add(nil, nil)
    rejects = RejectFile(follow: rejects.follow)
    (firstRejects, records, counts.rejected) = ([], 0, 0)
  }
}

/// Commits the pages of one follow, each with the next cursor, and records failures.
struct PageWriter: Sendable {
  let follow: Follow
  let store: any RecordStore
  let coder: any RecordCoder
  let time: any TimeSource
  let events: any EventSink
  let senders: EditSenders
  /// The follows of the source, so that it is known who else fills a collection.
  let siblings: Siblings
  let options: SyncOptions
  let shapes: (any ShapeReader)?
  let suggestions: Suggestions
  let run: String

  private struct CommitResult: Sendable {
    var merger: RecordMerger
    var rejects: RejectFile
    var state: FollowState
    var list: AnsweredList
    var cursor = PullProgress.CursorState.written
    var vanished: [String] = []
  }

  /// The longest time without writing the cursor while nothing changes.
  private static let longestWait = Duration.seconds(2)

  /// Commits a page.
  ///
  /// - Parameter samples: responses of the pull, whose shape is stored at its end.
  /// - Throws: `Failure` if the store cannot be written; `mass-removal` if the page is a list that lost most of its
  ///   records; `all-rejected` if the pull ends and all of its records were rejected.
  func commit(_ fetched: FetchedPage, samples: [[UInt8]], _ progress: inout PullProgress) async throws(Failure) {
    let page = fetched.page
    let answer = page.isKnown ? page.answer : nil
    if let answer, let answers = fetched.answers {
      progress.isOutdated = try Failure.reading(!answers.isStored(answer, in: store.snapshot()))
      if progress.isOutdated { return }
      answers.note(answer, in: &progress.list)
      progress.judge.isAsBefore = try isAsBefore(page, progress)
    }
    let doubts = progress.judge.read(
      page.coverage, answer, hasUncountedRejects: !page.countsRejects && fetched.next.rejected > 0)
    let judgement = try judge(page, progress)
    progress.mustReadAgain = judgement.verdict == .readAgain
    if let answer, !progress.isSecondReading { progress.counts.unchanged += answer.count }
    if answer != nil, page.next != nil, canWait(page, progress) {
      let kept = progress.state.answersKept
      (progress.state, progress.cursor) = (fetched.next, .waiting)
      progress.state.answersKept = kept
      return committed(fetched, &progress)
    }
    let isRejected = isAllRejected(fetched, progress)
    let result = try await Failure.from { [progress] () async throws(StoreError) in
      try await write(fetched, judgement, isRejected: isRejected, samples: samples, progress)
    }
    (progress.state, progress.rejects, progress.cursor) = (result.state, result.rejects, result.cursor)
    progress.list = result.list
    if result.cursor != .waiting { progress.cursorWritten = time.uptime }
    var counts = result.merger.counts
    if progress.isSecondReading { counts.unchanged = 0 }
    progress.counts += counts
    progress.counts.rejected += page.rejects.total + result.merger.rejects.total
    progress.changes += result.merger.changes
    var warnings = page.warnings + doubts.compactMap(\.warning) + judgement.unlistedWarnings(options)
    if !result.vanished.isEmpty {
      let fields = result.vanished.prefix(3).joined(separator: ", ")
      let updated = progress.counts.updated.counted("record was", "records were")
      let beginning =
        progress.counts.updated > 0 ? "\(updated) updated by answers that no longer have" : "the answers no longer have"
      warnings.append(
        "\(beginning) \(fields), which all answers had before: if the API renamed it, the source has to be changed"
          + (progress.counts.updated > 0 ? ", and the history has the former values" : ""))
    }
    progress.notes += page.notes + (options.dryRun ? warnings : [])
    for warning in warnings { events.report(.warning(message: "\(follow.path): \(warning)")) }
    if let publication = page.publication {
      progress.counts += publication.counts
      progress.planned += publication.planned
      for warning in publication.warnings { events.report(.warning(message: "\(follow.path): \(warning)")) }
    }
    if options.dryRun {
      let rest = (page.rejects.kept + result.merger.rejects.kept)
        .prefix(FollowReport.rejectsLimit - progress.firstRejects.count)
      progress.firstRejects += rest.map { progress.rejects.record($0, url: page.url, at: time.now) }
    }
    report(page, result.merger)
    if isRejected {
      let count = progress.counts.rejected
      throw Failure(
        .parsing, .unparsable, count == 1 ? "the only record was rejected" : "all \(count) records were rejected",
        hint: options.dryRun ? nil : suggestions(.listRejects), url: page.url, code: .own(.allRejected))
    }
    committed(fetched, &progress)
  }

  private func committed(_ fetched: FetchedPage, _ progress: inout PullProgress) {
    let page = fetched.page
    progress.hasMoved = true
    progress.records += fetched.count
    events.report(
      .pageCommitted(follow: follow.path, done: page.progress?.done ?? progress.records, total: page.progress?.total))
  }

  /// Whether a page ends a list that has the same answers as when it was judged before.
  private func isAsBefore(_ page: PullPage, _ progress: PullProgress) throws(Failure) -> Bool {
    guard page.next == nil, progress.isWhole, progress.list.isKnown, let digest = progress.list.digest,
      digest.exact == progress.state.answeredList?.exact
    else { return false }
    return try Failure.reading(ListedRecords.isJudged(follow.path, in: store.snapshot()))
  }

  /// Whether the cursor after a page that changed nothing may be written later. Waiting for the disk is not worthwhile: the cursor
  /// is written with a later page or after a while. After a kill the page is fetched again.
  private func canWait(_ page: PullPage, _ progress: PullProgress) -> Bool {
    (page.next != nil || progress.mustReadAgain) && (page.sourceState == nil || progress.mustReadAgain)
      && time.uptime - progress.cursorWritten < Self.longestWait
  }

  /// Whether the page ends a pull whose records were all rejected.
  private func isAllRejected(_ fetched: FetchedPage, _ progress: PullProgress) -> Bool {
    fetched.page.next == nil && progress.isWhole && !progress.judge.hasUnchangedPages && !fetched.page.toleratesRejects
      && progress.records + fetched.count == 0
      && progress.counts.rejected + fetched.page.rejects.total > 0
  }

  private func write(
    _ fetched: FetchedPage, _ judgement: Judgement, isRejected: Bool, samples: [[UInt8]],
    _ progress: PullProgress
  ) async throws(StoreError) -> CommitResult {
    let page = fetched.page
    let now = time.now
    var state = fetched.next
    state.answersKept = progress.state.answersKept
    let isLast = page.next == nil && !progress.mustReadAgain
    if isRejected {
      // With the validators of these responses, the server would report next time that nothing changed. What earlier pulls
      // owe, such as requests that failed, stays.
      state.sourceState = progress.firstSourceState
    } else if isLast {
      if judgement.isWhole || progress.judge.isUnchanged, let sourceState = page.judgedSourceState {
        state.sourceState = sourceState
      }
      state.succeed(at: now)
    }
    let canWait = canWait(page, progress)
    let judge = progress.judge
    let isEnd = isLast && progress.isWhole && !judge.hasUnchangedPages
    // A rejected record of a part of the list is not asked for again, so its text stays.
    let isRejectsEnd = isEnd && !judge.isPart
    let rejects = progress.rejects
    let isWhole = progress.isWhole && !judge.isPart
    let shape = isEnd && !isRejected && !judge.isAsBefore ? shapeNote(samples) : nil
    let list = progress.list
    return try await store.write {
      [state] (transaction: inout any StoreTransaction) throws(StoreError) -> CommitResult in
      transaction.explain(ChangeCause(.sync, follow: follow.path, run: run))
      try SentEdits.settle(page.acceptedEdits, since: fetched.snapshot, in: &transaction, coder)
      var result = CommitResult(
        merger: try RecordMerger(
          follow.source, senders, in: transaction, coder, fetched: fetched.snapshot, plans: options.dryRun),
        rejects: rejects, state: state, list: list)
      try result.state.takeAnsweredList(in: transaction, coder)
      for (collection, ids) in fetched.records.ids { try transaction.expect(collection, ids) }
      try fetched.records.forEach { (record) throws(StoreError) in try result.merger.apply(record, in: &transaction) }
      for record in judgement.removed { try result.merger.remove(record.collection, record.id, in: &transaction) }
      // A follow that ended and had listed one of them would not ask for it again where its list had not changed.
      for other in try siblings.ended(listing: judgement.removed, in: transaction, coder) {
        try FollowState.change(other, in: &transaction, coder) { $0.sourceState = [:] }
      }
      if let listed = judgement.listed {
        try listed.put(in: &transaction, coder)
      } else if !judgement.removed.isEmpty {
        try ListedRecords(follow: follow.path).drop(judgement.removed, in: &transaction, coder)
        result.state.answeredList = nil
      }
      if judgement.listed == nil, case .page(let list) = page.coverage, !list.keepsDeparted,
        result.merger.counts.added > 0
      {
        // If this pull does not become complete, the next one that does has to know what came with it.
        try ListedRecords(follow: follow.path, page: list)
          .putPage(isPart: list.doubts.contains(.part), in: &transaction, coder)
        result.state.answeredList = nil
      }
      try fetched.answers?.keep(fetched, result.merger, &result.list, &result.state, in: &transaction)
      if isEnd, !judge.isAsBefore {
        result.state.answeredList = judgement.listed == nil ? nil : result.list.digest
        try KnownAnswers.remove(of: follow.path, except: result.list.names, in: &transaction)
      }
      for rejected in [page.rejects, result.merger.rejects] {
        try result.rejects.put(rejected, url: page.url, isWhole: isWhole, at: now, in: &transaction, coder)
      }
      result.state.rejected += result.merger.rejects.total
      if isRejectsEnd {
        try result.rejects.dropUnseen(in: &transaction, coder)
      } else {
        try result.rejects.drop(requests: page.answered, in: &transaction, coder)
      }
      result.vanished = try shape?.keep(at: now, in: &transaction, coder) ?? []
      if result.merger.changedNothing, page.rejects.isEmpty, page.acceptedEdits.isEmpty {
        if canWait {
          result.cursor = .waiting
        } else if isLast, try result.state.hasOnlyNewTimes(in: transaction, coder) {
          result.cursor = .onlyTimes
        }
      }
      if result.cursor == .written { try result.state.put(in: &transaction, coder) }
      return result
    }.value
  }

  private struct Judgement {
    var verdict = ListJudge.Verdict.keep
    /// Whether the list was judged, and not sublists alone.
    var isKnown = false
    /// The records of the list, if it was judged and the engine keeps them.
    var listed: ListedRecords?
    /// Stored records of the follow's collections that no follow lists; empty where that is not known.
    var unlisted: [RecordName] = []
    /// Whether they are removed as well.
    var removesUnlisted = false

    var isWhole: Bool { if isKnown, case .remove = verdict { true } else { false } }

    var removed: [RecordName] {
      guard case .remove(let departed) = verdict else { return [] }
      return removesUnlisted ? departed + unlisted : departed
    }

    /// What the user should know of the records that no follow lists.
    func unlistedWarnings(_ options: SyncOptions) -> [String] {
      if removesUnlisted { return [] }
      return Dictionary(grouping: unlisted, by: \.collection).sorted { $0.key < $1.key }.map { collection, records in
        "\(records.count.counted("record")) of \(collection) \(records.count == 1 ? "is" : "are") in no list: "
          + "a full sync with force removes \(records.count == 1 ? "it" : "them")"
      }
    }
  }

  /// Judges the list, if the page is the last one.
  ///
  /// - Throws: `Failure` if the store cannot be read; `mass-removal`, unless `SyncOptions.force`.
  private func judge(_ page: PullPage, _ progress: PullProgress) throws(Failure) -> Judgement {
    var judge = progress.judge
    guard judge.isDue(at: page), judge.isKnown || judge.hasCompleteSublists else { return Judgement() }
    if judge.isAsBefore { return Judgement(verdict: .remove([]), isKnown: true) }
    judge.readAnswers()
    let judgement = try Failure.from { [judge] () throws(StoreError) in
      var judgement = Judgement()
      judgement.isKnown = judge.isKnown
      let snapshot = try store.snapshot()
      let before = try ListedRecords(follow: follow.path, in: snapshot, coder)
      judgement.verdict = try judge.verdict(before: before, isForced: options.force) {
        (records) throws(StoreError) in
        try siblings.listed(of: records, in: snapshot, coder)
      }
      if judgement.isWhole, judge.isKept {
        let now = judge.now(after: before)
        judgement.listed = now
        let isFirst = try !ListedRecords.isJudged(follow.path, in: snapshot)
        if options.full || isFirst {
          judgement.unlisted = try siblings.unlisted(besides: now.all.union(before.all), in: snapshot, coder)
          judgement.removesUnlisted = options.full && options.force && judge.readsAllSublists
        }
      }
      return judgement
    }
    guard case .refuse(let collection, let lost, let count, let added) = judgement.verdict else { return judgement }
    throw Failure(
      .api, .unavailable,
      "the list of \(collection) lost \(lost) of \(count) records at once; nothing was removed",
      hint: (added >= lost
        ? "it has \(added) records with other ids: if their ids changed, at the server or in the definition, this is right; "
        : "check the server; ") + suggestions(.applyList(follow: follow.path, isFull: options.full)),
      url: page.url, code: .own(.massRemoval))
  }

  private func report(_ page: PullPage, _ merger: RecordMerger) {
    for reject in page.rejects.kept + merger.rejects.kept {
      events.report(.rejected(follow: follow.path, path: reject.path, expected: reject.expected, found: reject.found))
    }
    for entry in merger.completed { events.report(.edit(id: entry.id, target: entry.target, outcome: .settled)) }
    for entry in merger.updated {
      events.report(.edit(id: entry.id, target: entry.target, outcome: EditOutcome(entry.state)))
    }
  }

  /// The shape of the responses; `nil` for a plan.
  private func shapeNote(_ samples: [[UInt8]]) -> ShapeNote? {
    guard let shapes, !options.dryRun else { return nil }
    return ShapeNote(follow: follow, shape: shapes.shape(of: samples), reader: shapes, isFirst: options.full)
  }

  /// Stores the failure of the pull; committed pages are kept. If another program has taken over the follow, that one
  /// stores what becomes of it.
  ///
  /// - Parameter limited: the source, if its server limits how often it is asked.
  func keep(
    _ failure: Failure, limiting limited: RedactedSource? = nil, samples: [[UInt8]], _ progress: PullProgress,
    begun: Timestamp
  ) async {
    if failure.isTakenOver { return }
    // Drift often shows first in a response that the parser cannot read.
    var shape = failure.kind == .parsing && progress.isWhole ? shapeNote(samples) : nil
    shape?.isUnderstood = false
    do throws(StoreError) {
      _ = try await store.write { (transaction) throws(StoreError) in
        var state = try FollowState(follow: follow.path, in: transaction, coder)
        if progress.cursor == .waiting {
          state = progress.state
          try state.takeAnsweredList(in: transaction, coder)
        }
        state.fail(failure, begun: begun, isAsked: options.run != nil)
        // After a cursor that fails at once, and not for a temporary reason, the next pull starts again: that of other
        // parameters is abandoned.
        if !progress.isWhole, !progress.hasMoved, !failure.retryable { state.parameters = nil }
        // Only a pull that starts again can tell whether the list is complete.
        if failure.code == .own(.massRemoval) { state.parameters = nil }
        try state.put(in: &transaction, coder)
        if let limited {
          try ServerLimit.keep(
            failure, of: limited.descriptor.server(of: follow), limited, at: begun, in: &transaction, coder)
        }
        _ = try shape?.keep(at: begun, in: &transaction, coder)
      }
    } catch {
      // A pull that failed because of the store says the same.
      if failure.kind == .store { return }
      events.report(.failed(what: "the failure of \(follow.path) could not be stored", failure: error.failure))
    }
  }
}
