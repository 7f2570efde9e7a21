import Models
import Ports

/// The reads and changes of a transaction's body. Changes become lines of the journal at once.
final class DiskTransaction: StoreTransaction {
  struct Change {
    /// Its index in `names`.
    var collection: Int
    /// The line in `lines`, without its newline.
    var line: Range<Int>
    /// The record in `lines`; empty for a removal.
    var record: Range<Int>
    /// The id's bytes: in `lines`, or in `escaped` where the line has them with escapes.
    var key: Range<Int>
    var isEscaped: Bool
    /// What it changes, as far as the transaction has read it.
    var effect: Effect?
    /// Whether a later change of the same id replaces it, as far as the index is up to date.
    var isOver = false
  }

  /// What a change does to the record before the transaction.
  enum Effect {
    case adds
    case replaces
    case nothing
  }

  /// A record as it was before the transaction.
  private struct Lookup {
    let collection: String
    let key: [UInt8]
    let record: [UInt8]?
  }

  let tables: [String: Table]
  var cause: ChangeCause?
  private(set) var changes: [Change] = []
  private(set) var names: [String] = []
  /// How a line that puts a record begins, for each collection in `names`.
  private var beginnings: [[UInt8]] = []
  var lines: ByteBuffer
  private var escaped: ByteBuffer
  private var index = KeyTable()
  /// How many changes are in the index, which is updated when it is used: a transaction into an empty store never does.
  private var indexed = 0
  private var sortedRuns: [String: SortedRun] = [:]
  /// The last record that was read. Most changes follow a read of the same record, which is not read again then.
  private var lookup: Lookup?

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
      let found = try tables[collection.rawValue]?.record(key)
      lookup = Lookup(collection: collection.rawValue, key: key.array, record: found)
      return found
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
      if entry.isTombstone, existed { count -= 1 }
      if !entry.isTombstone, !existed { count += 1 }
    }
    return count
  }

  func put(_ record: [UInt8], id: String, in collection: CollectionName) throws(StoreError) {
    let number = try self.number(collection)
    try withKey(id) { (key) throws(StoreError) in
      try Self.check(key)
      try record.withUnsafeBufferPointer { (buffer) throws(StoreError) in
        let record = ByteSlice(buffer)
        let found = try Self.check(record, id: key)
        let start = lines.count
        beginnings[number].withByteSlice { lines.append($0) }
        let recordStart = lines.count
        lines.append(record)
        lines.append("}\n")
        let keyStart = found.isEscaped ? escape(key) : recordStart + RecordKey.openingCount
        add(
          Change(
            collection: number, line: start..<lines.count - 1, record: recordStart..<recordStart + record.count,
            key: keyStart..<keyStart + key.count, isEscaped: found.isEscaped))
      }
    }
  }

  func delete(_ collection: CollectionName, _ id: String) throws(StoreError) {
    let number = try self.number(collection)
    try withKey(id) { (key) throws(StoreError) in
      try Self.check(key)
      let start = lines.count
      lines.append("{\"cut\":\"")
      lines.append(utf8: collection.rawValue)
      lines.append("\",\"id\":\"")
      lines.append(escaped: key)
      lines.append("\"}\n")
      let keyStart = escape(key)
      add(
        Change(
          collection: number, line: start..<lines.count - 1, record: 0..<0,
          key: keyStart..<keyStart + key.count, isEscaped: true))
    }
  }

  func key(_ change: Change) -> ByteSlice { change.isEscaped ? escaped.slice[change.key] : lines.slice[change.key] }

  private func add(_ change: Change) {
    changes.append(change)
    if let lookup, lookup.collection == names[change.collection], lookup.key.withByteSlice({ $0 == key(change) }) {
      changes[changes.count - 1].effect = effect(of: change, on: lookup.record)
    }
    if !sortedRuns.isEmpty { sortedRuns = [:] }
  }

  /// Finds out of each new change whether it replaces an earlier one.
  func bringIndexUpToDate() {
    while indexed < changes.count {
      let (key, collection) = (self.key(changes[indexed]), changes[indexed].collection)
      let old = index.replace(Self.hash(key, collection), with: indexed) { isSame($0, key, collection) }
      if let old { changes[old].isOver = true }
      indexed += 1
    }
  }

  private func isSame(_ index: Int, _ key: ByteSlice, _ collection: Int) -> Bool {
    changes[index].collection == collection && self.key(changes[index]) == key
  }

  private func escape(_ key: ByteSlice) -> Int {
    escaped.append(key)
    return escaped.count - key.count
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
  private func run(_ collection: String) -> SortedRun? {
    guard let number = names.firstIndex(of: collection) else { return nil }
    if let run = sortedRuns[collection] { return run }
    var entries: [SortedRun.Entry] = []
    entries.reserveCapacity(changes.count)
    for change in changes where change.collection == number && !change.isOver {
      entries.append(SortedRun.Entry(key: key(change), record: lines.slice[change.record]))
    }
    let run = SortedRun(unsorted: entries, owners: [])
    sortedRuns[collection] = run
    return run
  }

  /// Tables of the records that this transaction puts, for a store that was empty before.
  var tablesOfChanges: [String: Table] {
    var tables: [String: Table] = [:]
    for name in names {
      guard let run = run(name) else { continue }
      let count = run.entries.count { !$0.isTombstone }
      if count > 0 { tables[name] = Table(runs: [run], count: count) }
    }
    return tables
  }

  private static func hash(_ key: ByteSlice, _ collection: Int) -> UInt64 {
    XXHash64.sum(key.raw) &+ UInt64(collection) &* 0x9E37_79B9_7F4A_7C15
  }
}

