public import Models
public import Ports

/// Lists the waiting edits, and carries out what is decided about those that cannot be sent.
public struct Outbox: OutboxService {
  private let store: any RecordStore
  private let coder: any RecordCoder
  private let catalog: CollectionCatalog
  private let events: any EventSink

  /// The outbox of a store.
  public init(
    store: any RecordStore, coder: any RecordCoder, catalog: CollectionCatalog, events: any EventSink
  ) {
    self.store = store
    self.coder = coder
    self.catalog = catalog
    self.events = events
  }

  /// Every entry, oldest first. O(n log n) for n entries.
  public func entries() throws(Failure) -> [OutboxEntry] {
    do throws(StoreError) {
      return try OutboxQueue(in: store.snapshot(), coder).entries
    } catch {
      throw error.failure
    }
  }

  /// A refused entry whose fields the remote changed meanwhile becomes a conflict.
  ///
  /// - Returns: the entries that wait again or became conflicts; a named entry that waited already as it is.
  public func retry(_ id: String?) async throws(Failure) -> [OutboxEntry] {
    if let id { return [try await change(id, .retry) { (entry, _) in entry.retried }] }
    let entries = try await write { (transaction: inout any StoreTransaction) throws(StoreError) -> [OutboxEntry] in
      let refused = try OutboxQueue(in: transaction, coder).entries.filter { $0.state == .refused }
      for entry in refused { try transaction.put(coder.encode(entry.retried.fields), id: entry.id, in: .outbox) }
      return refused.map(\.retried)
    }
    for entry in entries { report(entry, .retry) }
    return entries
  }

  /// A new record (`post`) stays here as it is; it is only not sent. The edited fields of a changed record go back to
  /// what the remote last had; a field that another edit changed as well keeps that one's value. A removed record comes
  /// back as the remote last had it.
  public func discard(_ id: String) async throws(Failure) -> OutboxEntry {
    let entry = try await existing(id) { (entry, transaction) throws(StoreError) in
      try transaction.delete(.outbox, id)
      try takeBack(entry, to: entry.theirs ?? entry.base, in: &transaction)
      return entry
    }
    report(entry, .discarded)
    return entry
  }

  /// With `theirs`, a later edit of the same field is based on the remote's value from then on, and may become a
  /// conflict of its own.
  public func resolve(_ id: String, take side: ConflictSide) async throws(Failure) -> OutboxEntry {
    var isConflict = true
    let entry = try await existing(id) { (entry, transaction) throws(StoreError) in
      isConflict = entry.state == .conflict
      guard isConflict else { return entry }
      switch side {
      case .mine:
        var mine = entry
        mine.base = entry.theirs ?? entry.base
        mine.theirs = nil
        mine.state = .pending
        mine.lastError = nil
        try transaction.put(coder.encode(mine.fields), id: id, in: .outbox)
        try rebase(on: mine, in: &transaction)
        return mine
      case .theirs:
        try transaction.delete(.outbox, id)
        try takeBack(entry, to: entry.theirs ?? entry.base, in: &transaction)
        return entry
      }
    }
    guard isConflict else {
      throw Failure(
        .store, .usage, "the entry \(id) is not a conflict, it is \(entry.state.rawValue)",
        hint: "almanac outbox shows what waits", code: "no-conflict")
    }
    report(entry, side == .mine ? .resolvedMine : .resolvedTheirs)
    return entry
  }

  /// Lets the later edits of the same fields follow the choice of these values over the remote's.
  private func rebase(on entry: OutboxEntry, in transaction: inout any StoreTransaction) throws(StoreError) {
    let edits = try OutboxQueue(in: transaction, coder, only: entry.target)[entry.targetCollection, entry.targetID]
    for var later in edits.drop(while: { $0.$id != entry.$id }).dropFirst() {
      let keys = later.edit.keys.filter { entry.edit[$0] != nil && later.base[$0] != entry.base[$0] }
      guard !keys.isEmpty else { continue }
      for key in keys { later.base[key] = entry.base[key] }
      try transaction.put(coder.encode(later.fields), id: later.id, in: .outbox)
    }
  }

