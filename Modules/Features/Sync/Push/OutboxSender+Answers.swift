import Models
import Ports

extension OutboxSender {
  /// The remote has the edit: its answer and the end of the entry are one commit.
  func accept(_ claim: Claim, _ remote: RemoteRecord) async throws(StoreError) -> Step {
    let target = claim.entry.target
    _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
      let (collection, id) = (claim.entry.targetCollection, claim.entry.targetID)
      try transaction.delete(.outbox, claim.entry.id)
      var remembered = try RemoteMemory(collection, id, in: transaction, coder)
      let base = remembered.copy.base
      remembered.update(base: remote.base, memory: remote.memory)
      remembered.accepted = claim.entry.id
      var commit = try PageCommit(in: transaction, coder, editable: [collection], only: target)
      try commit.takeAnswer(remote.fields, to: claim.entry, base: base, in: &transaction)
      try remembered.put(collection, id, in: &transaction, coder)
      try SendLease.end(target, in: &transaction)
      return true
    }
    events.report(.edit(id: claim.entry.id, target: target, outcome: "accepted"))
    return .sent
  }

  /// The remote is newer: its record is merged, and the edit waits on top of it, or for somebody to choose.
  func merge(_ claim: Claim, _ remote: RemoteRecord) async throws(StoreError) -> Step {
    let target = claim.entry.target
    let (step, state) = try await store.write {
      (transaction: inout any StoreTransaction) throws(StoreError) -> (Step, String) in
      let (collection, id) = (claim.entry.targetCollection, claim.entry.targetID)
      if let fields = try transaction.fields(.outbox, claim.entry.id, coder) {
        var entry = try OutboxEntry(stored: fields)
        entry.outcomeUnknown = false
        entry.lastError = "the server had a newer record"
        try transaction.put(coder.encode(entry.fields), id: entry.id, in: .outbox)
      }
      var commit = try PageCommit(in: transaction, coder, editable: [collection], only: target)
      try commit.apply(
        PulledChange(
          collection: collection, id: id, fields: remote.fields, .replace, base: remote.base, memory: remote.memory),
        in: &transaction)
      try SendLease.end(target, in: &transaction)
      guard let left = try transaction.fields(.outbox, claim.entry.id, coder) else { return (.sent, "settled") }
      let entry = try OutboxEntry(stored: left)
      return entry.state == .pending ? (.merged, "merged") : (.held, entry.state.rawValue)
    }.value
    events.report(.edit(id: claim.entry.id, target: target, outcome: state))
    return step
  }

  /// There was an error: what may have arrived stays unknown, what was refused for good is set aside.
  func fail(_ claim: Claim, _ error: SourceError) async throws(StoreError) -> Step {
    let disposition = error.disposition
    let failure = error.failure
    _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
      try SendLease.end(claim.entry.target, in: &transaction)
      guard let fields = try transaction.fields(.outbox, claim.entry.id, coder) else { return false }
      var entry = try OutboxEntry(stored: fields)
      // An earlier try may still have arrived, whatever became of this one.
      entry.outcomeUnknown = disposition == .unknown || claim.entry.outcomeUnknown
      entry.lastError = failure.message
      if disposition == .refused, entry.state == .pending { entry.state = .refused }
      try transaction.put(coder.encode(entry.fields), id: entry.id, in: .outbox)
      return true
    }
    let outcome =
      switch disposition {
      case .refused: "refused"
      case .retry: "waiting"
      case .unknown: "unknown"
      }
    events.report(.edit(id: claim.entry.id, target: claim.entry.target, outcome: outcome))
    if disposition == .refused { return .passed }
    unsent.note(failure)
    return error.pause ?? (error.concernsEveryEdit ? .unreachable : .held)
  }
}

extension SourceError {
  /// Whether the next edit of the same source would meet the same error, so that sending it can wait.
  fileprivate var concernsEveryEdit: Bool {
    switch self {
    case .transport(let error):
      switch error.code {
      case .cannotConnect, .untrusted, .misconfigured, .budgetExhausted, .circuitOpen, .cancelled: true
      default: false
      }
    case .http(429, _, _, _): true
    case .api(let failure, .tryLater, _): failure.isAboutRate
    case .missingKey: true
    default: false
    }
  }

  /// What follows where the server cannot take this record now.
  fileprivate var pause: OutboxSender.Step? {
    switch self {
    case .http(let status, _, _, let retryAfter) where [500, 502, 503, 504].contains(status):
      .paused(seconds: retryAfter)
    case .api(let failure, .tryLater, _) where !failure.isAboutRate: .paused(seconds: nil)
    default: nil
    }
  }
}

extension APIFailure {
  /// Whether the API asks for fewer calls, whatever they are about.
  fileprivate var isAboutRate: Bool {
    let code = code.lowercased().filter { $0.isLetter || $0.isNumber }
    return code == "429" || code.contains("rate") || code.contains("toomany")
  }
}
