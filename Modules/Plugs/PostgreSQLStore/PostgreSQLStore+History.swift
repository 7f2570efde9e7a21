public import Models
public import Ports

/// The versions that later ones replaced are the history, and a past state is the number of a commit, as every snapshot
/// is. The policy of a collection decides what a compaction removes.
extension PostgreSQLStore: HistoricalStore {
  public func moment(_ time: Timestamp) throws(StoreError) -> Moment? {
    let rows = try queryIfThere(
      "moment", schema.moment, [.number(Int64(time.secondsSinceEpoch))], timeout: Connection.longTimeout)
    guard let rows, rows.count > 0 else { return nil }
    return rows.moment(0, 0)
  }

  /// The state after a commit. O(m) for m records that changed since.
  public func snapshot(at commit: UInt64) throws(StoreError) -> any StoreSnapshot {
    let present = try snapshot()
    if commit == present.sequence { return present }
    guard commit < present.sequence else {
      throw StoreError(.notFound, "there is no commit \(commit) yet", path: address.text)
    }
    return try reading { (connection) throws(StoreError) in
      let history = try policies(connection)
      guard commit >= history.begins else { throw notKept("the state", Int64(clamping: commit), since: history.begins) }
      let rows = try connection.query(
        "past-counts", schema.pastCounts, [.number(Int64(clamping: commit))], timeout: Connection.longTimeout)
      var counts: [CollectionName: Int] = [:]
      for row in 0..<rows.count { counts[rows.collection(row, 0)] = Int(rows.number(row, 1)) }
      return PostgreSQLPast(store: self, number: Int64(clamping: commit), history: history, counts: counts)
    }
  }

  public func history(
    _ collection: CollectionName, _ id: String, before: UInt64?, limit: Int
  ) throws(StoreError) -> [RecordChange] {
    let found = try readingIfThere { (connection) throws(StoreError) in
      let since = try since(of: collection, connection)
      let rows = try connection.query(
        "record-history", schema.recordHistory,
        [
          .text(collection.rawValue), .text(id), .number(since), .number(before.flatMap(Int64.init(exactly:)) ?? .max),
          .number(Int64(max(0, limit))),
        ])
      return (0..<rows.count).map {
        RecordChange(
          id: id, commit: UInt64(clamping: rows.number($0, 0)), before: rows.bytes($0, 2), after: rows.bytes($0, 1))
      }
    }
    return found ?? []
  }

  public func history(
    _ collection: CollectionName, in commits: ClosedRange<UInt64>, _ body: (RecordChange) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    guard let since = try readingIfThere({ (connection) throws(StoreError) in try since(of: collection, connection) })
    else { return }
    let from = max(since, Int64(clamping: commits.lowerBound) - 1)
    var last: (id: [UInt8], commit: Int64) = ([], 0)
    while true {
      let rows = try reading { (connection) throws(StoreError) in
        try connection.query(
          "collection-history", schema.collectionHistory,
          [
            .text(collection.rawValue), .text(last.id), .number(last.commit), .number(from),
            .number(Int64(clamping: commits.upperBound)), .number(Self.historyPage),
          ], timeout: Connection.longTimeout)
      }
      for row in 0..<rows.count {
        let change = RecordChange(
          id: rows.text(row, 0), commit: UInt64(clamping: rows.number(row, 1)), before: rows.bytes(row, 3),
          after: rows.bytes(row, 2))
        if try body(change) == .stop { return }
      }
      guard rows.count == Int(Self.historyPage) else { return }
      last = (rows.bytes(rows.count - 1, 0) ?? [], rows.number(rows.count - 1, 1))
    }
  }

  private static let historyPage: Int64 = 1000

