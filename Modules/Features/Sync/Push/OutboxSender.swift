import Models
import Ports
import Synchronization

/// Sends what waits in the outbox: record by record, each record's edits in their order.
///
/// Before an edit goes out, the store says that its outcome is unknown; a definite answer and its effects are one commit.
/// So a process that is killed at any point leaves either an edit that was not sent, or one that its source looks for at
/// the remote before it sends it again.
struct OutboxSender: Sendable {
  let store: any RecordStore
  let senders: EditSenders
  let transport: any HTTPTransport
  let coder: any RecordCoder
  let time: any TimeSource
  let events: any EventSink
  let process: ProcessIdentity
  /// Which records wait for their server, from one flush to the next.
  let pauses: TargetPauses
  /// How long one flush waits for such records, in all; zero leaves them to the next one.
  let patience: Duration
  let random: any RandomSource
  /// Why an edit that stays to be sent could not be sent.
  let unsent = FirstFailure()

  /// How often one flush tries such a record, and how long it waits the first time where the server does not say.
  private static let tries = 4
  private static let firstPause = Duration.milliseconds(250)
  /// How many records one flush waits for. With more of them, the server is down for all.
  private static let mostPaused = 16

  /// How often one flush sends an edit on top of a remote that turned out to be newer.
  static let rounds = 3

  /// What sending one edit led to.
  enum Step {
    /// The remote has it.
    case sent
    /// The remote was newer and the edit was merged onto it: it can be sent again at once.
    case merged
    /// It stays, and holds up the later edits of the record.
    case held
    /// It stays and holds nothing up, or it is gone.
    case passed
    /// It stays, and its record is left alone: for as many seconds as the server asks for.
    case paused(seconds: Int?)
    /// It stays, and no other edit would reach the same server now.
    case unreachable
  }

  /// An edit that is about to be sent.
  private struct Claim {
    var entry: OutboxEntry
    var record: JSONObject
    var remote: RemoteCopy
    /// The source that sends it.
    var source: SourceName
  }

  /// Records whose edits one source sends, one after the other.
  private struct Row: Sendable {
    var source: any EditableSource
    var targets: [String] = []
  }

  /// Sends everything, or the named entries only, and counts. The sources are served side by side, so that a server
  /// that hangs holds up only its own edits; and a record that its server cannot take now holds up no other one.
  ///
  /// - Throws: `Failure` where the outbox cannot be read or written, or the task was cancelled.
  func flush(only names: Set<ExactString>?) async throws(Failure) -> OutboxCounts {
    let rows = try await rows()
    var sent = 0
    var failure: Failure?
    await withTaskGroup(of: Result<Int, Failure>.self) { group in
      for row in rows {
        group.addTask {
          do throws(Failure) {
            return .success(try await send(row.targets, to: row.source, only: names))
          } catch {
            return .failure(error)
          }
        }
      }
      for await result in group {
        switch result {
        case .success(let count): sent += count
        case .failure(let error): failure = error
        }
      }
    }
    if let failure { throw failure }
    var counts = try queue().counts
    counts.sent = sent
    if counts.pending > 0 { counts.unsent = unsent.failure }
    return counts
  }

  /// The records with waiting edits, by the source that sends them. An edit that no source sends stays, with the reason.
  private func rows() async throws(Failure) -> [Row] {
    do throws(StoreError) {
      let snapshot = try store.snapshot()
      let queue = try OutboxQueue(in: snapshot, coder)
      var rows: [SourceName: Row] = [:]
      for target in queue.targets {
        guard let edits = queue.byTarget[target.exact], let first = edits.first else { continue }
        let collection = first.targetCollection
        let origin = try RemoteMemory(collection, first.targetID, in: snapshot, coder).copy.source
        switch senders.sender(of: edits, in: collection, origin: origin) {
        case .source(let source): rows[source.name, default: Row(source: source)].targets.append(target)
        case .none(let reason):
          guard let reason else { continue }
          unsent.note(Failure(.config, .config, "\(target) cannot be sent: \(reason)", code: "no-source"))
          try await explain(reason, first)
        }
      }
      return Array(rows.values)
    } catch {
      throw error.failure
    }
  }

