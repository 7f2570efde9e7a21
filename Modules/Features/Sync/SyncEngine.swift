public import Models
public import Ports

/// Runs any source: pulls follows concurrently, sends the outbox, plans, and stores the state of each follow.
public struct SyncEngine: SyncService {
  let store: any RecordStore
  /// The store through which edits are sent.
  let outbox: any RecordStore
  /// The leases of follows, where other programs may pull them.
  let leases: (any FollowLeases)?
  let sources: Sources
  let senders: EditSenders
  let transport: any HTTPTransport
  let coder: any RecordCoder
  let time: any TimeSource
  let random: any RandomSource
  let events: any EventSink
  /// Compares responses to detect drift; `nil` to disable the detection.
  let shapes: (any ShapeReader)?
  let suggestions: Suggestions
  /// Prevents concurrent pulls of one follow, and concurrent flushes, in this process.
  let gate = TurnGate()
  let pauses = TargetPauses()
  /// The time that one flush waits for them.
  let outboxTimeout: Duration
  let localBlocker: @Sendable (Follow) -> Failure?
  let version: String
  /// Identifies this process to others that use the same store.
  let process: ProcessIdentity

  /// - Parameters:
  ///   - outbox: the same store, with the rights that sending requires; `nil` for `store` itself.
  ///   - leases: the leases of follows, for a store that several programs use.
  ///   - outboxTimeout: the time that one flush waits, after all other edits, for records that their server cannot
  ///     accept now. At zero they are left to a later flush.
  ///   - localBlocker: why this machine cannot ask for a follow that others can ask for. It fails here, and the store, which is
  ///     that of the others as well, does not keep the failure.
  ///   - version: the version of the program: what another one made of an answer is not relied on.
  ///   - process: identifies the process to others that use the store.
  public init(
    store: any RecordStore, outbox: (any RecordStore)? = nil, leases: (any FollowLeases)? = nil, sources: Sources,
    transport: any HTTPTransport, coder: any RecordCoder,
    time: any TimeSource, random: any RandomSource, events: any EventSink, shapes: (any ShapeReader)? = nil,
    outboxTimeout: Duration = .zero, suggestions: Suggestions = Suggestions(),
    localBlocker: @escaping @Sendable (Follow) -> Failure? = { _ in nil }, version: String = "",
    process: ProcessIdentity = .current()
  ) {
    (self.suggestions, self.localBlocker, self.version) = (suggestions, localBlocker, version)
    (self.outboxTimeout, self.shapes, self.process) = (outboxTimeout, shapes, process)
    self.store = store
    self.outbox = outbox ?? store
    (self.leases, self.sources) = (leases, sources)
    senders = EditSenders(sources)
    (self.transport, self.coder, self.time, self.random, self.events) = (transport, coder, time, random, events)
  }

  /// Checks a follow with its source. If there is no such source, the error lists the forms of all sources.
  @discardableResult
  public func check(_ follow: Follow) throws(FollowError) -> Follow { try sources.check(follow).follow }

  /// The canonical form of the follow, or the follow itself if its source rejects it.
  private func spelled(_ follow: Follow) -> Follow { (try? check(follow)) ?? follow }

