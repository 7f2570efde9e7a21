import Models
import Ports

/// A remote's record on its way into the store.
struct IncomingRecord: Sendable {
  var collection: CollectionName
  var id: String
  /// How it is combined with the stored record.
  var rule: PulledChange.Rule
  /// What to keep as the remote's copy; `nil` leaves it as it is.
  var base: JSONObject?
  /// What to remember of the copy; `nil` leaves it as it is.
  var memory: JSONObject?
  /// The record as the store keeps it. Most records are new or as they were: for these the bytes are enough.
  var bytes: [UInt8]
}

/// Brings what a remote has into the store, within one transaction: the records of a pulled page, a newer record that a
/// push met, and the answer to an edit.
struct RecordMerger {
  /// Turns records into bytes and back.
  private let coder: any RecordCoder
  /// The source whose remote it is.
  private let source: SourceName
  private let senders: EditSenders
  /// The state in which the records were fetched. What a push changed since is not overwritten with older values.
  private let fetched: (any StoreSnapshot)?
  /// The waiting edits, read once per transaction.
  private let outbox: OutboxQueue
  /// Whether `changes` is wanted. Only a plan needs it, and it is as large as what was pulled.
  private let plans: Bool

  /// How much was done.
  private(set) var counts = SyncCounts()
  /// What was done, record by record.
  private(set) var changes: [PlannedChange] = []
  /// Edits that the remote turned out to have.
  private(set) var settled: [OutboxEntry] = []
  /// Edits that became conflicts, or are conflicts no longer.
  private(set) var judged: [OutboxEntry] = []
  /// Records that belong to another source.
  private(set) var foreign: RejectedRecords = []

  /// Whether nothing was written but what is remembered of the remote.
  var changedNothing: Bool {
    counts.added + counts.updated + counts.removed == 0 && settled.isEmpty && judged.isEmpty && foreign.isEmpty
  }

  /// A merger of what `source` fetched when the store was as in `fetched`.
  ///
  /// - Parameter target: the record, where it is about a single one.
  /// - Throws: `StoreError` where the outbox cannot be read.
  init(
    _ source: SourceName, _ senders: EditSenders, in transaction: any StoreTransaction, _ coder: any RecordCoder,
    fetched: (any StoreSnapshot)? = nil, only target: String? = nil, plans: Bool = false
  ) throws(StoreError) {
    self.coder = coder
    self.source = source
    self.senders = senders
    self.fetched = fetched
    self.plans = plans
    outbox = try OutboxQueue(in: transaction, coder, only: target)
  }

  /// Applies one record. O(log n) for n records, and the size of the record.
  ///
  /// - Throws: `StoreError` where the store cannot be read or written.
  mutating func apply(_ incoming: IncomingRecord, in transaction: inout any StoreTransaction) throws(StoreError) {
    let (collection, id) = (incoming.collection, incoming.id)
    if incoming.rule == .remove { return try remove(collection, id, in: &transaction) }
    let edits = outbox[collection, id]
    let isEditable = senders.collections.contains(collection) || !edits.isEmpty
    var remote = RemoteMemory()
    if isEditable || incoming.base != nil || incoming.memory != nil {
      remote = try RemoteMemory(collection, id, in: transaction, coder)
      if try isOutdated(collection, id, transaction) {
        counts.unchanged += 1
        return
      }
      if senders.isForeign(remote.copy.source, to: source) { return reject(incoming, owner: remote.copy.source) }
    }
    let stored = try transaction.record(collection, id)
    if stored != nil, incoming.rule == .insert {
      counts.unchanged += 1
      return
    }
    if edits.contains(where: { $0.kind == .delete }) {
      try meetDeletion(incoming, edits, in: &transaction)
    } else {
      let merged = try merged(incoming, stored, edits, isEditable ? remote.copy.base : nil, isEditable, &transaction)
      try write(merged, over: stored, incoming, in: &transaction)
    }
    guard isEditable || incoming.base != nil || incoming.memory != nil else { return }
    let old = remote
    remote.update(from: source, base: incoming.base, memory: incoming.memory)
    if remote != old { try remote.put(collection, id, in: &transaction, coder) }
  }

  /// Whether a push was accepted after the record was fetched, so that the next pull knows better.
  private func isOutdated(
    _ collection: CollectionName, _ id: String, _ transaction: any StoreTransaction
  ) throws(StoreError) -> Bool {
    guard let fetched, senders.collections.contains(collection) else { return false }
    let key = RemoteMemory.id(collection, id)
    return try fetched.record(.state, key) != transaction.record(.state, key)
  }

