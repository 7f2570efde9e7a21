import Metrics
import Synchronization

/// Durations in seconds, or other sizes, counted by buckets.
final class PrometheusHistogram: TimerHandler, RecorderHandler {
  /// The buckets' upper limits, in seconds.
  static let limits = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]

  private struct State {
    var counts = Array(repeating: 0, count: PrometheusHistogram.limits.count)
    var count = 0
    var sum = 0.0
  }

  private let state = Mutex(State())

  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    state.withLock { state in
      state.count += 1
      state.sum += value
      for (index, limit) in Self.limits.enumerated() where value <= limit { state.counts[index] += 1 }
    }
  }

  /// The lines of one set of labels.
  func text(_ name: String, _ labels: String) -> String {
    let state = state.withLock { $0 }
    let rest = labels.isEmpty ? "" : "\(labels),"
    var text = ""
    for (limit, count) in zip(Self.limits, state.counts) {
      text += "\(name)_bucket{\(rest)le=\"\(PrometheusFactory.shown(limit))\"} \(count)\n"
    }
    let own = labels.isEmpty ? "" : "{\(labels)}"
    text += "\(name)_bucket{\(rest)le=\"+Inf\"} \(state.count)\n"
    text += "\(name)_sum\(own) \(PrometheusFactory.shown(state.sum))\n"
    text += "\(name)_count\(own) \(state.count)\n"
    return text
  }
}
