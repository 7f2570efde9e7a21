/// What each metric says, as Prometheus shows it beside the name.
enum MetricHelp {
  /// The texts by metric.
  static let texts = [
    "almanac_breaker_state": "Circuit breaker by host: 0 closed, 1 half open, 2 open",
    "almanac_budget_remaining": "Calls that the rate budget has left in this hour",
    "almanac_budget_wait_seconds_total": "Seconds spent waiting for the rate budget",
    "almanac_build_info": "1; the version is in the label",
    "almanac_compactions_total": "How often the scheduler folded the journal",
    "almanac_edits_total": "Edits by what became of them",
    "almanac_follow_age_seconds": "Seconds since the last success",
    "almanac_follow_duration_seconds": "How long syncs took",
    "almanac_follow_failures": "Failures in a row",
    "almanac_follow_last_success_timestamp_seconds": "When the follow was last synced, as Unix time",
    "almanac_follow_received_bytes_total": "Bytes of bodies that were received",
    "almanac_follow_records_total": "Records by what a sync did with them",
    "almanac_follow_requests_total": "Requests that were sent",
    "almanac_follow_stale": "1 where three intervals passed without a success",
    "almanac_follow_syncs_total": "Syncs by how they ended",
    "almanac_http_received_bytes_total": "Bytes of bodies over all hosts",
    "almanac_http_request_duration_seconds": "How long exchanges took",
    "almanac_http_requests_total": "Exchanges by class of status, or name of the error",
    "almanac_http_retries_total": "Exchanges that were tried again",
    "almanac_outbox_entries": "Edits that wait, by state",
    "almanac_store_bytes": "Bytes of all files of the store",
    "almanac_store_journal_bytes": "Bytes of the journal",
    "almanac_store_records": "Records that users see",
    "almanac_warnings_total": "Warnings in the log",
    "process_open_fds": "Open files and sockets",
    "process_resident_memory_bytes": "Memory in use, mapped files included",
    "process_start_time_seconds": "When the process began, as Unix time",
    "process_threads": "Threads",
  ]
}
