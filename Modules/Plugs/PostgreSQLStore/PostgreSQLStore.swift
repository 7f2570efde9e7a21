import Models
public import Ports

/// A store in a schema of a PostgreSQL database, which programs on any number of machines may use.
///
/// `Schema` describes the tables. Writers take turns by locking one row, so that the feed has no gaps; readers never
/// wait. Each call uses a connection of its own, which is kept for the next one. `PostgreSQLStore.md` describes what the
/// server must guarantee.
public final class PostgreSQLStore: ObservableRecordStore {
  public let address: StoreAddress
  let schema: Schema
  let time: any TimeSource
  let pool: ConnectionPool
  /// The lease that each commit through this object requires; `nil` where none is needed.
  let fence: Fence?
  /// The history that the program asks for; `nil` if it does not begin one.
  let keeps: HistorySetting?
  private let pageSize: Int

  /// How long a write waits for the server to come back before it throws `unreachable`.
  let timeout: Duration
  /// The time between two looks for commits of others.
  static let pollInterval = Duration.milliseconds(200)

  /// Opens a store and connects once. A missing schema is an empty store; the first write makes it. Once it was there, it
  /// is not made again: while it is missing, reads and writes throw `moved`.
  ///
  /// - Parameters:
  ///   - history: what to keep of records that change. It begins with the first write, if the user owns the tables.
  ///   - time: the clocks of this machine, for waiting. The times of commits are the server's.
  ///   - timeout: how long a write tries again before it throws `unreachable` or, where others hold the lock, `busy`.
  /// - Throws: `StoreError`: `cannotRead` without libpq, `unreachable` if the server does not accept the connection,
  ///   `notFound` if there is no such database, `denied` if it refuses the user, `invalidAddress` if a parameter of the
  ///   address is wrong, `unsuitablePlace` if the database is not in UTF-8.
  public convenience init(
    _ address: StoreAddress, history: HistorySetting? = nil, time: any TimeSource, timeout: Duration = .seconds(10)
  ) throws(StoreError) { try self.init(address, history: history, time: time, timeout: timeout, pageSize: 2000) }

  package init(
    _ address: StoreAddress, history: HistorySetting? = nil, time: any TimeSource, timeout: Duration = .seconds(10),
    pageSize: Int
  ) throws(StoreError) {
    (self.address, self.time, self.timeout, self.pageSize) = (address, time, timeout, pageSize)
    keeps = history
    schema = Schema(address.schema)
    pool = try ConnectionPool(address, time: time)
    fence = nil
  }

  /// A view of the same store over the same connections, whose commits require a lease.
  init(_ store: PostgreSQLStore, requiring fence: Fence) {
    (address, time, timeout, pageSize) = (store.address, store.time, store.timeout, store.pageSize)
    (schema, pool, keeps) = (store.schema, store.pool, store.keeps)
    self.fence = fence
  }

  /// Reads with a connection; once more where the connection had ended unnoticed.
  func reading<Value>(_ body: (Connection) throws(StoreError) -> Value) throws(StoreError) -> Value {
    let isKept = pool.hasIdle
    do throws(StoreError) { return try readingOnce(body) } catch {
      // A server that was silent would only be silent again.
      if isKept, error.code == .unreachable, !pool.outage.isKnown {
        do throws(StoreError) { return try readingOnce(body) } catch { throw placed(error) }
      }
      throw placed(error)
    }
  }

  private func readingOnce<Value>(_ body: (Connection) throws(StoreError) -> Value) throws(StoreError) -> Value {
    let connection = try pool.take()
    defer { pool.give(connection) }
    let begun = time.uptime
    do throws(StoreError) {
      let value = try body(connection)
      pool.outage.end()
      return value
    } catch {
      if connection.isBroken { pool.note(error, since: begun) } else { pool.outage.end() }
      throw removal(connection) ?? error
    }
  }

  /// The error for a schema that was there earlier; `nil` where the last failure had another reason.
  func removal(_ connection: Connection) -> StoreError? {
    connection.isMissingSchema && connection.isSchemaKnown ? isRemoved : nil
  }

  /// The error for a store whose tables were removed, or are being restored.
  var isRemoved: StoreError {
    StoreError(
      .moved, "the schema \(schema.name) was removed, or is being restored; nothing was changed",
      hint:
        "restore it from a dump with psql: programs that are running go on then; one that is started makes an empty store",
      path: address.text)
  }

  /// The same as `reading`; `nil` where the schema does not exist, and never did.
  func readingIfThere<Value>(_ body: (Connection) throws(StoreError) -> Value) throws(StoreError) -> Value? {
    try reading { (connection) throws(StoreError) in
      do throws(StoreError) {
        let value = try body(connection)
        pool.noteSchema()
        return value
      } catch {
        if connection.isMissingSchema, removal(connection) == nil { return nil }
        throw error
      }
    }
  }

  /// The rows of a query; `nil` where the schema does not exist, and never did.
  @discardableResult
  func queryIfThere(
    _ name: String, _ statement: String, _ parameters: [Parameter] = [], timeout: Int = Connection.timeout
  ) throws(StoreError) -> Rows? {
    try readingIfThere { (connection) throws(StoreError) in
      try connection.query(name, statement, parameters, timeout: timeout)
    }
  }

