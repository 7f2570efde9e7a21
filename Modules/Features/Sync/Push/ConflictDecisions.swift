public import Models
import Ports

extension ConflictRule {
  /// The side that wins; `nil` if that is not known.
  ///
  /// - Parameter remote: the server's copy.
  func side(_ entry: OutboxEntry, _ remote: RemoteCopy?) -> ConflictSide? {
    switch self {
    case .mine: .mine
    case .theirs: .theirs
    case .newest: remote?.sourceState.changedAt.map { $0 > entry.createdAt ? .theirs : .mine }
    }
  }
}

extension SyncEngine {
  private static let mostDecisions = 1_000

  /// Decides the conflicts of follows that have a rule, and keeps what is dropped.
  ///
  /// - Parameter counts: the changes of records, by the path of the follow.
  /// - Returns: how many were decided.
  func decideConflicts(
    of follows: [Follow], run: String, counting counts: inout [ExactString: SyncCounts]
  ) async throws(Failure) -> Int {
    var rules: [ExactString: ConflictRule] = [:]
    for follow in follows {
      rules[follow.$path] = follow.options[ConflictRule.option.name]?.string.flatMap { ConflictRule(rawValue: $0) }
    }
    guard !rules.isEmpty else { return 0 }
    var service = Outbox(store: outbox, coder: coder, catalog: senders.catalog, time: time, events: events)
    var count = 0
    for entry in try service.entries() where entry.state == .conflict {
      let copy = try Failure.reading(
        RemoteState(entry.targetCollection, entry.targetID, in: store.snapshot(), coder).copy)
      let origin = (copy.base ?? entry.base)["origin"]?.string ?? ""
      guard let side = rules[origin.exact]?.side(entry, copy) else { continue }
      var decision: JSONObject = [
        "at": .string(time.now.description), "target": .string(entry.target), "took": .string(side.rawValue),
        "mine": entry.kind == .delete ? "(removed)" : .object(entry.edit),
      ]
      decision["theirs"] = entry.isRemoved ? "(removed)" : entry.theirs.map { .object($0) }
      // Kept before: what was dropped is never without a trace.
      try await outbox.commit { [decision] (transaction) throws(StoreError) in
        let old = try transaction.stateKeys(.decided)
        for key in old.prefix(max(0, old.count - Self.mostDecisions + 1)) { try transaction.clearState(key) }
        try transaction.setState(StateKey(.decided, entry.id), to: decision, coder)
      }
      service.cause = ChangeCause(.sync, follow: origin, run: run)
      let before = try stored(entry)
      do throws(Failure) { _ = try await service.resolve(entry.id, take: side) } catch {
        // Another process decided meanwhile.
        guard error.reason == .notFound || error.reason == .usage else { throw error }
        continue
      }
      count += 1
      switch (before, try stored(entry)) {
      case (_?, nil): counts[origin.exact, default: SyncCounts()].remove(from: entry.targetCollection)
      case (nil, _?): counts[origin.exact, default: SyncCounts()].add(to: entry.targetCollection)
      case (let old, let new):
        if old != new { counts[origin.exact, default: SyncCounts()].update(in: entry.targetCollection) }
      }
    }
    return count
  }

  private func stored(_ entry: OutboxEntry) throws(Failure) -> [UInt8]? {
    try store.read { (snapshot) throws(StoreError) in try snapshot.record(entry.targetCollection, entry.targetID) }
  }

  /// Decides the conflicts, and sends the edits, also those that a decision left. A decision that cannot be stored fails
  /// nothing else.
  ///
  /// - Throws: `Failure` if the outbox cannot be read, or `cancelled`.
  func flushDeciding(
    _ follows: [Follow], _ options: SyncOptions, run: String, counting decided: inout [ExactString: SyncCounts]
  ) async throws(Failure) -> OutboxCounts {
    var problem: Failure?
    do throws(Failure) { _ = try await decideConflicts(of: follows, run: run, counting: &decided) } catch {
      problem = error
    }
    var counts =
      try await options.sendsEdits ? sender(asksEarly: options.asksEarly).flush(only: nil) : self.counts(in: store)
    if options.sendsEdits, counts.conflict > 0, problem == nil {
      do throws(Failure) {
        if try await decideConflicts(of: follows, run: run, counting: &decided) > 0 {
          let sent = counts.sent
          counts = try await sender(asksEarly: options.asksEarly).flush(only: nil)
          counts.sent += sent
        }
      } catch {
        if error.reason == .cancelled { throw error }
        problem = error
      }
    }
    counts.unsent = counts.unsent ?? problem
    return counts
  }
}

extension Outbox {
  public func decisions() throws(Failure) -> [JSONObject] {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.states(.decided, coder) { key, fields in
        var fields = fields
        fields["id"] = .string(key.name)
        return fields
      }
    }
  }
}
