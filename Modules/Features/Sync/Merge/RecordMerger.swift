import Models
import Ports

/// Merges records of a remote into the store within one transaction: the records of a page, a newer record that a push
/// found, and the response to an edit.
struct RecordMerger {
  private let coder: any RecordCoder
  private let source: SourceName
  private let senders: EditSenders
  /// The state of the store before the records were fetched, used to keep newer results of a push.
  private let fetched: (any StoreSnapshot)?
  /// The pending edits, which are read once per transaction.
  private let outbox: OutboxQueue
  /// Whether to collect `changes`. Only a plan needs them, and they are as large as the pulled data.
  private let plans: Bool

  private(set) var counts = SyncCounts()
  private(set) var changes: [PlannedChange] = []
  private(set) var completed: [OutboxEntry] = []
  /// Edits that became conflicts, or that are no longer conflicts.
  private(set) var updated: [OutboxEntry] = []
  /// Records that belong to another source, or that the store cannot keep.
  private(set) var rejects: RejectedRecords = []
  /// The sum of the XXH64 of each merged record as it is stored now; `nil` if one of them can have edits or was
  /// rejected.
  private(set) var digest: UInt64? = 0
  /// The ids of records that were left as they are, so that their dependents are left too.
  private var skipped: Set<ExactString> = []

  /// Whether nothing was written except data about the remote.
  var changedNothing: Bool {
    counts.added + counts.updated + counts.removed == 0 && completed.isEmpty && updated.isEmpty && rejects.isEmpty
  }

  /// Creates a merger for records that `source` fetched from the state `fetched`, or for one of them alone.
  init(
    _ source: SourceName, _ senders: EditSenders, in transaction: any StoreTransaction, _ coder: any RecordCoder,
    fetched: (any StoreSnapshot)? = nil, only target: String? = nil, plans: Bool = false
  ) throws(StoreError) {
    (self.coder, self.source, self.senders, self.fetched, self.plans) = (coder, source, senders, fetched, plans)
    outbox = try OutboxQueue(in: transaction, coder, only: target)
  }

  /// Merges one record. O(log n) for n records, plus the size of the record.
  mutating func apply(_ incoming: IncomingRecord, in transaction: inout any StoreTransaction) throws(StoreError) {
    let (collection, id) = (incoming.collection, incoming.id)
    if incoming.rule == .remove { return try remove(collection, id, in: &transaction) }
    if skipped.contains(id.exact), senders.dependents.contains(collection) { return }
    let edits = outbox[collection, id]
    let isEditable = senders.collections.contains(collection) || !edits.isEmpty
    var remote = RemoteState()
    if isEditable || incoming.base != nil || incoming.sourceState != nil {
      digest = nil
      remote = try RemoteState(collection, id, in: transaction, coder)
      if try isOutdated(collection, id, transaction) {
        skipped.insert(id.exact)
        counts.unchanged += 1
        return
      }
      if !senders.mayChange(remote.copy, source) {
        let owner = remote.copy.source?.rawValue ?? "another source"
        return reject(
          incoming, expected: "an id that no record of another source has",
          found: "the id of \(collection)/\(id) of \(owner)")
      }
    }
    let stored = try transaction.record(collection, id)
    if let stored, incoming.rule == .insert {
      note(stored)
      counts.unchanged += 1
      return
    }
    if edits.contains(where: { $0.kind == .delete }) {
      try applyToRemoval(incoming, edits, remote.copy.sourceState, in: &transaction)
    } else {
      let merged = try merged(incoming, stored, edits, isEditable ? remote.copy.base : nil, isEditable, &transaction)
      guard try write(merged, over: stored, incoming, in: &transaction) else { return }
    }
    guard isEditable || incoming.base != nil || incoming.sourceState != nil else { return }
    let old = remote
    var base = incoming.base
    if incoming.rule == .merge, let part = base, var whole = remote.copy.base {
      // What this answer leaves out, the remote has as before.
      for member in part.members { whole[member.key] = member.value }
      base = whole
    }
    remote.update(from: source, base: base, sourceState: incoming.sourceState)
    if remote != old { try remote.put(collection, id, in: &transaction, coder) }
  }

  /// Whether a push was accepted after the record was fetched, so that the record may be outdated.
  private func isOutdated(
    _ collection: CollectionName, _ id: String, _ transaction: any StoreTransaction
  ) throws(StoreError) -> Bool {
    guard let fetched, senders.collections.contains(collection) else { return false }
    let key = RemoteState.key(collection, id).id
    return try fetched.record(.state, key) != transaction.record(.state, key)
  }

