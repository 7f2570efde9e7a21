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
    let second = now.secondsSinceEpoch
    let window = max(1, budget.window.seconds)
    // Where the clock was set back, calls of the future become calls of now: never too few are counted.
    for index in buckets.indices where buckets[index].second > second { buckets[index].second = second }
    // A call at second s may lie anywhere in it, so it leaves the window only when s + window has passed.
    buckets.removeAll { $0.second + window < second }
    var used = buckets.reduce(0) { $0 + $1.calls }
    guard used >= budget.calls else {
      append(second, window: window)
      return .granted(remaining: budget.calls - used - 1)
    }
    guard budget.calls > 0 else { return .wait(seconds: window) }
    for bucket in buckets {
      used -= bucket.calls
      if used < budget.calls { return .wait(seconds: max(1, bucket.second + window + 1 - second)) }
    }
    return .wait(seconds: 1)
  }

  private mutating func append(_ second: Int, window: Int) {
    if buckets.last?.second == second {
      buckets[buckets.count - 1].calls += 1
    } else {
      buckets.append(Bucket(second: second, calls: 1))
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
