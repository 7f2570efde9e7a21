import Models
import Ports

/// The calls of one rolling window, by the second in which they were made.
///
/// If there are many seconds, neighbours are merged into buckets that are dated to their latest call. The window
/// therefore stays small, and the count is never too low.
struct RollingWindow: Hashable {
  struct Bucket: Hashable {
    var second: Int
    var calls: Int
  }

  /// Oldest first.
  private(set) var buckets: [Bucket]

  /// More buckets than this are merged.
  private static let limit = 128

  init(_ buckets: [Bucket] = []) { self.buckets = buckets.sorted { $0.second < $1.second } }

  /// Counts a call, or returns how long to wait. O(number of buckets).
  mutating func take(_ budget: RateBudget, at now: Timestamp) -> BudgetDecision {
    var calls = 1
    return take(&calls, of: budget, at: now)
  }

  /// Counts calls in the second of `now`, or returns how long to wait. O(number of buckets).
  ///
  /// - Parameter calls: on entry, how many are wanted, at least 1; on return, how many were counted. This is at most an
  ///   eighth of the remaining calls, but at least 1: a reservation must not make other callers wait.
  mutating func take(_ calls: inout Int, of budget: RateBudget, at now: Timestamp) -> BudgetDecision {
    let second = now.secondsSinceEpoch
    let window = max(1, budget.window.seconds)
    // After the clock was set back, future calls are dated to now, so that the count is never too low.
    for index in buckets.indices where buckets[index].second > second { buckets[index].second = second }
    // A call in second s may be anywhere within it, so it leaves the window only when s + window has passed.
    buckets.removeAll { $0.second + window < second }
    var used = buckets.reduce(0) { $0 + $1.calls }
    guard used >= budget.calls else {
      calls = min(calls, max(1, (budget.calls - used) / 8))
      append(second, calls, window: window)
      return .granted(remaining: budget.calls - used - calls)
    }
    calls = 0
    guard budget.calls > 0 else { return .wait(seconds: window) }
    for bucket in buckets {
      used -= bucket.calls
      if used < budget.calls { return .wait(seconds: max(1, bucket.second + window + 1 - second)) }
    }
    return .wait(seconds: 1)
  }

  /// Removes calls that were counted for a second but never made. They stay counted if that second was merged with
  /// others or has left the window.
  mutating func giveBack(_ calls: Int, of second: Int) {
    guard calls > 0, let index = buckets.firstIndex(where: { $0.second == second }) else { return }
    buckets[index].calls = max(0, buckets[index].calls - calls)
    if buckets[index].calls == 0 { buckets.remove(at: index) }
  }

  private mutating func append(_ second: Int, _ calls: Int, window: Int) {
    if buckets.last?.second == second {
      buckets[buckets.count - 1].calls += calls
    } else {
      buckets.append(Bucket(second: second, calls: calls))
    }
    guard buckets.count > Self.limit else { return }
    let grain = max(2, window / (Self.limit / 2))
    var merged: [Bucket] = []
    for bucket in buckets {
      if let last = merged.last, last.second / grain == bucket.second / grain {
        merged[merged.count - 1] = Bucket(second: bucket.second, calls: last.calls + bucket.calls)
      } else {
        merged.append(bucket)
      }
    }
    buckets = merged
  }
}