  public func origin(of commit: UInt64) throws(StoreError) -> CommitOrigin? {
    let found = try readingIfThere { (connection) throws(StoreError) -> CommitOrigin? in
      _ = try policies(connection)
      let rows = try connection.query("origin", schema.origin, [.number(Int64(clamping: commit))])
      guard rows.count == 1 else { return nil }
      func text(_ column: Int) -> String? {
        let text = rows.text(0, column)
        return text.isEmpty ? nil : text
      }
      let moved = rows.texts(0, 6)
      let cause = ChangeCause.Kind(rawValue: rows.text(0, 1)).map {
        ChangeCause(
          $0, follow: text(2), run: text(3), tool: text(4).map(ChangeCause.Tool.init(text:)), of: text(5),
          moved: stride(from: 0, to: moved.count - 2, by: 3).map {
            ChangeCause.Move(CollectionName(rawValue: moved[$0]), from: moved[$0 + 1], to: moved[$0 + 2])
          })
      }
      return CommitOrigin(at: rows.timestamp(0, 0), cause: cause)
    }
    return found ?? nil
  }
}

struct HistoryPolicies: Sendable {
  struct Kept: Sendable {
    var policy: HistoryPolicy
    var since: Moment
  }

  /// The commit after which the first state is known that may be kept.
  fileprivate(set) var begins: Int64
  fileprivate var beginsAt: Timestamp
  /// What was stored for a collection. A policy of `nil` is the program's.
  fileprivate var stored: [CollectionName: (policy: HistoryPolicy?, since: Moment)] = [:]
  fileprivate let standard: HistorySetting?

  func kept(_ collection: CollectionName) -> Kept {
    let known = stored[collection]
    return Kept(
      policy: known?.policy ?? standard?.policy(collection) ?? (collection.isInternal ? .none : .forever),
      since: known?.since ?? Moment(commit: UInt64(begins), at: beginsAt))
  }
}

extension PostgreSQLStore {
  /// - Throws: `StoreError.notKept` if the store keeps no history.
  fileprivate func policies(_ connection: Connection) throws(StoreError) -> HistoryPolicies {
    guard let policies = try policiesIfKept(connection) else {
      throw StoreError(
        .notKept, "the store keeps no history yet",
        hint: "it begins with the first change, if the user of the database owns the tables", path: address.text)
    }
    return policies
  }

  /// What is kept; `nil` only for a store that keeps no history. What cannot be read is an error, because a compaction
  /// removes what no policy keeps.
  fileprivate func policiesIfKept(_ connection: Connection) throws(StoreError) -> HistoryPolicies? {
    let format = try connection.query("format", "select format from \"\(schema.name)\".store")
    guard format.count == 1, format.number(0, 0) >= Schema.historyFormat else { return nil }
    let rows = try connection.query("policies", schema.policies)
    var policies = HistoryPolicies(begins: 0, beginsAt: Timestamp(secondsSinceEpoch: 0), standard: keeps)
    for row in 0..<rows.count {
      let since = rows.moment(row, 4)
      guard !rows.text(row, 0).isEmpty else {
        (policies.begins, policies.beginsAt) = (Int64(since.commit), since.at)
        continue
      }
      func fields(_ column: Int) -> [String] { rows.text(row, column).split(separator: "\n").map(String.init) }
      policies.stored[rows.collection(row, 0)] = (
        HistoryPolicy.Keep(rows.text(row, 1)).map { HistoryPolicy($0, daily: fields(2), quiet: fields(3)) }, since
      )
    }
    return policies
  }

  /// The commit from which on the changes of a collection are known.
  private func since(of collection: CollectionName, _ connection: Connection) throws(StoreError) -> Int64 {
    let kept = try policies(connection).kept(collection)
    if kept.policy.keep == .none { throw noHistory(of: collection) }
    return Int64(kept.since.commit)
  }

  fileprivate func noHistory(of collection: CollectionName) -> StoreError {
    StoreError(.notKept, "no history of \(collection) is kept", path: address.text)
  }

  fileprivate func notKept(_ what: String, _ commit: Int64, since: Int64) -> StoreError {
    StoreError(
      .notKept, "\(what) after commit \(commit) is not kept: the history begins with commit \(since)",
      path: address.text)
  }

  /// Begins a history in the transaction that holds the lock. Programs that do not know it refuse the store then.
  func beginHistory(_ connection: Connection) throws(StoreError) {
    try connection.run(schema.beginHistory, timeout: Connection.longTimeout)
  }
}

