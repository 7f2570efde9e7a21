import Models
import Ports
import Synchronization

/// The sync service of a program that runs while the clock is set: the ages of follows in its status are counted by the
/// clock that never goes back. After a step of the wall clock a follow is as fresh as it was before, and due when it was
/// due before.
struct SteadySync: SyncService {
  /// What syncs.
  let sync: any SyncService
  /// The successes that are known; they outlive a reload of the config.
  let successes: Successes
  /// The clocks.
  let time: any TimeSource

  func check(_ follow: Follow) throws(FollowError) -> Follow { try sync.check(follow) }

  func sync(_ follows: [Follow], _ options: SyncOptions) async throws(Failure) -> SyncReport {
    let report = try await sync.sync(follows, options)
    if !options.dryRun {
      successes.note(report.follows.filter { $0.status != .failed }.map(\.follow.exact), at: time.uptime)
    }
    return report
  }

  func flush(only entries: Set<ExactString>?) async throws(Failure) -> OutboxCounts {
    try await sync.flush(only: entries)
  }

  /// The state of the follows, with the times of their successes by the wall clock as it is now.
  func status(_ follows: [Follow]) throws(Failure) -> SyncStatus {
    var status = try sync.status(follows)
    let (now, uptime) = (time.now, time.uptime)
    for (index, follow) in zip(status.follows.indices, follows) {
      let known = status.follows[index]
      guard let stored = known.lastSuccess,
        let age = successes.age(of: known.follow.exact, stored: stored, now: now, uptime: uptime)
      else { continue }
      let success = now + -age
      // The seconds of the two clocks begin at different moments: that is not a step.
      guard abs(success - stored) > 1 else { continue }
      status.follows[index].lastSuccess = success
      status.follows[index].isStale = follow.isStale(lastSuccess: success, now: now)
    }
    return status
  }
}

/// When follows last succeeded, by the clock that never goes back.
final class Successes: Sendable {
  private struct Success {
    /// The time that the store has; `nil` until it was read.
    var stored: Timestamp?
    var uptime: Duration
  }

  /// The longest time between the success of a follow and the end of its sync, in seconds.
  private static let longestEnd = 60

  private let known = Mutex<[ExactString: Success]>([:])

  /// Knows of none yet.
  init() {}

  /// Notes successes whose stored times are not known.
  func note(_ follows: [ExactString], at uptime: Duration) {
    known.withLock { known in
      for follow in follows { known[follow] = Success(uptime: uptime) }
    }
  }

  /// The seconds since the success that the store has; `nil` where it lies in the future, noted by a clock that was wrong
  /// and in another process.
  func age(of follow: ExactString, stored: Timestamp, now: Timestamp, uptime: Duration) -> Int? {
    known.withLock { known in
      if var success = known[follow], success.stored == nil || success.stored == stored {
        let age = Int((uptime - success.uptime).components.seconds)
        // Where the clock was not set, the time in the store is the exact one: a sync goes on after it.
        if success.stored == nil, (age...age + Self.longestEnd).contains(now - stored) {
          success.uptime = uptime - .seconds(now - stored)
        }
        success.stored = stored
        known[follow] = success
        return Int((uptime - success.uptime).components.seconds)
      }
      guard stored <= now else { return nil }
      known[follow] = Success(stored: stored, uptime: uptime - .seconds(now - stored))
      return now - stored
    }
  }
}
