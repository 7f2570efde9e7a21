import Models
import Ports

/// The reads and changes of a transaction's body. Reads go to the server; changes wait here until the body has ended.
final class PostgreSQLTransaction: StoreTransaction {
  private struct Key: Hashable {
    let collection: CollectionName
    let id: [UInt8]
  }

  private let store: PostgreSQLStore
  private let connection: Connection
  private let sequence: Int64
  private let token: String
  /// Whether the store keeps the cause of a commit.
  private let explains: Bool
  /// The records as they were before, as far as they are known.
  private var before: [Key: [UInt8]?] = [:]
  private var after: [Key: [UInt8]?] = [:]
  /// The changed ids in the order of their first change.
  private var changed: [Key] = []
  private var counts: [CollectionName: Int]?
  var cause: ChangeCause?
  /// The time of the commit; `nil` for the present, by the clock of the server.
  var at: Timestamp?

  init(_ store: PostgreSQLStore, _ connection: Connection, sequence: Int64, token: String, explains: Bool) {
    (self.store, self.connection, self.sequence, self.token) = (store, connection, sequence, token)
    self.explains = explains
  }

  var now: Timestamp? {
    get throws(StoreError) {
      // Not with the lock: that may have been waited for.
      let rows = try connection.query("clock", "select floor(extract(epoch from clock_timestamp()))::bigint")
      return Timestamp(secondsSinceEpoch: Int(rows.number(0, 0)))
    }
  }

  func expect(_ collection: CollectionName, _ ids: [String]) throws(StoreError) {
    try fetch(ids.map { Key(collection: collection, id: Array($0.utf8)) })
  }

  func record(_ collection: CollectionName, _ id: String) throws(StoreError) -> [UInt8]? {
    let key = Key(collection: collection, id: Array(id.utf8))
    if let record = after[key] { return record }
    if let record = before[key] { return record }
    let rows = try connection.query("latest", store.schema.latest, [.text(collection.rawValue), .text(key.id)])
    let found = rows.count == 0 ? nil : rows.bytes(0, 0)
    before[key] = .some(found)
    return found
  }

  func count(_ collection: CollectionName) throws(StoreError) -> Int {
    if counts == nil {
      let rows = try connection.query("counts", store.schema.counts)
      counts = Dictionary(
        uniqueKeysWithValues: (0..<rows.count).map { (rows.collection($0, 0), Int(rows.number($0, 1))) })
    }
    let own = changed.filter { $0.collection == collection }
    try fetch(own)
    return own.reduce(counts?[collection] ?? 0) { $0 + difference(of: $1) }
  }

  func scan(
    _ collection: CollectionName, _ range: ScanRange, _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    let own = ownChanges(collection, range)
    var next = 0
    // Calls the body with the own records before an id, or with all that are left.
    func deliver(before id: UnsafeRawBufferPointer?) throws(StoreError) -> ScanStep {
      while next < own.count, id.map({ own[next].id.lexicographicallyPrecedes($0) }) ?? true {
        let record = own[next].record
        next += 1
        if let record, try Self.step(record, body) == .stop { return .stop }
      }
      return .next
    }
    var isStopped = false
    try store.scan(collection, range, at: sequence, on: connection) { (id, record) throws(StoreError) -> ScanStep in
      var step = try deliver(before: id)
      if step == .next {
        if next < own.count, own[next].id.elementsEqual(id) {
          let changed = own[next].record
          next += 1
          if let changed { step = try Self.step(changed, body) }
        } else {
          step = try body(record)
        }
      }
      isStopped = step == .stop
      return step
    }
    if !isStopped { _ = try deliver(before: nil) }
  }

  private static func step(
    _ record: [UInt8], _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError) -> ScanStep {
    // `[UInt8].span` requires macOS 26; the span of an array slice does not.
    let slice = record[...]
    return try body(slice.span.bytes)
  }

  /// The changes of this transaction in a range, by ascending id.
  private func ownChanges(_ collection: CollectionName, _ range: ScanRange) -> [(id: [UInt8], record: [UInt8]?)] {
    let prefix = Array(range.prefix.utf8)
    let start = range.after.map { Array($0.utf8) }
    return after.compactMap { key, record in
      guard key.collection == collection, key.id.starts(with: prefix),
        start.map({ $0.lexicographicallyPrecedes(key.id) }) ?? true
      else { return nil }
      return (key.id, record)
    }.sorted { $0.id.lexicographicallyPrecedes($1.id) }
  }

