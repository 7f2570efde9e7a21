import Models

/// Brings together a record as it stands here, as a remote tells it, and the edits that still wait.
///
/// It is done field by field. A field that an edit changed keeps the edit's value until the remote has taken it; where
/// the remote changed the same field to something else, the edit becomes a conflict. A field that was changed here
/// without an edit, which only a remembered base can show, stays as it is here. Every other field is the remote's.
struct RecordMerge: Sendable {
  /// The collection.
  var collection: CollectionName
  /// The record as it stands here; `nil` where there is none.
  var local: JSONObject?
  /// The record as the remote tells it.
  var remote: JSONObject
  /// Whether fields that the remote leaves out keep their values, rather than being gone.
  var keepsAbsent: Bool
  /// The record as the remote last had it, where that is remembered; a field that it does not name is not known.
  var base: JSONObject?

  /// What comes out.
  struct Result: Sendable, Equatable {
    /// The record as it shall stand here.
    var record: JSONObject
    /// Edits that changed, in their order.
    var changed: [OutboxEntry] = []
    /// Edits that the remote already has.
    var settled: [OutboxEntry] = []
  }

  /// Merges.
  ///
  /// - Parameter edits: the record's edits in the order in which they are sent.
  func merged(with edits: [OutboxEntry]) -> Result {
    // A new record that the remote has by now was made: nothing of it is left to send. What was changed here since
    // stands in the record.
    let posts = edits.filter { $0.kind == .post }
    var chain = EditChain(edits.filter { $0.kind == .put })
    var values: [ExactString: JSONValue] = [:]
    let keys = FieldOrder.merged(remote.keys, local?.keys ?? [], edits.flatMap(\.edit.keys))
    for key in keys where key != "id" {
      guard let theirs = remote[key] ?? (keepsAbsent ? nil : .null) else {
        values[key.exact] = local?[key] ?? chain.value(key)
        continue
      }
      let here = local.map { $0[key] ?? .null }
      if let last = chain.value(key) {
        let isTaken = chain.meet(key, theirs)
        values[key.exact] = isTaken && (here == nil || here == last) ? theirs : here ?? last
      } else if let here, let sent = posts.last?.edit[key], here != sent {
        values[key.exact] = here
      } else if let here, let known = base?[key], here != known {
        values[key.exact] = here
      } else {
        values[key.exact] = theirs
      }
    }
    // What follows from other fields is the remote's in no case: it stays with the fields, and follows anew from others.
    let type = KnownRecords.type(of: collection)
    for (key, sources) in type?.dependentFields ?? [:] {
      guard let local else {
        values[key.exact] = nil
        continue
      }
      var changed = local
      changed[key] = nil
      for source in sources { changed[source] = values[source.exact].flatMap { $0 == .null ? nil : $0 } }
      let stays = sources.allSatisfy { changed[$0] == local[$0] }
      values[key.exact] = stays ? local[key] : type?.dependentValue(key, from: local, to: changed)
    }
    var record = JSONObject()
    for key in keys {
      if key == "id" {
        record.append("id", remote["id"] ?? local?["id"])
      } else if let value = values[key.exact], value != .null {
        record.append(key, value)
      }
    }
    let outcome = chain.outcome()
    let whole = try? KnownRecords.canonical(record, in: collection)
    return Result(record: whole ?? record, changed: outcome.changed, settled: posts + outcome.settled)
  }
}