  private mutating func reject(_ incoming: IncomingRecord, expected: String, found: String) {
    skipped.insert(incoming.id.exact)
    digest = nil
    let index = rejects.total
    rejects.append(
      RejectedRecord(
        index: index, path: "$.id", expected: expected, found: found,
        raw: String(decoding: incoming.bytes, as: UTF8.self)))
  }

  /// Puts a record, or rejects one that the store cannot keep: a server may send any id.
  private mutating func put(
    _ record: [UInt8], _ incoming: IncomingRecord, in transaction: inout any StoreTransaction
  ) throws(StoreError) -> Bool {
    do throws(StoreError) {
      try transaction.put(record, id: incoming.id, in: incoming.collection)
      note(record)
      return true
    } catch {
      guard error.code == .invalidRecord else { throw error }
      reject(incoming, expected: "a record that the store can keep", found: error.message)
      return false
    }
  }

  private mutating func note(_ record: [UInt8]) { digest? &+= XXHash64.sum(record) }

  /// A merged record, with its fields if they were decoded.
  private struct Merged {
    var bytes: [UInt8]
    var fields: JSONObject?
    var stored: JSONObject?
  }

  /// Merges the record with the stored one, and writes the edits that change.
  private mutating func merged(
    _ incoming: IncomingRecord, _ stored: [UInt8]?, _ edits: [OutboxEntry], _ base: JSONObject?, _ isEditable: Bool,
    _ transaction: inout any StoreTransaction
  ) throws(StoreError) -> Merged {
    let replaces = incoming.rule == .updateMetadata || (incoming.rule != .merge && !isEditable)
    // Most records of a sync are new or unchanged; for them a merge would give the same bytes.
    if replaces || (edits.isEmpty && (stored == nil || stored == incoming.bytes)) {
      return Merged(bytes: incoming.bytes)
    }
    let local = try stored.map { (bytes) throws(StoreError) in
      try coder.object(bytes, incoming.collection, incoming.id)
    }
    let fields = try coder.object(incoming.bytes, incoming.collection, incoming.id)
    let result = FieldMerge(
      collection: incoming.collection, catalog: senders.catalog, local: local, remote: fields,
      keepsAbsent: incoming.rule == .merge, base: base
    ).merged(with: edits)
    for entry in result.completed { try complete(entry, &transaction) }
    for entry in result.changed { try update(entry, &transaction) }
    return Merged(bytes: coder.encode(result.record), fields: result.record, stored: local)
  }

  /// Writes a record, unless it equals the stored one; `false` if it was rejected. No other code decides what is unchanged.
  @discardableResult
  private mutating func write(
    _ record: Merged, over stored: [UInt8]?, _ incoming: IncomingRecord, in transaction: inout any StoreTransaction
  ) throws(StoreError) -> Bool {
    let (collection, id) = (incoming.collection, incoming.id)
    // What belongs to a record that is counted is not counted itself.
    if senders.dependents.contains(collection), record.bytes != stored {
      return try put(record.bytes, incoming, in: &transaction)
    }
    if record.bytes == stored {
      note(record.bytes)
      if !senders.dependents.contains(collection) { counts.unchanged += 1 }
      return true
    }
    guard let stored else {
      guard try put(record.bytes, incoming, in: &transaction) else { return false }
      counts.add(to: collection)
      if plans {
        let fields = try fields(record.fields, of: record.bytes, incoming)
        changes.append(PlannedChange(operation: .add, collection: collection, id: id, changed: fields))
      }
      return true
    }
    let old = try fields(record.stored, of: stored, incoming)
    let new = try fields(record.fields, of: record.bytes, incoming)
    if senders.catalog.areEqual(old, new, in: collection) {
      // Only the order of the members or the notation of a value differs.
      note(stored)
      counts.unchanged += 1
      return true
    }
    guard try put(record.bytes, incoming, in: &transaction) else { return false }
    if incoming.rule == .updateMetadata {
      counts.unchanged += 1
      return true
    }
    counts.update(in: collection)
    if plans {
      let difference = Self.difference(old, new)
      changes.append(PlannedChange(operation: .update, collection: collection, id: id, changed: difference))
    }
    return true
  }

