import Models
import Ports

/// Compares an edit with the state of the remote to detect conflicts.
extension OutboxEntry {
  /// Updates the state for the current remote values of some edited fields: a conflict if both sides changed one of
  /// them, otherwise pending. A refused edit stays refused.
  mutating func reconcile(with seen: [ExactString: JSONValue]) {
    var theirs = self.theirs ?? [:]
    for key in edit.keys { theirs[key] = seen[key.exact] ?? theirs[key] ?? base[key] ?? .null }
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
  ///   - sent: earlier edits of the record, which may have arrived and whose values are therefore not remote changes.
  ///   - sourceState: what the source keeps with the record.
  ///   - known: what it kept with the last known copy.
  mutating func reconcileRemoval(
    with record: JSONObject, _ catalog: CollectionCatalog, keepsAbsent: Bool, sent: [OutboxEntry],
    sourceState: JSONObject? = nil, known: JSONObject = [:]
  ) {
    let keys = keepsAbsent ? record.keys : FieldOrder.merged(record.keys, base.keys)
    let isOther = sent.isEmpty && hasOtherContent(sourceState, known: known)
    let isChanged =
      isOther
      || replaced(at: record, among: keys, catalog).contains { key in
        !sent.contains { $0.edit[key] == record[key] ?? .null }
      }
    theirs = isChanged ? record : nil
    theirContent = isChanged ? sourceState?.recordContent ?? theirContent : nil
    if state != .refused { state = isChanged ? .conflict : .pending }
  }

  /// The fields, among the given ones, in which the remote's record differs from the one that a removal was based on. Those that
  /// are derived, or that the program sets, are not compared: a record may come by another follow.
  func replaced(at record: JSONObject, among keys: [String], _ catalog: CollectionCatalog) -> [String] {
    let own = catalog[targetCollection]?.ownFields ?? ["id"]
    return keys.filter { !own.contains($0.exact) && record[$0] ?? .null != base[$0] ?? .null }
  }

  /// Whether the remote's record has other content than the one that a removal was based on, also outside of the fields.
  ///
  /// - Parameters:
  ///   - sourceState: what the source keeps with the remote's record; without a content, it says nothing.
  ///   - known: what it kept with the last known copy. With the same entity tag, the content is the same, although a server
  ///     may write it in another way.
  func hasOtherContent(_ sourceState: JSONObject?, known: JSONObject) -> Bool {
    guard let sourceState, let new = sourceState.recordContent else { return theirContent != nil }
    // A removal of an earlier version has none of its own.
    guard let content = content ?? (theirContent == nil ? known.recordContent : nil) else { return theirContent != nil }
    let tag = sourceState.comparableTag
    if content.exact == new.exact || content.exact == tag?.exact { return false }
    let isKnown = known.recordContent?.exact == content.exact
    return !isKnown || tag == nil || known.comparableTag?.exact != tag?.exact
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
  mutating func reconcileRemoval(withAnswer remote: RemoteRecord, _ catalog: CollectionCatalog, to earlier: OutboxEntry)
  {
    let answer = remote.fields
    if let sourceState = remote.sourceState { (content, theirContent) = (sourceState.recordContent, nil) }
    for member in answer.members where earlier.kind == .post || earlier.edit[member.key] != nil {
      base[member.key] = member.value
    }
    for member in earlier.edit.members where answer[member.key] == nil { base[member.key] = member.value }
    reconcileRemoval(with: answer, catalog, keepsAbsent: true, sent: [])
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
    var reconciled = self
    reconciled.reconcile(with: seen)
    return reconciled.state == .conflict ? reconciled : nil
  }

  /// Leaves the fields to the later edits that change them, too.
  mutating func drop(changedBy later: some Sequence<OutboxEntry>) {
    for key in later.flatMap(\.edit.keys) { (edit[key], base[key]) = (nil, nil) }
  }

  /// The entry after a retry of a refused edit: pending, or a conflict if the remote has changed since.
  var retried: OutboxEntry {
    guard state == .refused else { return self }
    var entry = self
    entry.isMade = false
    if kind == .delete {
      entry.state = theirs == nil ? .pending : .conflict
    } else {
      entry.state = .pending
      entry.reconcile(with: [:])
    }
    return entry
  }
}
