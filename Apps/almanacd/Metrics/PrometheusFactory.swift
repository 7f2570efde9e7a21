import Metrics
import Synchronization

/// Keeps what swift-metrics measures, and writes it as Prometheus reads it (exposition format 0.0.4).
///
/// Labels are bounded: past `mostSeries` sets of labels a metric counts what is new under `other`. Follows are bounded by
/// the config already: `mostFollowSeries` is for runs of other follows that are asked for.
final class PrometheusFactory: MetricsFactory {
  enum Kind: String, Sendable {
    case counter
    case gauge
    case histogram
  }

  /// One metric with all its sets of labels.
  private struct Family {
    var kind: Kind
    var series: [String: Series] = [:]
  }

  private enum Series {
    case number(PrometheusNumber)
    case buckets(PrometheusHistogram)
  }

  /// The most sets of labels of one metric.
  static let mostSeries = 512
  /// The most sets of labels of a metric by follow.
  static let mostFollowSeries = 50_000

  private let families = Mutex<[String: Family]>([:])

  init() {}

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    number(label, dimensions, .counter)
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    number(label, dimensions, .gauge)
  }

  func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
    number(label, dimensions, .counter)
  }

  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    histogram(label, dimensions)
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { histogram(label, dimensions) }

  // What was measured stays until the process ends, as Prometheus expects of a counter.
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}

  /// Replaces all series of a gauge with one label at once: series that are not named are removed.
  func replace(_ metric: String, by label: String, _ values: [(String, Int)]) {
    var family = Family(kind: .gauge)
    for (name, value) in values {
      let labels = Self.labels([(label, name)], in: family)
      let number = PrometheusNumber()
      number.set(Int64(value))
      family.series[labels] = .number(number)
    }
    families.withLock { $0[metric] = family }
  }

  /// Everything as text, in the order of the names.
  func text(without prefix: String? = nil) -> String {
    let families = families.withLock { $0 }
    var text = ""
    for (name, family) in families.sorted(by: { $0.key < $1.key }) {
      if let prefix, name.hasPrefix(prefix) { continue }
      if let help = MetricHelp.texts[name] { text += "# HELP \(name) \(help)\n" }
      text += "# TYPE \(name) \(family.kind.rawValue)\n"
      for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
        switch series {
        case .number(let number): text += "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(Self.shown(number.value))\n"
        case .buckets(let histogram): text += histogram.text(name, labels)
        }
      }
    }
    return text
  }

  func number(_ label: String, _ dimensions: [(String, String)], _ kind: Kind) -> PrometheusNumber {
    families.withLock { families in
      let labels = Self.labels(dimensions, in: families[label])
      if case .number(let known)? = families[label]?.series[labels] { return known }
      let new = PrometheusNumber()
      families[label, default: Family(kind: kind)].series[labels] = .number(new)
      return new
    }
  }

  func histogram(_ label: String, _ dimensions: [(String, String)]) -> PrometheusHistogram {
    families.withLock { families in
      let labels = Self.labels(dimensions, in: families[label])
      if case .buckets(let known)? = families[label]?.series[labels] { return known }
      let new = PrometheusHistogram()
      families[label, default: Family(kind: .histogram)].series[labels] = .buckets(new)
      return new
    }
  }

  private static func labels(_ dimensions: [(String, String)], in family: Family?) -> String {
    let text = labels(dimensions)
    let most = dimensions.contains { $0.0 == "follow" } ? mostFollowSeries : mostSeries
    guard let family, family.series[text] == nil, family.series.count >= most else { return text }
    return labels(dimensions.map { ($0.0, "other") })
  }

  private static func labels(_ dimensions: [(String, String)]) -> String {
    dimensions.map { name, value in "\(name)=\"\(escaped(value))\"" }.joined(separator: ",")
  }

  private static func escaped(_ value: String) -> String {
    var result = ""
    for character in value.unicodeScalars {
      switch character {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  /// A whole number without a fraction, anything else as Swift writes it.
  static func shown(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }
}

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

final class PrometheusNumber: CounterHandler, FloatingPointCounterHandler, MeterHandler {
  private let state = Mutex(0.0)

  var value: Double { state.withLock { $0 } }

  func increment(by amount: Int64) { state.withLock { $0 += Double(amount) } }
  func increment(by amount: Double) { state.withLock { $0 += amount } }
  func decrement(by amount: Double) { state.withLock { $0 -= amount } }
  func set(_ value: Int64) { state.withLock { $0 = Double(value) } }
  func set(_ value: Double) { state.withLock { $0 = value } }
  func reset() { state.withLock { $0 = 0 } }
}
