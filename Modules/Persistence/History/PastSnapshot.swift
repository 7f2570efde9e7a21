import Models
import Ports
import Synchronization

/// What is needed to read one collection as it was: a table, and the runs that lead back from it, the newest first.
struct PastCollection: Sendable {
  var table: Table
  var runs: [CollectionFile] = []
  var commit: UInt64
  /// The names of the fields that the state lacks.
  var hidden: [[UInt8]] = []
  var lost: [History.Lost] = []
  /// Ids that a scan passes over where they have changed.
  var skipped: [History.Lost] = []

  func record(_ key: ByteSlice) throws(StoreError) -> [UInt8]? {
    for lost in lost where lost.holds(key) { throw unknown }
    var record = try table.record(key)
    for run in runs {
      guard let line = try run.record(key) else { continue }
      try line.withByteSlice { (line) throws(StoreError) in try undo(line, of: run, on: &record) }
    }
    return hidden.isEmpty ? record : record.map { RecordDelta.without(hidden, $0) }
  }

  func scan(
    prefix: ByteSlice, after: ByteSlice?, _ body: (ByteSlice) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    // Ids of the range may be among those that are lost.
    for lost in lost {
      let isBefore = lost.before.map { $0.withByteSlice { $0.compare(after ?? prefix) <= 0 } } ?? false
      let isAfter = lost.after.map { $0.withByteSlice { $0.compare(prefix) > 0 && !$0.starts(with: prefix) } } ?? false
      if !isBefore, !isAfter { throw unknown }
    }
    if runs.isEmpty {
      return try table.scan(prefix: prefix, after: after) { (record) throws(StoreError) in try hand(record, body) }
    }
    var cursors: [LineCursor] = []
    for run in runs { cursors.append(try LineCursor(run, prefix: prefix, after: after)) }
    var present = try table.published.map { (file) throws(StoreError) in
      try LineCursor(file, prefix: prefix, after: after)
    }
    while true {
      let changed = cursors.smallest
      if let line = present?.line, changed.map({ present!.key.slice.compare($0.slice) < 0 }) ?? true {
        if try hand(line, body) == .stop { return }
        try present!.advance()
        continue
      }
      guard let changed else { return }
      var record: [UInt8]?
      if present?.has(changed) == true {
        record = present!.line!.array
        try present!.advance()
      }
      let isSkipped = skipped.contains { $0.holds(changed.slice) }
      for index in cursors.indices where cursors[index].has(changed) {
        if !isSkipped { try undo(cursors[index].line!, of: runs[index], on: &record) }
        try cursors[index].advance()
      }
      if let record, try record.withByteSlice({ (record) throws(StoreError) in try hand(record, body) }) == .stop {
        return
      }
    }
  }

  private func hand(
    _ record: ByteSlice, _ body: (ByteSlice) throws(StoreError) -> ScanStep
  ) throws(StoreError) -> ScanStep {
    if hidden.isEmpty { return try body(record) }
    return try RecordDelta.without(hidden, record.array).withByteSlice(body)
  }

  /// Undoes the changes of a line that are later than the commit.
  private func undo(_ line: ByteSlice, of run: CollectionFile, on record: inout [UInt8]?) throws(StoreError) {
    for change in try run.changes(in: line).reversed() {
      if change.commit <= commit { return }
      try run.undo(change, on: &record)
    }
  }

  private var unknown: StoreError {
    StoreError(.damaged, "the state after commit \(commit) is not known: a repair could not save all of it")
  }
}

extension CollectionFile {
  /// The changes in a line of this run, oldest first.
  func changes(in line: ByteSlice) throws(StoreError) -> [LineChange] {
    guard let changes = LineChange.all(in: line) else { throw damaged("a line of changes is not understood", 0) }
    return changes
  }

  func undo(_ change: LineChange, on record: inout [UInt8]?) throws(StoreError) {
    guard RecordDelta.undo(change.whole, on: &record) else {
      throw damaged("the change of commit \(change.commit) does not belong to its record", 0)
    }
  }
}

/// It is the same whatever the store compacts meanwhile: files that are gone are replaced by those of the newer manifest.
final class PastSnapshot: StoreSnapshot {
  /// A state of the store, and the tables from which the past is read: those of the commit, or the collection files.
  private struct Base: Sendable {
    let state: StoreState
    let tables: [String: Table]
  }

