import Models
import Ports
import ServiceLifecycle

/// Removes history that is older than the config keeps it: snapshots of charts, and reports of runs.
struct Retention: Sendable {
  /// The most records that one commit removes: other writers wait for it.
  static let batch = 1000

  let settings: Settings.Retention
  let store: any RecordStore
  let coder: any RecordCoder

  /// Removes what is too old. The newest snapshot of each chart stays, and a record whose time cannot be read.
  ///
  /// - Returns: how many records were removed.
  func apply(at now: Timestamp) async throws(StoreError) -> Int {
    var removed = 0
    if let span = settings.charts {
      removed += try await remove(try oldCharts(before: now + -span.seconds), from: .charts)
    }
    if let span = settings.runs {
      removed += try await remove(try oldRuns(before: now + -span.seconds), from: .runs)
    }
    return removed
  }

  private func oldCharts(before time: Timestamp) throws(StoreError) -> [String] {
    var old: [String] = []
    // The snapshots of a chart come one after another, the newest last: one is too old where another of its chart follows.
    var previous: (id: String, series: String, isOld: Bool)?
    try store.snapshot().scan(.charts, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
      let fields = try coder.object(record, of: .charts)
      guard let id = fields["id"]?.string else { return .next }
      let series = id.lastIndex(of: "/").map { String(id[..<$0]) } ?? id
      if let previous, previous.isOld, previous.series.exact == series.exact { old.append(previous.id) }
      previous = (id, series, fields["lastObservedAt"]?.timestamp.map { $0 < time } ?? false)
      return .next
    }
    return old
  }

  private func oldRuns(before time: Timestamp) throws(StoreError) -> [String] {
    var old: [String] = []
    try store.snapshot().scan(.runs, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
      let fields = try coder.object(record, of: .runs)
      if let id = fields["id"]?.string, let end = fields["finishedAt"]?.timestamp, end < time { old.append(id) }
      return .next
    }
    return old
  }

  private func remove(_ ids: [String], from collection: CollectionName) async throws(StoreError) -> Int {
    var rest = ids[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(Self.batch))
      _ = try await store.write { (transaction) throws(StoreError) in
        for id in part { try transaction.delete(collection, id) }
      }
      rest = rest.dropFirst(part.count)
    }
    return ids.count
  }
}

/// Applies the retention at the start, and every hour. A store on a server is also compacted once a day: unlike the journal
/// of a folder, its size does not say how much of it is old.
struct RetentionService: Service {
  let live: LiveServices
  let role: WorkRole

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var hours = 0
      while !Task.isCancelled {
        await apply()
        if role.isShared, hours % 24 == 1 { await compact() }
        hours += 1
        let time = live.current.time
        do throws(CancellationError) { try await time.sleep(for: .seconds(3600)) } catch { return }
      }
    }
  }

  /// Holds the services no longer than it needs them: a store that is replaced is closed then.
  private func apply() async {
    guard role.isLeader else { return }
    let services = live.current
    let retention = Retention(
      settings: services.settings.daemon.retention, store: services.scheduling.store, coder: services.coder)
    do throws(StoreError) { _ = try await retention.apply(at: services.time.now) } catch {
      warn("retention", error, services)
    }
  }

  private func compact() async {
    guard role.isLeader else { return }
    let services = live.current
    let begun = services.time.uptime
    do throws(StoreError) {
      let bytes = try await services.scheduling.store.compact().bytes
      services.events.report(.compacted(bytes: bytes, duration: services.time.uptime - begun))
    } catch { warn("compaction", error, services) }
  }

  private func warn(_ what: String, _ error: StoreError, _ services: DaemonServices) {
    services.events.report(.failed(what: what, failure: error.failure))
  }
}
