public import Models
public import Ports

/// Drives any source: pulls follows side by side, sends the outbox, plans, and remembers how each follow stands.
public struct SyncEngine: SyncService {
  let store: any RecordStore
  let sources: [SourceName: any Source]
  let transport: any HTTPTransport
  let coder: any RecordCoder
  let time: any TimeSource
  let random: any RandomSource
  let events: any EventSink
  /// Looks at answers for drift; `nil` where nobody wants to know.
  let shapes: (any ShapeReader)?
  /// Which follow is being pulled in this process, and whether the outbox is being sent.
  let gate = TurnGate()
  /// Who sends, for other processes on the same store.
  let process: ProcessIdentity

  /// An engine for the given sources; where two have the same name, the first one counts.
  public init(
    store: any RecordStore, sources: [any Source], transport: any HTTPTransport, coder: any RecordCoder,
    time: any TimeSource, random: any RandomSource, events: any EventSink, shapes: (any ShapeReader)? = nil
  ) {
    self.init(
      store: store, sources: sources, transport: transport, coder: coder, time: time, random: random, events: events,
      shapes: shapes, process: .current())
  }

  /// An engine that passes for another process, for tests.
  package init(
    store: any RecordStore, sources: [any Source], transport: any HTTPTransport, coder: any RecordCoder,
    time: any TimeSource, random: any RandomSource, events: any EventSink, shapes: (any ShapeReader)? = nil,
    process: ProcessIdentity
  ) {
    self.shapes = shapes
    self.process = process
    self.store = store
    self.sources = Self.byName(sources)
    self.transport = transport
    self.coder = coder
    self.time = time
    self.random = random
    self.events = events
  }

  /// The collections whose records can have edits.
  var editable: Set<CollectionName> {
    Set(sources.values.compactMap { $0 as? any EditableSource }.flatMap(\.editableCollections))
  }

  /// Checks a follow with its source; where there is no such source, every source's forms are named.
  public func check(_ follow: Follow) throws(FollowError) {
    _ = try source(of: follow)
  }

  /// Checks a follow as an engine with these sources does, where there is no store yet.
  public static func check(_ follow: Follow, with sources: [any Source]) throws(FollowError) {
    _ = try source(of: follow, among: byName(sources))
  }

