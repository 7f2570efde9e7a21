import Models
import Ports

/// Applies what a remote told to the store, within one transaction, and counts it.
struct PageCommit {
  /// Turns records into bytes and back.
  let coder: any RecordCoder
  /// The state in which the remote was asked; what a push changed since is not overwritten with older values.
  var asked: (any StoreSnapshot)?
  /// The collections whose records can have edits.
  let editable: Set<CollectionName>
  /// The outbox, read once per transaction.
  var outbox: OutboxQueue
  /// How much was done.
  var counts = SyncCounts()
  /// Whether `changes` is wanted; only a plan needs it, and it is as large as what was pulled.
  var plans = false
  /// What was done, record by record.
  var changes: [PlannedChange] = []
  /// Edits that the remote turned out to have.
  var settled: [OutboxEntry] = []
  /// Edits that met a conflict, or were freed of one.
  var judged: [OutboxEntry] = []

  /// Whether everything was as it came.
  var changedNothing: Bool {
    counts.added + counts.updated + counts.removed == 0 && settled.isEmpty && judged.isEmpty
  }

  /// A commit of what was asked for when the store was as `asked`.
  ///
  /// - Parameter target: the record that it is all about, where it is about one only.
  /// - Throws: `StoreError` where the outbox cannot be read.
  init(
    in transaction: any StoreTransaction, _ coder: any RecordCoder, editable: Set<CollectionName>,
    asked: (any StoreSnapshot)? = nil, only target: String? = nil
  ) throws(StoreError) {
    self.coder = coder
    self.asked = asked
    self.editable = editable
    outbox = try OutboxQueue(in: transaction, coder, only: target)
  }

  /// Applies one change.
  ///
  /// - Throws: `StoreError` where the store cannot be read or written.
  mutating func apply(_ change: PulledChange, in transaction: inout any StoreTransaction) throws(StoreError) {
    if try isLate(change, transaction) {
      counts.unchanged += 1
      return
    }
    if change.rule == .remove {
      return try remove(change.collection, change.id, in: &transaction)
    }
    let stored = try transaction.record(change.collection, change.id)
    if change.rule == .insert, stored != nil {
      counts.unchanged += 1
      return
    }
    if let stored, outbox[change.collection, change.id].isEmpty, coder.encode(change.fields) == stored {
      // Most of a second sync: what came is what stands here, and a merge would say the same.
      counts.unchanged += 1
      return try remember(change.base, change.memory, change.collection, change.id, in: &transaction)
    }
    let fields = try merged(change, stored, &transaction)
    try put(fields, over: stored, change, in: &transaction)
    try remember(change.base, change.memory, change.collection, change.id, in: &transaction)
  }

  /// Whether a push was accepted after this change was asked for, so that the next pull will know better.
  private func isLate(_ change: PulledChange, _ transaction: any StoreTransaction) throws(StoreError) -> Bool {
    guard let asked, editable.contains(change.collection) else { return false }
    let key = RemoteMemory.id(change.collection, change.id)
    return try asked.record(.state, key) != transaction.record(.state, key)
  }

  /// The record as it shall stand; edits that changed on the way are written.
  private mutating func merged(
    _ change: PulledChange, _ stored: [UInt8]?, _ transaction: inout any StoreTransaction
  ) throws(StoreError) -> JSONObject {
    let edits = outbox[change.collection, change.id]
    let isEditable = editable.contains(change.collection) || !edits.isEmpty
    if change.rule == .updateMetadata || (change.rule != .merge && !isEditable) { return change.fields }
    let base =
      isEditable ? try RemoteMemory(change.collection, change.id, in: transaction, coder).copy.base : nil
    guard let stored else {
      if edits.isEmpty { return change.fields }
      return try settle(merge(change, nil, base).merged(with: edits), &transaction)
    }
    let local = try coder.fields(of: stored, change.collection, change.id)
    return try settle(merge(change, local, base).merged(with: edits), &transaction)
  }

  private func merge(_ change: PulledChange, _ local: JSONObject?, _ base: JSONObject?) -> RecordMerge {
    RecordMerge(
      collection: change.collection, local: local, remote: change.fields, keepsAbsent: change.rule == .merge,
      base: base)
  }

  /// Writes what became of the edits.
  private mutating func settle(
    _ result: RecordMerge.Result, _ transaction: inout any StoreTransaction
  ) throws(StoreError) -> JSONObject {
    for entry in result.settled { try transaction.delete(.outbox, entry.id) }
    for entry in result.changed { try transaction.put(coder.encode(entry.fields), id: entry.id, in: .outbox) }
    settled += result.settled
    judged += result.changed
    return result.record
  }

  private mutating func put(
    _ fields: JSONObject, over stored: [UInt8]?, _ change: PulledChange, in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    let bytes = coder.encode(fields)
    guard let stored else {
      try transaction.put(bytes, id: change.id, in: change.collection)
      counts.add(to: change.collection)
      plan(
        PlannedChange(operation: .add, collection: change.collection, id: change.id, changed: fields))
      return
    }
    if bytes == stored {
      counts.unchanged += 1
      return
    }
    let old = try coder.fields(of: stored, change.collection, change.id)
    if KnownRecords.areEqual(old, fields, in: change.collection) {
      // Only the order of the members differs, or how a value is written.
      counts.unchanged += 1
      return
    }
    try transaction.put(bytes, id: change.id, in: change.collection)
    if change.rule == .updateMetadata {
      counts.unchanged += 1
      return
    }
    counts.update(in: change.collection)
    plan(
      PlannedChange(
        operation: .update, collection: change.collection, id: change.id, changed: Self.difference(old, fields)))
  }

  /// Notes a change for the plan.
  mutating func plan(_ change: @autoclosure () -> PlannedChange) {
    if plans { changes.append(change()) }
  }

  /// Keeps what is to be remembered of the remote's copy of a record.
  func remember(
    _ base: JSONObject?, _ memory: JSONObject?, _ collection: CollectionName, _ id: String,
    in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    guard base != nil || memory != nil || editable.contains(collection) else { return }
    let old = try RemoteMemory(collection, id, in: transaction, coder)
    var new = old
    new.update(base: base, memory: memory)
    if new != old { try new.put(collection, id, in: &transaction, coder) }
  }

  /// The fields of `new` that differ from `old`; null for those that are gone.
  static func difference(_ old: JSONObject, _ new: JSONObject) -> JSONObject {
    var changed = JSONObject()
    for member in new.members where old[member.key] != member.value { changed.members.append(member) }
    for member in old.members where new[member.key] == nil { changed.append(member.key, .null) }
    return changed
  }
}
