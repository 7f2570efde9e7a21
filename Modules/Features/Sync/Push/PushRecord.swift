import Models

/// Works out the record that one edit sends: what the remote last had, with this edit on it and those before it that
/// the remote has taken, and none of those that come after it or were refused.
enum PushRecord {
  /// - Parameters:
  ///   - local: the record as it stands here, every edit included.
  ///   - edits: every edit of the record, in the order in which they are sent.
  static func record(for entry: OutboxEntry, local: JSONObject, edits: [OutboxEntry]) -> JSONObject {
    guard edits.count > 1, entry.kind == .put else { return local }
    var record = local
    let others = edits.filter { $0.$id != entry.$id && $0.kind == .put }
    for key in FieldOrder.merged(others.flatMap(\.edit.keys)) {
      let other = others.first { $0.edit[key] != nil }
      let value = entry.edit[key] ?? other?.theirs?[key] ?? other?.base[key]
      switch value {
      case .null?: record[key] = nil
      case let value?: record[key] = value
      case nil: break
      }
    }
    return record
  }
}