  private func fields(
    _ known: JSONObject?, of bytes: [UInt8], _ incoming: IncomingRecord
  ) throws(StoreError) -> JSONObject {
    if let known { return known }
    return try coder.object(bytes, incoming.collection, incoming.id)
  }

  /// The fields of `new` that differ from `old`; null for removed fields.
  private static func difference(_ old: JSONObject, _ new: JSONObject) -> JSONObject {
    var changed = JSONObject()
    for member in new.members where old[member.key] != member.value { changed.members.append(member) }
    for member in old.members where new[member.key] == nil { changed.append(member.key, .null) }
    return changed
  }

  private mutating func complete(_ entry: OutboxEntry, _ transaction: inout any StoreTransaction) throws(StoreError) {
    try transaction.delete(.outbox, entry.id)
    completed.append(entry)
  }

  private mutating func update(_ entry: OutboxEntry, _ transaction: inout any StoreTransaction) throws(StoreError) {
    try transaction.put(entry, coder)
    updated.append(entry)
  }
}

// MARK: Removals

extension RecordMerger {
  /// Merges the removal of a record at the remote. A record with pending edits is kept, and the edits become conflicts;
  /// so is a record that was changed locally without an edit, or has fields that the remote never had. A pending removal is completed.
  ///
  /// - Parameter isAnswer: whether the removal is the response to an edit, which then becomes a conflict even if the
  ///   removal was known before.
  mutating func remove(
    _ collection: CollectionName, _ id: String, isAnswer: Bool = false, in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    var remote = try RemoteState(collection, id, in: transaction, coder)
    if !senders.mayChange(remote.copy, source) { return }
    try transaction.clearState(SentEdits.key(collection, id))
    var edits = outbox[collection, id]
    let stored = try transaction.record(collection, id)
    let wasRemoved = edits.contains { $0.kind == .delete }
    if wasRemoved {
      for entry in edits where entry.kind == .delete || stored == nil { try complete(entry, &transaction) }
      edits.removeAll { $0.kind == .delete || stored == nil }
    }
    guard let stored, !wasRemoved || !edits.isEmpty else {
      // Both sides removed the record. One that was stored again since is kept.
      if stored == nil { try delete(collection, id, in: &transaction) }
      return try transaction.clearState(RemoteState.key(collection, id))
    }
    if !edits.isEmpty {
      for var entry in edits where entry.kind == .put {
        // The user knew of the removal and chose the edit, which creates the record again.
        if remote.isGone, !isAnswer, entry.isBasedOnNothing { continue }
        let old = entry
        entry.conflictWithRemoval()
        if entry != old { try update(entry, &transaction) }
      }
      remote.isGone = true
      // The entity tag of the removed record would prevent the creation of a new one.
      remote.copy.sourceState = [:]
      try remote.put(collection, id, in: &transaction, coder)
      counts.unchanged += 1
      return
    }
    if let base = remote.copy.base {
      let local = try coder.object(stored, collection, id)
      if hasChanges(local, since: base, in: collection) {
        try transaction.clearState(RemoteState.key(collection, id))
        counts.unchanged += 1
        return
      }
    }
    try delete(collection, id, in: &transaction)
    try transaction.clearState(RemoteState.key(collection, id))
    counts.remove(from: collection)
    if plans { changes.append(PlannedChange(operation: .remove, collection: collection, id: id)) }
  }

  /// Whether a record has something that the remote did not: a changed field, or, where records may be here alone, a field of
  /// its own, such as the note of a person who is on a list of names.
  private func hasChanges(_ local: JSONObject, since base: JSONObject, in collection: CollectionName) -> Bool {
    let descriptor = senders.catalog[collection]
    let own = descriptor?.ownFields ?? []
    return local.members.contains { member in
      if let known = base[member.key] { return known != member.value }
      return descriptor?.keepsLocal == true && !own.contains(member.key.exact)
    }
  }

  private func delete(
    _ collection: CollectionName, _ id: String, in transaction: inout any StoreTransaction
  ) throws(StoreError) { try RecordRemoval.delete(id, of: collection, senders.catalog[collection], in: &transaction) }