  /// Whether the schema is there. Where it never was, the first write makes it.
  public func isThere() throws(StoreError) -> Bool {
    try readingIfThere { (connection) throws(StoreError) in try kept(connection) } != nil
  }

  /// Names the store in an error that does not say where it happened.
  func placed(_ error: StoreError) -> StoreError {
    var error = error
    if error.path == nil { error.path = address.text }
    return error
  }

  public func snapshot() throws(StoreError) -> any StoreSnapshot {
    let found = try readingIfThere { (connection) throws(StoreError) in
      let rows = try connection.query("state", schema.state)
      // A restore has made the table, and not filled it yet.
      guard rows.count > 0 else { throw isRemoved }
      try checkFormat(rows.number(0, 0))
      var counts: [CollectionName: Int] = [:]
      var collections: [CollectionName] = []
      for row in 0..<rows.count where rows.raw(row, 6) != nil {
        collections.append(rows.collection(row, 6))
        counts[rows.collection(row, 6)] = Int(rows.number(row, 7))
      }
      let last = FeedPlace(
        tag: rows.text(0, 1), sequence: rows.number(0, 2), change: rows.number(0, 3), token: rows.text(0, 5))
      return PostgreSQLSnapshot(store: self, last: last, collections: collections, counts: counts)
    }
    return found ?? PostgreSQLSnapshot(store: self, last: nil, collections: [], counts: [:])
  }

  func checkFormat(_ format: Int64) throws(StoreError) {
    if format > Schema.format {
      throw StoreError(
        .newerFormat, "the store has the format \(format), and this program reads up to \(Schema.format)",
        hint: "use a newer version of the program", path: address.text)
    }
  }

  /// Calls the body with the records of a collection as they were after a commit.
  func scan(
    _ collection: CollectionName, _ range: ScanRange, at sequence: Int64, on fixed: Connection? = nil,
    _ body: (_ id: UnsafeRawBufferPointer, _ record: RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    var (start, isAfter) = range.start
    let end = Self.end(ofPrefix: range.prefix)
    var size = min(100, pageSize)
    while true {
      let statement = schema.scan(isAfter: isAfter, hasEnd: end != nil)
      let parameters: [Parameter] =
        [.text(collection.rawValue), .text(start), .number(sequence), .number(Int64(size))]
        + (end.map { [.text($0)] } ?? [])
      let page = { (connection: Connection) throws(StoreError) -> Rows in
        try connection.query(statement.name, statement.text, parameters)
      }
      let rows: Rows
      if let fixed { rows = try page(fixed) } else { rows = try reading(page) }
      for row in 0..<rows.count {
        guard let id = rows.raw(row, 0), let record = rows.raw(row, 1) else { continue }
        if try body(id, RawSpan(_unsafeBytes: record)) == .stop { return }
      }
      guard rows.count == size else { return }
      start = rows.bytes(size - 1, 0) ?? []
      isAfter = true
      size = pageSize
    }
  }

  /// The least id after all that begin with a prefix: its last scalar that has a next one is replaced by that. UTF-8
  /// sorts as scalars do. `nil` where no id is after them.
  static func end(ofPrefix prefix: String) -> [UInt8]? {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
      guard let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) else { continue }
      scalars.append(next)
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return Array(String(text).utf8)
    }
    return nil
  }
}

extension Connection {
  /// Whether the last failure was that a table or the schema does not exist.
  var isMissingSchema: Bool { lastState == "42P01" || lastState == "3F000" }
}

extension ScanRange {
  /// The first id that may be in the range, and whether it is excluded.
  fileprivate var start: (id: [UInt8], isAfter: Bool) {
    let prefix = Array(prefix.utf8)
    guard let after = after.map({ Array($0.utf8) }), !after.lexicographicallyPrecedes(prefix) else {
      return (prefix, false)
    }
    return (after, true)
  }
}

/// A view of the store: the number of a commit.
struct PostgreSQLSnapshot: StoreSnapshot {
  let store: PostgreSQLStore
  /// The last change; `nil` in a store without a schema.
  let last: FeedPlace?
  let collections: [CollectionName]
  let counts: [CollectionName: Int]

  private var number: Int64 { last?.sequence ?? 0 }

  var sequence: UInt64 { UInt64(number) }
  var end: ChangeCursor? { last.flatMap { $0.sequence == 0 ? nil : $0.cursor } }

  func count(_ collection: CollectionName) throws(StoreError) -> Int { counts[collection] ?? 0 }

  func record(_ collection: CollectionName, _ id: String) throws(StoreError) -> [UInt8]? {
    // No collection that is not listed has a record.
    guard counts[collection] != nil else { return nil }
    return try store.reading { (connection) throws(StoreError) in
      let rows = try connection.query(
        "record", store.schema.record, [.text(collection.rawValue), .text(id), .number(number)])
      try check(kept: rows.number(0, 0))
      return rows.bytes(0, 1)
    }
  }

  func scan(
    _ collection: CollectionName, _ range: ScanRange, _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    guard counts[collection] != nil else { return }
    try store.scan(collection, range, at: number) { (_, record) throws(StoreError) in try body(record) }
    // A compaction during the scan would have hidden records.
    try check(kept: store.kept())
  }

  private func check(kept: Int64) throws(StoreError) {
    if number < kept {
      throw StoreError(
        .snapshotExpired, "the store was compacted, and the state after commit \(number) is not kept any more",
        hint: "try again", path: store.address.text)
    }
  }
}
