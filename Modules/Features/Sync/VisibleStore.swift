public import Models
public import Ports
import Synchronization

/// A store as assistants see it: without hidden collections, without the records that hidden follows alone brought, and
/// without the edits, proposals, rejected records and runs that tell of them. What is written is written to the store.
public struct VisibleStore: RecordStore {
  private let base: any RecordStore
  private let hidden: HiddenPlaces
  private let sources: Sources
  private let coder: any RecordCoder
  private let known = KnownRecords()

  /// The records of hidden follows in one state of the store.
  private final class KnownRecords: Sendable {
    let last = Mutex<(sequence: UInt64, records: HiddenRecords)?>(nil)
  }

  /// - Parameter sources: all sources of the program.
  public init(_ base: any RecordStore, without hidden: HiddenPlaces, sources: Sources, coder: any RecordCoder) {
    (self.base, self.hidden, self.sources, self.coder) = (base, hidden, sources, coder)
  }

  /// O(n) for n records of hidden follows, after each commit.
  public func snapshot() throws(StoreError) -> any StoreSnapshot {
    let snapshot = try base.snapshot()
    return VisibleSnapshot(base: snapshot, filter: filter(try records(in: snapshot)))
  }

  private func filter(_ records: HiddenRecords) -> VisibleFilter {
    VisibleFilter(hidden: hidden, records: records, coder: coder)
  }

  private func records(in snapshot: any StoreSnapshot) throws(StoreError) -> HiddenRecords {
    if hidden.follows.isEmpty { return HiddenRecords() }
    if let last = known.last.withLock({ $0 }), last.sequence == snapshot.sequence { return last.records }
    let records = try HiddenRecords(of: hidden, sources, in: snapshot, coder)
    known.last.withLock { $0 = (snapshot.sequence, records) }
    return records
  }

  /// Of what was removed, nothing says whether a hidden follow had brought it: removals are left out where it may have.
  public func changes(since cursor: ChangeCursor?, limit: Int) throws(StoreError) -> [StoreChange] {
    let filter = filter(try records(in: base.snapshot()))
    var (found, place): ([StoreChange], ChangeCursor?) = ([], cursor)
    while found.count < limit {
      let changes = try base.changes(since: place, limit: max(limit - found.count, 256))
      guard let last = changes.last else { break }
      for var change in changes where found.count < limit {
        if let record = change.record {
          guard let shown = try filter.shown(record, change.collection) else { continue }
          change.record = shown
        } else if filter.mayHideRemoval(from: change.collection) {
          continue
        }
        found.append(change)
      }
      place = last.cursor
    }
    return found
  }

  public func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> { try await base.write(body) }

  public func load(
    _ collection: CollectionName, because cause: ChangeCause?, _ next: () async throws(StoreError) -> LoadBatch?
  ) async throws(StoreError) -> LoadCounts { try await base.load(collection, because: cause, next) }
}

/// The records that hidden follows alone brought.
struct HiddenRecords: Sendable {
  private(set) var records: Set<RecordName> = []
  /// The collections of which it is not known what a hidden follow brought.
  private(set) var unknown: Set<CollectionName> = []
  /// The collections that hidden follows fill.
  private(set) var filled: Set<CollectionName> = []

  init() {}

  /// Those that would leave with the follows, as a purge finds them.
  init(
    of hidden: HiddenPlaces, _ sources: Sources, in snapshot: any StoreSnapshot, _ coder: any RecordCoder
  ) throws(StoreError) {
    let pulled = try snapshot.stateKeys(.follow).map { Follow(path: $0.name) }
    for follow in pulled where hidden.follows.contains(follow.$path) {
      filled.formUnion(hidden.brought(by: follow.path) ?? snapshot.collections)
      let others = pulled.filter { $0.source == follow.source && !hidden.follows.contains($0.$path) }
      let source = sources[follow.source]?.purge
      let named = try source?.records(of: follow, besides: others, in: snapshot)
      var isKnown = named != nil
      if !isKnown { isKnown = try ListedRecords.isKnown(follow.path, in: snapshot, coder) }
      guard isKnown else {
        unknown.formUnion(hidden.brought(by: follow.path) ?? snapshot.collections)
        continue
      }
      let own = try ListedRecords(follow: follow.path, in: snapshot, coder).all.union(named ?? [])
      records.formUnion(try unclaimed(own, hidden, in: snapshot, coder))
      guard let source else { continue }
      let dependents = try source.dependents(of: Array(own), in: snapshot)
      let rest = VisibleSnapshot(base: snapshot, filter: VisibleFilter(hidden: hidden, records: self, coder: coder))
      let unneeded = try source.unneeded(dependents, besides: others, in: rest)
      records.formUnion(try unclaimed(unneeded, hidden, in: snapshot, coder))
    }
    for record in records {
      if let companion = hidden.companion(of: record.collection) { records.insert(.init(companion, record.id)) }
    }
  }