  /// Merges a record of the remote whose removal is pending. The record stays removed locally; if the remote changed it
  /// since, the removal becomes a conflict.
  private mutating func applyToRemoval(
    _ incoming: IncomingRecord, _ edits: [OutboxEntry], _ known: JSONObject, in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    counts.unchanged += 1
    guard let deletion = edits.last(where: { $0.kind == .delete }) else { return }
    let fields = try coder.object(incoming.bytes, incoming.collection, incoming.id)
    var new = deletion
    for entry in edits where entry.kind != .delete {
      if entry.kind == .post {
        // The new record has arrived with the content that was sent.
        (new.base, new.content) = (fields, incoming.sourceState?.recordContent)
        try complete(entry, &transaction)
      } else if !entry.outcomeUnknown || entry.isReplaced(at: fields, keepsAbsent: incoming.rule == .merge) {
        // The edit did not arrive, or the remote changed the field since. There is no local record left to change, and
        // a second attempt would replace a value that the user has not seen.
        try complete(entry, &transaction)
      }
    }
    new.reconcileRemoval(
      with:
        fields, senders.catalog, keepsAbsent: incoming.rule == .merge, sent: edits.filter { $0.kind == .put },
      sourceState: incoming.sourceState, known: known)
    if new != deletion { try update(new, &transaction) }
  }
}

// MARK: Answers

extension RecordMerger {
  /// Merges the response to an edit that the remote accepted. The entry is no longer in the outbox.
  ///
  /// Fields that are missing in the response keep their values. A field that was changed locally since, with or without
  /// an edit, keeps its local value, and later edits are based on the response.
  /// - Parameter base: the record at the remote before the edit, if known.
  mutating func applyAnswer(
    _ accepted: RemoteRecord, to entry: OutboxEntry, base: JSONObject?, in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    let (collection, id, answer) = (entry.targetCollection, entry.targetID, accepted.fields)
    let later = outbox[collection, id].filter { $0.$id != entry.$id }
    guard let stored = try transaction.record(collection, id) else {
      // The record was removed locally while the edit was being sent; the response does not restore it.
      for var deletion in later where deletion.kind == .delete {
        let old = deletion
        deletion.reconcileRemoval(withAnswer: accepted, senders.catalog, to: entry)
        if deletion != old { try update(deletion, &transaction) }
      }
      return
    }
    let local = try coder.object(stored, collection, id)
    var remote = answer
    for member in entry.edit.members where remote[member.key] == nil { remote[member.key] = member.value }
    // The local record when the edit was sent: differences from it are later changes.
    var sent = base ?? [:]
    for member in entry.edit.members { sent[member.key] = member.value }
    let rebased = later.map { $0.rebased(on: entry, answer) }
    let result = FieldMerge(
      collection: collection, catalog: senders.catalog, local: local, remote: remote, keepsAbsent: true, base: sent
    ).merged(with: rebased)
    for (old, new) in zip(later, rebased) {
      if result.completed.contains(where: { $0.$id == old.$id }) {
        try complete(old, &transaction)
      } else {
        let new = result.changed.first { $0.$id == old.$id } ?? new
        if new != old { try update(new, &transaction) }
      }
    }
    var record = result.record
    if record["id"] == nil { record["id"] = .string(id) }
    let incoming = IncomingRecord(collection: collection, id: id, rule: .replace, bytes: [])
    try write(
      Merged(bytes: coder.encode(record), fields: record, stored: local), over: stored, incoming, in: &transaction)
  }

  /// Gives a new record, and the edits that follow it, the id that the remote chose. A record that a pull has stored under
  /// this id is the same one; it takes on the later changes, and is removed if the new one was. The old id still leads to
  /// the record.
  mutating func move(
    _ collection: CollectionName, from old: String, to new: String, in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    let later = try OutboxQueue(in: transaction, coder, only: "\(collection)/\(old)")[collection, old]
    if later.contains(where: { $0.kind == .delete }) {
      try delete(collection, new, in: &transaction)
    } else if var fields = try transaction.object(collection, old, coder) {
      if let pulled = try transaction.object(collection, new, coder) {
        fields = later.filter { $0.kind == .put }.reduce(pulled) { $0.applying(edit: $1.edit) }
      }
      fields["id"] = .string(new)
      try transaction.put(coder.encode(fields), id: new, in: collection)
      try senders.moveDependent(of: collection, from: old, to: new, in: &transaction, coder)
    }
    try MovedID.put(collection, from: old, to: new, in: &transaction, coder)
    try delete(collection, old, in: &transaction)
    try transaction.clearState(RemoteState.key(collection, old))
    for var entry in later {
      entry.target = "\(collection)/\(new)"
      if entry.base["id"] != nil { entry.base["id"] = .string(new) }
      try transaction.put(entry, coder)
    }
  }
}
