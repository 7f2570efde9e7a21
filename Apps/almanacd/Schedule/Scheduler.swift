import Models
import Ports

/// Syncs each follow when it is due, sends edits soon after they are made, and compacts when nothing else is to do.
///
/// It is driven by `tick`, so that a test drives a day of it in no time; `run` ticks by the clock.
actor Scheduler {
  /// The longest time between two ticks, in seconds, for what sends no notification: a clock that was set, a machine that
  /// slept. Ticks are most of what an idle daemon does; `StoreWatch` and finished tasks cause one at once.
  static let pulse = 15
  /// The most requested runs at the same time.
  static let runsAtOnce = 2
  /// Seconds without a commit after which the journal is compacted.
  static let idleBeforeCompaction = 60
  /// Seconds without a commit after which the files that people read are renewed, and the longest that they wait while
  /// commits go on.
  static let idleBeforePublishing = (quiet: 1, most: 60)
  /// Seconds without a commit after which pictures are fetched, and the shortest time between two fetches.
  static let idleBeforeMedia = (quiet: 2, pause: 60)
  /// A journal smaller than this, in bytes, is left as it is.
  static let worthCompacting = 256 * 1024

  private(set) var services: Services
  /// All follows of the config, paused ones included.
  private var configured: [Follow] = []
  let jobs: Int
  var timetable = Timetable()
  private(set) var running: [ExactString: Task<Void, Never>] = [:]
  private(set) var runs = RunQueue()
  private var runTasks: [ExactString: Task<Void, Never>] = [:]
  /// The sending of edits to one server, for which others do not wait.
  private struct Sending {
    var task: Task<Void, Never>?
    /// When it begins again, by the clock that never goes back; `nil` where no time is planned.
    var next: Int?
    var failures = 0
    /// Whether a person asked to send what waits.
    var isAsked = false
    /// The edits that the last flush could send.
    var offered: Set<ExactString> = []
    /// The records with edits that wait for another program, which is sending one.
    var held: Set<ExactString> = []
  }

  /// By the names of `SyncService.waitingEdits`.
  private var sendings: [ExactString: Sending] = [:]
  private var compacting: Task<Void, Never>?
  var fetching: Task<Void, Never>?
  private var publishing: Task<Void, Never>?
  private(set) var seenSequence: UInt64?
  private(set) var lastCommit: Int
  private var compactedAt: UInt64?
  private var publishedAt: UInt64?
  private var lastPublished: Int
  var mediaAt: UInt64?
  var lastMedia: Int?
  var pictureProblems = PictureProblems()
  /// The last fetch of pictures, or the one that is under way.
  var pictures = PictureFetch()
  private(set) var isStopping = false
  private(set) var isHeld = false
  /// Whether it does what only one of several daemons does: everything but pulling what is due.
  private(set) var isLeader = true
  private var pausing: Task<Void, Never>?

  /// Whether a follow may start now. Others find a place although all follows of its host hang.
  func hasPlace(for follow: Follow) -> Bool {
    guard running.count < jobs else { return false }
    let host = services.host(follow)
    return running.keys.count { services.host(Follow(path: $0.text)) == host } < max(1, jobs - 1)
  }

  /// A scheduler that runs `jobs` follows side by side, fewer of one host.
  init(services: Services, jobs: Int = 4) {
    self.services = services
    self.jobs = jobs
    lastCommit = Timetable.Moment(services.time).uptime
    lastPublished = lastCommit
  }

  /// Takes the follows of a new config, and the services that were made for it.
  ///
  /// - Parameters:
  ///   - isMended: whether what a follow failed for was changed. Such a follow is due at once.
  ///   - sendsEdits: whether the edits that wait are sent at once, because a server or a key was changed.
  func configure(
    _ follows: [Follow], services: Services? = nil, isMended: (FollowStatus) -> Bool = { _ in false },
    sendsEdits: Bool = false
  ) {
    if let services { self.services = services }
    configured = follows
    let follows = follows.filter { !$0.isPaused }
    let status = (try? self.services.sync.status(follows))?.follows ?? []
    timetable.set(follows, status: status, at: moment)
    // One that is under way with the old config may fail for the same reason.
    let mended = status.filter { ($0.error != nil || running[$0.follow.exact] != nil) && isMended($0) }
    timetable.retry(Set(mended.map(\.follow.exact)), at: moment)
    if sendsEdits { planSending { ($0.isAsked, $0.next, $0.failures) = (true, moment.uptime, 0) } }
    wake()
  }

  /// Starts nothing more, and cancels what runs: its commits would be refused.
  func hold() {
    isHeld = true
    cancel()
  }

  /// Begins or ends what only one of several daemons does: requested runs, sending, pictures, compaction.
  func setLeader(_ isLeader: Bool) {
    self.isLeader = isLeader
    (seenSequence, compactedAt, publishedAt, mediaAt) = (nil, nil, nil, nil)
    // What failed while this daemon led before says nothing now.
    sendings = sendings.compactMapValues { $0.task.map { Sending(task: $0) } }
    if isLeader { wake() } else { cancelDuties() }
  }

  /// Goes on with services over another store: what is due is known from that store alone.
  func resume(_ follows: [Follow], services: Services) async {
    await idle()
    timetable = Timetable()
    (seenSequence, compactedAt, publishedAt, mediaAt) = (nil, nil, nil, nil)
    isHeld = false
    configure(follows, services: services)
  }

  /// The follows of the table, in no order.
  var follows: [Follow] { timetable.entries.values.map(\.follow) }

  /// The follows that are being pulled by the timetable, and those of runs that were asked for.
  var underWay: Set<ExactString> { Set(running.keys).union(runs.runningPaths) }

  /// Those, and the follows of runs that wait for their turn.
  var awaited: Set<ExactString> { Set(running.keys).union(runs.paths) }

  /// What is planned for an edit that waits: it is being sent, or it is sent at a time that is known.
  struct SendPlan: Sendable {
    var isSending = false
    var next: Timestamp?
  }

  /// The plans of the edits that wait, by their ids.
  var sendPlans: [ExactString: SendPlan] {
    let moment = moment
    var plans: [ExactString: SendPlan] = [:]
    for sending in sendings.values {
      let next = sending.next.map { moment.now + max(0, $0 - moment.uptime) }
      for edit in sending.offered { plans[edit] = SendPlan(isSending: sending.task != nil, next: next) }
    }
    return plans
  }

  var nextDue: Timestamp? {
    timetable.nextDue.map { moment.now + ($0 - moment.uptime) }
  }

  var moment: Timetable.Moment { Timetable.Moment(services.time) }

  /// Queues a requested run; `false` where too many wait.
  func request(_ follows: [Follow], run: String) -> Bool {
    guard !isStopping, runs.add(follows, id: run, now: services.time.now) else { return false }
    startRequested()
    return true
  }

  /// A run that was asked for and has left no record in the store yet.
  func run(_ id: String) -> RunQueue.Run? { runs[id] }

  /// Starts everything that is due.
  func tick() {
    guard !isStopping, !isHeld else { return }
    let moment = moment
    startRequested()
    startDue(moment)
    guard isLeader else { return }
    watchStore(moment.uptime)
    sendDue(moment.uptime)
    publishIfQuiet(moment.uptime)
    fetchMediaIfQuiet(moment.uptime)
    compactIfIdle(moment.uptime)
  }

  /// Waits until everything that was started has ended.
  func idle() async {
    while let task = running.values.first ?? runTasks.values.first ?? sendings.values.compactMap(\.task).first
      ?? compacting ?? fetching ?? publishing
    {
      await task.value
    }
  }

  /// Seconds until the next look: nothing is seen late.
  private var pause: Int {
    let now = moment.uptime
    var next = now + Self.pulse
    if running.count < jobs, let due = timetable.nextDue { next = min(next, due) }
    guard isLeader else { return max(1, next - now) }
    if seenSequence != publishedAt, publishing == nil { next = min(next, publishingDue) }
    if services.media != nil, seenSequence != mediaAt, fetching == nil { next = min(next, mediaDue) }
    for case let sending in sendings.values where sending.task == nil { next = min(next, sending.next ?? next) }
    if compacting == nil, running.isEmpty, runTasks.isEmpty, seenSequence != compactedAt {
      next = min(next, lastCommit + Self.idleBeforeCompaction)
    }
    return max(1, next - now)
  }

  /// Ticks by the clock, and when something ended, until the task is cancelled; then stops what runs.
  func run() async {
    while !Task.isCancelled {
      tick()
      let (time, seconds) = (services.time, pause)
      let pausing = Task { do throws(CancellationError) { try await time.sleep(for: .seconds(seconds)) } catch {} }
      self.pausing = pausing
      await withTaskCancellationHandler {
        await pausing.value
      } onCancel: {
        pausing.cancel()
      }
    }
    await stop()
  }

  func wake() { pausing?.cancel() }

  /// Cancels what runs and waits for it: a page that is under way is committed or dropped whole.
  func stop() async {
    isStopping = true
    cancel()
    await idle()
    try? await services.store.publish(.complete)
  }

  private func cancel() {
    for task in running.values { task.cancel() }
    cancelDuties()
  }

  private func cancelDuties() {
    for task in runTasks.values { task.cancel() }
    for sending in sendings.values { sending.task?.cancel() }
    compacting?.cancel()
    fetching?.cancel()
  }

  /// Starts a follow.
  ///
  /// - Parameter lease: the number of its lease, which no other program may have claimed since; `nil` without leases.
  func start(_ follow: Follow, after lease: Int64? = nil) {
    guard let entry = timetable.start(follow.path, lease: lease.map { $0 + 1 }) else { return }
    let turn = lease.map { PullTurn.next(after: $0) } ?? .whenFree
    // Other machines may have follows of their own in a store with leases.
    let options = SyncOptions(
      asksEarly: entry.asksEarly, jobs: 1, sendsEdits: false, turn: turn, configured: lease == nil ? configured : nil)
    let sync = services.sync
    running[follow.$path] = Task(executorPreference: WorkThreads.background) {
      var ended = FollowReport(follow: follow.path, status: .failed)
      do throws(Failure) {
        let report = try await sync.sync([follow], options)
        if let own = report.follows.first { ended = own }
        // The source may spell the path in another way than the config.
        ended.follow = follow.path
      } catch {
        ended.error = error
        await self.warn(follow.path, error)
      }
      await self.finished(ended)
    }
  }

  private func finished(_ report: FollowReport) {
    running[report.follow.exact] = nil
    note(report)
    startRequested()
    wake()
  }

  private func note(_ report: FollowReport, isAsked: Bool = false) {
    if report.error?.isTakenOver == true { return timetable.leave(report.follow) }
    let before = timetable.entries[report.follow.exact]
    timetable.finish(
      report.follow, failed: report.status == .failed, retryAfter: report.error?.retryAfter,
      isPause: report.error?.isPause ?? false, isUnanswered: report.error?.reason == .unavailable, isAsked: isAsked,
      at: moment, random: services.random.next())
    if let before, before.failures > 0, report.status != .failed { serverAnswers(before.follow) }
  }

  /// The server of a follow answers again: what waits because it did not is tried now, and not in up to an hour.
  private func serverAnswers(_ follow: Follow) {
    let host = services.host(follow)
    timetable.bringForward(at: moment) { services.host($0) == host }
    for (server, sending) in sendings
    where sending.failures > 0 && sending.next != nil && Follow(path: server.text).source == follow.source {
      sendings[server]?.next = moment.uptime
    }
  }

  /// Starts the runs whose follows are at rest: no follow is ever pulled twice at once.
  private func startRequested() {
    while !isStopping, !isHeld, isLeader, runTasks.count < Self.runsAtOnce,
      let run = runs.start(besides: Set(running.keys), now: services.time.now)
    {
      let sync = services.sync
      runTasks[run.id.exact] = Task(executorPreference: WorkThreads.background) {
        do throws(Failure) {
          await self.finished(run, .success(try await sync.sync(run.follows, SyncOptions(run: run.id))))
        } catch { await self.finished(run, .failure(error)) }
      }
    }
  }

  private func finished(_ run: RunQueue.Run, _ outcome: Result<SyncReport, Failure>) {
    runTasks[run.id.exact] = nil
    switch outcome {
    case .success(let report):
      runs.finish(run.id)
      for follow in report.follows { note(follow, isAsked: true) }
    case .failure(let failure):
      runs.fail(run.id, failure, now: services.time.now)
      warn("run \(run.id)", failure)
    }
    startRequested()
    wake()
  }

  func warn(_ message: Advice) { services.events.report(.warning(message: message)) }

  private func warn(_ what: String, _ failure: Failure) {
    if failure.reason != .cancelled { services.events.report(.failed(what: what, failure: failure)) }
  }

  private func watchStore(_ now: Int) {
    guard let sequence = try? services.store.snapshot().sequence, sequence != seenSequence else { return }
    seenSequence = sequence
    lastCommit = now
    learnFailures()
    // The commit may contain an edit. While a server waits after a failure, only a new edit ends the wait, which may be for
    // another record that does not fail, or a record that another program does not send any more.
    for (server, edits) in waitingEdits ?? [:] {
      let sending = sendings[server] ?? Sending()
      guard sending.task == nil else { continue }
      if sending.next == nil || !edits.isSubset(of: sending.offered) || !sending.held.isSubset(of: holds.keys) {
        sendings[server, default: sending].next = now
      }
    }
  }

  /// Takes what another program, such as `almanac sync`, met: a follow that failed there is tried again as after a failure
  /// here, and so as its status says. O(n) for n follows.
  private func learnFailures() {
    guard services.leases == nil, running.isEmpty, runTasks.isEmpty else { return }
    let follows = timetable.entries.values.filter { $0.failures == 0 }.map(\.follow)
    for (follow, status) in zip(follows, (try? services.sync.status(follows))?.follows ?? []) where status.failures > 0
    {
      timetable.learn(status, of: follow, lease: 0, at: moment)
    }
  }

  /// `nil` where they cannot be read.
  private var waitingEdits: [ExactString: Set<ExactString>]? { try? services.sync.waitingEdits() }

  private var holds: [ExactString: EditHold] { (try? services.outbox.holds()) ?? [:] }

  /// Sends every edit that waits, also where a server asked to wait: a person wants it now.
  func sendNow() {
    guard isLeader else { return }
    planSending { ($0.isAsked, $0.next) = (true, moment.uptime) }
    wake()
  }

  private func planSending(_ plan: (inout Sending) -> Void) {
    for server in (waitingEdits ?? [:]).keys { plan(&sendings[server, default: Sending()]) }
  }

  private func sendDue(_ now: Int) {
    let due = sendings.filter { $0.value.task == nil && $0.value.next ?? .max <= now }.keys
    guard !due.isEmpty else { return }
    let waiting = waitingEdits
    for server in due {
      if let waiting { send(waiting[server], to: server) } else { sendings[server]?.next = now + Self.pulse }
    }
  }

  /// Sends to one server; a flush that is asked for meanwhile begins at its end.
  private func send(_ edits: Set<ExactString>?, to server: ExactString) {
    guard let edits, var sending = sendings[server] else { return sendings[server] = nil }
    let (sync, only) = (services.sync, sending.isAsked ? edits : nil)
    (sending.next, sending.isAsked, sending.offered) = (nil, false, edits)
    sending.task = Task(executorPreference: WorkThreads.background) {
      do throws(Failure) {
        let counts = try await sync.flush(only: only, to: server)
        if let unsent = counts.unsent { await self.warn("edits could not be sent", unsent) }
        await self.sent(to: server, left: counts.pending > 0, counts.unsent)
      } catch {
        await self.warn("outbox", error)
        await self.sent(to: server, left: true, error)
      }
    }
    sendings[server] = sending
  }

  /// - Parameter unsent: why an attempt failed. What is left without one, and what no other program holds any more, was being
  ///   sent elsewhere a moment ago.
  private func sent(to server: ExactString, left: Bool, _ unsent: Failure?) {
    defer { wake() }
    guard var sending = sendings[server] else { return }
    sending.task = nil
    defer { sendings[server] = sending }
    let (edits, now) = (waitingEdits?[server] ?? [], moment)
    sending.failures = left ? sending.failures + 1 : 0
    let holds = left ? holds : [:]
    sending.held = Set(holds.keys)
    // Also one that was made after the flush had counted what is left, or what was planned meanwhile.
    guard edits.isSubset(of: sending.offered), sending.next == nil else { return sending.next = now.uptime }
    guard left else { return sending.offered = [] }
    let wasSentElsewhere = unsent == nil && holds.isEmpty
    let wait = min(3600, wasSentElsewhere ? 1 << min(sending.failures, 12) : 15 << min(sending.failures, 8))
    let retry = now.uptime + wait / 2 + Int(services.random.next() % UInt64(wait / 2 + 1))
    // Servers that asked to wait are asked as soon as that is over, and so are those whose circuit or budget is paused here.
    let pauses = ((try? services.outbox.entries()) ?? []).filter { edits.contains($0.$id) }.compactMap(\.retryAt)
    let own = unsent.flatMap { $0.isPause ? $0.retryAfter : nil }.map { [now.now + $0] } ?? []
    sending.next = (holds.values.map(\.until) + pauses.filter { $0 > now.now } + own)
      .map { now.uptime + max(1, $0 - now.now + 1) }.reduce(retry, min)
  }

  private var publishingDue: Int {
    min(lastCommit + Self.idleBeforePublishing.quiet, lastPublished + Self.idleBeforePublishing.most)
  }

  /// Renews the files that people read, not for each of many commits but when they pause.
  private func publishIfQuiet(_ now: Int) {
    guard publishing == nil, seenSequence != publishedAt, publishingDue <= now else { return }
    publishedAt = seenSequence
    lastPublished = now
    let store = services.store
    publishing = Task(executorPreference: WorkThreads.background) {
      do throws(StoreError) { try await store.publish(.background) } catch {
        await self.warn("published files", error.failure)
      }
      await self.published()
    }
  }

  private func published() {
    publishing = nil
    wake()
  }

  private func compactIfIdle(_ now: Int) {
    guard running.isEmpty, runTasks.isEmpty, compacting == nil, seenSequence != compactedAt,
      now - lastCommit >= Self.idleBeforeCompaction
    else { return }
    compactedAt = seenSequence
    guard let statistics = try? services.store.statistics(), statistics.journalBytes >= Self.worthCompacting else {
      return
    }
    let services = services
    compacting = Task(executorPreference: WorkThreads.background) {
      let begun = services.time.uptime
      do throws(StoreError) {
        let bytes = try await services.store.compact().bytes
        services.events.report(.compacted(bytes: bytes, duration: services.time.uptime - begun))
      } catch { await self.warn("compaction", error.failure) }
      await self.compacted()
    }
  }

  private func compacted() {
    compacting = nil
    wake()
  }
}
