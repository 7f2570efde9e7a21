import CLibrary
import Models
import Ports

/// The entries of the outbox by record, in the order of sending.
struct OutboxQueue: Sendable {
  private(set) var byTarget: [ExactString: [OutboxEntry]] = [:]

  /// Reads the outbox; of one target, only its entries are decoded. O(n log n) for n entries.
  init(in reader: some RecordReader, _ coder: any RecordCoder, only target: String? = nil) throws(StoreError) {
    let needle = target.map { coder.encode(.string($0)) }
    var byTarget: [ExactString: [OutboxEntry]] = [:]
    try reader.scan(.outbox, .all) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
      if let needle, !bytes.contains(needle) { return .next }
      let entry = try OutboxEntry(stored: bytes, coder)
      if target.map({ $0.exact == entry.$target }) ?? true { byTarget[entry.$target, default: []].append(entry) }
      return .next
    }
    for target in byTarget.keys { byTarget[target]?.sort(by: OutboxEntry.isSentBefore) }
    self.byTarget = byTarget
  }

  /// All entries, oldest first.
  var entries: [OutboxEntry] { byTarget.values.flatMap(\.self).sorted(by: OutboxEntry.isSentBefore) }

  subscript(collection: CollectionName, id: String) -> [OutboxEntry] {
    byTarget.isEmpty ? [] : byTarget["\(collection)/\(id)".exact] ?? []
  }

  /// The targets, by the time of their oldest entry.
  var targets: [String] {
    var seen: Set<ExactString> = []
    return entries.filter { seen.insert($0.$target).inserted }.map(\.target)
  }

  /// The number of entries in each state. `sent` is 0.
  var counts: OutboxCounts { counts(of: nil) }

  /// The same for the given entries, or for all of them.
  func counts(of names: Set<ExactString>?) -> OutboxCounts {
    OutboxCounts(of: entries.lazy.filter { names?.contains($0.$id) ?? true })
  }
}

extension OutboxEntry {
  /// The order of sending. Ids of the same second are not ordered, but in stores of earlier versions only an entry that
  /// was attempted is followed by another one of the same record.
  static func isSentBefore(_ lhs: OutboxEntry, _ rhs: OutboxEntry) -> Bool {
    if lhs.createdAt != rhs.createdAt { return lhs.createdAt < rhs.createdAt }
    if (lhs.attempts > 0) != (rhs.attempts > 0) { return lhs.attempts > 0 }
    return lhs.$id < rhs.$id
  }
}

extension RawSpan {
  /// Whether the bytes contain `needle`. O(n · m) in the worst case, for records of a few hundred bytes. The function
  /// uses the C library, because a flush searches the whole outbox for each record that it sends.
  fileprivate func contains(_ needle: [UInt8]) -> Bool {
    withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Bool in
      guard let first = needle.first, var start = bytes.baseAddress else { return needle.isEmpty }
      let end = start + bytes.count
      while end - start >= needle.count, let found = memchr(start, Int32(first), end - start) {
        if end - UnsafeRawPointer(found) < needle.count { return false }
        if memcmp(found, needle, needle.count) == 0 { return true }
        start = UnsafeRawPointer(found) + 1
      }
      return false
    }
  }
}

/// Determines the source that sends the edits of a record.
///
/// It is the source of the edit, or else the source of the record. If both are unknown, as in stores of earlier
/// versions, it is the only source that accepts edits of the collection.
struct EditSenders: Sendable {
  private let sources: Sources
  /// The collections of the sources and of every store.
  let catalog: CollectionCatalog
  let collections: Set<CollectionName>
  /// The collections whose records belong to those of another one.
  let dependents: Set<CollectionName>

  init(_ sources: Sources) {
    self.sources = sources
    catalog = CollectionCatalog(sources.descriptors)
    collections = Set(sources.all.flatMap(\.editableCollections))
    dependents = Set(catalog.collections.compactMap(\.companion))
  }

  enum Sender {
    case source(RedactedSource)
    /// No source can send it; `reason` is `nil` if it should not be reported.
    case none(reason: String?)
  }

  func sender(of edits: [OutboxEntry], in collection: CollectionName, copy: RemoteCopy) -> Sender {
    let candidates = sources.all.filter { $0.editableCollections.contains(collection) }
    if case .source(let name) = RecordOwner(copy, edits: edits) {
      if let source = candidates.first(where: { $0.name == name }) { return .source(source) }
      return .none(
        reason: sources[name] == nil
          ? "the source '\(name)' is not configured" : "the source '\(name)' does not accept edits of \(collection)")
    }
    if candidates.count == 1 { return .source(candidates[0]) }
    // The source that gave the collection its name was the only one in earlier versions.
    if let first = candidates.first(where: { $0.name.rawValue.exact == collection.rawValue.exact }) {
      return .source(first)
    }
    if candidates.isEmpty { return .none(reason: nil) }
    let names = candidates.map(\.name.rawValue).joined(separator: ", ")
    return .none(reason: "the source of the record is unknown (one of: \(names)); sync its follow to find out")
  }

  /// Gives the data that belongs to a record the record's new id, unless a pull has stored such data already.
  func moveDependent(
    of collection: CollectionName, from old: String, to new: String, in transaction: inout any StoreTransaction,
    _ coder: any RecordCoder
  ) throws(StoreError) {
    guard let dependent = catalog[collection]?.companion, try transaction.record(dependent, new) == nil,
      var fields = try transaction.object(dependent, old, coder)
    else { return }
    fields["id"] = .string(new)
    try transaction.put(coder.encode(fields), id: new, in: dependent)
  }

  /// Whether `source` may change a record with a remote copy.
  func confirmsEdits(_ source: SourceName) -> Bool { sources[source]?.descriptor.confirmsEdits ?? false }

  func mayChange(_ copy: RemoteCopy, _ source: SourceName) -> Bool {
    RecordOwner(copy).admits(source, configured: Set(sources.all.map(\.name)))
  }
}
