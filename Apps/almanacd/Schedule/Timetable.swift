import Models
import Ports

/// When each follow is due. It knows no clock: every question brings the time along.
///
/// It counts by a clock that never goes back, so that a wall clock that is set moves nothing. That one is asked only for
/// how old the last success of an earlier process is. What users see as the next sync is `FollowStatus.next`, which every
/// program knows: a follow is due at that time at the latest, and by chance before.
struct Timetable {
  /// A point in time by both clocks.
  struct Moment {
    var now: Timestamp
    /// The clock that never goes back, in whole seconds.
    var uptime: Int

    init(_ time: some TimeSource) {
      now = time.now
      uptime = Int(time.uptime.components.seconds)
    }
  }

  /// One follow's place in the table.
  struct Entry {
    var follow: Follow
    /// When it is due, by the clock that never goes back.
    var due: Int
    /// When the last success ended, by the clock that never goes back; `nil` where none is known.
    var lastSuccess: Int?
    /// Tries that failed since the last success.
    var failures = 0
    /// Whether the last try failed because its server did not answer, or not well, and did not say when to come back.
    var isUnanswered = false
    /// Whether it is being synced.
    var isRunning = false
    /// Whether the config has it no more; it leaves the table when it has ended.
    var isGone = false
    /// Whether what it runs with is out of date, so that it is due again as soon as it has ended.
    var isOutdated = false
    /// Whether what it failed for was changed, so that a pause that the server asked for before does not count.
    var asksEarly = false
    /// The number of its lease when it was pulled here, or looked at, last; `nil` where that is not known.
    var lease: Int64?
    /// Whether its limit or an option was changed since its last pull began, so that it is due when that has ended.
    var isChanged = false

    var every: Int { (follow.every ?? Follow.defaultInterval).seconds }
  }

  private(set) var entries: [ExactString: Entry] = [:]

  /// The table for these follows: what is known keeps its place, what is new is due when its last success is too old.
  ///
  /// Follows that are due at the start are due at once; how many run side by side is the scheduler's business.
  ///
  /// A success in the future was noted by a clock that was wrong: it counts as none.
  mutating func set(_ follows: [Follow], status: [FollowStatus], at moment: Moment) {
    var lastSuccess: [ExactString: Timestamp] = [:]
    // What was changed while no daemon ran is due at once, too.
    for one in status where !one.isChanged { lastSuccess[one.follow.exact] = one.lastSuccess }
    var next: [ExactString: Entry] = [:]
    for follow in follows {
      var entry = entries[follow.$path] ?? Entry(follow: follow, due: moment.uptime)
      let isNew = entries[follow.$path] == nil
      let before = entry.every
      let isChanged = !isNew && (entry.follow.limit != follow.limit || entry.follow.options != follow.options)
      entry.follow = follow
      entry.isGone = false
      if isNew, let success = lastSuccess[follow.$path], success <= moment.now {
        entry.lastSuccess = moment.uptime - (moment.now - success)
        entry.due = moment.uptime + max(0, success + entry.every - moment.now)
      } else if isChanged {
        (entry.isChanged, entry.failures) = (true, 0)
        if !entry.isRunning { entry.due = moment.uptime }
      } else if before != entry.every {
        Self.takeInterval(of: &entry, after: moment)
      }
      next[follow.$path] = entry
    }
    // A follow that was removed from the config while it runs stays until it has finished.
    for (path, entry) in entries where next[path] == nil && entry.isRunning {
      next[path] = entry
      next[path]?.isGone = true
    }
    entries = next
  }

  /// Makes follows due at once, as if they had never failed: what they failed for was changed.
  mutating func retry(_ paths: Set<ExactString>, at moment: Moment) {
    for path in paths {
      guard var entry = entries[path] else { continue }
      entry.failures = 0
      entry.asksEarly = true
      entry.isOutdated = entry.isRunning
      if !entry.isRunning { entry.due = moment.uptime }
      entries[path] = entry
    }
  }

  /// Makes follows due at once whose server did not answer, because it does again.
  mutating func bringForward(at moment: Moment, where isOfServer: (Follow) -> Bool) {
    for (path, entry) in entries where entry.isUnanswered && !entry.isRunning && isOfServer(entry.follow) {
      entries[path]?.due = min(entry.due, moment.uptime)
    }
  }

