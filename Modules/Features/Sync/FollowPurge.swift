public import Models
public import Ports

/// Removes the records of follows that end: those that the source names, and those that its pulls
/// listed.
public struct FollowPurge: PurgeService {
  private let store: any RecordStore
  private let sources: [SourceName: any Source]
  private let coder: any RecordCoder

  /// Creates the service.
  ///
  /// - Parameter sources: all sources of the program.
  public init(store: any RecordStore, sources: [any Source], coder: any RecordCoder) {
    self.store = store
    self.sources = Dictionary(sources.map { ($0.name, $0) }) { first, _ in first }
    self.coder = coder
  }

  /// Looks whether the store knows the records of the follow.
  ///
  /// - Returns: whether it has any of them, or the follow was synced and not forgotten.
  /// - Throws: `Failure`: `usage` if not; if the store cannot be read.
  public func check(_ follow: Follow, besides others: [Follow]) throws(Failure) -> Bool {
    let found: Bool?
    do throws(StoreError) { found = try hasRecords(of: follow, besides: others) } catch { throw error.failure }
    guard let found else { throw refusal(of: follow) }
    return found
  }

  /// `nil` where nobody knows the records.
  private func hasRecords(of follow: Follow, besides others: [Follow]) throws(StoreError) -> Bool? {
    let snapshot = try store.snapshot()
    let all = try siblings(of: follow, among: others, in: snapshot)
    guard let records = try records(of: follow, besides: all, in: snapshot) else { return nil }
    if try snapshot.hasState(FollowState.key(follow.path)) { return true }
    for record in records where try snapshot.record(record.collection, record.id) != nil { return true }
    return false
  }

  /// Removes the records, in one commit.
  ///
  /// - Throws: `Failure`: `usage`; if the store cannot be read or written.
  public func purge(_ follow: Follow, besides others: [Follow]) async throws(Failure) -> [CollectionName: Int] {
    let result: [CollectionName: Int]?
    do throws(StoreError) {
      result = try await store.write {
        (transaction: inout any StoreTransaction) throws(StoreError) -> [CollectionName: Int]? in
        let others = try siblings(of: follow, among: others, in: transaction)
        guard let records = try records(of: follow, besides: others, in: transaction) else { return nil }
        let source = sources[follow.source] as? any PurgeableSource
        let companions = try source?.companions(of: records, in: transaction) ?? []
        let pending = try OutboxQueue(in: transaction, coder)
        var merger = try RecordMerger(follow.source, EditSenders(sources), in: transaction, coder)
        var removed: [CollectionName: Int] = [:]
        func remove(
          _ records: some Sequence<PullPage.ListedRecord>, in transaction: inout any StoreTransaction
        ) throws(StoreError) {
          for record in records where try transaction.record(record.collection, record.id) != nil {
            // To the merger, the record would be gone at the server, and the edit in conflict with that.
            guard pending[record.collection, record.id].isEmpty else { continue }
            try merger.remove(record.collection, record.id, in: &transaction)
            if try transaction.record(record.collection, record.id) == nil {
              removed[record.collection, default: 0] += 1
            }
          }
        }
        try remove(records, in: &transaction)
        // Afterwards, because a record that is kept still refers to its companion.
        if let source, !companions.isEmpty {
          try remove(source.unneeded(companions, besides: others, in: transaction), in: &transaction)
        }
        try forget(follow, in: &transaction)
        return removed
      }.value
    } catch {
      throw error.failure
    }
    guard let result else { throw refusal(of: follow) }
    return result
  }

  private func refusal(of follow: Follow) -> Failure {
    // Only a definition can be changed so that the store knows.
    let isDescribed = sources[follow.source]?.fingerprint != nil
    return Failure(
      .store, .usage, "the store does not know which records came from \(follow.path) alone",
      hint: "end the follow without removing its records"
        + (isDescribed ? "; a definition whose follow has \"complete\" lets the store know" : ""),
      code: .own(.notPurgeable), path: follow.path)
  }

  /// The other follows of the source, those that ended included.
  private func siblings(
    of follow: Follow, among others: [Follow], in reader: any RecordReader
  ) throws(StoreError) -> [Follow] {
    try others.filter { $0.source == follow.source && $0.$path != follow.$path } + endedSiblings(of: follow, in: reader)
  }

  /// `nil` where nobody knows them.
  private func records(
    of follow: Follow, besides others: [Follow], in reader: any RecordReader
  ) throws(StoreError) -> [PullPage.ListedRecord]? {
    let source = sources[follow.source] as? any PurgeableSource
    let named = try source?.records(of: follow, besides: others, in: reader)
    guard try ListedRecords.isKnown(follow.path, in: reader, coder) else { return named }
    let listed = try ListedRecords(follow: follow.path, in: reader, coder).all
    let others = try ListedRecords.others(
      than: follow.path, of: listed, sparesParts: true, counting: { _ in true }, in: reader, coder)
    return listed.subtracting(others).union(named ?? []).sorted { ($0.collection, $0.$id) < ($1.collection, $1.$id) }
  }

  /// The follows of the source that were pulled once, and whose records were not removed.
  private func endedSiblings(
    of follow: Follow, in reader: any RecordReader
  ) throws(StoreError) -> [Follow] {
    try reader.stateKeys(.follow, from: follow.source.rawValue, coder).filter { $0.$name != follow.$path }
      .map { Follow(path: $0.name) }.filter { $0.source == follow.source }
  }

  /// Deletes what is kept about the follow itself.
  private func forget(_ follow: Follow, in transaction: inout any StoreTransaction) throws(StoreError) {
    try transaction.clearState(FollowState.key(follow.path))
    try ListedRecords(follow: follow.path, []).remove(in: &transaction, coder)
    var rejects: [String] = []
    try transaction.eachObject(.rejects, ScanRange(prefix: "\(follow.path):"), coder) { fields in
      if let id = fields["id"]?.string { rejects.append(id) }
      return .next
    }
    for id in rejects { try transaction.delete(.rejects, id) }
  }
}
