import Metrics
import Models
import Ports

/// Counts what modules report.
struct EventMetrics: EventSink {
  /// Where the numbers are kept.
  let factory: PrometheusFactory

  func report(_ event: Event) {
    switch event {
    case .followFinished(let report, let duration): count(report, duration)
    case .requestFinished(_, _, let status, let bytes, let duration):
      add("almanac_http_requests_total", [("outcome", "\(status / 100)xx")])
      add("almanac_http_received_bytes_total", [], bytes)
      Timer(label: "almanac_http_request_duration_seconds", dimensions: [], factory: factory).record(duration: duration)
    case .requestFailed(_, _, let code, _): add("almanac_http_requests_total", [("outcome", code.rawValue)])
    case .retryScheduled: add("almanac_http_retries_total", [])
    case .budgetWait(let name, let seconds):
      add("almanac_budget_wait_seconds_total", [("budget", name)], seconds)
    case .budgetTaken(let name, let remaining):
      Meter(label: "almanac_budget_remaining", dimensions: [("budget", name)], factory: factory).set(remaining)
    case .breakerChanged(let host, let state):
      Meter(label: "almanac_breaker_state", dimensions: [("host", host)], factory: factory)
        .set(state == .open ? 2 : state == .halfOpen ? 1 : 0)
    case .edit(_, _, let outcome): add("almanac_edits_total", [("outcome", outcome.rawValue)])
    case .compacted: add("almanac_compactions_total", [])
    case .warning: add("almanac_warnings_total", [])
    case .requestStarted, .redirect, .syncStarted, .followStarted, .pageCommitted, .rejected, .syncFinished: break
    }
  }

  private func count(_ report: FollowReport, _ duration: Duration) {
    let follow = ("follow", report.follow)
    add("almanac_follow_syncs_total", [follow, ("status", report.status.rawValue)])
    add("almanac_follow_requests_total", [follow], report.counts.requests)
    add("almanac_follow_received_bytes_total", [follow], report.counts.bytes)
    for (change, amount) in [
      ("added", report.counts.added), ("updated", report.counts.updated), ("unchanged", report.counts.unchanged),
      ("removed", report.counts.removed), ("rejected", report.counts.rejected),
    ] {
      add("almanac_follow_records_total", [follow, ("change", change)], amount)
    }
    Timer(label: "almanac_follow_duration_seconds", dimensions: [follow], factory: factory).record(duration: duration)
  }

  private func add(_ label: String, _ dimensions: [(String, String)], _ amount: Int = 1) {
    Counter(label: label, dimensions: dimensions, factory: factory).increment(by: amount)
  }
}