  /// Lets a changed interval count from the last success, whether it became shorter or longer. A follow that fails keeps
  /// its wait, unless the new interval is shorter.
  private static func takeInterval(of entry: inout Entry, after moment: Moment) {
    if let success = entry.lastSuccess, entry.failures == 0 {
      entry.due = max(moment.uptime, success + entry.every)
    } else if entry.due > moment.uptime + entry.every {
      entry.due = moment.uptime + entry.every
    }
  }

  /// The follows that are due and do not run, the longest due first.
  func due(at moment: Moment) -> [Follow] {
    entries.values.filter { !$0.isRunning && $0.due <= moment.uptime }
      .sorted { ($0.due, $0.follow.$path) < ($1.due, $1.follow.$path) }.map(\.follow)
  }

  /// When the next follow that does not run is due, by the clock that never goes back.
  var nextDue: Int? { entries.values.filter { !$0.isRunning }.map(\.due).min() }

  /// The number of the lease of a follow as far as it is known; 0 where it was never claimed.
  func lease(of follow: Follow) -> Int64 { entries[follow.$path]?.lease ?? 0 }

  /// Takes what the store knows of a follow that another program has pulled. If what it failed for was changed here, it
  /// stays due.
  mutating func learn(_ status: FollowStatus, of follow: Follow, lease: Int64, at moment: Moment) {
    guard var entry = entries[follow.$path], !entry.isRunning else { return }
    entry.lease = lease
    let isPulled = status.lastSuccess != nil || status.error != nil
    if isPulled, !entry.asksEarly || status.error == nil {
      (entry.asksEarly, entry.failures) = (false, status.failures)
      entry.lastSuccess = status.lastSuccess.map { moment.uptime - max(0, moment.now - $0) }
      entry.due = moment.uptime + max(0, (status.next ?? moment.now) - moment.now)
    }
    entries[follow.$path] = entry
  }

  /// Notes that another program has the lease of a follow that was to be synced: it stays due until more is known.
  mutating func leave(_ path: String) {
    entries[path.exact]?.isRunning = false
    entries[path.exact]?.lease = nil
    if entries[path.exact]?.isGone == true { entries[path.exact] = nil }
  }

  /// Notes that a follow is being synced; returns it as it was before, or `nil` where it is being synced already, or is not
  /// in the table.
  ///
  /// - Parameter lease: the number of its lease.
  mutating func start(_ path: String, lease: Int64? = nil) -> Entry? {
    guard let entry = entries[path.exact], !entry.isRunning else { return nil }
    entries[path.exact]?.lease = lease
    entries[path.exact]?.isRunning = true
    entries[path.exact]?.isChanged = false
    entries[path.exact]?.asksEarly = false
    return entry
  }

  /// Notes how a sync ended, and sets the next time as `Follow.wait` says.
  ///
  /// - Parameters:
  ///   - isPause: whether nothing was asked, because the host or the budget is paused: that is not a failure of the follow.
  ///   - isUnanswered: whether it failed because its server did not answer, or not well.
  ///   - isAsked: whether a person asked for it. Then the wait after earlier failures goes on, and grows no longer.
  mutating func finish(
    _ path: String, failed: Bool, retryAfter: Int? = nil, isPause: Bool = false, isUnanswered: Bool = false,
    isAsked: Bool = false, at moment: Moment, random: UInt64
  ) {
    guard var entry = entries[path.exact] else { return }
    if entry.isGone {
      entries[path.exact] = nil
      return
    }
    entry.isRunning = false
    let chance = Double(random >> 11) / Double(1 << 53)
    if !failed { entry.lastSuccess = moment.uptime }
    if !isPause { entry.isUnanswered = failed && isUnanswered && retryAfter == nil }
    if entry.isChanged || failed && entry.isOutdated {
      entry.due = moment.uptime
    } else if failed, isPause {
      entry.due = moment.uptime + Follow.wait(afterPause: retryAfter, chance: chance)
    } else if failed, isAsked, entry.failures > 0 {
      entry.due = max(entry.due, moment.uptime + min(86_400, retryAfter ?? 0))
    } else {
      entry.failures = failed ? entry.failures + 1 : 0
      let wait = entry.follow.wait(afterFailures: entry.failures, retryAfter: retryAfter, chance: chance)
      entry.due = moment.uptime + wait
    }
    entry.isOutdated = false
    entries[path.exact] = entry
  }
}