  /// Those of some records that no visible follow lists.
  private func unclaimed(
    _ records: Set<RecordName>, _ hidden: HiddenPlaces, in snapshot: any StoreSnapshot,
    _ coder: any RecordCoder
  ) throws(StoreError) -> Set<RecordName> {
    let claimed = try ListedRecords.others(
      than: "", of: records, sparesParts: true, counting: { !hidden.follows.contains($0) }, in: snapshot, coder)
    return records.subtracting(claimed)
  }
}

/// Decides what of a record is shown.
struct VisibleFilter: Sendable {
  let hidden: HiddenPlaces
  let records: HiddenRecords
  let coder: any RecordCoder

  func hides(_ collection: CollectionName) -> Bool { hidden.hides(collection) || records.unknown.contains(collection) }

  func mayHideRemoval(from collection: CollectionName) -> Bool {
    hides(collection) || records.filled.contains(collection) || Self.telling.contains(collection)
  }

  /// Whether each record of a collection has to be looked at.
  func looksInto(_ collection: CollectionName) -> Bool {
    Self.telling.contains(collection) || records.filled.contains(collection)
  }

  /// The collections whose records tell of others.
  private static let telling: Set<CollectionName> = [.outbox, .rejects, .runs, .state]

  /// The record as it is shown; `nil` where it is hidden.
  func shown(_ record: [UInt8], _ collection: CollectionName) throws(StoreError) -> [UInt8]? {
    if hides(collection) { return nil }
    guard looksInto(collection) else { return record }
    let slice = record[...]
    let fields = try coder.object(slice.span.bytes, of: collection)
    switch collection {
    case .outbox, .state: return ["target", "after"].contains { hides(target: fields[$0]?.string) } ? nil : record
    case .rejects: return fields["follow"]?.string.map(hidden.mayHide) ?? true ? nil : record
    case .runs: return shown(run: fields, as: record)
    default:
      let id = fields["id"]?.string ?? ""
      return records.records.contains(.init(collection, id)) ? nil : record
    }
  }

  /// Whether the record is hidden that an edit names, `people/7`, or the collection of a new one.
  private func hides(target: String?) -> Bool {
    guard let target else { return false }
    let name = CollectionName(rawValue: target.firstPart)
    return hides(name) || records.records.contains(.init(name, target.restOfParts))
  }

  /// A run without hidden follows, and then without its sums; `nil` where it has no others.
  private func shown(run: JSONObject, as record: [UInt8]) -> [UInt8]? {
    let follows = run["follows"]?.array ?? []
    let shown = follows.filter { follow in
      !(follow.object?["follow"]?.string.map { hidden.mayHide(recordsOf: $0) } ?? true)
    }
    if shown.count == follows.count, run["outbox"] == nil { return record }
    if shown.isEmpty, !follows.isEmpty { return nil }
    var run = run
    run["follows"] = .array(shown)
    if shown.count < follows.count { run["totals"] = nil }
    run["outbox"] = nil
    return coder.encode(run)
  }
}

/// A snapshot through the filter.
struct VisibleSnapshot: StoreSnapshot {
  let base: any StoreSnapshot
  let filter: VisibleFilter

  var sequence: UInt64 { base.sequence }
  var end: ChangeCursor? { base.end }
  var collections: [CollectionName] { base.collections.filter { !filter.hides($0) } }

  func record(_ collection: CollectionName, _ id: String) throws(StoreError) -> [UInt8]? {
    try base.record(collection, id).flatMap { (record) throws(StoreError) in try filter.shown(record, collection) }
  }

  func scan(
    _ collection: CollectionName, _ range: ScanRange, _ body: (RawSpan) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    if filter.hides(collection) { return }
    guard filter.looksInto(collection) else { return try base.scan(collection, range, body) }
    try base.scan(collection, range) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
      let record = bytes.withUnsafeBytes { Array($0) }
      guard let shown = try filter.shown(record, collection) else { return .next }
      let slice = shown[...]
      return try body(slice.span.bytes)
    }
  }

  /// O(n) where records of the collection may be hidden.
  func count(_ collection: CollectionName) throws(StoreError) -> Int {
    if filter.hides(collection) { return 0 }
    guard filter.looksInto(collection) else { return try base.count(collection) }
    var count = 0
    try scan(collection, .all) { (_: RawSpan) throws(StoreError) -> ScanStep in
      count += 1
      return .next
    }
    return count
  }
}