  /// Undoes an edit here. Fields that other edits changed as well keep their values; these edits are based on what the
  /// remote has now, which may make conflicts of them.
  private func takeBack(
    _ entry: OutboxEntry, to values: JSONObject, in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    let (collection, id) = (entry.targetCollection, entry.targetID)
    let memory = try RemoteMemory(collection, id, in: transaction, coder)
    let others = try OutboxQueue(in: transaction, coder, only: entry.target)[collection, id]
    switch entry.kind {
    case .post: return
    case .delete: return try restore(entry, memory, others, in: &transaction)
    case .put: break
    }
    if memory.isGone {
      return try takeBack(entry, removedElsewhere: others, in: &transaction)
    }
    guard var record = try transaction.fields(collection, id, coder) else { return }
    var chain = EditChain(others.filter { $0.kind == .put })
    let remote = memory.copy.base
    for key in entry.edit.keys {
      // Where the whole remote record is remembered, it is newer than what the edit noted of it.
      let theirs = remote.map { $0[key] ?? .null } ?? values[key] ?? .null
      var value = chain.value(key) ?? theirs
      // Whether an edit of unknown outcome has arrived is seen when the remote is read the next time.
      let isSure = !entry.outcomeUnknown || entry.theirs != nil
      if chain.meet(key, theirs, isSure: isSure) { value = theirs }
      record[key] = value == .null ? nil : value
    }
    let outcome = chain.outcome()
    for edit in outcome.settled { try transaction.delete(.outbox, edit.id) }
    for edit in outcome.changed { try transaction.put(coder.encode(edit.fields), id: edit.id, in: .outbox) }
    try transaction.put(coder.encode(record), id: id, in: collection)
  }

  /// Undoes an edit of a record that the remote removed: the record goes with its last edit.
  private func takeBack(
    _ entry: OutboxEntry, removedElsewhere others: [OutboxEntry], in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    let (collection, id) = (entry.targetCollection, entry.targetID)
    guard !others.isEmpty, var record = try transaction.fields(collection, id, coder) else {
      try transaction.delete(collection, id)
      return try transaction.delete(.state, RemoteMemory.id(collection, id))
    }
    for member in entry.base.members where !others.contains(where: { $0.edit[member.key] != nil }) {
      record[member.key] = member.value == .null ? nil : member.value
    }
    try transaction.put(coder.encode(record), id: id, in: collection)
  }

  /// Brings a removed record back as the remote last had it, with the edits that still wait.
  private func restore(
    _ entry: OutboxEntry, _ memory: RemoteMemory, _ others: [OutboxEntry], in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    let (collection, id) = (entry.targetCollection, entry.targetID)
    guard try transaction.record(collection, id) == nil else { return }
    var record = entry.theirs ?? memory.copy.base ?? entry.base
    for member in others.filter({ $0.kind != .delete }).flatMap(\.edit.members) {
      record[member.key] = member.value == .null ? nil : member.value
    }
    record = JSONObject(
      members: [JSONObject.Member(key: "id", value: .string(id))] + record.members.filter { $0.key != "id" })
    let whole = (try? catalog.canonical(record, in: collection)) ?? record
    try transaction.put(coder.encode(whole), id: id, in: collection)
  }

  private func change(
    _ id: String, _ outcome: EditOutcome, _ body: (OutboxEntry, any StoreTransaction) -> OutboxEntry
  ) async throws(Failure) -> OutboxEntry {
    let entry = try await existing(id) { (entry, transaction) throws(StoreError) in
      let new = body(entry, transaction)
      if new != entry { try transaction.put(coder.encode(new.fields), id: id, in: .outbox) }
      return new
    }
    report(entry, outcome)
    return entry
  }

  private func existing(
    _ id: String, _ body: (OutboxEntry, inout any StoreTransaction) throws(StoreError) -> OutboxEntry
  ) async throws(Failure) -> OutboxEntry {
    let entry = try await write { (transaction: inout any StoreTransaction) throws(StoreError) -> OutboxEntry? in
      guard let fields = try transaction.fields(.outbox, id, coder) else { return nil }
      return try body(OutboxEntry(stored: fields), &transaction)
    }
    if let entry { return entry }
    throw Failure(
      .store, .notFound, "no entry \(id) waits in the outbox", hint: "almanac outbox shows what waits",
      code: "not-found")
  }

  private func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(Failure) -> Result {
    do throws(StoreError) {
      return try await store.write(body).value
    } catch {
      throw error.failure
    }
  }

  private func report(_ entry: OutboxEntry, _ outcome: EditOutcome) {
    events.report(.edit(id: entry.id, target: entry.target, outcome: outcome))
  }
}
