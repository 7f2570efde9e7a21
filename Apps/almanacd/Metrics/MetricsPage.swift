import CLibrary
import Metrics
import Models
import Ports

/// The metrics in Prometheus' text format: the counters, and gauges that are measured for each request.
struct MetricsPage: Sendable {
  let factory: PrometheusFactory
  let live: LiveServices
  /// When the process began, by the wall clock.
  let begun: Timestamp
  let notifier: SystemdNotifier
  let health: Health
  let scheduler: Scheduler
  var role = WorkRole()
  /// When the store was last backed up; `nil` where it never was.
  let lastBackup: @Sendable () -> Timestamp?

  /// - Parameter hasFollows: whether the series of each follow are there.
  func text(hasFollows: Bool = true) async -> String {
    let services = live.current
    // As `/readyz` says it.
    let problem = health.check(services)
    set("almanac_store_up", problem == nil ? 1 : 0)
    if role.isShared {
      set("almanac_working", role.isLeader ? 1 : 0)
      set("almanac_pulls_running", await scheduler.underWay.count)
    }
    var outbox: OutboxCounts?
    do throws(Failure) {
      // A server that is silent must not hold up the metrics.
      if let problem, role.isShared { throw problem }
      // Not from the status cache, which may be a second old.
      let statistics = try Failure.from { () throws(StoreError) in try services.store.statistics() }
      let status = try services.statusCache.read(services).status
      outbox = status.outbox
      measure(status, now: services.time.now)
      set("almanac_store_records", statistics.records)
      set("almanac_store_bytes", statistics.bytes)
      set("almanac_store_journal_bytes", statistics.journalBytes)
    } catch {
      // The last values stay: an alert would end with a series that vanishes.
    }
    let problems = Set(health.problems(outbox ?? OutboxCounts()).map(\.part))
    for part in Health.Part.allCases where part != .edits || outbox != nil {
      set("almanac_problem", problems.contains(part) ? 1 : 0, [("part", part.rawValue)])
    }
    set("almanac_time_seconds", services.time.now.secondsSinceEpoch)
    set("almanac_pictures_missing", await scheduler.pictures.missing)
    // 0 without a backup. A store on a server has no series: it is backed up in other ways.
    if let time = lastBackup() { set("almanac_backup_last_success_timestamp_seconds", time.secondsSinceEpoch) }
    let config = health.config
    set("almanac_config_last_reload_success_timestamp_seconds", config.readAt.secondsSinceEpoch)
    set("almanac_config_last_reload_successful", config.isRefused ? 0 : 1)
    factory.number("almanac_log_lines_dropped_total", [], .counter).set(Double(LineWriter.standardError.dropped))
    factory.number("almanac_notify_dropped_total", [], .counter).set(Double(notifier.dropped))
    let process = ProcessStatus.current
    set("process_resident_memory_bytes", process.residentBytes)
    set("process_open_fds", process.openDescriptors)
    set("process_threads", process.threads)
    set("process_start_time_seconds", begun.secondsSinceEpoch)
    set("almanac_build_info", 1, [("version", DaemonVersion.current)])
    return factory.text(without: hasFollows ? nil : "almanac_follow_")
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
    factory.replace("almanac_follow_paused", by: "follow", status.follows.map { ($0.follow, $0.isPaused ? 1 : 0) })
    let next = status.follows.compactMap { follow in
      follow.next.map { (follow.follow, $0.secondsSinceEpoch) }
    }
    factory.replace("almanac_follow_next_timestamp_seconds", by: "follow", next)
    factory.replace("almanac_follow_failures", by: "follow", status.follows.map { ($0.follow, $0.failures) })
    set("almanac_outbox_entries", status.outbox.pending, [("state", "pending")])
    set("almanac_outbox_entries", status.outbox.conflict, [("state", "conflict")])
    set("almanac_outbox_entries", status.outbox.refused, [("state", "refused")])
  }

  func count(_ label: String, _ dimensions: [(String, String)]) {
    Counter(label: label, dimensions: dimensions, factory: factory).increment()
  }

  func set(waiting: Int) { set("almanac_notifications_waiting", waiting) }

  private func set(_ label: String, _ value: Int, _ dimensions: [(String, String)] = []) {
    Meter(label: label, dimensions: dimensions, factory: factory).set(value)
  }
}

/// Counts what modules report.
struct EventMetrics: EventSink {
  let factory: PrometheusFactory

  func report(_ event: Event) {
    switch event {
    case .followFinished(let report, let duration): count(report, duration)
    case .requestFinished(_, _, let status, let bytes, let duration):
      add("almanac_http_requests_total", [("outcome", Self.outcome(status))])
      add("almanac_http_received_bytes_total", [], bytes)
      Timer(label: "almanac_http_request_duration_seconds", dimensions: [], factory: factory).record(duration: duration)
    case .requestFailed(_, _, let code, _): add("almanac_http_requests_total", [("outcome", code.rawValue)])
    case .retryScheduled: add("almanac_http_retries_total", [])
    case .budgetWait(let name, let seconds):
      add("almanac_budget_wait_seconds_total", [("budget", name)], seconds)
    case .budgetTaken(let name, let remaining):
      Meter(label: "almanac_budget_remaining", dimensions: [("budget", name)], factory: factory).set(remaining)
    case .breakerChanged(let host, let state, _):
      Meter(label: "almanac_breaker_state", dimensions: [("host", host)], factory: factory)
        .set(state == .open ? 2 : state == .halfOpen ? 1 : 0)
    case .edit(_, _, let outcome): add("almanac_edits_total", [("outcome", outcome.rawValue)])
    case .compacted: add("almanac_compactions_total", [])
    case .failed(_, let failure): if !failure.isSaidOnce { add("almanac_warnings_total", []) }
    case .warning: add("almanac_warnings_total", [])
    case .requestStarted, .redirect, .syncStarted, .followStarted, .pageCommitted, .rejected, .syncFinished, .picture,
      .program:
      break
    }
  }