extension PostgreSQLStore: HistoryMaintenance {
  public func histories() throws(StoreError) -> [HistoryStatus] {
    let found = try readingIfThere { (connection) throws(StoreError) -> [HistoryStatus] in
      guard let policies = try policiesIfKept(connection) else { return [] }
      let rows = try connection.query("histories", schema.histories, timeout: Connection.longTimeout)
      return (0..<rows.count).map { row in
        let kept = policies.kept(rows.collection(row, 0))
        return HistoryStatus(
          rows.collection(row, 0), kept.policy, since: kept.policy.keep == .none ? nil : kept.since,
          changes: Int(rows.number(row, 1)), bytes: Int(rows.number(row, 2)))
      }
    }
    return found ?? []
  }

  public func setPolicy(_ policy: HistoryPolicy, of collection: CollectionName) async throws(StoreError) {
    try await maintaining { (connection) throws(StoreError) in
      let old = try policiesIfKept(connection)?.kept(collection)
      if old == nil { try beginHistory(connection) }
      let now = try connection.query("present", schema.present).moment(0, 0)
      let known = try policies(connection).kept(collection).since
      try put(policy, of: collection, since: old?.policy.keep == HistoryPolicy.Keep.none ? now : known, connection)
    }
    if policy.keep == .none, let kept = try readingIfThere({ (connection) throws(StoreError) in try kept(connection) })
    {
      try await compact(to: kept)
    }
  }

  public func write(
    at time: Timestamp, _ body: (inout any StoreTransaction) throws(StoreError) -> Void
  ) async throws(StoreError) {
    _ = try await write(asOf: time, body)
  }

  /// - Parameter policy: `nil` for what the program says.
  fileprivate func put(
    _ policy: HistoryPolicy?, of collection: CollectionName, since: Moment, _ connection: Connection
  ) throws(StoreError) {
    _ = try connection.query(
      "put-policy", schema.putPolicy,
      [
        .text(collection.rawValue), .text(policy?.keep.description ?? ""),
        .text(policy?.daily.joined(separator: "\n") ?? ""), .text(policy?.quiet.joined(separator: "\n") ?? ""),
        .number(Int64(since.commit)), .number(Int64(since.at.secondsSinceEpoch)),
      ])
  }

  @discardableResult
  public func erase(
    _ select: (any RecordReader) throws(StoreError) -> [RecordName]
  ) async throws(StoreError) -> ErasedRecords {
    var erased = ErasedRecords()
    try await maintaining { (connection) throws(StoreError) in
      let present = try connection.query("present", schema.present)
      let transaction = PostgreSQLTransaction(
        self, connection, sequence: present.number(0, 0), token: "", explains: false)
      let names = try select(transaction)
      let parameters: [Parameter] = [.texts(names.map(\.collection.rawValue)), .texts(names.map(\.id))]
      let rows = try connection.query("erase", schema.erase, parameters, timeout: Connection.longTimeout)
      erased = ErasedRecords(records: Int(rows.number(0, 0)), changes: Int(rows.number(0, 1)))
      let policies = try policiesIfKept(connection)
      // The table of a store without a history has no causes.
      if policies != nil {
        _ = try connection.query("erase-moves", schema.eraseMoves, [parameters[1]], timeout: Connection.longTimeout)
      }
      // What was written of the records elsewhere, such as what an undo needed, is not named once it is replaced. Versions
      // that no history keeps only wait for a compaction.
      let collections = try connection.query("counts", schema.counts)
      for name in (0..<collections.count).map({ collections.collection($0, 0) })
      where (policies?.kept(name).policy.keep ?? .none) == HistoryPolicy.Keep.none {
        _ = try connection.query(
          "drop-old", schema.dropOld, [.text(name.rawValue), .number(present.number(0, 0))],
          timeout: Connection.longTimeout)
      }
      // Nothing that was read of the records may go on.
      try connection.run("update \"\(schema.name)\".store set kept = seq")
    }
    // Until then the server keeps the bytes in its files, which no dump has.
    _ = try? reading { (connection) throws(StoreError) in
      try connection.run("vacuum \"\(schema.name)\".version", timeout: Connection.longTimeout)
    }
    return erased
  }