extension DiskTransaction {
  /// Decides of each change whether it adds, replaces, deletes or does nothing, and completes the journal's bytes.
  ///
  /// - Parameter explains: whether the cause is written.
  /// - Returns: how many changes are left; with 0, nothing is written.
  func finish(sequence: UInt64, at: Int, explains: Bool) throws(StoreError) -> Int {
    bringIndexUpToDate()
    var kept: [Bool] = []
    kept.reserveCapacity(changes.count)
    var count = 0
    for change in changes {
      let isKept = change.isOver ? false : try classify(change)
      kept.append(isKept)
      if isKept { count += 1 }
    }
    guard count > 0 else { return 0 }
    if count < changes.count { removeLines(keeping: kept) }
    if explains, let cause { (CauseLine.bytes(cause) + [0x0A]).withByteSlice { lines.append($0) } }
    let size = lines.count - Frame.headCount
    let body = lines.slice[Frame.headCount..<lines.count]
    Frame(sequence: sequence, at: at, changes: count, bytes: size, sum: XXHash64.sum(body.raw))
      .writeHead(to: lines.base)
    return count
  }

  private func classify(_ change: Change) throws(StoreError) -> Bool {
    var effect = change.effect
    if effect == nil { effect = self.effect(of: change, on: try tables[names[change.collection]]?.record(key(change))) }
    switch effect {
    case .nothing, nil: return false
    case .replaces: return true
    case .adds:
      // The line was begun as `set`.
      let word: StaticString = "add"
      (lines.base + change.line.lowerBound + 2).update(from: word.utf8Start, count: 3)
      return true
    }
  }

  private func effect(of change: Change, on old: [UInt8]?) -> Effect {
    guard let old else { return change.record.isEmpty ? .nothing : .adds }
    let isSame = !change.record.isEmpty && old.withByteSlice { $0 == lines.slice[change.record] }
    return isSame ? .nothing : .replaces
  }

  /// Closes the gaps of lines that are left out.
  private func removeLines(keeping kept: [Bool]) {
    var end = Frame.headCount
    for (change, isKept) in zip(changes, kept) where isKept {
      let size = change.line.count + 1
      (lines.base + end).update(from: UnsafePointer(lines.base + change.line.lowerBound), count: size)
      end += size
    }
    lines.truncate(to: end)
  }
}

extension DiskTransaction {
  static func check(_ collection: CollectionName) throws(StoreError) {
    if let problem = RecordRule.problem(ofCollection: collection) { throw StoreError(.invalidRecord, problem) }
  }

  static func check(_ id: ByteSlice) throws(StoreError) {
    if let problem = RecordRule.problem(ofID: id.raw) { throw StoreError(.invalidRecord, problem) }
  }

  static func check(_ record: ByteSlice, id: ByteSlice) throws(StoreError) -> RecordKey {
    if let problem = RecordRule.problem(of: record.raw, id: id.raw) { throw StoreError(.invalidRecord, problem) }
    return RecordKey(of: record)!
  }
}

/// Finds the newest change of an id within a transaction: open addressing over hashes, no key copied.
struct KeyTable {
  // The lower half of the hash, then the index of the change plus one; 0 is free. With the hash here a key is looked at
  // only where it is most likely the right one, and growing touches no other pages.
  private var slots: [UInt64] = Array(repeating: 0, count: 64)
  private var count = 0

  private static let indexBits: UInt64 = 0xFFFF_FFFF

  /// Finds the position of a key, or of the free slot where it belongs.
  @inline(__always)
  private func slot(_ hash: UInt64, _ isSame: (Int) -> Bool) -> Int {
    let mask = slots.count - 1
    let tag = hash & Self.indexBits
    var position = Int(truncatingIfNeeded: tag) & mask
    while true {
      let entry = slots[position]
      if entry == 0 || entry >> 32 == tag && isSame(Int(entry & Self.indexBits) - 1) { return position }
      position = (position + 1) & mask
    }
  }

  @inline(__always)
  func find(_ hash: UInt64, _ isSame: (Int) -> Bool) -> Int? {
    let found = slots[slot(hash, isSame)]
    return found == 0 ? nil : Int(found & Self.indexBits) - 1
  }

  /// Keeps a change as the newest of its key; the one that was it before.
  @inline(__always)
  mutating func replace(_ hash: UInt64, with index: Int, _ isSame: (Int) -> Bool) -> Int? {
    let position = slot(hash, isSame)
    let old = slots[position]
    slots[position] = hash << 32 | UInt64(index + 1)
    if old != 0 { return Int(old & Self.indexBits) - 1 }
    count += 1
    if count * 2 > slots.count { grow() }
    return nil
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: 0, count: old.count * 2)
    let mask = slots.count - 1
    for entry in old where entry != 0 {
      var position = Int(truncatingIfNeeded: entry >> 32) & mask
      while slots[position] != 0 { position = (position + 1) & mask }
      slots[position] = entry
    }
  }
}