  /// Notes why an edit is not sent.
  private func explain(_ reason: String, _ entry: OutboxEntry) async throws(StoreError) {
    guard entry.lastError?.exact != reason.exact else { return }
    _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
      guard let fields = try transaction.fields(.outbox, entry.id, coder) else { return false }
      var entry = try OutboxEntry(stored: fields)
      entry.lastError = reason
      try transaction.put(entry, coder)
      return true
    }
  }

  /// Sends the edits of records of one source, one record after the other.
  private func send(
    _ targets: [String], to source: any EditableSource, only names: Set<ExactString>?
  ) async throws(Failure) -> Int {
    var sent = 0
    var left = patience
    var rest = targets
    for round in 1...Self.tries {
      var paused: [String] = []
      for target in rest {
        if names == nil, pauses.wait(target, now: time.uptime) != nil {
          paused.append(target)
          continue
        }
        if Task.isCancelled { throw SyncEngine.stopped }
        switch try await send(target, to: source, only: names, &sent) {
        case .unreachable: return sent
        case .paused(let seconds):
          paused.append(target)
          let pause = seconds.map { .seconds($0) } ?? (patience > .zero ? Self.firstPause * (1 << (round - 1)) : .zero)
          pauses.begin(target, until: time.uptime + pause)
        default: pauses.end(target)
        }
      }
      let wait = paused.map { pauses.wait($0, now: time.uptime) ?? .zero }.min()
      guard round < Self.tries, let wait, wait <= left, left > .zero, paused.count <= Self.mostPaused else { break }
      left -= wait
      // With jitter, so that clients that failed together do not come back together.
      let jitter = Duration.milliseconds(Int64(random.next() % 250))
      do { try await time.sleep(for: wait + jitter) } catch { throw SyncEngine.stopped }
      rest = paused
    }
    return sent
  }

  private func queue(_ target: String? = nil) throws(Failure) -> OutboxQueue {
    do throws(StoreError) {
      return try OutboxQueue(in: store.snapshot(), coder, only: target)
    } catch {
      throw error.failure
    }
  }

  /// Sends the edits of one record as far as they go.
  ///
  /// - Returns: what the last step led to.
  private func send(
    _ target: String, to source: any EditableSource, only names: Set<ExactString>?, _ sent: inout Int
  ) async throws(Failure) -> Step {
    var passed: Set<ExactString> = []
    var rounds = 0
    while let entry = try queue(target).byTarget[target.exact]?.first(where: {
      $0.state != .refused && !passed.contains($0.$id)
    }) {
      guard entry.state == .pending, names?.contains(entry.$id) ?? true else { return .held }
      if Task.isCancelled { throw SyncEngine.stopped }
      let step: Step
      do throws(StoreError) {
        step = try await send(entry.id, of: target, to: source)
      } catch {
        throw error.failure
      }
      switch step {
      case .sent: sent += 1
      case .passed: passed.insert(entry.$id)
      case .held, .paused, .unreachable: return step
      case .merged:
        rounds += 1
        if rounds >= Self.rounds { return .held }
      }
    }
    return .passed
  }

  private func send(
    _ id: String, of target: String, to source: any EditableSource
  ) async throws(StoreError) -> Step {
    guard let claim = try await claim(id, of: target, source.name) else { return .held }
    let outcome: PushOutcome
    do throws(SourceError) {
      let snapshot: any StoreSnapshot
      do throws(StoreError) { snapshot = try store.snapshot() } catch { throw .store(error) }
      outcome = try await source.push(
        claim.entry,
        PushContext(
          transport: ImpatientTransport(inner: transport), record: claim.record, base: claim.remote.base,
          memory: claim.remote.memory, snapshot: snapshot, now: time.now))
    } catch {
      return try await fail(claim, error)
    }
    switch outcome {
    case .accepted(let remote): return try await accept(claim, remote)
    case .remoteIsNewer(let remote): return try await merge(claim, remote)
    case .removed: return try await meetRemoval(claim)
    }
  }

  /// Marks the edit as one whose outcome is unknown, before it is sent.
  private func claim(_ id: String, of target: String, _ source: SourceName) async throws(StoreError) -> Claim? {
    let now = time.now
    return try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Claim? in
      guard let fields = try transaction.fields(.outbox, id, coder) else { return nil }
      let entry = try OutboxEntry(stored: fields)
      guard entry.state == .pending, try SendLease.take(target, process, at: now, in: &transaction, coder) else {
        return nil
      }
      let (collection, recordID) = (entry.targetCollection, entry.targetID)
      let edits = try OutboxQueue(in: transaction, coder, only: target)[collection, recordID]
      if let clash = entry.hiddenConflict(among: edits) {
        try transaction.put(coder.encode(clash.fields), id: id, in: .outbox)
        try SendLease.end(target, in: &transaction)
        return nil
      }
      var marked = entry
      marked.attempts += 1
      marked.outcomeUnknown = true
      try transaction.put(coder.encode(marked.fields), id: id, in: .outbox)
      let remote = try RemoteMemory(collection, recordID, in: transaction, coder).copy
      let stored = try transaction.fields(collection, recordID, coder)
      return Claim(
        entry: entry, record: Self.record(for: entry, stored: stored, edits: edits, remote), remote: remote,
        source: source)
    }.value
  }

  /// The record that one edit sends: what the remote last had, with this edit and those before it that the remote has
  /// accepted, and without those that come after it or were refused.
  ///
  /// - Parameters:
  ///   - stored: the record here, every edit included; `nil` where its removal waits to be sent as well.
  ///   - edits: every edit of the record, in the order in which they are sent.
  private static func record(
    for entry: OutboxEntry, stored: JSONObject?, edits: [OutboxEntry], _ remote: RemoteCopy
  ) -> JSONObject {
    let removed = edits.last { $0.kind == .delete }
    // Of a record that was removed here, the removal knows the remote's newest version where that is a conflict.
    var record = (entry.kind == .delete ? nil : stored) ?? removed?.theirs ?? remote.base ?? removed?.base ?? [:]
    guard entry.kind == .put, edits.count > 1 else { return record }
    let others = edits.filter { $0.$id != entry.$id && $0.kind == .put }
    for key in FieldOrder.merged(entry.edit.keys, others.flatMap(\.edit.keys)) {
      let other = others.first { $0.edit[key] != nil }
      switch entry.edit[key] ?? other?.theirs?[key] ?? other?.base[key] {
      case .null?: record[key] = nil
      case let value?: record[key] = value
      case nil: break
      }
    }
    return record
  }
}