  /// Removes the versions that the policies do not keep, but for those of the last day.
  ///
  /// - Parameter kept: the first commit whose state no snapshot may miss.
  /// - Returns: the collections without a history; `nil` for a store that keeps none of any.
  func compactHistory(to kept: Int64) async throws(StoreError) -> [CollectionName]? {
    let found = try reading { (connection) throws(StoreError) -> [(CollectionName, HistoryPolicies.Kept)]? in
      guard let policies = try policiesIfKept(connection) else { return nil }
      let names = try connection.query("counts", schema.counts)
      return (0..<names.count).map { (names.collection($0, 0), policies.kept(names.collection($0, 0))) }
    }
    guard let found else { return nil }
    for (collection, known) in found {
      let days: Int? =
        switch known.policy.keep {
        case .forever: nil
        // The server's clock has no time much before the year 0.
        case .days(let days): min(max(0, days), 700_000)
        case .none: 0
        }
      if let days {
        try await maintaining { (connection) throws(StoreError) in
          let rows = try connection.query("days-ago", schema.daysAgo, [.number(Int64(days)), .number(kept)])
          let since = Moment(
            commit: UInt64(clamping: known.policy.keep == .none ? kept : rows.number(0, 0)), at: rows.timestamp(0, 1))
          guard since.commit > known.since.commit else { return }
          // A program with another policy must not take what is left for the whole.
          let stored = try policies(connection).stored[collection]?.policy
          try put(stored, of: collection, since: since, connection)
          if known.policy.keep == .none { return }
          _ = try connection.query(
            "drop-old", schema.dropOld, [.text(collection.rawValue), .number(Int64(since.commit))],
            timeout: Connection.longTimeout)
        }
      }
      let fields = known.policy.daily + known.policy.quiet
      guard known.policy.keep != .none, !fields.isEmpty else { continue }
      try await maintaining { (connection) throws(StoreError) in
        _ = try connection.query(
          "thin", schema.thin,
          [
            .text(collection.rawValue), .number(kept), .texts(fields), .texts(known.policy.quiet),
          ], timeout: Connection.longTimeout)
      }
    }
    return found.filter { $0.1.policy.keep == .none }.map(\.0)
  }
}

private struct PostgreSQLPast: StoreSnapshot {
  let store: PostgreSQLStore
  let number: Int64
  let history: HistoryPolicies
  let counts: [CollectionName: Int]

  var sequence: UInt64 { UInt64(number) }
  var end: ChangeCursor? { nil }
  var collections: [CollectionName] { counts.keys.sorted() }

  func count(_ collection: CollectionName) throws(StoreError) -> Int {
    if let present = try present(collection) { return try present.count(collection) }
    return counts[collection] ?? 0
  }

  func record(_ collection: CollectionName, _ id: String) throws(StoreError) -> [UInt8]? {
    if let present = try present(collection) { return try present.record(collection, id) }
    return try store.reading { (connection) throws(StoreError) in
      try connection.query("record", store.schema.record, [.text(collection.rawValue), .text(id), .number(number)])
        .bytes(0, 1)
    }
  }

  func scan(
    _ collection: CollectionName, _ range: ScanRange, _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    if let present = try present(collection) { return try present.scan(collection, range, body) }
    try store.scan(collection, range, at: number) { (_, record) throws(StoreError) in try body(record) }
    // A compaction during the scan would have hidden records.
    try check(collection, store.reading { (connection) throws(StoreError) in try store.policies(connection) })
  }

  /// The present state, as which a collection of the store's own is read where this one is not kept.
  private func present(_ collection: CollectionName) throws(StoreError) -> (any StoreSnapshot)? {
    do throws(StoreError) {
      try check(collection, history)
      return nil
    } catch {
      guard collection.isInternal else { throw error }
      return try store.snapshot()
    }
  }

  private func check(_ collection: CollectionName, _ history: HistoryPolicies) throws(StoreError) {
    let kept = history.kept(collection)
    if kept.policy.keep == .none { throw store.noHistory(of: collection) }
    if sequence < kept.since.commit {
      throw store.notKept("the state of \(collection)", number, since: Int64(kept.since.commit))
    }
  }
}
