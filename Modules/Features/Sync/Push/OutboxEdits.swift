public import Models
public import Ports

/// Stores pending edits in the outbox, and the remote copies in the engine's state.
public struct OutboxEdits: PendingEdits {
  private let coder: any RecordCoder
  private let catalog: CollectionCatalog
  private let time: any TimeSource
  private let makeID: @Sendable (Timestamp) -> String

  /// Creates an instance that uses ULIDs as ids and idempotency keys.
  public init(coder: any RecordCoder, catalog: CollectionCatalog, time: any TimeSource, random: any RandomSource) {
    self.init(coder: coder, catalog: catalog, time: time) { createdAt in
      let milliseconds = time.milliseconds - createdAt.secondsSinceEpoch * 1000
      return RecordID.make(at: createdAt, milliseconds: milliseconds, random: random.next)
    }
  }

  /// Creates an instance with custom ids, for tests.
  package init(
    coder: any RecordCoder, catalog: CollectionCatalog, time: any TimeSource,
    makeID: @escaping @Sendable (Timestamp) -> String
  ) {
    (self.coder, self.catalog, self.time, self.makeID) = (coder, catalog, time, makeID)
  }

  /// A ULID.
  public func newID() -> String { makeID(time.now) }

  /// The id that the remote gave to the record.
  public func currentID(
    of collection: CollectionName, _ id: String, in reader: some RecordReader
  ) throws(StoreError) -> String {
    if try reader.record(collection, id) != nil { return id }
    return try MovedID.current(collection, id, in: reader, coder) ?? id
  }

  public func edits(
    of collection: CollectionName, _ id: String, in reader: some RecordReader
  ) throws(StoreError) -> [OutboxEntry] {
    try OutboxQueue(in: reader, coder, only: Self.target(collection, id))[collection, id]
  }

  public func edits(of collection: CollectionName, in reader: some RecordReader) throws(StoreError) -> [OutboxEntry] {
    try OutboxQueue(in: reader, coder).entries.filter { $0.targetCollection == collection }
  }

  public func remoteCopy(
    of collection: CollectionName, _ id: String, in reader: some RecordReader
  ) throws(StoreError) -> RemoteCopy? {
    try reader.state(RemoteState.key(collection, id), coder).map { RemoteState($0).copy }
  }

  public func acceptedEdits(
    of collection: CollectionName, in reader: some RecordReader
  ) throws(StoreError) -> [AcceptedEdits] { try SentEdits.all(of: collection, in: reader, coder) }

  /// The remote copies of a collection's records.
  public func eachRemoteCopy(
    of collection: CollectionName, in reader: some RecordReader,
    _ body: (String, RemoteCopy) throws(StoreError) -> Void
  ) throws(StoreError) {
    let prefix = RemoteState.key(collection, "").name
    try reader.eachState(.remote, from: prefix, coder) { (key, fields) throws(StoreError) -> ScanStep in
      try body(key.name.restOfParts, RemoteState(fields).copy)
      return .next
    }
  }

  @discardableResult
  public func queueChange(
    of collection: CollectionName, _ id: String, from before: JSONObject, to after: JSONObject,
    in transaction: inout any StoreTransaction
  ) throws(StoreError) -> OutboxEntry? {
    let changed = FieldOrder.merged(after.keys, before.keys).filter {
      $0 != "id" && (after[$0] ?? .null) != (before[$0] ?? .null)
    }
    var earlier = try edits(of: collection, id, in: transaction)
    guard !changed.isEmpty else { return nil }
    if let new = earlier.last, new.kind == .post, new.canChange || new.state == .refused {
      var fields = new.edit
      for key in changed { fields[key] = after[key] }
      return try queueNew(collection, id, fields, over: new.base, source: new.source, in: &transaction)
    }
    // Only the newest edit can be extended: an older one is sent before those that follow it.
    let waiting = earlier.last.flatMap { $0.kind == .put && $0.canChange && $0.attempts == 0 ? $0 : nil }
    if waiting != nil { earlier.removeLast() }
    let replaced = earlier.filter { $0.isReplaced(by: changed) }
    let state = try RemoteState(collection, id, in: transaction, coder)
    let remote = state.isGone ? [:] : state.copy.base
    var entry = waiting ?? entry(.put, collection, id, after: earlier)
    if entry.source == nil { entry.source = state.copy.source }
    var seen: [ExactString: JSONValue] = [:]
    for old in replaced {
      // What no later edit changes is sent with the new one.
      let later = earlier.drop { $0.$id != old.$id }.dropFirst()
      for key in old.edit.keys {
        seen[key.exact] = old.theirs?[key] ?? seen[key.exact]
        guard entry.edit[key] == nil, !later.contains(where: { $0.edit[key] != nil }) else { continue }
        (entry.edit[key], entry.base[key]) = (old.edit[key], old.base[key])
      }
      earlier.removeAll { $0.$id == old.$id }
      try transaction.delete(.outbox, old.id)
    }
    for key in changed {
      let value = after[key] ?? .null
      let others = earlier.filter { $0.edit[key] != nil }
      if entry.base[key] == nil {
        // The base is the remote's value that the user last saw. An earlier edit hides the remote's value, so the base
        // of that edit is used: a later change of the remote is a conflict.
        entry.base[key] = others.last?.base[key] ?? remote.map { $0[key] ?? .null } ?? before[key] ?? .null
      }
      entry.edit[key] = value
      // The field has the remote's value again and no other edit, so nothing is left to send.
      if seen[key.exact] ?? entry.base[key] == value, others.isEmpty {
        entry.edit[key] = nil
        entry.base[key] = nil
      }
    }
    if entry.edit.isEmpty {
      try transaction.delete(.outbox, entry.id)
      return nil
    }
    if replaced.contains(where: \.isRemoved) {
      entry.conflictWithRemoval()
    } else if !replaced.isEmpty {
      // A refused edit hides what the remote has now, and one in conflict stays so until somebody decides.
      entry.reconcile(with: seen)
    }
    try transaction.put(entry, coder)
    return entry
  }