  /// Follows with the same canonical path are pulled once. Concurrent syncs of one follow in this process wait for each
  /// other.
  ///
  /// A follow that fails is in the report, with its error; the call succeeds also where all of them failed.
  /// The report is stored in `runs`, which keeps the latest 1,000. A run without a given id that changed and sent nothing
  /// is not stored: only the times of its follows are written, in one commit. A cancelled run is stored with the follows
  /// that had begun. A dry run writes nothing; it runs the same code on top of a snapshot, so that its plan equals the
  /// effect of a sync.
  public func sync(_ follows: [Follow], _ options: SyncOptions) async throws(Failure) -> SyncReport {
    let begun = time.now
    let run = options.run ?? RecordID.make(at: begun, random: random.next)
    var paths: Set<ExactString> = []
    let follows = follows.map(spelled).filter { paths.insert($0.$path).inserted }
    let snapshot = try Failure.reading(store.snapshot())
    let planning = options.dryRun ? PlanningStore(over: snapshot, coder) : nil
    let target: any RecordStore = planning ?? store
    events.report(.syncStarted(run: run, follows: follows.map(\.path)))
    var outcomes = await pull(follows, into: target, options, run: run)
    var decided: [ExactString: SyncCounts] = [:]
    var outbox: OutboxCounts
    do throws(Failure) {
      if outcomes.count < follows.count || Task.isCancelled { throw Self.stopped }
      outbox =
        try await options.dryRun
        ? counts(in: target) : flushDeciding(follows, options, run: run, counting: &decided)
    } catch {
      if options.dryRun { throw error }
      outbox = (try? counts(in: target)) ?? OutboxCounts()
      if error.reason == .cancelled || Task.isCancelled {
        let report = SyncReport(
          startedAt: begun, finishedAt: time.now, follows: outcomes.map(\.report), outbox: outbox)
        await keep(report, run: run, isInterrupted: true)
        throw error.reason == .cancelled ? error : Self.stopped
      }
      // What was pulled is stored.
      outbox.unsent = error
    }
    for index in outcomes.indices {
      guard let counts = decided[outcomes[index].report.follow.exact] else { continue }
      outcomes[index].report.counts += counts
      if outcomes[index].report.status == .unchanged { outcomes[index].report.status = .ok }
    }
    let planned = outcomes.flatMap(\.planned)
    var outgoing = options.dryRun && !planned.isEmpty ? planned : nil
    if let planning, options.sendsEdits {
      let asked = limited(transport, options, .syncToSend(path: nil))
      outgoing = try await planned + DryRun(engine: self, store: planning, transport: asked).requests()
    }
    let report = SyncReport(
      startedAt: begun, finishedAt: time.now, follows: outcomes.map(\.report), outbox: outbox,
      plan: options.dryRun ? outcomes.flatMap(\.changes) : nil, outgoing: outgoing)
    if !options.dryRun, options.run != nil || RunHistory.isWorthKeeping(report) { await keep(report, run: run) }
    events.report(.syncFinished(run: run, report: report))
    return report
  }

  /// Stores the report of a run, also where the task was cancelled. A report that cannot be stored fails nothing else.
  private func keep(_ report: SyncReport, run: String, isInterrupted: Bool = false) async {
    // A task of its own, because a cancelled one may not wait for its turn to write.
    let (store, coder) = (store, coder)
    let write = Task { () -> StoreError? in
      do throws(StoreError) {
        try await RunHistory.keep(report, run: run, isInterrupted: isInterrupted, in: store, coder)
        return nil
      } catch {
        return error
      }
    }
    let isSaid = (report.follows.map(\.error) + [report.outbox.unsent]).contains { $0?.kind == .store }
    if let error = await write.value, !isSaid {
      events.report(.failed(what: "the report of the run could not be stored", failure: error.failure))
    }
  }

  /// Pulls the follows, at most `options.jobs` at a time; those of sources that bring no records, but write what the store has,
  /// after all others.
  ///
  /// - Returns: the outcomes in the order of the follows, without those that did not begin because the task was cancelled.
  private func pull(
    _ follows: [Follow], into target: any RecordStore, _ options: SyncOptions, run: String
  ) async -> [FollowPull.Outcome] {
    var outcomes: [FollowPull.Outcome?] = Array(repeating: nil, count: follows.count)
    let writes = follows.map { sources[$0.source]?.descriptor.collections.isEmpty ?? false }
    for isWriter in [false, true] {
      var waiting = follows.indices.filter { writes[$0] == isWriter }[...]
      await withTaskGroup(of: (Int, FollowPull.Outcome?).self) { group in
        func startNext() {
          guard !Task.isCancelled, let index = waiting.popFirst() else { return }
          group.addTask { (index, await pull(follows[index], into: target, options, run: run)) }
        }
        for _ in 0..<max(1, options.jobs) { startNext() }
        while let (index, outcome) = await group.next() {
          outcomes[index] = outcome
          startNext()
        }
      }
    }
    var whole = outcomes.compactMap(\.self)
    if !options.dryRun { await keepTimes(of: &whole, in: target) }
    return whole
  }

  /// Stores the times of pulls that changed nothing else.
  private func keepTimes(of outcomes: inout [FollowPull.Outcome], in target: any RecordStore) async {
    do throws(StoreError) {
      try await FollowState.keepTimes(outcomes.compactMap(\.unwritten), at: time.now, in: target, coder)
    } catch {
      for index in outcomes.indices where outcomes[index].unwritten != nil {
        outcomes[index].report.status = .failed
        outcomes[index].report.error = error.failure
      }
    }
    for index in outcomes.indices { outcomes[index].unwritten = nil }
  }

  static var stopped: Failure { Failure(.transport, .cancelled, "the sync was stopped", code: .transport(.cancelled)) }