  func put(_ record: [UInt8], id: String, in collection: CollectionName) throws(StoreError) {
    let key = Key(collection: collection, id: Array(id.utf8))
    try Self.check(collection, key.id)
    let problem = key.id.withUnsafeBytes { id in
      record.withUnsafeBytes { record in RecordRule.problem(of: record, id: id) }
    }
    if let problem { throw StoreError(.invalidRecord, problem) }
    change(key, to: record)
  }

  func delete(_ collection: CollectionName, _ id: String) throws(StoreError) {
    let key = Key(collection: collection, id: Array(id.utf8))
    try Self.check(collection, key.id)
    change(key, to: nil)
  }

  private static func check(_ collection: CollectionName, _ id: [UInt8]) throws(StoreError) {
    let problem = RecordRule.problem(ofCollection: collection) ?? id.withUnsafeBytes { RecordRule.problem(ofID: $0) }
    if let problem { throw StoreError(.invalidRecord, problem) }
  }

  private func change(_ key: Key, to record: [UInt8]?) {
    if after.updateValue(record, forKey: key) == nil { changed.append(key) }
  }

  /// Reads the records of ids that are not known yet, in one round trip.
  private func fetch(_ keys: [Key]) throws(StoreError) {
    let unknown = Array(Set(keys.filter { before[$0] == nil }))
    if unknown.isEmpty { return }
    let rows = try connection.query(
      "expected", store.schema.expected,
      [.texts(unknown.map(\.collection.rawValue)), .texts(unknown.map(\.id))],
      timeout: Connection.longTimeout)
    for key in unknown { before[key] = .some(nil) }
    for row in 0..<rows.count { before[unknown[Int(rows.number(row, 0)) - 1]] = .some(rows.bytes(row, 1)) }
  }

  /// By how much a change alters the number of records.
  private func difference(of key: Key) -> Int {
    (after[key] ?? nil == nil ? 0 : 1) - (before[key] ?? nil == nil ? 0 : 1)
  }

  /// The statements that give the commit its time, and the history of a store without earlier ones its beginning.
  private func backdating(_ number: Parameter) -> [(text: String, parameters: [Parameter])] {
    guard let at else { return [] }
    let time = Parameter.number(Int64(at.secondsSinceEpoch))
    let commit = (text: store.schema.backdate, parameters: [number, time])
    return sequence == 0 && explains ? [commit, (store.schema.backdateHistory, [time])] : [commit]
  }

  /// What has to be sent to commit the changes; `nil` if nothing differs from what is stored.
  func pending() throws(StoreError) -> PendingCommit? {
    try fetch(changed)
    let kept = changed.filter { (before[$0] ?? nil) != (after[$0] ?? nil) }
    if kept.isEmpty { return nil }
    var differences: [CollectionName: Int] = [:]
    for key in kept { differences[key.collection, default: 0] += difference(of: key) }
    let names = differences.keys.sorted()
    let number = Parameter.number(sequence + 1)
    let count = Parameter.small(Int32(clamping: kept.count))
    let schema = store.schema
    var (commit, values) = (schema.insertCommit, [number, .text(token), count])
    if explains, let cause {
      commit = schema.insertExplainedCommit
      values += [cause.kind.rawValue, cause.follow, cause.run, cause.tool?.text, cause.of].map { .text($0 ?? "") }
      values.append(.texts(cause.moved.flatMap { [$0.collection.rawValue, $0.from, $0.to] }))
    }
    var pending = PendingCommit(
      sequence: sequence + 1, token: token, records: kept.count,
      statements: [
        (
          schema.insertVersions,
          [
            .texts(kept.map(\.collection.rawValue)), .texts(kept.map(\.id)),
            .blobs(kept.map { after[$0] ?? nil }), number,
          ]
        ),
        (
          schema.upsertCollections,
          [.texts(names.map(\.rawValue)), .numbers(names.map { Int64(differences[$0] ?? 0) }), number]
        ),
        (commit, values),
        (schema.updateStore, [number, count]),
        ("commit", []),
      ])
    pending.statements.insert(contentsOf: backdating(number), at: 3)
    return pending
  }
}
