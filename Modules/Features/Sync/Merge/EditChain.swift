import Models

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
