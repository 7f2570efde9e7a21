import Models

/// Merges the stored record, the remote's record and the waiting edits, field by field.
///
/// A field that an edit changed keeps the edit's value until the remote has accepted it; where the remote changed the same
/// field to something else, the edit becomes a conflict. A field that was changed here without an edit, which only the
/// remote's last known copy can show, keeps its stored value. Every other field is the remote's.
struct FieldMerge: Sendable {
  /// The collection.
  var collection: CollectionName
  /// Knows the type of the collection's records.
  var catalog: CollectionCatalog
  /// The stored record; `nil` where there is none.
  var local: JSONObject?
  /// The record as the remote has it.
  var remote: JSONObject
  /// Whether fields that the remote leaves out keep their values, rather than being gone.
  var keepsAbsent: Bool
  /// The remote's last known copy; `nil` where it is not known. So is a field that it leaves out.
  var base: JSONObject?

  /// What a merge gives.
  struct Result: Sendable, Equatable {
    /// The record to store.
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
    // The remote has the record, so the edit that makes it has arrived. What was changed here since is in the record.
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
    // A field that follows from others is never the remote's: it stays as long as those do, and is derived anew otherwise.
    let type = catalog[collection]?.record
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
    let whole = try? catalog.canonical(record, in: collection)
    return Result(record: whole ?? record, changed: outcome.changed, settled: posts + outcome.settled)
  }
}

/// The order of the fields of a record that is merged from several.
enum FieldOrder {
  /// The keys of the first list in their order; those of the others each after the key that it follows there.
  static func merged(_ first: [String], _ others: [String]...) -> [String] {
    var keys = first
    for list in others {
      var place = 0
      for key in list {
        if let known = keys.firstIndex(where: { $0.exact == key.exact }) {
          place = known + 1
        } else {
          keys.insert(key, at: place)
          place += 1
        }
      }
    }
    return keys
  }
}
