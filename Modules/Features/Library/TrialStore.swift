public import Models
public import Ports
import Synchronization

/// A store whose commits are not written: what is read after them has them all the same, so that a command can be tried.
public final class TrialStore: WrappedStore {
  public let base: any RecordStore
  private let coder: any RecordCoder
  private let overlay = Mutex(Overlay())

  public init(_ base: any RecordStore, coder: any RecordCoder) { (self.base, self.coder) = (base, coder) }

  public func snapshot() throws(StoreError) -> any StoreSnapshot {
    TrialSnapshot(base: try base.snapshot(), overlay: overlay.withLock { $0 }, coder: coder)
  }

  public func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Committed<Result> {
    let snapshot = try base.snapshot()
    var transaction: any StoreTransaction = TrialTransaction(
      reader: TrialSnapshot(base: snapshot, overlay: overlay.withLock { $0 }, coder: coder))
    let value = try body(&transaction)
    if let done = transaction as? TrialTransaction { overlay.withLock { $0 = done.reader.overlay } }
    return Committed(value: value, sequence: nil, records: 0)
  }

  public func load(
    _ collection: CollectionName, because cause: ChangeCause?, _ next: () throws(StoreError) -> LoadedRecord?
  ) throws(StoreError) -> LoadCounts {
    var reader = TrialSnapshot(base: try base.snapshot(), overlay: overlay.withLock { $0 }, coder: coder)
    var counts = LoadCounts()
    var seen: Set<ExactString> = []
    while let record = try next() {
      guard seen.insert(record.id.exact).inserted else { throw .duplicate(record.id, at: record.place) }
      let old = try reader.record(collection, record.id)
      if old == record.record { counts.unchanged += 1; continue }
      if old == nil { counts.added += 1 } else { counts.updated += 1 }
      reader.overlay.records[collection, default: [:]][record.id.exact] = .some(record.record)
    }
    overlay.withLock { $0 = reader.overlay }
    return counts
  }

  /// What the commits would change in a collection, by id.
  ///
  /// - Throws: `Failure` if the store cannot be read.
  public func changes(of collection: CollectionName, nameField: String?) throws(Failure) -> [HistoryEntry] {
    let changed = overlay.withLock { $0.records[collection] ?? [:] }
    return try base.read { (snapshot) throws(StoreError) in
      var entries: [HistoryEntry] = []
      for (id, record) in changed.sorted(by: { $0.key < $1.key }) {
        let before = try snapshot.record(collection, id.text)
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

/// The records that were put, and those that were deleted, which are `nil`.
private struct Overlay: Sendable {
  var records: [CollectionName: [ExactString: [UInt8]?]] = [:]
}

private struct TrialSnapshot: StoreSnapshot {
  let base: any StoreSnapshot
  var overlay: Overlay
  let coder: any RecordCoder

  var sequence: UInt64 { base.sequence }
  var end: ChangeCursor? { base.end }
  var collections: [CollectionName] {
    let added = overlay.records.filter { $0.value.contains { $0.value != nil } }.keys
    return Set(base.collections + added).sorted()
  }

  func record(_ collection: CollectionName, _ id: String) throws(StoreError) -> [UInt8]? {
    if let record = overlay.records[collection]?[id.exact] { return record }
    return try base.record(collection, id)
  }

  func scan(
    _ collection: CollectionName, _ range: ScanRange, _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    guard let changed = overlay.records[collection] else { return try base.scan(collection, range, body) }
    let added = changed.filter { id, record in
      record != nil && id.hasPrefix(range.prefix) && range.after.map { $0.exact < id } ?? true
    }.sorted { $0.key < $1.key }
    var place = 0
    /// Whether the scan goes on after the records that come before an id, or after all of them.
    func hand(before id: ExactString?) throws(StoreError) -> ScanStep {
      while place < added.count, id.map({ added[place].key <= $0 }) ?? true {
        // The span of an array needs macOS 26, that of a slice does not.
        let slice = (added[place].value ?? [])[...]
        place += 1
        if try body(slice.span.bytes) == .stop { return .stop }
      }
      return .next
    }
    var step = ScanStep.next
    try base.scan(collection, range) { (record: RawSpan) throws(StoreError) -> ScanStep in
      let id = try id(of: record, collection)
      step = try hand(before: id)
      if step == .next, changed[id] == nil { step = try body(record) }
      return step
    }
    if step == .next { _ = try hand(before: nil) }
  }

  private func id(of record: RawSpan, _ collection: CollectionName) throws(StoreError) -> ExactString {
    do throws(ParsingError) { return (try coder.text("id", of: record) ?? "").exact } catch {
      throw StoreError(.damaged, "a record of \(collection) cannot be read: \(error)")
    }
  }

  func count(_ collection: CollectionName) throws(StoreError) -> Int {
    var count = try base.count(collection)
    for (id, record) in overlay.records[collection] ?? [:] {
      let isThere = try base.record(collection, id.text) != nil
      count += (record != nil ? 1 : 0) - (isThere ? 1 : 0)
    }
    return count
  }
}

private struct TrialTransaction: StoreTransaction {
  var reader: TrialSnapshot
  var cause: ChangeCause?

  func record(_ collection: CollectionName, _ id: String) throws(StoreError) -> [UInt8]? {
    try reader.record(collection, id)
  }

  func scan(
    _ collection: CollectionName, _ range: ScanRange, _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError) { try reader.scan(collection, range, body) }

  func count(_ collection: CollectionName) throws(StoreError) -> Int { try reader.count(collection) }

  mutating func put(_ record: [UInt8], id: String, in collection: CollectionName) {
    reader.overlay.records[collection, default: [:]][id.exact] = .some(record)
  }

  mutating func delete(_ collection: CollectionName, _ id: String) {
    reader.overlay.records[collection, default: [:]][id.exact] = .some(nil)
  }
}
