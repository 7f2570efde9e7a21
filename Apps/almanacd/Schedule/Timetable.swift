import Models
import Ports

/// When each follow is due. It knows no clock: every question brings the time along.
struct Timetable {
  /// One follow's place in the table.
  struct Entry {
    /// The follow.
    var follow: Follow
    /// When it is due.
    var due: Timestamp
    /// Tries that failed since the last success.
    var failures = 0
    /// Whether it is being synced.
    var isRunning = false
    /// Whether the config has it no more; it leaves the table when it has ended.
    var isGone = false

    /// The follow's interval in seconds.
    var every: Int { (follow.every ?? Follow.defaultInterval).seconds }
  }

  /// The longest wait after failures, in seconds, unless the follow's own interval is longer.
  static let longestBackOff = 3600

  private(set) var entries: [String: Entry] = [:] {
    didSet { revision += 1 }
  }
  /// How often anything changed.
  private(set) var revision = 0

  /// The table for these follows: what is known keeps its place, what is new is due when its last success is too old.
  ///
  /// Follows that are due at the start are due at once; how many run side by side is the scheduler's business.
  mutating func set(_ follows: [Follow], status: [FollowStatus], now: Timestamp) {
    var lastSuccess: [String: Timestamp] = [:]
    for one in status { lastSuccess[one.follow] = one.lastSuccess }
    var next: [String: Entry] = [:]
    for follow in follows {
      var entry = entries[follow.path] ?? Entry(follow: follow, due: now)
      let isNew = entries[follow.path] == nil
      let changed = entry.follow.every != follow.every
      entry.follow = follow
      entry.isGone = false
      if isNew, let success = lastSuccess[follow.path] { entry.due = max(now, success + entry.every) }
      if changed { entry.due = min(entry.due, now + entry.every) }
      next[follow.path] = entry
    }
    // A follow that is gone from the config and still runs stays until it has ended.
    for (path, entry) in entries where next[path] == nil && entry.isRunning {
      next[path] = entry
      next[path]?.isGone = true
    }
    entries = next
  }

  /// The follows that are due and do not run, the longest due first.
  func due(at now: Timestamp) -> [Follow] {
    entries.values.filter { !$0.isRunning && $0.due <= now }
      .sorted { ($0.due, $0.follow.path) < ($1.due, $1.follow.path) }.map(\.follow)
  }

  /// When the next follow that does not run is due.
  var nextDue: Timestamp? { entries.values.filter { !$0.isRunning }.map(\.due).min() }

  /// Notes that a follow is being synced; `false` where it already is, or is not in the table.
  mutating func start(_ path: String) -> Bool {
    guard entries[path]?.isRunning == false else { return false }
    entries[path]?.isRunning = true
    return true
  }

  /// Notes how a sync ended, and sets the next time: the interval with a tenth of jitter after a success, a doubling
  /// wait with jitter after a failure.
  mutating func finish(_ path: String, failed: Bool, now: Timestamp, random: UInt64) {
    guard var entry = entries[path] else { return }
    if entry.isGone {
      entries[path] = nil
      return
    }
    entry.isRunning = false
    let chance = Double(random >> 11) / Double(1 << 53)
    if failed {
      entry.failures += 1
      let first = min(30, entry.every)
      let limit = max(Self.longestBackOff, entry.every)
      let wait = entry.failures > 20 ? limit : min(limit, first << (entry.failures - 1))
      entry.due = now + max(1, Int(Double(wait) * (0.5 + chance / 2)))
    } else {
      entry.failures = 0
      entry.due = now + max(1, Int((Double(entry.every) * (0.9 + chance / 5)).rounded()))
    }
    entries[path] = entry
  }
}
