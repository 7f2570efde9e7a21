import Models
import Ports
import Synchronization

/// Sends what waits in the outbox: record by record, each record's edits in their order.
///
/// Before an edit goes out, the store says that its outcome is unknown; after a definite answer the answer and what it
/// means are one commit. So a process that is killed at any point leaves either an edit that was not sent, or one that
/// its source looks for at the remote before it sends it again.
struct OutboxSender: Sendable {
  let store: any RecordStore
  let sources: [CollectionName: any EditableSource]
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

  /// How often one flush tries such a record, and how long it waits the first time where the server names no time.
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
  struct Claim {
    var entry: OutboxEntry
    var record: JSONObject
    var remote: RemoteCopy
  }

  /// Sends everything, or the named entries only, and counts. The sources are served side by side, so that a server
  /// that hangs holds up only its own edits; and a record that its server cannot take now holds up no other one.
  ///
  /// - Throws: `Failure` where the outbox cannot be read or written, or the task was cancelled.
  func flush(only names: Set<ExactString>?) async throws(Failure) -> OutboxCounts {
    var targets: [SourceName: [String]] = [:]
    for target in try queue().targets {
      let collection = CollectionName(rawValue: target.firstPart)
      if let source = sources[collection] { targets[source.name, default: []].append(target) }
    }
    var sent = 0
    var failure: Failure?
    await withTaskGroup(of: Result<Int, Failure>.self) { group in
      for row in targets.values {
        group.addTask {
          do throws(Failure) {
            return .success(try await send(row, only: names))
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

  /// Sends the edits of records of one source, one record after the other.
  private func send(_ targets: [String], only names: Set<ExactString>?) async throws(Failure) -> Int {
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
        let collection = CollectionName(rawValue: target.firstPart)
        guard let source = sources[collection] else { continue }
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
    guard let claim = try await claim(id, of: target) else { return .held }
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
    }
  }

  /// Marks the edit as one whose outcome is unknown, before it is sent.
  private func claim(_ id: String, of target: String) async throws(StoreError) -> Claim? {
    let now = time.now
    return try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Claim? in
      guard let fields = try transaction.fields(.outbox, id, coder) else { return nil }
      let entry = try OutboxEntry(stored: fields)
      guard entry.state == .pending, try SendLease.take(target, process, at: now, in: &transaction, coder) else {
        return nil
      }
      let (collection, recordID) = (entry.targetCollection, entry.targetID)
      let edits = try OutboxQueue(in: transaction, coder, only: target)[collection, recordID]
      if let clash = entry.clashing(with: edits) {
        try transaction.put(coder.encode(clash.fields), id: id, in: .outbox)
        try SendLease.end(target, in: &transaction)
        return nil
      }
      var marked = entry
      marked.attempts += 1
      marked.outcomeUnknown = true
      try transaction.put(coder.encode(marked.fields), id: id, in: .outbox)
      let local = try transaction.fields(collection, recordID, coder) ?? [:]
      return Claim(
        entry: entry, record: PushRecord.record(for: entry, local: local, edits: edits),
        remote: try RemoteMemory(collection, recordID, in: transaction, coder).copy)
    }.value
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

extension OutboxEntry {
  /// The edit as a conflict, where an earlier one of the same field was refused and the remote has changed that field
  /// meanwhile: nobody here has seen the remote's value, because the refused one still stands here.
  fileprivate func clashing(with edits: [OutboxEntry]) -> OutboxEntry? {
    var seen: [ExactString: JSONValue] = [:]
    for earlier in edits.prefix(while: { $0.$id != $id }) where earlier.state == .refused {
      for key in edit.keys where earlier.edit[key] != nil { seen[key.exact] = earlier.theirs?[key] ?? seen[key.exact] }
    }
    guard !seen.isEmpty else { return nil }
    var judged = self
    judged.judge(seen)
    return judged.state == .conflict ? judged : nil
  }
}
