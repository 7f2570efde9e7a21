import Models
public import Ports
import Synchronization

/// Sends the pending edits, record by record and in order within a record.
///
/// Before an edit is sent, it is stored with an unknown outcome; the response and its effects are one commit. A process
/// that is killed at any point therefore leaves an edit that was not sent, or one that its source looks up at the
/// remote before it sends it again.
struct OutboxSender: Sendable {
  let store: any RecordStore
  /// The same store without the rights that sending requires, to withdraw a lease after those were lost.
  let base: any RecordStore
  let senders: EditSenders
  let transport: @Sendable (OutboxEntry) -> any HTTPTransport
  let coder: any RecordCoder
  let time: any TimeSource
  let events: any EventSink
  let process: ProcessIdentity
  /// The records that wait for their server, across flushes.
  let pauses: TargetPauses
  /// Keeps flushes of this process from sending to one server at once.
  let gate: TurnGate
  /// The total time that one flush waits for such records; zero leaves them to the next flush.
  let timeout: Duration
  let random: any RandomSource
  /// Whether a record is sent before the time that its server asked to wait for.
  let asksEarly: Bool
  let unsent = FirstFailure()

  /// The number of attempts for such a record in one flush, and the first delay if the server does not specify one.
  private static let tries = 4
  private static let firstPause = Duration.milliseconds(250)
  /// The maximum number of records that one flush waits for. If there are more, the whole server is assumed to be down.
  private static let mostPaused = 16

  /// The maximum number of times that one flush sends an edit on top of a newer remote record.
  static let rounds = 3

  enum Step {
    case sent
    /// The remote was newer and the edit was merged with its record, so it can be sent again immediately.
    case merged
    /// The edit is kept and blocks the later edits of the record.
    case held
    /// The edit is kept without blocking others, or it was removed.
    case passed
    /// The edit is kept and its record is paused, for the number of seconds that the server requested.
    case paused(seconds: Int?)
    /// The edit is kept, and other edits to the same server would fail too.
    case unreachable(Failure)
  }

  private struct Claim {
    var entry: OutboxEntry
    var record: JSONObject
    var remote: RemoteState
    var receiver: Receiver
  }

  /// Who gets the edits of a row.
  private struct Receiver {
    var source: RedactedSource
    var server: ExactString
    let memory = KeptAnswer()
  }

  /// Records whose edits one server gets, one after the other.
  struct Row: Sendable {
    /// `nil` where no source sends them.
    var source: RedactedSource?
    /// The records that failed before come last, so that one that always fails holds up no other.
    var targets: [String] = []
    /// The edits that wait.
    var entries: Set<ExactString> = []
    /// Why they are not sent.
    var reasons: [(entry: OutboxEntry, text: String)] = []
  }

  /// Sends all entries, or only the given ones, or only those of one server, and counts them. The servers get them
  /// concurrently, so that one that hangs delays only its own edits. A record that its server cannot accept now does not delay
  /// other records.
  ///
  /// What cannot be written is in `unsent` of the counts, as what cannot be sent.
  ///
  /// - Throws: `Failure` if the outbox cannot be read, or if the task was cancelled.
  func flush(only names: Set<ExactString>?, to server: ExactString? = nil) async throws(Failure) -> OutboxCounts {
    let rows = try rows().filter { name, row in
      server.map { $0 == name } ?? true && names.map { !$0.isDisjoint(with: row.entries) } ?? true
    }
    var sent = 0
    var failure: Failure?
    await withTaskGroup(of: Result<Int, Failure>.self) { group in
      for (name, row) in rows {
        group.addTask {
          do throws(Failure) { return .success(try await send(row, of: name, only: names)) } catch {
            return .failure(error)
          }
        }
      }
      for await result in group {
        do throws(Failure) { sent += try result.get() } catch { failure = error }
      }
    }
    if let failure { throw failure }
    var counts = try queue().counts(
      of: names ?? server.map { _ in rows.values.reduce(into: []) { $0.formUnion($1.entries) } })
    counts.sent = sent
    if counts.pending > 0 { counts.unsent = unsent.failure }
    return counts
  }