  private let store: JSONFileStore
  let sequence: UInt64
  private let base: Mutex<Base>
  private let known = Mutex<[String: PastCollection]>([:])

  init(_ store: JSONFileStore, _ state: StoreState, at commit: UInt64) throws(StoreError) {
    self.store = store
    sequence = commit
    base = Mutex(try Self.base(store, state, commit))
  }

  private static func base(_ store: JSONFileStore, _ state: StoreState, _ commit: UInt64) throws(StoreError) -> Base {
    var state = state
    while true {
      var tables = state.tables.mapValues { Table(published: $0.published, count: $0.published?.part.records ?? 0) }
      if commit < state.manifest.compacted { return Base(state: state, tables: tables) }
      var gatherer = ChangeGatherer()
      let isWhole = try state.eachTransaction(on: store.disk, store.limits) {
        (frame, journal, _, offset) throws(StoreError) in
        if frame.sequence <= commit { try gatherer.add(frame, at: offset, of: journal) }
      }
      gatherer.apply(to: &tables, from: state.journal)
      if isWhole { return Base(state: state, tables: tables) }
      state = try store.newerState(than: state)
    }
  }

  var end: ChangeCursor? {
    let store = base.withLock { $0.state.manifest.store }
    return FeedPosition.journal(sequence: sequence, changes: .max, offset: 0).cursor(store: store)
  }

  /// Those of which the state is kept.
  var collections: [CollectionName] {
    let names = base.withLock { $0.state.tables.keys.sorted() }
    return names.map { CollectionName(rawValue: $0) }.filter { name in
      var isEmpty = true
      try? scan(name, .all) { (_: RawSpan) throws(StoreError) in
        isEmpty = false
        return .stop
      }
      return !isEmpty
    }
  }

  func record(_ collection: CollectionName, _ id: String) throws(StoreError) -> [UInt8]? {
    let past = try past(collection)
    return try withKey(id) { (key) throws(StoreError) in try past.record(key) }
  }

  func scan(
    _ collection: CollectionName, _ range: ScanRange, _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    let past = try past(collection)
    try withRange(range) { (prefix, after) throws(StoreError) in
      try past.scan(prefix: prefix, after: after) { (record) throws(StoreError) in try body(record.raw.bytes) }
    }
  }

  func count(_ collection: CollectionName) throws(StoreError) -> Int {
    let past = try past(collection)
    if past.runs.isEmpty, past.lost.isEmpty { return past.table.count }
    var count = 0
    try past.scan(prefix: .empty, after: nil) { (_) throws(StoreError) in
      count += 1
      return .next
    }
    return count
  }

  private func past(_ collection: CollectionName) throws(StoreError) -> PastCollection {
    let name = collection.rawValue
    if let known = known.withLock({ $0[name] }) { return known }
    while true {
      let base = base.withLock { $0 }
      if let past = try past(collection, base) {
        known.withLock { $0[name] = past }
        return past
      }
      let newer = try Self.base(store, store.newerState(than: base.state), sequence)
      self.base.withLock { $0 = newer }
    }
  }

  /// `nil` where a file is gone because a newer manifest came.
  private func past(_ collection: CollectionName, _ base: Base) throws(StoreError) -> PastCollection? {
    let name = collection.rawValue
    guard let history = base.state.manifest.history, base.state.tables[name] != nil else {
      return PastCollection(table: Table(), commit: sequence)
    }
    let kept = store.kept(name, in: base.state.manifest)
    if collection.isInternal, (try? store.checkIsKept(collection, kept, sequence, base.state)) == nil {
      return PastCollection(table: base.state.tables[name]!, commit: sequence)
    }
    try store.checkIsKept(collection, kept, sequence, base.state)
    var past = PastCollection(table: base.tables[name] ?? Table(), commit: sequence)
    past.hidden = kept.hiddenNames(at: sequence)
    past.lost = history.lost.filter { $0.collection == name && $0.commits.contains(sequence) }
    if sequence < base.state.manifest.compacted {
      guard let runs = try store.open(history.runs(of: name).filter { $0.last > sequence }) else { return nil }
      past.runs = runs.reversed()
    }
    return past
  }
}