/// The first failure of several that may come from several tasks.
final class FirstFailure: Sendable {
  private let first = Mutex<Failure?>(nil)

  /// The failure that was noted first.
  var failure: Failure? { first.withLock { $0 } }

  /// Notes a failure, unless there is one.
  func note(_ failure: Failure) { first.withLock { $0 = $0 ?? failure } }
}

// MARK: Answers

extension OutboxSender {
  /// The remote has the edit: its answer and the end of the entry are one commit.
  private func accept(_ claim: Claim, _ remote: RemoteRecord) async throws(StoreError) -> Step {
    if claim.entry.kind == .delete { return try await meetRemoval(claim) }
    let target = claim.entry.target
    _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
      let (collection, id) = (claim.entry.targetCollection, claim.entry.targetID)
      try transaction.delete(.outbox, claim.entry.id)
      var remembered = try RemoteMemory(collection, id, in: transaction, coder)
      let base = remembered.copy.base
      remembered.update(from: claim.source, base: remote.base, memory: remote.memory)
      remembered.accepted = claim.entry.id
      var merger = try RecordMerger(claim.source, senders, in: transaction, coder, only: target)
      try merger.applyAnswer(remote.fields, to: claim.entry, base: base, in: &transaction)
      try remembered.put(collection, id, in: &transaction, coder)
      try SendLease.end(target, in: &transaction)
      return true
    }
    events.report(.edit(id: claim.entry.id, target: target, outcome: .accepted))
    return .sent
  }

  /// The remote is newer: its record is merged, and the edit is sent on top of it, or is a conflict.
  private func merge(_ claim: Claim, _ remote: RemoteRecord) async throws(StoreError) -> Step {
    let target = claim.entry.target
    let (step, outcome) = try await store.write {
      (transaction: inout any StoreTransaction) throws(StoreError) -> (Step, EditOutcome) in
      let (collection, id) = (claim.entry.targetCollection, claim.entry.targetID)
      if let fields = try transaction.fields(.outbox, claim.entry.id, coder) {
        var entry = try OutboxEntry(stored: fields)
        entry.outcomeUnknown = false
        entry.lastError = "the server had a newer record"
        try transaction.put(coder.encode(entry.fields), id: entry.id, in: .outbox)
      }
      var merger = try RecordMerger(claim.source, senders, in: transaction, coder, only: target)
      try merger.apply(
        IncomingRecord(
          collection: collection, id: id, rule: .replace, base: remote.base, memory: remote.memory,
          bytes: coder.encode(remote.fields)), in: &transaction)
      try SendLease.end(target, in: &transaction)
      guard let left = try transaction.fields(.outbox, claim.entry.id, coder) else { return (.sent, .settled) }
      let entry = try OutboxEntry(stored: left)
      return entry.state == .pending ? (.merged, .merged) : (.held, EditOutcome(entry.state))
    }.value
    events.report(.edit(id: claim.entry.id, target: target, outcome: outcome))
    return step
  }

  /// The remote has the record no longer. A removal is done with that; another edit becomes a conflict.
  private func meetRemoval(_ claim: Claim) async throws(StoreError) -> Step {
    let target = claim.entry.target
    let isDeletion = claim.entry.kind == .delete
    _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
      try SendLease.end(target, in: &transaction)
      if let fields = try transaction.fields(.outbox, claim.entry.id, coder), !isDeletion {
        var entry = try OutboxEntry(stored: fields)
        entry.outcomeUnknown = false
        entry.lastError = "the server no longer has the record"
        // A new record cannot meet its own removal: sending it again would go on for ever.
        if entry.kind == .post, entry.state == .pending { entry.state = .refused }
        try transaction.put(entry, coder)
      }
      var merger = try RecordMerger(claim.source, senders, in: transaction, coder, only: target)
      try merger.remove(claim.entry.targetCollection, claim.entry.targetID, isAnswer: true, in: &transaction)
      return true
    }
    events.report(.edit(id: claim.entry.id, target: target, outcome: isDeletion ? .accepted : .conflict))
    return isDeletion ? .sent : .held
  }

  /// There was an error: an edit that may have arrived stays unknown, one that was refused for good waits for a decision.
  private func fail(_ claim: Claim, _ error: SourceError) async throws(StoreError) -> Step {
    let disposition = error.disposition
    let failure = error.failure
    _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
      try SendLease.end(claim.entry.target, in: &transaction)
      guard let fields = try transaction.fields(.outbox, claim.entry.id, coder) else { return false }
      var entry = try OutboxEntry(stored: fields)
      // An earlier try may still have arrived.
      entry.outcomeUnknown = disposition == .unknown || claim.entry.outcomeUnknown
      entry.lastError = failure.message
      if disposition == .refused, entry.state == .pending { entry.state = .refused }
      try transaction.put(coder.encode(entry.fields), id: entry.id, in: .outbox)
      return true
    }
    let outcome: EditOutcome =
      switch disposition {
      case .refused: .refused
      case .retry: .waiting
      case .unknown: .unknown
      }
    events.report(.edit(id: claim.entry.id, target: claim.entry.target, outcome: outcome))
    if disposition == .refused { return .passed }
    unsent.note(failure)
    return error.pause ?? (error.concernsEveryEdit ? .unreachable : .held)
  }
}
