import Models

/// Merges the stored record, the remote's record and the pending edits, field by field.
///
/// An edited field keeps the edited value until the remote has accepted it; if the remote changed the same field to
/// another value, the edit becomes a conflict. A field that was changed locally without an edit, which is known only
/// from the remote's last copy, keeps its stored value. All other fields take the remote's value.
struct FieldMerge: Sendable {
  var collection: CollectionName
  var catalog: CollectionCatalog
  var local: JSONObject?
  var remote: JSONObject
  /// Whether fields that are missing in the remote's record keep their values. Otherwise they are removed.
  var keepsAbsent: Bool
  /// The last known copy of the remote; `nil` if unknown. A missing field is unknown too.
  var base: JSONObject?

  struct Result: Sendable, Equatable {
    var record: JSONObject
    var changed: [OutboxEntry] = []
    var completed: [OutboxEntry] = []
  }

  /// - Parameter edits: the record's edits in the order of sending.
  func merged(with edits: [OutboxEntry]) -> Result {
    // The remote has the record, so the edit that creates it has arrived. Later local changes are in the stored record.
    let posts = edits.filter { $0.kind == .post }
    var chain = EditChain(edits.filter { $0.kind == .put })
    var values: [ExactString: JSONValue] = [:]
    let keys = FieldOrder.merged(remote.keys, local?.keys ?? [], edits.flatMap(\.edit.keys))
    let type = catalog[collection]?.record
    let lists = Set((type?.listFields ?? []).map(\.exact))
    for key in keys where key != "id" {
      guard let theirs = remote[key] ?? (keepsAbsent ? nil : .null) else {
        values[key.exact] = local?[key] ?? chain.value(key)
        continue
      }
      var here = local.map { $0[key] ?? .null }
      if var last = chain.value(key) {
        if lists.contains(key.exact), chain.mergeLists(key, theirs), let merged = chain.value(key) {
          here = here.map { $0 == last ? merged : EditChain.merged($0, last, merged) ?? $0 }
          last = merged
        }
        let isMine = type?.accepted(key, last) == theirs
        let isTaken = chain.reconcile(key, isMine ? last : theirs)
        values[key.exact] = isTaken && (here == nil || here == last) ? theirs : here ?? last
      } else if let here, let sent = posts.last?.edit[key], here != sent {
        values[key.exact] = here
      } else if let here, let known = base?[key], here != known, !(here == .null && known == "") {
        // Earlier versions stored a text that was not given as an empty one.
        values[key.exact] = here
      } else if let here, theirs == .null, !keepsAbsent, let base, base[key] == nil {
        // The remote never had it.
        values[key.exact] = here
      } else {
        values[key.exact] = theirs
      }
    }
    // A derived field is kept while its inputs are unchanged, and derived again otherwise. A remote that has the field
    // itself decides while the inputs are those of the remote.
    for (key, sources) in type?.dependentFields ?? [:] {
      let isRemotes = sources.allSatisfy { (values[$0.exact] ?? .null) == (remote[$0] ?? .null) }
      if isRemotes, base?[key] != nil, remote[key] != nil { continue }
      guard let local else {
        values[key.exact] = nil
        continue
      }
      var changed = local
      for source in sources { changed[source] = values[source.exact].flatMap { $0 == .null ? nil : $0 } }
      let stays = sources.allSatisfy { changed[$0] == local[$0] }
      values[key.exact] = stays ? local[key] : catalog.derived(key, from: local, to: changed, in: collection)
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
    return Result(record: whole ?? record, changed: outcome.changed, completed: posts + outcome.completed)
  }
}

enum FieldOrder {
  /// The keys of the first list, in order, with each key of the others inserted after its predecessor.
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

/// The edits of one record that replace it (`put`), in the order of sending.
struct EditChain: Sendable {
  private let before: [OutboxEntry]
  private var entries: [OutboxEntry]
  /// The current remote values of the fields on which the state of an entry depends.
  private var seen: [[ExactString: JSONValue]]

  init(_ entries: [OutboxEntry]) {
    before = entries
    self.entries = entries
    seen = Array(repeating: [:], count: entries.count)
  }