  /// The records with pending edits, by the name of the server that gets them; those that no source sends are under the
  /// empty name.
  func rows() throws(Failure) -> [ExactString: Row] {
    try Failure.from { () throws(StoreError) in
      let snapshot = try store.snapshot()
      let queue = try OutboxQueue(in: snapshot, coder)
      var rows: [ExactString: Row] = [:]
      let waiting = queue.targets.compactMap { target -> (target: String, edits: [OutboxEntry], first: OutboxEntry)? in
        let edits = queue.byTarget[target.exact] ?? []
        return edits.first { $0.state == .pending }.map { (target, edits, $0) }
      }
      for (target, edits, first) in waiting.filter({ $0.first.attempts == 0 })
        + waiting.filter({ $0.first.attempts > 0 })
      {
        let collection = first.targetCollection
        let copy = try RemoteState(collection, first.targetID, in: snapshot, coder).copy
        var (name, row) = ("".exact, Row())
        switch senders.sender(of: edits, in: collection, copy: copy) {
        case .source(let source):
          row.source = source
          let origin = copy.base?["origin"] ?? first.edit["origin"] ?? first.base["origin"]
          name = source.descriptor.server(of: Follow(path: origin?.string ?? "")).exact
        case .none(let reason): row.reasons = reason.map { [(first, $0)] } ?? []
        }
        rows[name, default: Row(source: row.source)].targets.append(target)
        rows[name]?.reasons += row.reasons
        rows[name]?.entries.formUnion(edits.filter { $0.state == .pending }.map(\.$id))
      }
      return rows
    }
  }

  /// Notes why edits wait, in one commit.
  ///
  /// - Parameter end: until when their server asked to wait.
  private func explain(
    _ reasons: [(entry: OutboxEntry, text: String)], until end: Timestamp? = nil
  ) async throws(StoreError) {
    let news = reasons.filter { $0.entry.lastError?.exact != $0.text.exact || $0.entry.retryAt != end }
    guard !news.isEmpty else { return }
    _ = try await store.write { (transaction) throws(StoreError) in
      transaction.explain(ChangeCause(.sent))
      for (entry, text) in news {
        guard var entry = try transaction.record(OutboxEntry.self, entry.id, coder) else { continue }
        (entry.lastError, entry.retryAt) = (text, end)
        try transaction.put(entry, coder)
      }
    }
  }

  /// Sends the edits of a row, one record after the other.
  private func send(_ row: Row, of server: ExactString, only names: Set<ExactString>?) async throws(Failure) -> Int {
    guard let source = row.source else {
      for (entry, text) in row.reasons {
        unsent.note(Failure(.config, .config, "\(entry.target) cannot be sent: \(text)", code: .own(.noSource)))
      }
      // The reason is in the counts, too.
      try? await explain(row.reasons)
      return 0
    }
    do throws(CancellationError) { try await gate.enter("outbox/\(server.text)") } catch { throw SyncEngine.stopped }
    defer { gate.leave("outbox/\(server.text)") }
    let now = time.now
    if !asksEarly,
      let limit = try store.read({ (snapshot) throws(StoreError) in
        try ServerLimit.holding(server.text, source, at: now, in: snapshot, coder)
      })
    {
      unsent.note(.storedPause(limit.answer, until: limit.end, now: now, hint: nil))
      try await explain(limit.answer, until: limit.end, row.targets[...])
      return 0
    }
    let receiver = Receiver(source: source, server: server)
    var sent = 0
    var left = timeout
    var rest = row.targets
    for round in 1...Self.tries {
      var paused: [String] = []
      for (index, target) in rest.enumerated() {
        if names == nil, pauses.wait(target, now: time.uptime) != nil {
          paused.append(target)
          continue
        }
        if Task.isCancelled { throw SyncEngine.stopped }
        let step: Step
        do throws(Failure) { step = try await send(target, to: receiver, only: names, &sent) } catch {
          if error.reason == .cancelled || Task.isCancelled { throw SyncEngine.stopped }
          // The store failed, and would fail for the other records too.
          unsent.note(error)
          return sent
        }
        switch step {
        case .unreachable(let failure):
          let now = time.now
          let end = failure.isPause ? nil : failure.pauseEnd(since: now, now: now)
          try await explain(failure, until: end, rest[(index + 1)...])
          return sent
        case .paused(let seconds):
          paused.append(target)
          let pause = seconds.map { .seconds($0) } ?? (timeout > .zero ? Self.firstPause * (1 << (round - 1)) : .zero)
          pauses.begin(target, until: time.uptime + pause)
        default: pauses.end(target)
        }
      }
      let wait = paused.map { pauses.wait($0, now: time.uptime) ?? .zero }.min()
      guard round < Self.tries, let wait, wait <= left, left > .zero, paused.count <= Self.mostPaused else { break }
      left -= wait
      // Jitter prevents clients that failed together from retrying together.
      let jitter = Duration.milliseconds(Int64(random.next() % 250))
      do { try await time.sleep(for: wait + jitter) } catch { throw SyncEngine.stopped }
      rest = paused
    }
    return sent
  }