  /// Pulls one follow; `nil` if the task was cancelled.
  private func pull(
    _ follow: Follow, into target: any RecordStore, _ options: SyncOptions, run: String
  ) async -> FollowPull.Outcome? {
    func refused(_ failure: Failure, isReported: Bool = true) -> FollowPull.Outcome {
      let report = FollowReport(follow: follow.path, status: .failed, error: failure)
      if isReported { events.report(.followFinished(report: report, duration: .zero)) }
      return FollowPull.Outcome(report: report, changes: [])
    }
    if let localBlocker = localBlocker(follow) { return refused(localBlocker) }
    let (source, checked): (RedactedSource, CheckedFollow)
    do throws(FollowError) {
      source = try sources.source(of: follow)
      checked = try source.check(follow)
    } catch {
      return refused(error.failure)
    }
    do throws(CancellationError) {
      try await gate.enter("follow/\(follow.path)")
      defer { gate.leave("follow/\(follow.path)") }
      let lease: (any FollowLease)?
      do throws(Failure) { lease = try await claim(follow, options) } catch {
        if error.reason == .cancelled { throw CancellationError() }
        // Another program reports what it pulls.
        return refused(error, isReported: options.turn == .whenFree)
      }
      defer { lease?.end() }
      let target = lease?.store ?? target
      if !options.asksEarly, let pause = storedPause(of: follow, source, in: target) {
        if !options.dryRun { await keep(pause, of: follow, in: target) }
        return refused(pause)
      }
      let writer = PageWriter(
        follow: follow, store: target, coder: coder, time: time, events: events, senders: senders,
        siblings: Siblings(follow: follow, sources: sources, configured: options.configured), options: options,
        shapes: shapes, suggestions: suggestions, run: run)
      let asked = limited(transport, options, .syncToSend(path: follow.path))
      let pull = FollowPull(
        follow: follow, pages: source.open(checked), source: source,
        transport: MeteringTransport(asked, isSampling: shapes != nil && !options.dryRun), writer: writer,
        // A store on a server is faster at comparing all records of a page at once.
        version: leases == nil ? version : nil)
      var outcomes = [await pull()]
      if options.asksEarly, !options.dryRun, outcomes[0].report.error == nil {
        _ = try? await target.write { (transaction) throws(StoreError) in
          try ServerLimit.end(source.descriptor.server(of: follow), in: &transaction)
        }
      }
      // Before the lease ends, so that the next program knows that the follow was pulled.
      if lease != nil { await keepTimes(of: &outcomes, in: target) }
      return outcomes[0]
    } catch {
      return nil
    }
  }

  /// The time that a pull waits for another program, longer than the lease of one that was killed.
  private static let leaseTimeout = Duration.seconds(60)

  /// Takes the lease of a follow; `nil` if the store has none.
  ///
  /// - Throws: `Failure`: `pulledElsewhere`, or another one of the store; `cancelled`.
  private func claim(_ follow: Follow, _ options: SyncOptions) async throws(Failure) -> (any FollowLease)? {
    guard let leases, !options.dryRun else { return nil }
    let begun = time.uptime
    var last: Int64?
    if case .next(let number) = options.turn { last = number }
    while true {
      do throws(StoreError) { return try await leases.claim(follow.path, after: last) } catch {
        guard error.code == .busy else { throw error.failure }
        if last != nil || time.uptime - begun >= Self.leaseTimeout { throw .pulledElsewhere(error) }
      }
      do throws(CancellationError) { try await time.sleep(for: .milliseconds(250)) } catch { throw Self.stopped }
    }
  }

  /// Why the server of the follow is not asked: it asked to wait, in this process or another one, for this follow or for all
  /// that it is asked. What was read with another definition does not count.
  private func storedPause(of follow: Follow, _ source: RedactedSource, in target: any RecordStore) -> Failure? {
    let now = time.now
    let hint = suggestions(.askEarly(path: follow.path))
    guard let snapshot = try? target.snapshot(),
      let state = try? FollowState(follow: follow.path, in: snapshot, coder)
    else { return nil }
    if let error = state.error, state.fingerprint?.exact == source.fingerprint?.exact,
      let end = state.askedToWait(until: now)
    {
      return .storedPause(error, until: end, now: now, hint: hint)
    }
    let server = source.descriptor.server(of: follow)
    let limit = try? ServerLimit.holding(server, source, at: now, in: snapshot, coder)
    return limit.map { .storedPause($0.answer, until: $0.end, now: now, hint: hint) }
  }

  /// Stores the pause of a follow whose server asked to wait when it was asked for something else, so that the status has it.
  private func keep(_ pause: Failure, of follow: Follow, in target: any RecordStore) async {
    let (coder, now) = (coder, time.now)
    _ = try? await target.write { (transaction) throws(StoreError) in
      let state = try FollowState(follow: follow.path, in: transaction, coder)
      // What the server answered to the follow itself says more.
      guard state.askedToWait(until: now) == nil else { return }
      try FollowState.change(follow.path, in: &transaction, coder) { $0.fail(pause, begun: now, isAsked: false) }
    }
  }