  private static func byName(_ sources: [any Source]) -> [SourceName: any Source] {
    Dictionary(sources.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The follow's source, which takes it.
  private func source(of follow: Follow) throws(FollowError) -> any Source {
    try Self.source(of: follow, among: sources)
  }

  private static func source(
    of follow: Follow, among sources: [SourceName: any Source]
  ) throws(FollowError) -> any Source {
    guard let source = sources[follow.source] else {
      let forms = sources.keys.sorted().flatMap { sources[$0]?.forms ?? [] }
      throw FollowError(
        follow: follow.path, message: "there is no source '\(follow.source)'",
        allowed: "one of: \(forms.joined(separator: ", "))")
    }
    try source.check(follow)
    return source
  }

  /// Follows with the same path are one; two syncs of one follow in this process take turns.
  ///
  /// A run is kept in `runs`, where the newest 100 stay, unless it changed nothing, sent nothing and has no name of its
  /// own: of such a run only the times of the follows are written, in one commit. A dry run writes nothing; it takes the
  /// same way on top of a snapshot, so that its plan is what the run would then do, as long as nothing else changes.
  public func sync(_ follows: [Follow], _ options: SyncOptions) async throws(Failure) -> SyncReport {
    let begun = time.now
    let run = options.run ?? RecordID.make(at: begun, random: random.next)
    var paths: Set<String> = []
    let follows = follows.filter { paths.insert($0.path).inserted }
    let target: any RecordStore
    do throws(StoreError) {
      let snapshot = try store.snapshot()
      target = options.dryRun ? PlanningStore(over: snapshot, coder) : store
    } catch {
      throw error.failure
    }
    events.report(.syncStarted(run: run, follows: follows.map(\.path)))
    let outcomes = try await pull(follows, into: target, options, run: run)
    let outbox =
      try await options.sendsEdits && !options.dryRun ? flush(only: nil) : counts(in: target)
    let report = SyncReport(
      startedAt: begun, finishedAt: time.now, follows: outcomes.map(\.report), outbox: outbox,
      plan: options.dryRun ? outcomes.flatMap(\.changes) : nil)
    if !options.dryRun, options.run != nil || RunHistory.isWorthKeeping(report) {
      do throws(StoreError) {
        try await RunHistory.keep(report, run: run, in: store, coder)
      } catch {
        events.report(.warning(message: "the run could not be kept: \(error)"))
      }
    }
    events.report(.syncFinished(run: run, report: report))
    return report
  }

  /// Pulls the follows, at most `options.jobs` at a time; the outcomes stand in the order of the follows.
  private func pull(
    _ follows: [Follow], into target: any RecordStore, _ options: SyncOptions, run: String
  ) async throws(Failure) -> [FollowPull.Outcome] {
    var outcomes: [FollowPull.Outcome?] = Array(repeating: nil, count: follows.count)
    await withTaskGroup(of: (Int, FollowPull.Outcome?).self) { group in
      var next = 0
      func startNext() {
        guard next < follows.count, !Task.isCancelled else { return }
        let index = next
        let follow = follows[index]
        next += 1
        group.addTask { (index, await pull(follow, into: target, options, run: run)) }
      }
      for _ in 0..<max(1, options.jobs) { startNext() }
      while let (index, outcome) = await group.next() {
        outcomes[index] = outcome
        startNext()
      }
    }
    var whole = outcomes.compactMap(\.self)
    do throws(StoreError) {
      if !options.dryRun { try await FollowState.keepTimes(whole.compactMap(\.unwritten), in: target, coder) }
    } catch {
      for index in whole.indices where whole[index].unwritten != nil {
        whole[index].report.status = .failed
        whole[index].report.error = error.failure
      }
    }
    if whole.count < follows.count || Task.isCancelled { throw Self.stopped }
    return whole
  }

  static var stopped: Failure { Failure(.transport, .cancelled, "the sync was stopped", code: "cancelled") }

  /// Pulls one follow; `nil` where the task was cancelled.
  private func pull(
    _ follow: Follow, into target: any RecordStore, _ options: SyncOptions, run: String
  ) async -> FollowPull.Outcome? {
    let source: any Source
    do throws(FollowError) {
      source = try self.source(of: follow)
    } catch {
      let report = FollowReport(follow: follow.path, status: .failed, error: error.failure)
      events.report(.followFinished(report: report, duration: .zero))
      return FollowPull.Outcome(report: report, changes: [])
    }
    do throws(CancellationError) {
      try await gate.enter("follow/\(follow.path)")
      defer { gate.leave("follow/\(follow.path)") }
      let pull = FollowPull(
        follow: follow, source: source, store: target,
        transport: MeteringTransport(transport, isSampling: shapes != nil && !options.dryRun), coder: coder,
        time: time, events: events, editable: editable, options: options, run: run, shapes: shapes)
      return try await pull()
    } catch {
      return nil
    }
  }

  private func counts(in target: any RecordStore) throws(Failure) -> OutboxCounts {
    do throws(StoreError) {
      return try OutboxQueue(in: target.snapshot(), coder).counts
    } catch {
      throw error.failure
    }
  }

  /// Two flushes in this process take turns; a record whose edits another process is sending is left to that one.
  public func flush(only entries: Set<String>?) async throws(Failure) -> OutboxCounts {
    do throws(CancellationError) { try await gate.enter("outbox") } catch { throw Self.stopped }
    defer { gate.leave("outbox") }
    var editable: [CollectionName: any EditableSource] = [:]
    for name in sources.keys.sorted() {
      guard let source = sources[name] as? any EditableSource else { continue }
      for collection in source.editableCollections where editable[collection] == nil { editable[collection] = source }
    }
    let sender = OutboxSender(
      store: store, sources: editable, transport: transport, coder: coder, time: time, events: events,
      process: process)
    return try await sender.flush(only: entries)
  }

  /// O(number of follows and of outbox entries).
  public func status(_ follows: [Follow]) throws(Failure) -> SyncStatus {
    do throws(StoreError) {
      let snapshot = try store.snapshot()
      let now = time.now
      var standing: [FollowStatus] = []
      for follow in follows {
        let state = try FollowState(follow: follow.path, in: snapshot, coder)
        standing.append(
          FollowStatus(
            follow: follow.path, lastTry: state.lastTry, lastSuccess: state.lastSuccess,
            next: state.lastTry.map { $0 + (follow.every ?? Follow.defaultInterval).seconds },
            isStale: follow.isStale(lastSuccess: state.lastSuccess, now: now), failures: state.failures,
            error: state.error))
      }
      return SyncStatus(follows: standing, outbox: try OutboxQueue(in: snapshot, coder).counts)
    } catch {
      throw error.failure
    }
  }
}
