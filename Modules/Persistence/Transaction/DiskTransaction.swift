import Glibc
import Models
import Ports

/// What a body sees and changes. It writes the journal's lines as the changes come.
final class DiskTransaction: StoreTransaction {
  struct Change {
    /// Place in `names`.
    var collection: Int
    /// The line in `lines`, without its newline.
    var line: Range<Int>
    /// The record in `lines`; empty for a removal.
    var record: Range<Int>
    /// The id's bytes: in `lines`, or in `escaped` where the line has them with escapes.
    var key: Range<Int>
    var isEscaped: Bool
    /// Whether a later change of the same id counts instead, as far as the index is up to date.
    var isOver = false
  }

  let tables: [String: Table]
  private(set) var changes: [Change] = []
  private(set) var names: [String] = []
  /// How a line that puts a record begins, by the place of its collection in `names`.
  private var beginnings: [[UInt8]] = []
  var lines: ByteBuffer
  private var escaped: ByteBuffer
  private var index = KeyTable()
  /// How many changes are in the index: it is brought up to date when it is asked, and of a transaction that only puts
  /// into an empty store it never is.
  private var indexed = 0
  private var sortedRuns: [String: Run] = [:]

  init(tables: [String: Table]) {
    self.tables = tables
    lines = ByteBuffer(capacity: 4096)
    lines.skip(Frame.headCount)
    escaped = ByteBuffer(capacity: 64)
  }

  func record(_ collection: CollectionName, _ id: String) throws(StoreError) -> [UInt8]? {
    try withKey(id) { (key) throws(StoreError) in
      if !changes.isEmpty { bringIndexUpToDate() }
      if !changes.isEmpty, let number = names.firstIndex(of: collection.rawValue),
        let found = index.find(Self.hash(key, number), { isSame($0, key, number) })
      {
        let change = changes[found]
        return change.record.isEmpty ? nil : lines.slice[change.record].array
      }
      return try tables[collection.rawValue]?.record(key)
    }
  }

  func scan(
    _ collection: CollectionName, _ range: ScanRange, _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    let run = run(collection.rawValue)
    let table = tables[collection.rawValue] ?? Table()
    try withRange(range) { (prefix, after) throws(StoreError) in
      try table.scan(prefix: prefix, after: after, extra: run) { (record) throws(StoreError) in
        try body(record.raw.bytes)
      }
    }
  }

  func count(_ collection: CollectionName) throws(StoreError) -> Int {
    let table = tables[collection.rawValue] ?? Table()
    var count = table.count
    for entry in run(collection.rawValue)?.entries ?? [] {
      let existed = try table.record(entry.key) != nil
      if entry.isCut, existed { count -= 1 }
      if !entry.isCut, !existed { count += 1 }
    }
    return count
  }

  func put(_ record: [UInt8], id: String, in collection: CollectionName) throws(StoreError) {
    let number = try self.number(collection)
    try withKey(id) { (key) throws(StoreError) in
      try Self.check(key)
      try record.withUnsafeBufferPointer { (buffer) throws(StoreError) in
        let record = Slice(buffer)
        let found = try Self.check(record, id: key)
        let start = lines.count
        beginnings[number].withSlice { lines.append($0) }
        let recordStart = lines.count
        lines.append(record)
        lines.append("}\n")
        let keyStart = found.isEscaped ? escape(key) : recordStart + RecordKey.openingCount
        add(
          Change(
            collection: number, line: start..<lines.count - 1,
            record: recordStart..<recordStart + record.count, key: keyStart..<keyStart + key.count,
            isEscaped: found.isEscaped))
      }
    }
  }

  func delete(_ collection: CollectionName, _ id: String) throws(StoreError) {
    let number = try self.number(collection)
    try withKey(id) { (key) throws(StoreError) in
      try Self.check(key)
      let start = lines.count
      lines.append("{\"cut\":\"")
      append(collection.rawValue)
      lines.append("\",\"id\":\"")
      var text: [UInt8] = []
      RecordKey.escape(key, into: &text)
      text.withUnsafeBufferPointer { lines.append(Slice($0)) }
      lines.append("\"}\n")
      let keyStart = escape(key)
      add(
        Change(
          collection: number, line: start..<lines.count - 1, record: 0..<0,
          key: keyStart..<keyStart + key.count, isEscaped: true))
    }
  }

  /// The id of a change.
  func key(_ change: Change) -> Slice {
    change.isEscaped ? escaped.slice[change.key] : lines.slice[change.key]
  }

  private func add(_ change: Change) {
    changes.append(change)
    if !sortedRuns.isEmpty { sortedRuns = [:] }
  }

  /// Finds for every change whether it takes the place of an earlier one.
  func bringIndexUpToDate() {
    while indexed < changes.count {
      let (key, collection) = (self.key(changes[indexed]), changes[indexed].collection)
      let old = index.replace(Self.hash(key, collection), with: indexed) { isSame($0, key, collection) }
      if let old { changes[old].isOver = true }
      indexed += 1
    }
  }

  private func isSame(_ index: Int, _ key: Slice, _ collection: Int) -> Bool {
    changes[index].collection == collection && self.key(changes[index]) == key
  }

  private func escape(_ key: Slice) -> Int {
    escaped.append(key)
    return escaped.count - key.count
  }

  private func append(_ name: String) {
    for byte in name.utf8 { lines.append(byte) }
  }

  private func number(_ collection: CollectionName) throws(StoreError) -> Int {
    if let last = names.indices.last, names[last] == collection.rawValue { return last }
    if let number = names.firstIndex(of: collection.rawValue) { return number }
    try Self.check(collection)
    names.append(collection.rawValue)
    beginnings.append(Array("{\"set\":\"\(collection)\",\"record\":".utf8))
    return names.count - 1
  }

  /// The changes so far, sorted; `nil` where there are none.
  private func run(_ collection: String) -> Run? {
    guard let number = names.firstIndex(of: collection) else { return nil }
    if let run = sortedRuns[collection] { return run }
    var entries: [Run.Entry] = []
    entries.reserveCapacity(changes.count)
    for change in changes where change.collection == number && !change.isOver {
      entries.append(Run.Entry(key: key(change), record: lines.slice[change.record]))
    }
    let run = Run(unsorted: entries, owners: [])
    sortedRuns[collection] = run
    return run
  }

  /// Tables that hold what this transaction puts and nothing else; for a store that was empty before.
  var tablesOfChanges: [String: Table] {
    var tables: [String: Table] = [:]
    for name in names {
      guard let run = run(name) else { continue }
      let count = run.entries.count { !$0.isCut }
      if count > 0 { tables[name] = Table(runs: [run], count: count) }
    }
    return tables
  }

  private static func hash(_ key: Slice, _ collection: Int) -> UInt64 {
    XXHash64.sum(key.raw) &+ UInt64(collection) &* 0x9E37_79B9_7F4A_7C15
  }
}
