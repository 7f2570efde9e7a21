import Models

/// Compares an edit with the state of the remote to detect conflicts.
extension OutboxEntry {
  /// Updates the state for the current remote values of some edited fields: a conflict if both sides changed one of
  /// them, otherwise pending. A refused edit stays refused.
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
    // A value that was seen is one of a record that is there.
    isRemoved = clashes && isRemoved && seen.isEmpty
    if state != .refused { state = clashes ? .conflict : .pending }
  }

  /// Updates the state after the remote removed the edited record, which is always a conflict.
  mutating func conflictWithRemoval() {
    meetRemoval()
    if state != .refused { state = .conflict }
  }

  /// Whether the edit is pending and was based on a removed record.
  var isBasedOnNothing: Bool { state == .pending && base.members.allSatisfy { $0.value == .null } }

  /// Updates a pending removal of a record that the remote still has. A field that the remote changed since then is a
  /// conflict; the remote's record is kept for it.
  ///
  /// - Parameters:
  ///   - catalog: provides the derived fields, which are not compared.
  ///   - keepsAbsent: whether a field that is missing in the remote's record is unknown rather than removed.
  ///   - sent: earlier edits of the record, which may have arrived and whose values are therefore not remote changes.
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

  /// Whether the remote has another value than before the edit, and another than the edit's, in an edited field.
  ///
  /// - Parameter keepsAbsent: whether a field that is missing in the remote's record is unknown rather than removed.
  func isReplaced(at remote: JSONObject, keepsAbsent: Bool) -> Bool {
    edit.keys.contains { key in
      guard let theirs = remote[key] ?? (keepsAbsent ? nil : .null) else { return false }
      return theirs != base[key] ?? .null && theirs != edit[key]
    }
  }

  /// Updates the base of a pending removal after the response to an earlier edit of the record, so that the effect of
  /// that edit is not a conflict.
  mutating func meetAnswer(_ answer: JSONObject, _ catalog: CollectionCatalog, to earlier: OutboxEntry) {
    for member in answer.members where earlier.kind == .post || earlier.edit[member.key] != nil {
      base[member.key] = member.value
    }
    for member in earlier.edit.members where answer[member.key] == nil { base[member.key] = member.value }
    meetRecord(answer, catalog, keepsAbsent: true, sent: [])
  }

  /// Returns the edit based on the remote's response to an earlier edit that it accepted.
  func rebased(on accepted: OutboxEntry, _ answer: JSONObject) -> OutboxEntry {
    var later = self
    later.isRemoved = false
    for key in later.edit.keys where accepted.edit[key] != nil {
      later.base[key] = answer[key] ?? accepted.edit[key] ?? .null
      later.theirs?[key] = later.base[key]
    }
    return later
  }

  /// Returns the edit as a conflict if an earlier edit of the same field was refused and the remote has changed the
  /// field since. The user has not seen the remote's value, because the refused edit hides it. Returns `nil` if there
  /// is no such conflict.
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

  /// The entry after a retry of a refused edit: pending, or a conflict if the remote has changed since.
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
