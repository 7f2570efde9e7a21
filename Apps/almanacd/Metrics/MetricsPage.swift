import Metrics
import Models
import Ports

/// The metrics as Prometheus reads them: what was counted, and how everything stands at this moment.
struct MetricsPage: Sendable {
  /// What was counted.
  let factory: PrometheusFactory
  /// The services of the newest config.
  let live: LiveServices
  /// When the process began, by the wall clock.
  let begun: Timestamp

  /// The page's text.
  func text() -> String {
    let services = live.current
    if let standing = try? services.standing.read(services) {
      measure(standing.status, now: services.time.now)
      set("almanac_store_records", standing.statistics.records)
      set("almanac_store_bytes", standing.statistics.bytes)
      set("almanac_store_journal_bytes", standing.statistics.journalBytes)
    }
    let process = ProcessStatus.current
    set("process_resident_memory_bytes", process.residentBytes)
    set("process_open_fds", process.openDescriptors)
    set("process_threads", process.threads)
    set("process_start_time_seconds", begun.secondsSinceEpoch)
    set("almanac_build_info", 1, [("version", DaemonVersion.current)])
    return factory.text()
  }

  private func measure(_ status: SyncStatus, now: Timestamp) {
    for name in [
      "almanac_follow_last_success_timestamp_seconds", "almanac_follow_age_seconds", "almanac_follow_stale",
      "almanac_follow_failures",
    ] { factory.forget(name) }
    for follow in status.follows {
      let label = [("follow", follow.follow)]
      if let success = follow.lastSuccess {
        set("almanac_follow_last_success_timestamp_seconds", success.secondsSinceEpoch, label)
        set("almanac_follow_age_seconds", max(0, now - success), label)
      }
      set("almanac_follow_stale", follow.isStale ? 1 : 0, label)
      set("almanac_follow_failures", follow.failures, label)
    }
    set("almanac_outbox_entries", status.outbox.pending, [("state", "pending")])
    set("almanac_outbox_entries", status.outbox.conflict, [("state", "conflict")])
    set("almanac_outbox_entries", status.outbox.refused, [("state", "refused")])
  }

  private func set(_ label: String, _ value: Int, _ dimensions: [(String, String)] = []) {
    Meter(label: label, dimensions: dimensions, factory: factory).set(value)
  }
}
