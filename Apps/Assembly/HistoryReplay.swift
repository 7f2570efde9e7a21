import Models
import Ports

/// Makes the commits of a store's history once more in another one, with their times and causes.
struct HistoryReplay {
  private let source: any HistoricalStore
  private let maintenance: any HistoryMaintenance
  private let coder: any RecordCoder
  private var histories: [HistoryStatus]
  private(set) var commits = 0

  /// How many commits are held in memory, and how many records of a beginning are one commit.
  private static let window: UInt64 = 10_000
  private static let commitSize = 5000

  /// - Parameter now: the present, by which a limited history is counted.
  /// - Returns: `nil` if one of the stores has no history.
  init?(
    from source: any RecordStore, to target: any RecordStore, coder: any RecordCoder, now: Timestamp
  ) throws(StoreError) {
    guard let past = source as? any HistoricalStore, let policies = source as? any HistoryMaintenance,
      let maintenance = target as? any HistoryMaintenance
    else { return nil }
    (self.source, self.maintenance, self.coder) = (past, maintenance, coder)
    histories = try policies.histories().filter { !$0.collection.isInternal }
    for (index, history) in histories.enumerated() {
      // What a repair could not save is left out for all records of the collection.
      if let lost = history.lost, let since = history.since, lost > since.commit {
        histories[index].since = Moment(commit: lost, at: try past.origin(of: lost)?.at ?? since.at)
      }
      guard case .days(let days) = history.policy.keep, let since = history.since else { continue }
      // What becomes too old during the copy is left out.
      guard let kept = try past.moment(now + days.times(-86_400).plus(3600)), kept.commit > since.commit else {
        continue
      }
      histories[index].since = kept
    }
  }

  /// - Throws: `StoreError` if a store cannot be read or written.
  mutating func run(to snapshot: any StoreSnapshot) async throws(StoreError) {
    var waiting = histories.filter { $0.since != nil }.sorted { $0.since!.commit < $1.since!.commit }
    var open: [CollectionName] = []
    guard var at = waiting.first?.since?.at, var first = waiting.first?.since?.commit else { return }
    while true {
      let last = min(first + Self.window, snapshot.sequence)
      // The commits of this window, and those after which a collection begins.
      var found: [UInt64: [(CollectionName, RecordChange)]] = [:]
      let all = open + waiting.map(\.collection)
      for name in all where first < last {
        let since = waiting.first { $0.collection == name }?.since?.commit ?? 0
        try source.history(name, in: first + 1...last) { change in
          if change.commit > since { found[change.commit, default: []].append((name, change)) }
          return .next
        }
      }
      while let next = waiting.first, let since = next.since, since.commit <= last {
        for commit in found.keys.filter({ $0 <= since.commit }).sorted() {
          try await make(commit, found.removeValue(forKey: commit)!, &at)
        }
        at = max(at, since.at)
        try await begin(next.collection, after: since, at: at)
        open.append(next.collection)
        waiting.removeFirst()
      }
      for commit in found.keys.sorted() { try await make(commit, found[commit]!, &at) }
      guard last < snapshot.sequence else { break }
      first = last
    }
    // By now the other store has all collections, and says what it would keep of them.
    try await setPolicies()
  }

  /// Makes the records that a collection had when its history began.
  private mutating func begin(_ name: CollectionName, after since: Moment, at: Timestamp) async throws(StoreError) {
    var records: [(id: String, bytes: [UInt8])] = []
    try source.snapshot(at: since.commit).scan(name, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
      records.append((try coder.id(of: record, name), record.withUnsafeBytes(Array.init)))
      return .next
    }
    for start in stride(from: 0, to: records.count, by: Self.commitSize) {
      let piece = records[start..<min(start + Self.commitSize, records.count)]
      try await commit(at: at) { (transaction) throws(StoreError) in
        transaction.explain(ChangeCause(.copy))
        try transaction.expect(name, piece.map(\.id))
        for record in piece { try transaction.put(record.bytes, id: record.id, in: name) }
      }
    }
  }

  private mutating func make(
    _ number: UInt64, _ changes: [(CollectionName, RecordChange)], _ at: inout Timestamp
  ) async throws(StoreError) {
    let origin = try source.origin(of: number)
    at = origin?.at ?? at
    try await commit(at: at) { (transaction) throws(StoreError) in
      transaction.explain(origin?.cause ?? ChangeCause(.copy))
      for (name, change) in changes {
        if let record = change.after {
          try transaction.put(record, id: change.id, in: name)
        } else if try transaction.record(name, change.id) != nil {
          try transaction.delete(name, change.id)
        }
      }
    }
  }

  private mutating func commit(
    at time: Timestamp, _ body: (inout any StoreTransaction) throws(StoreError) -> Void
  ) async throws(StoreError) {
    try await maintenance.write(at: time, body)
    commits += 1
    // The first commit makes the store, which has to know what is kept before it is compacted.
    if commits == 1 { try await setPolicies() }
  }

  private func setPolicies() async throws(StoreError) {
    let known = try maintenance.histories()
    for history in histories {
      let old = known.first { $0.collection == history.collection }?.policy ?? HistoryPolicy(.forever)
      if old != history.policy { try await maintenance.setPolicy(history.policy, of: history.collection) }
    }
  }
}
