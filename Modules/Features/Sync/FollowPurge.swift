public import Models
public import Ports

/// Removes the records of follows that end: those that the source names, and those that its pulls listed.
public struct FollowPurge: PurgeService {
  private let store: any RecordStore
  private let sources: Sources
  private let coder: any RecordCoder

  /// - Parameter sources: all sources of the program.
  public init(store: any RecordStore, sources: Sources, coder: any RecordCoder) {
    (self.store, self.sources, self.coder) = (store, sources, coder)
  }

  /// Looks whether the store knows the records of the follow.
  ///
  /// - Returns: whether it has any of them, or the follow was synced and not forgotten.
  /// - Throws: `Failure`: `usage` if not; if the store cannot be read.
  public func check(_ follow: Follow, besides others: [Follow]) throws(Failure) -> Bool {
    let found = try store.read { (snapshot) throws(StoreError) -> Bool? in
      let others = try siblings(of: follow, among: others, in: snapshot)
      guard let records = try records(of: follow, besides: others, in: snapshot) else { return nil }
      if try snapshot.hasState(FollowState.key(follow.path)) { return true }
      for record in records where try snapshot.record(record.collection, record.id) != nil { return true }
      return false
    }
    guard let found else { throw refusal(of: follow) }
    return found
  }

  /// Removes the records, in one commit.
  ///
  /// - Throws: `Failure`: `usage`; if the store cannot be read or written.
  public func purge(_ follow: Follow, besides others: [Follow]) async throws(Failure) -> PurgedRecords {
    let removed = try await store.commit { (transaction) throws(StoreError) -> PurgedRecords? in
      transaction.explain(ChangeCause(.purge, follow: follow.path))
      let others = try siblings(of: follow, among: others, in: transaction)
      guard let records = try records(of: follow, besides: others, in: transaction) else { return nil }
      let source = sources[follow.source]?.purge
      let dependents = try source?.dependents(of: records, in: transaction) ?? []
      var merger = try RecordMerger(follow.source, EditSenders(sources), in: transaction, coder)
      let pending = try OutboxQueue(in: transaction, coder)
      for record in records where pending[record.collection, record.id].isEmpty {
        try merger.remove(record.collection, record.id, in: &transaction)
      }
      // Afterwards, because a record that is kept still refers to its dependent.
      if let source, !dependents.isEmpty {
        let unneeded = try source.unneeded(dependents, besides: others, in: transaction)
        for record in try Siblings(follow: follow, sources: sources).unclaimed(unneeded, in: transaction, coder) {
          try merger.remove(record.collection, record.id, in: &transaction)
        }
      }
      var kept: [RecordName] = []
      for record in records where try transaction.record(record.collection, record.id) != nil { kept.append(record) }
      try forget(follow, keepsList: !kept.isEmpty, in: &transaction)
      let counts = merger.counts.collections.map { ($0.collection, $0.removed) }.filter { $0.1 > 0 }
      return PurgedRecords(removed: Dictionary(uniqueKeysWithValues: counts), kept: kept)
    }
    guard let removed else { throw refusal(of: follow) }
    return removed
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

  /// The other follows of the source, those that were pulled once and ended included.
  private func siblings(
    of follow: Follow, among others: [Follow], in reader: some RecordReader
  ) throws(StoreError) -> [Follow] {
    let pulled = try Siblings(follow: follow, sources: sources, configured: others).pulled(in: reader)
    return (others.filter { $0.$path != follow.$path } + pulled).filter { $0.source == follow.source }
  }

  /// The records that leave with the follow; `nil` where they are not known.
  private func records(
    of follow: Follow, besides others: [Follow], in reader: any RecordReader
  ) throws(StoreError) -> [RecordName]? {
    let source = sources[follow.source]?.purge
    let named = try source?.records(of: follow, besides: others, in: reader)
    if named == nil, try !ListedRecords.isKnown(follow.path, in: reader, coder) {
      // One of which no page was ever committed has brought nothing.
      let state = try FollowState(follow: follow.path, in: reader, coder)
      return state.lastSuccess == nil && state.cursor == nil ? [] : nil
    }
    let listed = try ListedRecords(follow: follow.path, in: reader, coder).all
    return try Siblings(follow: follow, sources: sources)
      .unclaimed(listed.union(named ?? []), sparesEdits: false, in: reader, coder)
  }

  /// - Parameter keepsList: whether records of its list stay, which a later purge removes.
  private func forget(
    _ follow: Follow, keepsList: Bool, in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    try transaction.clearState(FollowState.key(follow.path))
    try KnownAnswers.remove(of: follow.path, in: &transaction)
    if !keepsList { try ListedRecords(follow: follow.path).remove(in: &transaction, coder) }
    try RejectFile(follow: follow.path).dropUnseen(in: &transaction, coder)
  }
}