  /// Leaves a record out whose id belongs to a record of another source.
  private mutating func reject(_ incoming: IncomingRecord, owner: SourceName?) {
    let index = foreign.total
    foreign.append(
      RejectedRecord(
        index: index, path: "$.id", expected: "an id that no record of another source has",
        found: "the id of \(incoming.collection)/\(incoming.id) of \(owner?.rawValue ?? "another source")",
        raw: String(decoding: incoming.bytes, as: UTF8.self)))
  }

  /// A record on its way into the store, with its fields where they were needed already.
  private struct Merged {
    var bytes: [UInt8]
    var fields: JSONObject?
    /// The fields of the stored record.
    var stored: JSONObject?
  }

  /// The record as it is written; edits that change on the way are written.
  private mutating func merged(
    _ incoming: IncomingRecord, _ stored: [UInt8]?, _ edits: [OutboxEntry], _ base: JSONObject?, _ isEditable: Bool,
    _ transaction: inout any StoreTransaction
  ) throws(StoreError) -> Merged {
    let replaces = incoming.rule == .updateMetadata || (incoming.rule != .merge && !isEditable)
    // A record that is new, or as it was, is most of a sync; a merge would give the same bytes.
    if replaces || (edits.isEmpty && (stored == nil || stored == incoming.bytes)) {
      return Merged(bytes: incoming.bytes)
    }
    let local = try stored.map { (bytes) throws(StoreError) in
      try coder.fields(of: bytes, incoming.collection, incoming.id)
    }
    let fields = try coder.fields(of: incoming.bytes, incoming.collection, incoming.id)
    let result = FieldMerge(
      collection: incoming.collection, catalog: senders.catalog, local: local, remote: fields,
      keepsAbsent: incoming.rule == .merge, base: base
    ).merged(with: edits)
    for entry in result.settled { try settle(entry, &transaction) }
    for entry in result.changed { try judge(entry, &transaction) }
    return Merged(bytes: coder.encode(result.record), fields: result.record, stored: local)
  }

  /// Writes a record, unless it says the same as the stored one. No other place decides what is unchanged.
  private mutating func write(
    _ record: Merged, over stored: [UInt8]?, _ incoming: IncomingRecord, in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    let (collection, id) = (incoming.collection, incoming.id)
    if record.bytes == stored {
      counts.unchanged += 1
      return
    }
    guard let stored else {
      try transaction.put(record.bytes, id: id, in: collection)
      counts.add(to: collection)
      if plans {
        let fields = try fields(record.fields, of: record.bytes, incoming)
        changes.append(PlannedChange(operation: .add, collection: collection, id: id, changed: fields))
      }
      return
    }
    let old = try fields(record.stored, of: stored, incoming)
    let new = try fields(record.fields, of: record.bytes, incoming)
    if senders.catalog.areEqual(old, new, in: collection) {
      // Only the order of the members differs, or how a value is written.
      counts.unchanged += 1
      return
    }
    try transaction.put(record.bytes, id: id, in: collection)
    if incoming.rule == .updateMetadata {
      counts.unchanged += 1
      return
    }
    counts.update(in: collection)
    if plans {
      let difference = Self.difference(old, new)
      changes.append(PlannedChange(operation: .update, collection: collection, id: id, changed: difference))
    }
  }

  /// The fields of a record, which may be known already.
  private func fields(
    _ known: JSONObject?, of bytes: [UInt8], _ incoming: IncomingRecord
  ) throws(StoreError) -> JSONObject {
    if let known { return known }
    return try coder.fields(of: bytes, incoming.collection, incoming.id)
  }

  /// The fields of `new` that differ from `old`; null for those that are gone.
  private static func difference(_ old: JSONObject, _ new: JSONObject) -> JSONObject {
    var changed = JSONObject()
    for member in new.members where old[member.key] != member.value { changed.members.append(member) }
    for member in old.members where new[member.key] == nil { changed.append(member.key, .null) }
    return changed
  }

  private mutating func settle(_ entry: OutboxEntry, _ transaction: inout any StoreTransaction) throws(StoreError) {
    try transaction.delete(.outbox, entry.id)
    settled.append(entry)
  }

  private mutating func judge(_ entry: OutboxEntry, _ transaction: inout any StoreTransaction) throws(StoreError) {
    try transaction.put(coder.encode(entry.fields), id: entry.id, in: .outbox)
    judged.append(entry)
  }
}

// MARK: Removals

