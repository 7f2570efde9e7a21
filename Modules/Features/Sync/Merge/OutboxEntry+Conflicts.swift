import Models

/// How an edit meets what the remote has: each method decides whether both sides changed the same thing.
extension OutboxEntry {
  /// Takes in what the remote has now in some of the edited fields. Where both sides changed one of them, the edit becomes
  /// a conflict; where none, it waits again. A refused edit stays refused.
  mutating func judge(_ seen: [ExactString: JSONValue]) {
    var theirs = self.theirs ?? [:]
    for key in edit.keys {
      theirs[key] = seen[key.exact] ?? theirs[key] ?? base[key] ?? .null
    }
    let clashes = edit.keys.contains { key in
      let value = theirs[key] ?? .null
      return value != base[key] ?? .null && value != edit[key]
    }
    self.theirs = clashes ? theirs : nil
    if state != .refused { state = clashes ? .conflict : .pending }
  }

  /// Takes in that the remote removed the edited record, which is a conflict in any case.
  mutating func meetRemoval() {
    theirs = JSONObject(members: edit.keys.map { JSONObject.Member(key: $0, value: .null) })
    if state != .refused { state = .conflict }
  }

  /// Whether the edit waits and was based on a record that the remote no longer had.
  var isBasedOnNothing: Bool { state == .pending && base.members.allSatisfy { $0.value == .null } }

  /// Takes the record in that the remote has although its removal waits to be sent. A field that changed there since is
  /// a conflict, which keeps the remote's record.
  ///
  /// - Parameters:
  ///   - catalog: says which fields follow from others; those are not compared.
  ///   - keepsAbsent: whether a field that the remote leaves out is not known, rather than gone.
  ///   - sent: earlier edits of the record, which may have arrived: their values are no changes of the remote's own.
  mutating func meetRecord(
    _ record: JSONObject, _ catalog: CollectionCatalog, keepsAbsent: Bool, sent: [OutboxEntry]
  ) {
    let dependent = Set((catalog[targetCollection]?.record?.dependentFields ?? [:]).keys.map(\.exact))
    let keys = keepsAbsent ? record.keys : FieldOrder.merged(record.keys, base.keys)
    let isChanged = keys.contains { key in
      let value = record[key] ?? .null
      guard key != "id", !dependent.contains(key.exact), value != base[key] ?? .null else { return false }
      return !sent.contains { $0.edit[key] == value }
    }
    theirs = isChanged ? record : nil
    if state != .refused { state = isChanged ? .conflict : .pending }
  }

  /// Takes in the answer to an earlier edit of the record whose removal waits to be sent: what that edit itself did is the
  /// removal's new base.
  mutating func meetAnswer(_ answer: JSONObject, _ catalog: CollectionCatalog, to earlier: OutboxEntry) {
    for member in answer.members where earlier.kind == .post || earlier.edit[member.key] != nil {
      base[member.key] = member.value
    }
    for member in earlier.edit.members where answer[member.key] == nil { base[member.key] = member.value }
    meetRecord(answer, catalog, keepsAbsent: true, sent: [])
  }

  /// The edit as it follows an earlier one that the remote accepted: the remote's answer is its base.
  func rebased(on accepted: OutboxEntry, _ answer: JSONObject) -> OutboxEntry {
    var later = self
    for key in later.edit.keys where accepted.edit[key] != nil {
      later.base[key] = answer[key] ?? accepted.edit[key] ?? .null
      later.theirs?[key] = later.base[key]
    }
    return later
  }

  /// The edit as a conflict, where an earlier one of the same field was refused and the remote has changed that field
  /// since: nobody here has seen the remote's value, because the refused one hides it. `nil` where that is not so.
  func hiddenConflict(among edits: [OutboxEntry]) -> OutboxEntry? {
    var seen: [ExactString: JSONValue] = [:]
    for earlier in edits.prefix(while: { $0.$id != $id }) where earlier.state == .refused {
      for key in edit.keys where earlier.edit[key] != nil { seen[key.exact] = earlier.theirs?[key] ?? seen[key.exact] }
    }
    guard !seen.isEmpty else { return nil }
    var judged = self
    judged.judge(seen)
    return judged.state == .conflict ? judged : nil
  }

  /// The entry as it waits again after it was refused; a conflict where the remote has changed meanwhile.
  var retried: OutboxEntry {
    guard state == .refused else { return self }
    var entry = self
    if kind == .delete {
      entry.state = theirs == nil ? .pending : .conflict
    } else {
      entry.state = .pending
      entry.judge([:])
    }
    return entry
  }
}