  /// The transport, which only reads where the sync is a plan.
  private func limited(
    _ transport: any HTTPTransport, _ options: SyncOptions, _ suggestion: Suggestion
  ) -> any HTTPTransport {
    guard options.dryRun, !options.plansWithPosts else { return transport }
    let hint = suggestions(suggestion)
    return PlanTransport(inner: transport) { (request) throws(TransportError) in
      let purpose = request.isPreparation ? ", which asks for an access token," : ""
      throw TransportError(
        .notPlanned, "a plan sends only requests that read: a \(request.method.rawValue)\(purpose) was not sent",
        url: String(request.url.prefix { $0 != "?" }), hint: hint, requests: 0)
    }
  }

  func counts(in target: any RecordStore) throws(Failure) -> OutboxCounts {
    try Failure.reading(OutboxQueue(in: target.snapshot(), coder).counts)
  }

  /// Concurrent flushes in this process wait for each other where they send to one server. A record whose edits another
  /// process is sending is left to that process.
  public func flush(only entries: Set<ExactString>?, to server: ExactString?) async throws(Failure) -> OutboxCounts {
    let sender = sender(asksEarly: entries != nil)
    guard let entries else { return try await sender.flush(only: nil, to: server) }
    var counts = try await sender.flush(only: entries)
    // This process sends the edits that the other one left.
    let sent = counts.sent
    if try await waitForOthers(entries) {
      counts = try await sender.flush(only: entries)
      counts.sent += sent
    }
    return counts
  }

  /// - Parameter asksEarly: whether a server is asked before the time that it asked to wait for.
  func sender(asksEarly: Bool) -> OutboxSender {
    OutboxSender(
      store: outbox, base: store, senders: senders, transport: { _ in transport }, coder: coder, time: time,
      events: events, process: process, pauses: pauses, gate: gate, timeout: outboxTimeout, random: random,
      asksEarly: asksEarly)
  }

  public func waitingEdits() throws(Failure) -> [ExactString: Set<ExactString>] {
    try sender(asksEarly: false).rows().mapValues(\.entries)
  }

  /// The time that a flush of given entries waits for another process that is sending them.
  private static let sendingTimeout = Duration.seconds(10)

  /// Waits while another process is sending one of the entries; false if none is.
  ///
  /// - Throws: `Failure`: `tryLater` if the other process takes too long; `cancelled`.
  private func waitForOthers(_ entries: Set<ExactString>) async throws(Failure) -> Bool {
    let begun = time.uptime
    var didWait = false
    while try isSentElsewhere(entries) {
      guard time.uptime - begun < Self.sendingTimeout else {
        throw Failure(
          .store, .tryLater, "another process is still sending this", hint: suggestions(.listEdits),
          code: .own(.sending), retryable: true)
      }
      didWait = true
      do throws(CancellationError) { try await time.sleep(for: .milliseconds(100)) } catch { throw Self.stopped }
    }
    return didWait
  }

  private func isSentElsewhere(_ entries: Set<ExactString>) throws(Failure) -> Bool {
    try store.read { (snapshot) throws(StoreError) in
      for entry in try OutboxQueue(in: snapshot, coder).entries where entries.contains(entry.$id) {
        if try SendLease.isHeld(entry.target, besides: process, at: time.now, in: snapshot, coder) { return true }
      }
      return false
    }
  }

  /// O(number of follows and of outbox entries).
  public func status(_ follows: [Follow]) throws(Failure) -> SyncStatus {
    try store.read { (snapshot) throws(StoreError) in
      let now = time.now
      var statuses: [FollowStatus] = []
      for known in follows {
        let follow = spelled(known)
        let state = try FollowState(follow: follow.path, in: snapshot, coder)
        var status = FollowStatus(
          follow: follow.path, lastTry: state.lastTry, lastSuccess: state.lastSuccess,
          next: follow.isPaused ? nil : max(now, state.next(follow, now: now)),
          isStale: follow.isStale(lastSuccess: state.lastSuccess, now: now), isPaused: follow.isPaused,
          isChanged: state.isChanged(follow), rejected: state.rejected, failures: state.failures,
          failingSince: state.failingSince, error: state.error, pause: state.pause)
        status.origin = known.origin
        if !follow.isPaused, let localBlocker = localBlocker(follow) {
          (status.error, status.pause) = (localBlocker, nil)
        }
        status.findPauseEnd(at: now)
        statuses.append(status)
      }
      return SyncStatus(follows: statuses, outbox: try OutboxQueue(in: snapshot, coder).counts)
    }
  }
}