extension RecordMerger {
  /// Applies that the remote has the record no longer. A record with waiting edits stays, and the edits become
  /// conflicts; so does a record that was changed here without an edit. A removal that waits to be sent is settled.
  ///
  /// - Parameter isAnswer: whether it is the answer to an edit, which is then a conflict although its removal was known.
  /// - Throws: `StoreError` where the store cannot be read or written.
  mutating func remove(
    _ collection: CollectionName, _ id: String, isAnswer: Bool = false, in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    var remote = try RemoteMemory(collection, id, in: transaction, coder)
    if senders.isForeign(remote.copy.source, to: source) { return }
    let edits = outbox[collection, id]
    guard let stored = try transaction.record(collection, id) else {
      // Both sides removed it.
      if edits.contains(where: { $0.kind == .delete }) { for entry in edits { try settle(entry, &transaction) } }
      return try transaction.delete(.state, RemoteMemory.id(collection, id))
    }
    if !edits.isEmpty {
      for var entry in edits where entry.kind == .put {
        // Somebody has seen that the record is gone and chose the edit, which makes the record anew.
        if remote.isGone, !isAnswer, entry.isBasedOnNothing { continue }
        let old = entry
        entry.meetRemoval()
        if entry != old { try judge(entry, &transaction) }
      }
      remote.isGone = true
      // An entity tag of the removed record would keep a new one from being made.
      remote.copy.memory = [:]
      try remote.put(collection, id, in: &transaction, coder)
      counts.unchanged += 1
      return
    }
    if let base = remote.copy.base {
      let local = try coder.fields(of: stored, collection, id)
      if local.members.contains(where: { base[$0.key] != nil && base[$0.key] != $0.value }) {
        try transaction.delete(.state, RemoteMemory.id(collection, id))
        counts.unchanged += 1
        return
      }
    }
    try transaction.delete(collection, id)
    try transaction.delete(.state, RemoteMemory.id(collection, id))
    counts.remove(from: collection)
    if plans { changes.append(PlannedChange(operation: .remove, collection: collection, id: id)) }
  }

  /// Applies that the remote still has a record whose removal waits to be sent. The record stays removed here; where the
  /// remote changed it since, the removal becomes a conflict.
  private mutating func meetDeletion(
    _ incoming: IncomingRecord, _ edits: [OutboxEntry], in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    counts.unchanged += 1
    guard let deletion = edits.last(where: { $0.kind == .delete }) else { return }
    let fields = try coder.fields(of: incoming.bytes, incoming.collection, incoming.id)
    var new = deletion
    for entry in edits where entry.kind != .delete {
      if entry.kind == .post {
        // The new record has arrived as it was sent.
        new.base = fields
        try settle(entry, &transaction)
      } else if !entry.outcomeUnknown {
        // It did not arrive, and there is nothing left here that it would change.
        try settle(entry, &transaction)
      }
    }
    new.meetRecord(
      fields, senders.catalog, keepsAbsent: incoming.rule == .merge, sent: edits.filter { $0.kind == .put })
    if new != deletion { try judge(new, &transaction) }
  }
}

// MARK: Answers

extension RecordMerger {
  /// Applies the answer to an edit that the remote accepted. The entry has left the outbox already.
  ///
  /// Fields that the answer leaves out keep their values. A field that a later edit changed, or that was changed here
  /// since, stays as it is here, and the later edit is based on the answer from then on.
  /// - Parameter base: the record as the remote had it before the edit, where that is known.
  /// - Throws: `StoreError` where the store cannot be read or written.
  mutating func applyAnswer(
    _ answer: JSONObject, to entry: OutboxEntry, base: JSONObject?, in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    let (collection, id) = (entry.targetCollection, entry.targetID)
    let later = outbox[collection, id].filter { $0.$id != entry.$id }
    guard let stored = try transaction.record(collection, id) else {
      // Removed here while the edit was under way: the answer does not bring it back.
      for var deletion in later where deletion.kind == .delete {
        let old = deletion
        deletion.meetAnswer(answer, senders.catalog, to: entry)
        if deletion != old { try judge(deletion, &transaction) }
      }
      return
    }
    let local = try coder.fields(of: stored, collection, id)
    var remote = answer
    for member in entry.edit.members where remote[member.key] == nil { remote[member.key] = member.value }
    // What was stored here when the edit was sent; what differs from it was changed since.
    var sent = base ?? [:]
    for member in entry.edit.members { sent[member.key] = member.value }
    let rebased = later.map { $0.rebased(on: entry, answer) }
    let result = FieldMerge(
      collection: collection, catalog: senders.catalog, local: local, remote: remote, keepsAbsent: true, base: sent
    ).merged(with: rebased)
    for (old, new) in zip(later, rebased) {
      if result.settled.contains(where: { $0.$id == old.$id }) {
        try settle(old, &transaction)
      } else {
        let new = result.changed.first { $0.$id == old.$id } ?? new
        if new != old { try judge(new, &transaction) }
      }
    }
    var record = result.record
    if record["id"] == nil { record["id"] = .string(id) }
    let incoming = IncomingRecord(collection: collection, id: id, rule: .replace, bytes: [])
    try write(
      Merged(bytes: coder.encode(record), fields: record, stored: local), over: stored, incoming, in: &transaction)
  }
}
