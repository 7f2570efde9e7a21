import Models
import Ports
import Synchronization

/// The sync service of a program that runs while the clock is set: the times of follows in its status are counted by the
/// clock that never goes back. After a step of the wall clock a follow is as fresh as it was before, and due when it was
/// due before.
struct SteadySync: SyncService {
  let sync: any SyncService
  /// The tries and successes that are known; they outlive a reload of the config.
  let moments: FollowMoments
  let time: any TimeSource

  func check(_ follow: Follow) throws(FollowError) -> Follow { try sync.check(follow) }

  func sync(_ follows: [Follow], _ options: SyncOptions) async throws(Failure) -> SyncReport {
    let report = try await sync.sync(follows, options)
    if !options.dryRun {
      let uptime = time.uptime
      // Where the server asked to wait, or another program pulls, nothing was tried.
      let tried = report.follows.filter { $0.error?.isStoredPause != true && $0.error?.isTakenOver != true }
      moments.tries.note(tried.map(\.follow.exact), at: uptime)
      moments.successes.note(report.follows.filter { $0.status != .failed }.map(\.follow.exact), at: uptime)
    }
    return report
  }

  func flush(only entries: Set<ExactString>?, to server: ExactString?) async throws(Failure) -> OutboxCounts {
    try await sync.flush(only: entries, to: server)
  }

  func waitingEdits() throws(Failure) -> [ExactString: Set<ExactString>] { try sync.waitingEdits() }

  /// The state of the follows, with their times by the wall clock as it is now. A time of the future that is not known
  /// otherwise was recorded by a wrong clock, and is left out.
  func status(_ follows: [Follow]) throws(Failure) -> SyncStatus {
    var status = try sync.status(follows)
    let (now, uptime) = (time.now, time.uptime)
    for (index, follow) in zip(status.follows.indices, follows) {
      var known = status.follows[index]
      let path = known.follow.exact
      func steady(_ stored: Timestamp?, _ moments: PastMoments) -> Timestamp? {
        guard let stored, let age = moments.age(of: path, stored: stored, now: now, uptime: uptime) else { return nil }
        let moment = now + -age
        // The seconds of the two clocks begin at different moments: that is not a step.
        return abs(moment - stored) > 1 ? moment : nil
      }
      if let success = steady(known.lastSuccess, moments.successes) {
        known.lastSuccess = success
        known.isStale = follow.isStale(lastSuccess: success, now: now)
      }
      if let stored = known.lastTry, let begun = steady(stored, moments.tries) {
        known.lastTry = begun
        known.next = known.next.map { $0 + (begun - min(stored, now)) }
        // When the first of several failures was is not known any more; it was no later than the last one.
        known.failingSince = known.failingSince.map { min($0, begun) }
      }
      known.removeTimes(after: now)
      known.findPauseEnd(at: now)
      status.follows[index] = known
    }
    return status
  }
}

/// When follows were last tried and last succeeded, by the clock that never goes back.
final class FollowMoments: Sendable {
  /// The begins of the last tries. A try may take long: where the clock was set meanwhile, its end is taken for them.
  let tries = PastMoments(longestEnd: 600)
  let successes = PastMoments(longestEnd: 60)
}

/// Moments of follows by the clock that never goes back.
final class PastMoments: Sendable {
  private struct Moment {
    /// The time that the store has; `nil` until it was read.
    var stored: Timestamp?
    var uptime: Duration
  }

  /// The longest time between the moment and the end of the sync, in seconds.
  private let longestEnd: Int
  private let known = Mutex<[ExactString: Moment]>([:])

  /// Knows of none yet.
  init(longestEnd: Int) { self.longestEnd = longestEnd }

  /// Notes moments whose stored times are not known.
  func note(_ follows: [ExactString], at uptime: Duration) {
    known.withLock { known in
      for follow in follows { known[follow] = Moment(uptime: uptime) }
    }
  }

  /// The seconds since the moment that the store has; `nil` where it lies in the future, noted by a clock that was wrong
  /// and in another process.
  func age(of follow: ExactString, stored: Timestamp, now: Timestamp, uptime: Duration) -> Int? {
    known.withLock { known in
      if var moment = known[follow], moment.stored == nil || moment.stored == stored {
        let age = Int((uptime - moment.uptime).components.seconds)
        // Where the clock was not set, the time in the store is the exact one: a sync goes on after it.
        if moment.stored == nil, (age...age + longestEnd).contains(now - stored) {
          moment.uptime = uptime - .seconds(now - stored)
        }
        moment.stored = stored
        known[follow] = moment
        return Int((uptime - moment.uptime).components.seconds)
      }
      guard stored <= now else { return nil }
      known[follow] = Moment(stored: stored, uptime: uptime - .seconds(now - stored))
      return now - stored
    }
  }
}
