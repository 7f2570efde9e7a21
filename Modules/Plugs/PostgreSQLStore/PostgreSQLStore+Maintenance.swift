public import Models
public import Ports

extension PostgreSQLStore: StoreMaintenance {
  /// Removes old deletions, and versions replaced more than a day ago. Cursors and snapshots of older states expire.
  @discardableResult
  public func compact() async throws(StoreError) -> StoreStatistics {
    let last = try queryIfThere(
      "old-commit",
      "select coalesce(max(seq), 0) from \"\(schema.name)\".commit where at < clock_timestamp() - interval '1 day'")
    if let last { try await compact(to: last.number(0, 0)) }
    return try statistics()
  }

  /// How many versions one step of a compaction looks at: writers wait for a step.
  private static let compactionStep = 2000

  /// Removes what no state from a commit on needs.
  package func compact(to kept: Int64) async throws(StoreError) {
    let s = "\"\(schema.name)\""
    guard kept > 0 else { return }
    // First nothing may begin to read what is removed then.
    try await maintaining("update \(s).store set kept = greatest(kept, \(kept))")
    let withoutHistory = try await compactHistory(to: kept)?.map { Schema.literal($0.rawValue) }
    let isPast =
      withoutHistory.map { $0.isEmpty ? "false" : "v.collection in (\($0.joined(separator: ", ")))" } ?? "true"
    var from: Int64 = 0
    while from < kept {
      let next = try reading { (connection) throws(StoreError) in
        let rows = try connection.run(
          """
          select max(seq) from (select seq from \(s).version where seq > \(from) and seq < \(kept)
            order by seq limit \(Self.compactionStep)) v
          """)
        return Int64(rows.text(0, 0)) ?? kept
      }
      try await maintaining(
        """
        delete from \(s).version v where \(isPast) and v.seq > \(from) and v.seq <= \(next) and v.seq < \(kept) and exists
          (select 1 from \(s).version n where n.collection = v.collection and n.id = v.id and n.seq > v.seq
            and n.seq <= \(kept))
        """)
      from = next
    }
    // A deletion is removed after the versions before it, so that none of them comes back.
    try await maintaining(
      """
      delete from \(s).version v where v.body is null and v.seq < \(kept) and not exists
        (select 1 from \(s).version o where o.collection = v.collection and o.id = v.id and o.seq < v.seq)
      """)
    try await maintaining(
      """
      delete from \(s).commit c where c.seq < \(kept) and not exists (select 1 from \(s).version v where v.seq = c.seq)
      """)
  }

  /// Runs a statement of maintenance between the commits of writers.
  private func maintaining(_ statement: String) async throws(StoreError) {
    try await maintaining { (connection) throws(StoreError) in
      try connection.run(statement, timeout: Connection.longTimeout)
    }
  }

  /// Runs statements as a transaction with the lock of the store.
  func maintaining(_ body: (Connection) throws(StoreError) -> Void) async throws(StoreError) {
    try await takeTurn()
    defer { pool.turn.give() }
    _ = try reading { (connection) throws(StoreError) in
      do throws(StoreError) {
        try lock(connection)
        try body(connection)
        try connection.run("commit", timeout: Connection.longTimeout)
      } catch {
        let removal = removal(connection)
        if !connection.isBroken { try connection.run("rollback") }
        throw removal ?? error
      }
    }
  }

  /// Checks that the server writes, and that the user may: one statement, which waits for no writer.
  public func checkWritable() throws(StoreError) {
    guard let rows = try queryIfThere("writable", schema.writable) else { return }
    if rows.bytes(0, 0) == [1] { throw placed(Connection.readOnly) }
    if rows.raw(0, 1) != nil { throw placed(Connection.lacking(rows.text(0, 1))) }
  }

  /// Does nothing: the records are in tables, not in files.
  public func publish(_ effort: PublishEffort) async throws(StoreError) {}

  public func behind() throws(StoreError) -> [CollectionName] { [] }

  /// Compares the counts of the collections with their records, and the numbers of the commits with the last one. The
  /// server checks its own files.
  public func verify() throws(StoreError) -> [StoreFinding] {
    let s = "\"\(schema.name)\""
    let problems = try readingIfThere {
      (connection) throws(StoreError) -> [(message: String, collection: CollectionName?)] in
      let counts = try connection.query(
        "verify-counts",
        """
        select k.name, k.count, coalesce(n.count, 0) from \(s).collection k left join
          (select collection, count(*) filter (where body is not null) as count from
            (select distinct on (collection, id) collection, body from \(s).version order by collection, id, seq desc) v
            group by collection) n on n.collection = k.name where k.count <> coalesce(n.count, 0)
        """, timeout: Connection.longTimeout)
      let commits = try connection.query(
        "verify-commits",
        """
        select s.seq - greatest(s.kept, 1) + 1 - count(c.seq) filter (where c.seq >= s.kept),
          max(c.seq) - s.seq from \(s).store s left join \(s).commit c on true where s.seq > 0 group by s.seq, s.kept
        """, timeout: Connection.longTimeout)
      var problems = (0..<counts.count).map { row in
        (
          "\(counts.text(row, 0)) has \(counts.number(row, 2)) records, and its count is \(counts.number(row, 1))",
          Optional(counts.collection(row, 0))
        )
      }
      if commits.count == 1 {
        let missing = commits.number(0, 0)
        if missing != 0 { problems.append(("\(missing) commits are missing in the feed", nil)) }
        if commits.number(0, 1) > 0 { problems.append(("there are commits after the last one", nil)) }
      }
      return problems
    }
    return (problems ?? []).map {
      StoreFinding(
        .damage, path: address.text, message: $0.message,
        suggestion: $0.collection == nil ? "restore the database from a backup" : "repair the store",
        collection: $0.collection)
    }
  }

  /// Counts the records of the collections again. Other damage is for the server's own tools.
  public func repair() async throws(StoreError) -> [StoreFinding] {
    let s = "\"\(schema.name)\""
    let found = try verify()
    if found.contains(where: { $0.collection != nil }) {
      try await maintaining(
        """
        update \(s).collection k set count = (select count(*) from (select distinct on (id) body from \(s).version
          where collection = k.name order by id, seq desc) v where body is not null)
        """)
    }
    return found.map { finding in
      var finding = finding
      if finding.collection != nil {
        finding.severity = .note
        finding.suggestion = "counted again"
      }
      return finding
    }
  }

  /// The number of records, and the size of the tables with their indexes.
  public func statistics() throws(StoreError) -> StoreStatistics {
    let s = "\"\(schema.name)\""
    let found = try readingIfThere { (connection) throws(StoreError) in
      let counts = try connection.query("counts", schema.counts)
      let size = try connection.query(
        "size",
        """
        select pg_total_relation_size('\(s).version'::regclass) + pg_total_relation_size('\(s).commit'::regclass)
          + pg_total_relation_size('\(s).media'::regclass) + pg_total_relation_size('\(s).media_ref'::regclass)
        """, timeout: Connection.longTimeout)
      let records = (0..<counts.count).reduce(0) {
        $0 + (counts.collection($1, 0).isInternal ? 0 : Int(counts.number($1, 1)))
      }
      return StoreStatistics(records: records, bytes: Int(size.number(0, 0)), journalBytes: 0)
    }
    return found ?? StoreStatistics(records: 0, bytes: 0, journalBytes: 0)
  }
}