  /// The value of the field after the last edit; `nil` if no edit changes the field.
  func value(_ key: String) -> JSONValue? {
    for entry in entries.reversed() {
      if let value = entry.edit[key] { return value }
    }
    return nil
  }

  /// Merges the remote's current value of a list into the edits that are not refused, so that they change that value; false if
  /// both sides replaced an item differently.
  mutating func mergeLists(_ key: String, _ theirs: JSONValue) -> Bool {
    var merged = entries
    var remote = theirs
    var earlier: JSONValue?
    for index in entries.indices where entries[index].state != .refused {
      guard let mine = entries[index].edit[key] else { continue }
      guard let value = Self.merged(mine, earlier ?? entries[index].base[key] ?? .null, remote) else { return false }
      merged[index].edit[key] = value
      merged[index].base[key] = theirs
      merged[index].theirs?[key] = theirs
      (earlier, remote) = (mine, value)
    }
    entries = merged
    return true
  }

  /// The list with the changes of both sides; `nil` if both replaced an item differently. An empty list is null.
  static func merged(_ mine: JSONValue, _ base: JSONValue, _ theirs: JSONValue) -> JSONValue? {
    let (mine, base, theirs) = (mine.array ?? [], base.array ?? [], theirs.array ?? [])
    guard !ListMerge.isConflict(mine, base, theirs) else { return nil }
    let merged = ListMerge.merged(mine, base, theirs)
    return merged.isEmpty ? .null : .array(merged)
  }

  /// Updates the edits of a field whose current remote value is `theirs`.
  ///
  /// - Parameter isSure: whether the remote was observed with that value, so that an edit with the same value is
  ///   complete.
  /// - Returns: whether no edit of the field remains.
  mutating func reconcile(_ key: String, _ theirs: JSONValue, isSure: Bool = true) -> Bool {
    let all = entries.indices.filter { entries[$0].edit[key] != nil }
    let active = all.filter { entries[$0].state != .refused }
    let refused = all.filter { entries[$0].state == .refused }
    // A refused edit does not block the others, but it is updated in case the user retries it.
    for index in refused {
      if entries[index].edit[key] == theirs, active.isEmpty, isSure {
        entries[index].edit[key] = nil
        entries[index].base[key] = nil
      } else {
        seen[index][key.exact] = theirs
      }
    }
    reconcileActive(key, theirs, active, isSure, refusedBases: refused.compactMap { entries[$0].base[key] })
    return !entries.contains { $0.edit[key] != nil }
  }

  private mutating func reconcileActive(
    _ key: String, _ theirs: JSONValue, _ active: [Int], _ isSure: Bool, refusedBases: [JSONValue]
  ) {
    guard let first = active.first, let last = active.last else { return }
    // An earlier edit that may still arrive could overwrite the remote's value, so only a confirmed state completes them
    // all.
    let endsAll = isSure && !active.dropLast().contains { entries[$0].outcomeUnknown }
    if entries[last].edit[key] == theirs, endsAll {
      for index in active { complete(key, index) }
    } else if entries[first].edit[key] == theirs, isSure {
      complete(key, first)
      // Later edits are now based on the remote's current value.
      for index in active.dropFirst() {
        entries[index].base[key] = theirs
        seen[index][key.exact] = theirs
      }
    } else {
      if refusedBases.contains(theirs) { entries[first].base[key] = theirs }
      seen[first][key.exact] = theirs
    }
  }

  private mutating func complete(_ key: String, _ index: Int) {
    entries[index].edit[key] = nil
    entries[index].base[key] = nil
    entries[index].theirs?[key] = nil
  }

  /// The edits that changed, and those with nothing left to send.
  func outcome() -> (changed: [OutboxEntry], completed: [OutboxEntry]) {
    var changed: [OutboxEntry] = []
    var completed: [OutboxEntry] = []
    for (index, old) in before.enumerated() {
      var entry = entries[index]
      if entry.edit.isEmpty {
        completed.append(old)
        continue
      }
      entry.reconcile(with: seen[index])
      if entry != old { changed.append(entry) }
    }
    return (changed, completed)
  }
}
