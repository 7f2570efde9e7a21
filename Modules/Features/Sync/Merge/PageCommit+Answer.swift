import Models
import Ports

extension PageCommit {
  /// Takes in the remote's answer to an edit that it accepted.
  ///
  /// The entry is out of the outbox already. Fields that the answer leaves out keep their values; a field that a later
  /// edit changed, or that was changed here since, stays as it is here, and the later edit now stands on the answer.
  /// - Parameter base: the record as the remote had it before the edit, where that is remembered.
  /// - Throws: `StoreError` where the store cannot be read or written.
  mutating func takeAnswer(
    _ answer: JSONObject, to entry: OutboxEntry, base: JSONObject?, in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    let (collection, id) = (entry.targetCollection, entry.targetID)
    // Removed here while the edit was under way: it does not come back by an answer.
    guard let stored = try transaction.record(collection, id) else { return }
    let local = try coder.fields(of: stored, collection, id)
    let later = outbox[collection, id]
    let merge = RecordMerge(
      collection: collection, local: local, remote: Self.told(answer, entry), keepsAbsent: true,
      base: Self.shown(base, entry))
    let result = merge.merged(with: later.map { Self.rebased($0, on: entry, answer) })
    for edit in result.settled { try transaction.delete(.outbox, edit.id) }
    for edit in later where !result.settled.contains(where: { $0.$id == edit.$id }) {
      let new = result.changed.first { $0.$id == edit.$id } ?? Self.rebased(edit, on: entry, answer)
      if new != edit { try transaction.put(coder.encode(new.fields), id: new.id, in: .outbox) }
    }
    var record = result.record
    if record["id"] == nil { record["id"] = .string(id) }
    let bytes = coder.encode(record)
    if bytes != stored, record != local { try transaction.put(bytes, id: id, in: collection) }
  }

  /// What the remote has now, as far as is known: the edit, and what its answer says.
  private static func told(_ answer: JSONObject, _ entry: OutboxEntry) -> JSONObject {
    var told = answer
    for member in entry.edit.members where told[member.key] == nil { told[member.key] = member.value }
    return told
  }

  /// What stood here when the edit was sent; whatever differs from it was changed since.
  private static func shown(_ base: JSONObject?, _ entry: OutboxEntry) -> JSONObject {
    var shown = base ?? [:]
    for member in entry.edit.members { shown[member.key] = member.value }
    return shown
  }

  /// A later edit, on top of the one that was accepted.
  private static func rebased(_ later: OutboxEntry, on entry: OutboxEntry, _ answer: JSONObject) -> OutboxEntry {
    var later = later
    for key in later.edit.keys where entry.edit[key] != nil {
      later.base[key] = answer[key] ?? entry.edit[key] ?? .null
      later.theirs?[key] = later.base[key]
    }
    return later
  }
}