  @discardableResult
  public func queueNew(
    _ collection: CollectionName, _ id: String, _ fields: JSONObject, over before: JSONObject, source: SourceName?,
    in transaction: inout any StoreTransaction
  ) throws(StoreError) -> OutboxEntry {
    var earlier = try edits(of: collection, id, in: transaction)
    if let index = earlier.firstIndex(where: { $0.kind == .post }) {
      var waiting = earlier[index]
      if waiting.canChange || waiting.isMade {
        waiting.edit = fields
        waiting.source = waiting.source ?? source
        try transaction.put(waiting, coder)
        return waiting
      }
      guard waiting.state == .refused else { return waiting }
      // The edit did not arrive and is sent again with a new key.
      try transaction.delete(.outbox, waiting.id)
      earlier.remove(at: index)
    }
    var entry = entry(.post, collection, id, after: earlier)
    entry.source = source
    entry.edit = fields
    // The remote has nothing of it; only a discarded edit restores what the program had set before.
    let assigned = Set((catalog[collection]?.record?.assignedFields ?? []).map(\.exact))
    entry.base = JSONObject(
      members: fields.keys.map { key in
        JSONObject.Member(key: key, value: assigned.contains(key.exact) ? before[key] ?? .null : .null)
      })
    try transaction.put(entry, coder)
    return entry
  }

  @discardableResult
  public func queueRemoval(
    of collection: CollectionName, _ id: String, after: String?, in transaction: inout any StoreTransaction
  ) throws(StoreError) -> OutboxEntry? {
    guard let record = try transaction.object(collection, id, coder) else { return nil }
    let earlier = try edits(of: collection, id, in: transaction)
    let state = try RemoteState(collection, id, in: transaction, coder)
    try transaction.delete(collection, id)
    // The outcome of an edit that may have arrived must be known before the removal is sent, because it changes the
    // base. Other edits are dropped.
    for entry in earlier where !entry.outcomeUnknown { try transaction.delete(.outbox, entry.id) }
    let unsure = earlier.filter(\.outcomeUnknown)
    // What was pulled before its source took edits has no remote copy.
    let isPulled = catalog[collection]?.keepsLocal != true && !earlier.contains { $0.kind == .post }
    let isAtRemote = !state.isGone && (isPulled || state != RemoteState())
    guard isAtRemote || !unsure.isEmpty else {
      try transaction.clearState(RemoteState.key(collection, id))
      // Otherwise its dependent is kept until the remote has removed the record, which may come back.
      try RecordRemoval.delete(id, of: collection, catalog[collection], in: &transaction)
      return nil
    }
    // The remote's current record, and the one that the user has seen: an edit that is in conflict or refused hides the
    // difference.
    var (seen, remote) = (state.copy.base ?? record, state.copy.base ?? record)
    for edit in earlier.reversed() where edit.kind == .put {
      for member in edit.base.members {
        seen[member.key] = member.value == .null ? nil : member.value
        guard state.copy.base == nil else { continue }
        let value = edit.theirs?[member.key] ?? member.value
        remote[member.key] = value == .null ? nil : value
      }
    }
    var entry = entry(.delete, collection, id, after: unsure)
    entry.source = state.copy.source ?? unsure.lazy.compactMap(\.source).first
    entry.base = seen
    entry.after = after
    entry.content = state.copy.sourceState.recordContent
    entry.reconcileRemoval(with: remote, catalog, keepsAbsent: false, sent: unsure)
    try transaction.put(entry, coder)
    return entry
  }

  @discardableResult
  public func withdraw(
    _ collection: CollectionName, _ id: String, in transaction: inout any StoreTransaction
  ) throws(StoreError) -> [OutboxEntry] {
    let withdrawn = try edits(of: collection, id, in: transaction)
    for entry in withdrawn { try transaction.delete(.outbox, entry.id) }
    try transaction.clearState(RemoteState.key(collection, id))
    return withdrawn
  }

  private static func target(_ collection: CollectionName, _ id: String) -> String { "\(collection)/\(id)" }

  /// An entry without an edit. Edits are sent in the order of their times, which therefore must differ from those of the
  /// record's earlier edits even within one second and after the clock was set back.
  private func entry(
    _ kind: OutboxEntry.Kind, _ collection: CollectionName, _ id: String, after earlier: [OutboxEntry]
  ) -> OutboxEntry {
    let now = time.now
    let createdAt = earlier.map { $0.createdAt + 1 }.max().map { max($0, now) } ?? now
    return OutboxEntry(
      id: makeID(createdAt), target: Self.target(collection, id), kind: kind, edit: [:], base: [:],
      createdAt: createdAt)
  }
}

extension OutboxEntry {
  /// Whether the edit is pending and cannot have arrived, so that its content may change under the same key.
  fileprivate var canChange: Bool { state == .pending && !outcomeUnknown }

  /// Whether an edit of these fields takes the place of this one, with a new key: it was refused, is in conflict, or did not
  /// arrive. One that may have arrived stays: its outcome is determined by the next read.
  fileprivate func isReplaced(by changed: [String]) -> Bool {
    kind == .put && !outcomeUnknown && changed.contains { edit[$0] != nil }
  }
}
