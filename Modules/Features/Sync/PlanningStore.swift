public import Models
public import Ports
import Synchronization

/// A store on top of a snapshot that keeps all changes in memory. A dry run uses it to run the code of a sync, or of an import,
/// without writing.
public final class PlanningStore: RecordStore {
  private let coder: any RecordCoder
  private let state: Mutex<OverlaySnapshot>

  public init(over base: any StoreSnapshot, _ coder: any RecordCoder) {
    self.coder = coder
    state = Mutex(OverlaySnapshot(base: base, coder: coder))
  }

  public func snapshot() throws(StoreError) -> any StoreSnapshot { state.withLock { $0 } }

  public func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> {
    try state.withLock { (state: inout OverlaySnapshot) throws(StoreError) -> Committed<Result> in
      var transaction: any StoreTransaction = state
      let value = try body(&transaction)
      guard var written = transaction as? OverlaySnapshot, written.changes > 0 else {
        return Committed(value: value, sequence: nil, records: 0)
      }
      let changes = written.changes
      (written.changes, written.sequence) = (0, state.sequence + 1)
      state = written
      return Committed(value: value, sequence: state.sequence, records: changes)
    }
  }

  /// Puts records as one change. All of them are held in memory.
  public func load(
    _ collection: CollectionName, because cause: ChangeCause?, _ next: () async throws(StoreError) -> LoadBatch?
  ) async throws(StoreError) -> LoadCounts {
    var records: [LoadedRecord] = []
    var seen: Set<ExactString> = []
    while let batch = try await next() {
      for record in batch {
        guard seen.insert(record.id.exact).inserted else { throw .duplicate(record.id, at: record.place) }
        records.append(record)
      }
    }
    return try await write { [records] (transaction) throws(StoreError) -> LoadCounts in
      var counts = LoadCounts()
      for record in records {
        let old = try transaction.record(collection, record.id)
        if old == nil {
          counts.added += 1
        } else if old == record.record {
          counts.unchanged += 1
        } else {
          counts.updated += 1
        }
        try transaction.put(record.record, id: record.id, in: collection)
      }
      return counts
    }.value
  }

  /// Returns no changes, because a plan has no history.
  public func changes(since cursor: ChangeCursor?, limit: Int) throws(StoreError) -> [StoreChange] { [] }

  /// What the plan changes in a collection, by id.
  ///
  /// - Throws: `Failure` if the store cannot be read.
  public func changes(of collection: CollectionName, nameField: String?) throws(Failure) -> [HistoryEntry] {
    let planned = state.withLock { $0 }
    return try Failure.from { () throws(StoreError) in
      var entries: [HistoryEntry] = []
      for (id, record) in (planned.layer[collection] ?? [:]).sorted(by: { $0.key < $1.key }) {
        let before = try planned.base.record(collection, id.text)
        guard before != record else { continue }
        entries.append(
          HistoryEntry(
            commit: 0, origin: nil, collection: collection, id: id.text,
            before: try before.map { (bytes) throws(StoreError) in try coder.object(bytes, collection, id.text) },
            after: try record.map { (bytes) throws(StoreError) in try coder.object(bytes, collection, id.text) },
            nameField: nameField))
      }
      return entries
    }
  }
}

/// A snapshot with changes in memory, and the transaction that makes them.
struct OverlaySnapshot: StoreSnapshot, StoreTransaction {
  let base: any StoreSnapshot
  let coder: any RecordCoder
  var sequence: UInt64
  /// The changed records; `nil` for a deleted one.
  var layer: [CollectionName: [ExactString: [UInt8]?]] = [:]
  /// The number of records that were put or deleted in this transaction.
  var changes = 0
  /// Kept for the body alone: nothing is written.
  var cause: ChangeCause?

  init(base: any StoreSnapshot, coder: any RecordCoder) {
    (self.base, self.coder) = (base, coder)
    sequence = base.sequence
  }

  /// The end of the base, because planned changes are not in the feed.
  var end: ChangeCursor? { base.end }

  var collections: [CollectionName] { Set(base.collections).union(layer.keys).sorted() }

  func record(_ collection: CollectionName, _ id: String) throws(StoreError) -> [UInt8]? {
    if let written = layer[collection]?[id.exact] { return written }
    return try base.record(collection, id)
  }

  func count(_ collection: CollectionName) throws(StoreError) -> Int {
    var count = try base.count(collection)
    for (id, record) in layer[collection] ?? [:] {
      let isThere = try base.record(collection, id.text) != nil
      if isThere, record == nil { count -= 1 }
      if !isThere, record != nil { count += 1 }
    }
    return count
  }

  func scan(
    _ collection: CollectionName, _ range: ScanRange, _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    guard let written = layer[collection], !written.isEmpty else { return try base.scan(collection, range, body) }
    let after = range.after?.exact
    let waiting = written.keys.filter { key in key.hasPrefix(range.prefix) && after.map { $0 < key } ?? true }.sorted()
    var next = 0
    var hasStopped = false
    func emit(until id: ExactString?) throws(StoreError) {
      while !hasStopped, next < waiting.count, id.map({ waiting[next] < $0 }) ?? true {
        if let record = written[waiting[next]] ?? nil {
          // `[UInt8].span` requires macOS 26; the span of an array slice does not.
          let slice = record[...]
          if try body(slice.span.bytes) == .stop { hasStopped = true }
        }
        next += 1
      }
    }
    try base.scan(collection, range) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
      guard let id = try self.id(of: bytes, collection) else { return try body(bytes) }
      try emit(until: id)
      if hasStopped { return .stop }
      if next < waiting.count, waiting[next] == id { return .next }
      if written[id] != nil { return .next }
      let step = try body(bytes)
      if step == .stop { hasStopped = true }
      return step
    }
    try emit(until: nil)
  }

  private func id(of bytes: RawSpan, _ collection: CollectionName) throws(StoreError) -> ExactString? {
    try coder.object(bytes, of: collection)["id"]?.string?.exact
  }

  mutating func put(_ record: [UInt8], id: String, in collection: CollectionName) throws(StoreError) {
    guard try self.record(collection, id) != record else { return }
    layer[collection, default: [:]].updateValue(record, forKey: id.exact)
    changes += 1
  }

  mutating func delete(_ collection: CollectionName, _ id: String) throws(StoreError) {
    guard try record(collection, id) != nil else { return }
    layer[collection, default: [:]].updateValue(nil, forKey: id.exact)
    changes += 1
  }
}
