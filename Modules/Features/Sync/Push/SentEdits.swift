import Models
import Ports

/// The edits of a record that a remote accepted since the last pull, in `state` under `sent/COLLECTION/ID`, with what was known
/// of the remote before.
///
/// A remote that is restored from a backup does not have them any more. The next pull says so, and they are pending again.
enum SentEdits {
  static func key(_ collection: CollectionName, _ id: String) -> StateKey { .init(.sent, "\(collection)/\(id)") }

  /// Keeps an edit, if its source tells what became of it.
  ///
  /// - Parameters:
  ///   - id: the id that the record has now.
  ///   - remote: what was known of the remote before the edit.
  ///   - earlier: what was kept of the record before.
  static func keep(
    _ entry: OutboxEntry, of id: String, before remote: RemoteState, after earlier: JSONObject?,
    in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    let collection = entry.targetCollection
    var edits = try earlier.map { (fields) throws(StoreError) in try entries(fields) } ?? []
    // The remote had nothing of it before, and has nothing of it now.
    if entry.kind == .delete, edits.first?.kind == .post { return }
    var entry = entry
    entry.target = "\(collection)/\(id)"
    (entry.attempts, entry.outcomeUnknown, entry.lastError, entry.retryAt) = (0, false, nil, nil)
    edits.append(entry)
    let before = earlier?["before"] ?? .object(remote.fields)
    try transaction.setState(
      key(collection, id), to: ["before": before, "edits": .array(edits.map { .object($0.fields) })], coder)
  }

  static func all(
    of collection: CollectionName, in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> [AcceptedEdits] {
    try reader.states(.sent, from: "\(collection)/", coder) { (key, fields) throws(StoreError) in
      let kinds = try entries(fields).map(\.kind)
      return AcceptedEdits(
        .init(collection, key.name.restOfParts), before: before(fields).copy,
        isNew: kinds.first == .post, isRemoval: kinds.last == .delete)
    }
  }

  /// Forgets edits that the remote still has, and makes the others pending again. What was known of the remote before
  /// them is known again.
  ///
  /// - Parameter fetched: the state of the store that the outcomes are about.
  static func settle(
    _ outcomes: [AcceptedEdits.Outcome], since fetched: any StoreSnapshot, in transaction: inout any StoreTransaction,
    _ coder: any RecordCoder
  ) throws(StoreError) {
    for outcome in outcomes {
      let (collection, id) = (outcome.record.collection, outcome.record.id)
      let key = key(collection, id)
      // Another edit was accepted meanwhile.
      guard let kept = try transaction.state(key, coder), try fetched.state(key, coder) == kept else { continue }
      try transaction.clearState(key)
      guard outcome.isLost else { continue }
      let pending = try OutboxQueue(in: transaction, coder, only: "\(collection)/\(id)")[collection, id]
      if pending.contains(where: { $0.kind == .delete }) { continue }
      for entry in try entries(kept) { try transaction.put(entry, coder) }
      try before(kept).put(collection, id, in: &transaction, coder)
    }
  }

  private static func before(_ fields: JSONObject) -> RemoteState { RemoteState(fields["before"]?.object ?? [:]) }

  private static func entries(_ fields: JSONObject) throws(StoreError) -> [OutboxEntry] {
    try (fields["edits"]?.array ?? []).map { (edit) throws(StoreError) in
      do throws(RecordError) { return try OutboxEntry(fields: edit.object ?? [:]) } catch {
        throw StoreError(.damaged, "an edit that was sent cannot be read: \(error)")
      }
    }
  }
}
