import Models
import Ports

/// The calls of one rolling window, by the second in which they were made.
///
/// Many seconds are folded into few buckets, each dated to its latest call, so that what is remembered stays small and
/// the count is never too low.
struct RollingWindow: Hashable {
  /// Calls that were made in, or shortly before, one second.
  struct Bucket: Hashable {
    var second: Int
    var calls: Int
  }

  /// Oldest first.
  private(set) var buckets: [Bucket]

  /// More buckets than this are folded.
  private static let most = 128

  init(_ buckets: [Bucket] = []) { self.buckets = buckets.sorted { $0.second < $1.second } }

  /// Takes a call, or says how long to wait. O(number of buckets).
  mutating func take(_ budget: RateBudget, at now: Timestamp) -> BudgetDecision {
    var calls = 1
    return take(&calls, of: budget, at: now)
  }

  /// Takes calls that belong to the second of `now`, or says how long to wait. O(number of buckets).
  ///
  /// - Parameter calls: how many are wanted, at least 1; at the end, how many were taken. Never more than an eighth of
  ///   what is left, except for the one call itself: what one caller takes ahead must not keep others waiting.
  mutating func take(_ calls: inout Int, of budget: RateBudget, at now: Timestamp) -> BudgetDecision {
    let second = now.secondsSinceEpoch
    let window = max(1, budget.window.seconds)
    // Where the clock was set back, calls of the future become calls of now: never too few are counted.
    for index in buckets.indices where buckets[index].second > second { buckets[index].second = second }
    // A call at second s may lie anywhere in it, so it leaves the window only when s + window has passed.
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

  /// Takes back calls that were counted for a second and never made; where that second was folded with others or has
  /// left the window, they stay counted.
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
    guard buckets.count > Self.most else { return }
    let grain = max(2, window / (Self.most / 2))
    var folded: [Bucket] = []
    for bucket in buckets {
      if let last = folded.last, last.second / grain == bucket.second / grain {
        folded[folded.count - 1] = Bucket(second: bucket.second, calls: last.calls + bucket.calls)
      } else {
        folded.append(bucket)
      }
    }
    buckets = folded
  }
}