  /// The class of a success, and the status of a refusal: 401 and 429 ask for different suggestions.
  private static func outcome(_ status: Int) -> String {
    (400...599).contains(status) ? "\(status)" : "\(status / 100)xx"
  }

  private func count(_ report: FollowReport, _ duration: Duration) {
    let follow = ("follow", report.follow)
    if let error = report.error {
      // The code of an API is its server's own text, so that there may be any number of them.
      let reason = error.kind == .api ? error.kind.rawValue : error.code?.text ?? error.kind.rawValue
      add("almanac_follow_errors_total", [follow, ("error", reason)])
    }
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

/// What each metric says, as Prometheus shows it beside the name.
enum MetricHelp {
  static let texts = [
    "almanac_api_request_duration_seconds": "How long requests to the daemon took until the head of their answer",
    "almanac_api_requests_total": "Requests to the daemon by route, method and status",
    "almanac_backup_last_success_timestamp_seconds": "When \(help: "backup") last copied the store, as Unix time",
    "almanac_breaker_state": "Circuit breaker by host: 0 closed, 1 half open, 2 open",
    "almanac_budget_remaining": "Calls that the rate budget has left in this hour",
    "almanac_budget_wait_seconds_total": "Seconds spent waiting for the rate budget",
    "almanac_build_info": "1; the version is in the label",
    "almanac_compactions_total": "Compactions of the journal",
    "almanac_edits_total": "Edits by what became of them",
    "almanac_follow_age_seconds": "Seconds since the last success",
    "almanac_follow_duration_seconds": "How long syncs took",
    "almanac_follow_errors_total": "Syncs that failed, by the reason: the status, the name of the error, or api",
    "almanac_follow_failures": "Failures in a row",
    "almanac_follow_last_success_timestamp_seconds": "When the follow was last synced, as Unix time",
    "almanac_follow_next_timestamp_seconds": "When the follow is synced next, at the latest, as Unix time",
    "almanac_follow_paused": "1 where the follow is paused",
    "almanac_follow_received_bytes_total": "Bytes of bodies that were received",
    "almanac_follow_records_total": "Records by what a sync did with them",
    "almanac_follow_requests_total": "Requests that were sent",
    "almanac_follow_stale": "1 where three intervals passed without a success",
    "almanac_follow_syncs_total": "Syncs by how they ended",
    "almanac_http_received_bytes_total": "Bytes of bodies over all hosts",
    "almanac_http_request_duration_seconds": "How long exchanges took",
    "almanac_http_requests_total": "Exchanges by outcome: 2xx, 3xx, the status of a refusal, or the name of the error",
    "almanac_http_retries_total": "Exchanges that were tried again",
    "almanac_log_lines_dropped_total": "Lines of the log that were not read in time",
    "almanac_notify_dropped_total": "Messages that systemd did not take at the first try",
    "almanac_outbox_entries": "Edits that wait, by state",
    "almanac_requests_refused_total": "Requests that were answered with 401 or 403, by the reason",
    "almanac_store_bytes": "Bytes of all files of the store",
    "almanac_store_journal_bytes": "Bytes of the journal",
    "almanac_store_records": "Records that users see",
    "almanac_notifications_total": "Attempts to deliver notifications by target and result: sent, failed or given-up",
    "almanac_notifications_waiting": "Notifications that wait for their receivers",
    "almanac_pictures_missing": "Pictures that the last fetch could not get, or that found no room",
    "almanac_time_seconds": "The clock of the daemon, as Unix time",
    "almanac_problem":
      "1 where a part needs a person: the store, the config (refused), a key (its program is slow), or a restart (a changed listen)",
    "almanac_config_last_reload_success_timestamp_seconds": "When the config in use was read, as Unix time",
    "almanac_config_last_reload_successful": "0 where the last reload of the config was refused",
    "almanac_config_reloads_total": "Reloads of the config, by result: ok or refused",
    "almanac_store_reopened_total": "How often the store was opened again after its folder was replaced",
    "almanac_store_up": "1 where the store is at its path, whole, and can be read and written",
    "almanac_working":
      "1 where this daemon of several on one store leads: sends edits and notifies; else 0, also after its lease has lapsed",
    "almanac_pulls_running": "Follows that this daemon of several on one store pulls now",
    "almanac_warnings_total": "Warnings in the log",
    "process_open_fds": "Open files and sockets",
    "process_resident_memory_bytes": "Memory in use, mapped files included",
    "process_start_time_seconds": "When the process began, as Unix time",
    "process_threads": "Threads",
  ]
}

/// What the process uses, as proc(5) says it.
struct ProcessStatus {
  var residentBytes = 0
  var openDescriptors = 0
  var threads = 0

  /// As it is now; zeros where the system does not say.
  static var current: ProcessStatus {
    var status = ProcessStatus()
    for line in text("/proc/self/status").split(separator: "\n") {
      let words = line.split { $0 == " " || $0 == "\t" }
      guard words.count > 1 else { continue }
      if words[0] == "VmRSS:" { status.residentBytes = (Int(words[1]) ?? 0) * 1024 }
      if words[0] == "Threads:" { status.threads = Int(words[1]) ?? 0 }
    }
    if let folder = opendir("/proc/self/fd") {
      while readdir(folder) != nil { status.openDescriptors += 1 }
      // `.`, `..` and the folder itself.
      status.openDescriptors -= 3
      closedir(folder)
    }
    return status
  }

  private static func text(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
