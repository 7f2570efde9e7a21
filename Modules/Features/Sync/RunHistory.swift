import Models
import Ports

enum RunHistory {
  static let limit = 1000

  static func isWorthKeeping(_ report: SyncReport) -> Bool {
    report.outbox.sent > 0 || report.follows.contains { $0.status != .unchanged && $0.error?.isTakenOver != true }
  }

  /// Stores a report and deletes the oldest ones beyond the limit.
  static func keep(
    _ report: SyncReport, run: String, isInterrupted: Bool = false, in store: any RecordStore, _ coder: any RecordCoder
  ) async throws(StoreError) {
    let hasFailed = report.follows.contains { $0.status == .failed }
    let state: RunState = isInterrupted ? .interrupted : hasFailed ? .failed : .done
    let head: JSONObject = ["id": .string(run), "state": .string(state.rawValue)]
    let bytes = coder.encode(head.adding(report.fields))
    _ = try await store.write { (transaction) throws(StoreError) in
      try transaction.put(bytes, id: run, in: .runs)
      let surplus = try transaction.count(.runs) - limit
      guard surplus > 0 else { return }
      // Ids of runs sort by start time.
      var oldest: [String] = []
      try transaction.eachObject(.runs, .all, coder) { (fields: JSONObject) throws(StoreError) -> ScanStep in
        if let id = fields["id"]?.string, id.exact != run.exact { oldest.append(id) }
        return oldest.count < surplus ? .next : .stop
      }
      for id in oldest.prefix(surplus) { try transaction.delete(.runs, id) }
    }
  }
}