  /// Notes for records that are not tried why they wait.
  private func explain(
    _ failure: Failure, until end: Timestamp?, _ targets: ArraySlice<String>
  ) async throws(Failure) {
    guard failure.reason != .cancelled else { return }
    let text = failure.code == .transport(.timeout) ? "the server does not answer" : failure.message
    let queue = try queue()
    let waiting = targets.compactMap { queue.byTarget[$0.exact]?.first { $0.state == .pending } }
    try? await explain(waiting.map { ($0, text) }, until: end)
  }

  private func queue(_ target: String? = nil) throws(Failure) -> OutboxQueue {
    try Failure.reading(OutboxQueue(in: store.snapshot(), coder, only: target))
  }

  /// Sends the edits of one record until one of them has to wait, and returns the result of the last attempt.
  private func send(
    _ target: String, to receiver: Receiver, only names: Set<ExactString>?, _ sent: inout Int
  ) async throws(Failure) -> Step {
    var passed: Set<ExactString> = []
    var rounds = 0
    while let entry = try queue(target).byTarget[target.exact]?.first(where: {
      $0.state != .refused && !passed.contains($0.$id)
    }) {
      guard entry.state == .pending, names?.contains(entry.$id) ?? true else { return .held }
      if Task.isCancelled { throw SyncEngine.stopped }
      let now = time.now
      if !asksEarly, let end = entry.retryAt, end > now {
        let answer = Failure(.transport, .tryLater, entry.lastError ?? "", path: target)
        unsent.note(.storedPause(answer, until: end, now: now, hint: nil))
        return .paused(seconds: end - now)
      }
      if let after = entry.after, try !queue(after).byTarget.isEmpty {
        try await Failure.from { () async throws(StoreError) in
          try await explain([(entry, "it waits for the edit of \(after)")])
        }
        return .held
      }
      let step = try await Failure.from { () async throws(StoreError) in
        try await send(entry.id, of: target, to: receiver)
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
    _ id: String, of target: String, to receiver: Receiver
  ) async throws(StoreError) -> Step {
    let claim: Claim?
    do throws(StoreError) { claim = try await self.claim(id, of: target, receiver) } catch {
      if error.code == .unknownOutcome { await withdraw(target) }
      throw error
    }
    guard let claim else { return .held }
    do throws(StoreError) { return try await send(claim) } catch {
      await withdraw(target)
      throw error
    }
  }

  /// Releases the lease on a record whose attempt has ended without a commit: another process may lead now, and sends
  /// the edit after a look at the remote. If the store cannot be reached, it is tried for as long as the lease would last.
  private func withdraw(_ target: String) async {
    let (base, process, coder, time) = (base, process, coder, time)
    let end = time.uptime + .seconds(SendLease.seconds)
    let withdraw: @Sendable () async -> Bool = {
      do throws(StoreError) {
        _ = try await base.write { (transaction) throws(StoreError) in
          try SendLease.withdraw(target, process, in: &transaction, coder)
        }
        return true
      } catch {
        return ![.unreachable, .busy, .unknownOutcome].contains(error.code)
      }
    }
    // Tasks of their own, because a cancelled one may not wait for its turn to write.
    guard await !Task(operation: { await withdraw() }).value else { return }
    Task {
      while time.uptime < end, await !withdraw() {
        do throws(CancellationError) { try await time.sleep(for: .seconds(1)) } catch { return }
      }
    }
  }

  private func send(_ claim: Claim) async throws(StoreError) -> Step {
    let outcome: PushOutcome
    let transport = UnretriedTransport(inner: transport(claim.entry))
    do throws(SourceError) {
      let snapshot = try SourceError.reading(store.snapshot())
      outcome = try await claim.receiver.source.push(
        claim.entry,
        PushContext(
          transport: transport, record: claim.record, base: claim.remote.copy.base,
          sourceState: claim.remote.copy.sourceState, isGone: claim.remote.isGone, snapshot: snapshot, now: time.now,
          changes: GuardedChanges(senders.catalog), memory: claim.receiver.memory))
    } catch {
      return try await fail(claim, error, hasArrived: transport.hasAccepted)
    }
    switch outcome {
    case .accepted(let remote): return try await accept(claim, remote)
    case .remoteIsNewer(let remote): return try await merge(claim, remote)
    case .removed: return try await applyRemoval(claim)
    }
  }

  /// Marks the outcome of the edit as unknown, before it is sent.
  private func claim(
    _ id: String, of target: String, _ receiver: Receiver
  ) async throws(StoreError) -> Claim? {
    let now = time.now
    return try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Claim? in
      transaction.explain(ChangeCause(.sent))
      guard let entry = try transaction.record(OutboxEntry.self, id, coder) else { return nil }
      guard entry.state == .pending, try SendLease.take(target, process, at: now, in: &transaction, coder) else {
        return nil
      }
      let (collection, recordID) = (entry.targetCollection, entry.targetID)
      let edits = try OutboxQueue(in: transaction, coder, only: target)[collection, recordID]
      if let clash = entry.hiddenConflict(among: edits) {
        try transaction.put(clash, coder)
        try SendLease.end(target, in: &transaction)
        return nil
      }
      var marked = entry
      marked.attempts = marked.attempts.plus(1)
      marked.outcomeUnknown = true
      try transaction.put(marked, coder)
      let remote = try RemoteState(collection, recordID, in: transaction, coder)
      let stored = try transaction.object(collection, recordID, coder)
      return Claim(
        entry: entry, record: Self.record(for: entry, stored: stored, edits: edits, remote.copy), remote: remote,
        receiver: receiver)
    }.value
  }

  /// The record to send for one edit: the remote's last known copy with this edit and the earlier edits that the remote
  /// has accepted, without later or refused ones. `stored` is the local record including all edits.
  private static func record(
    for entry: OutboxEntry, stored: JSONObject?, edits: [OutboxEntry], _ remote: RemoteCopy
  ) -> JSONObject {
    let removed = edits.last { $0.kind == .delete }
    // A removal in conflict contains the newest version of the remote.
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

/// The answer that a source keeps during one flush.
public final class KeptAnswer: FlushMemory {
  private let answer = Mutex<(any Sendable)?>(nil)

  public init() {}

  public var kept: (any Sendable)? { answer.withLock { $0 } }

  public func keep(_ value: any Sendable) { answer.withLock { $0 = value } }
}

/// The first failure among several concurrent tasks.
final class FirstFailure: Sendable {
  private let first = Mutex<Failure?>(nil)

  var failure: Failure? { first.withLock { $0 } }

  /// Records a failure, unless there already is one.
  func note(_ failure: Failure) { first.withLock { $0 = $0 ?? failure } }
}

// MARK: Answers

extension OutboxSender {
  /// Commits the outcome of an attempt together with the end of its lease.
  private func end<Value: Sendable>(
    _ claim: Claim, _ body: (inout any StoreTransaction) throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Value in
      transaction.explain(ChangeCause(.sent))
      try SendLease.end(claim.entry.target, in: &transaction)
      return try body(&transaction)
    }.value
  }

  private func merger(_ claim: Claim, in transaction: any StoreTransaction) throws(StoreError) -> RecordMerger {
    try RecordMerger(claim.receiver.source.name, senders, in: transaction, coder, only: claim.entry.target)
  }

  /// Keeps an accepted edit until a pull tells whether the remote still has it.
  ///
  /// - Parameters:
  ///   - remote: what was known of the remote before.
  ///   - earlier: what was kept of the record before.
  private func keep(
    _ claim: Claim, of id: String, before remote: RemoteState, after earlier: JSONObject?,
    in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    guard senders.confirmsEdits(claim.receiver.source.name) else { return }
    try SentEdits.keep(claim.entry, of: id, before: remote, after: earlier, in: &transaction, coder)
  }

  private func report(_ claim: Claim, _ outcome: EditOutcome) {
    events.report(.edit(id: claim.entry.id, target: claim.entry.target, outcome: outcome))
  }

  /// The remote accepted the edit: its response and the removal of the entry are one commit.
  private func accept(_ claim: Claim, _ remote: RemoteRecord) async throws(StoreError) -> Step {
    if claim.entry.kind == .delete { return try await applyRemoval(claim) }
    try await end(claim) { (transaction) throws(StoreError) in
      let (collection, id) = (claim.entry.targetCollection, claim.entry.targetID)
      try dropRefused(before: claim.entry, in: &transaction)
      if asksEarly { try ServerLimit.end(claim.receiver.server.text, in: &transaction) }
      try transaction.delete(.outbox, claim.entry.id)
      var stored = try RemoteState(collection, id, in: transaction, coder)
      let before = stored
      stored.update(from: claim.receiver.source.name, base: remote.base, sourceState: remote.sourceState)
      stored.accepted = claim.entry.id
      var merger = try merger(claim, in: transaction)
      try merger.applyAnswer(remote, to: claim.entry, base: before.copy.base, in: &transaction)
      let newID = remote.newID ?? id
      if newID.exact != id.exact {
        try merger.move(collection, from: id, to: newID, in: &transaction)
        transaction.explain(ChangeCause(.sent, moved: [.init(collection, from: id, to: newID)]))
      }
      try stored.put(collection, newID, in: &transaction, coder)
      let earlier = try transaction.state(SentEdits.key(collection, id), coder)
      try keep(claim, of: newID, before: before, after: earlier, in: &transaction)
    }
    report(claim, .accepted)
    for note in remote.notes { events.report(.warning(message: "\(claim.entry.target): \(note)")) }
    return .sent
  }

  /// Takes the fields of an accepted edit from earlier ones that were refused: another attempt would set them back.
  private func dropRefused(before entry: OutboxEntry, in transaction: inout any StoreTransaction) throws(StoreError) {
    let edits = try OutboxQueue(in: transaction, coder, only: entry.target)[entry.targetCollection, entry.targetID]
    for var edit in edits.prefix(while: { $0.$id != entry.$id }) where edit.state == .refused && edit.kind == .put {
      edit.drop(changedBy: [entry])
      if edit.edit.isEmpty { try transaction.delete(.outbox, edit.id) } else { try transaction.put(edit, coder) }
    }
  }

  /// The remote is newer: its record is merged. The edit is then sent on top of it, or becomes a conflict.
  private func merge(_ claim: Claim, _ remote: RemoteRecord) async throws(StoreError) -> Step {
    let (step, outcome) = try await end(claim) { (transaction) throws(StoreError) -> (Step, EditOutcome) in
      if var entry = try transaction.record(OutboxEntry.self, claim.entry.id, coder) {
        entry.outcomeUnknown = false
        entry.lastError = "the server had a newer record"
        try transaction.put(entry, coder)
      }
      var merger = try merger(claim, in: transaction)
      try merger.apply(
        IncomingRecord(
          collection: claim.entry.targetCollection, id: claim.entry.targetID, rule: .replace, base: remote.base,
          sourceState: remote.sourceState, bytes: coder.encode(remote.fields)), in: &transaction)
      guard let entry = try transaction.record(OutboxEntry.self, claim.entry.id, coder) else {
        return (.sent, .settled)
      }
      return entry.state == .pending ? (.merged, .merged) : (.held, EditOutcome(entry.state))
    }
    report(claim, outcome)
    return step
  }

  /// The remote no longer has the record. This completes a removal; any other edit becomes a conflict.
  private func applyRemoval(_ claim: Claim) async throws(StoreError) -> Step {
    let isDeletion = claim.entry.kind == .delete
    try await end(claim) { (transaction) throws(StoreError) in
      if !isDeletion, var entry = try transaction.record(OutboxEntry.self, claim.entry.id, coder) {
        entry.outcomeUnknown = false
        entry.lastError = "the server no longer has the record"
        // A new record cannot have been removed, nor one that was to be created again, and retrying would never end.
        if entry.kind == .post || claim.remote.isGone, entry.state == .pending { entry.state = .refused }
        try transaction.put(entry, coder)
      }
      let (collection, id) = (claim.entry.targetCollection, claim.entry.targetID)
      let remote = try RemoteState(collection, id, in: transaction, coder)
      let earlier = try transaction.state(SentEdits.key(collection, id), coder)
      var merger = try merger(claim, in: transaction)
      try merger.remove(collection, id, isAnswer: true, in: &transaction)
      if isDeletion { try keep(claim, of: id, before: remote, after: earlier, in: &transaction) }
    }
    report(claim, isDeletion ? .accepted : .conflict)
    return isDeletion ? .sent : .held
  }

  /// The attempt failed. An edit that may have arrived stays unknown; one that was refused permanently waits for the
  /// user.
  ///
  /// - Parameter hasArrived: whether the remote accepted a change, and what failed came after it.
  private func fail(
    _ claim: Claim, _ error: SourceError, hasArrived: Bool
  ) async throws(StoreError) -> Step {
    let source = claim.receiver.source
    let disposition = hasArrived && error.disposition == .retry ? .unknown : error.disposition
    let failure = error.failure(of: source.descriptor)
    let now = time.now
    try await end(claim) { (transaction) throws(StoreError) -> Void in
      if error.isLimit {
        try ServerLimit.keep(failure, of: claim.receiver.server.text, source, at: now, in: &transaction, coder)
      }
      guard var entry = try transaction.record(OutboxEntry.self, claim.entry.id, coder) else { return }
      // An earlier attempt may still have arrived.
      entry.outcomeUnknown = disposition == .unknown || claim.entry.outcomeUnknown
      if failure.reason != .cancelled { entry.lastError = failure.message }
      // The pause of a circuit or a budget is no word of the server, and another process does not know it.
      entry.retryAt = failure.isPause ? nil : failure.pauseEnd(since: now, now: now)
      if [.refused, .made].contains(disposition), entry.state == .pending {
        (entry.state, entry.isMade) = (.refused, disposition == .made)
        if entry.kind == .put, !entry.outcomeUnknown {
          let edits = try OutboxQueue(in: transaction, coder, only: entry.target)
          entry.drop(changedBy: edits[entry.targetCollection, entry.targetID].drop { $0.$id != entry.$id }.dropFirst())
        }
      }
      if entry.edit.isEmpty, entry.kind == .put { return try transaction.delete(.outbox, entry.id) }
      try transaction.put(entry, coder)
    }
    switch disposition {
    case .refused: report(claim, .refused)
    case .made: report(claim, .made)
    case .retry: report(claim, .waiting)
    case .unknown: report(claim, .unknown)
    }
    if [.refused, .made].contains(disposition) { return .passed }
    unsent.note(failure)
    return error.pause ?? (error.concernsEveryEdit ? .unreachable(failure) : .held)
  }
}
