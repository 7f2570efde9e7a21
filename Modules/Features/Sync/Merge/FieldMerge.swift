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

/// The edits of one record that replace it (`put`), in the order in which they are sent.
struct EditChain: Sendable {
  private let before: [OutboxEntry]
  private var entries: [OutboxEntry]
  /// What the remote has now in the fields that an entry is judged by.
  private var seen: [[ExactString: JSONValue]]

  init(_ entries: [OutboxEntry]) {
    before = entries
    self.entries = entries
    seen = Array(repeating: [:], count: entries.count)
  }

  /// The value that the last edit of the field gives it; `nil` where no edit changes it.
  func value(_ key: String) -> JSONValue? {
    for entry in entries.reversed() {
      if let value = entry.edit[key] { return value }
    }
    return nil
  }

  /// Takes in that the remote has `theirs` in the field, and decides what becomes of the edits of that field.
  ///
  /// - Parameter isSure: whether the remote was seen with that value, so that an edit which it has can end.
  /// - Returns: whether no edit of the field is left.
  mutating func meet(_ key: String, _ theirs: JSONValue, isSure: Bool = true) -> Bool {
    let all = entries.indices.filter { entries[$0].edit[key] != nil }
    let active = all.filter { entries[$0].state != .refused }
    let refused = all.filter { entries[$0].state == .refused }
    // A refused edit holds up no other one; it is judged on its own, in case it is tried again.
    for index in refused {
      if entries[index].edit[key] == theirs, active.isEmpty, isSure {
        entries[index].edit[key] = nil
        entries[index].base[key] = nil
      } else {
        seen[index][key.exact] = theirs
      }
    }
    meetActive(key, theirs, active, isSure, refusedBases: refused.compactMap { entries[$0].base[key] })
    return !entries.contains { $0.edit[key] != nil }
  }

  private mutating func meetActive(
    _ key: String, _ theirs: JSONValue, _ active: [Int], _ isSure: Bool, refusedBases: [JSONValue]
  ) {
    guard let first = active.first, let last = active.last else { return }
    // An earlier edit that may still arrive could undo what the remote has now, so only a sure state settles them all.
    let endsAll = isSure && !active.dropLast().contains { entries[$0].outcomeUnknown }
    if entries[last].edit[key] == theirs, endsAll {
      for index in active { settle(key, index) }
    } else if entries[first].edit[key] == theirs, isSure {
      settle(key, first)
      // The edits after it are based on what the remote has now.
      for index in active.dropFirst() {
        entries[index].base[key] = theirs
        seen[index][key.exact] = theirs
      }
    } else {
      if refusedBases.contains(theirs) { entries[first].base[key] = theirs }
      seen[first][key.exact] = theirs
    }
  }

  private mutating func settle(_ key: String, _ index: Int) {
    entries[index].edit[key] = nil
    entries[index].base[key] = nil
    entries[index].theirs?[key] = nil
  }

  /// The edits that changed, and those of which nothing is left.
  func outcome() -> (changed: [OutboxEntry], settled: [OutboxEntry]) {
    var changed: [OutboxEntry] = []
    var settled: [OutboxEntry] = []
    for (index, old) in before.enumerated() {
      var entry = entries[index]
      if entry.edit.isEmpty {
        settled.append(old)
        continue
      }
      entry.judge(seen[index])
      if entry != old { changed.append(entry) }
    }
    return (changed, settled)
  }
}
