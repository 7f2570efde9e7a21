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
  /// Tells systemd.
  let notifier: SystemdNotifier

  /// The page's text.
  func text() -> String {
    let services = live.current
    do throws(Failure) {
      // Read anew: what is kept may be a second old, and `almanac_store_up` must agree with `/readyz`.
      let statistics = try Failure.from { () throws(StoreError) in try services.store.statistics() }
      measure(try services.standing.read(services).status, now: services.time.now)
      set("almanac_store_records", statistics.records)
      set("almanac_store_bytes", statistics.bytes)
      set("almanac_store_journal_bytes", statistics.journalBytes)
      set("almanac_store_up", 1)
    } catch {
      // The follows keep what was known of them: series that vanish end alerts.
      set("almanac_store_up", 0)
    }
    factory.number("almanac_log_lines_dropped_total", [], .counter).set(Double(LineWriter.standardError.dropped))
    factory.number("almanac_notify_dropped_total", [], .counter).set(Double(notifier.dropped))
    let process = ProcessStatus.current
    set("process_resident_memory_bytes", process.residentBytes)
    set("process_open_fds", process.openDescriptors)
    set("process_threads", process.threads)
    set("process_start_time_seconds", begun.secondsSinceEpoch)
    set("almanac_build_info", 1, [("version", DaemonVersion.current)])
    return factory.text()
  }

  private func measure(_ status: SyncStatus, now: Timestamp) {
    var success: [(String, Int)] = []
    var age: [(String, Int)] = []
    for follow in status.follows {
      guard let time = follow.lastSuccess else { continue }
      success.append((follow.follow, time.secondsSinceEpoch))
      age.append((follow.follow, max(0, now - time)))
    }
    factory.replace("almanac_follow_last_success_timestamp_seconds", by: "follow", success)
    factory.replace("almanac_follow_age_seconds", by: "follow", age)
    factory.replace("almanac_follow_stale", by: "follow", status.follows.map { ($0.follow, $0.isStale ? 1 : 0) })
    factory.replace("almanac_follow_failures", by: "follow", status.follows.map { ($0.follow, $0.failures) })
    set("almanac_outbox_entries", status.outbox.pending, [("state", "pending")])
    set("almanac_outbox_entries", status.outbox.conflict, [("state", "conflict")])
    set("almanac_outbox_entries", status.outbox.refused, [("state", "refused")])
  }

  private func set(_ label: String, _ value: Int, _ dimensions: [(String, String)] = []) {
    Meter(label: label, dimensions: dimensions, factory: factory).set(value)
  }
}
