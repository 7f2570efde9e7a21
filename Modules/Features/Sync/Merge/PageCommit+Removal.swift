import Models
import Ports

extension PageCommit {
  /// The remote has the record no more. It stays where an edit of it waits, or where it was changed here since.
  ///
  /// - Throws: `StoreError` where the store cannot be read or written.
  mutating func remove(
    _ collection: CollectionName, _ id: String, in transaction: inout any StoreTransaction
  ) throws(StoreError) {
    guard let stored = try transaction.record(collection, id) else {
      try transaction.delete(.state, RemoteMemory.id(collection, id))
      return
    }
    let edits = outbox[collection, id]
    var memory = try RemoteMemory(collection, id, in: transaction, coder)
    if !edits.isEmpty {
      for var entry in edits {
        let old = entry
        if entry.kind == .put {
          entry.judge(Dictionary(entry.edit.keys.map { ($0.exact, .null) }) { _, last in last })
        }
        guard entry != old else { continue }
        try transaction.put(coder.encode(entry.fields), id: entry.id, in: .outbox)
        judged.append(entry)
      }
      memory.isGone = true
      try memory.put(collection, id, in: &transaction, coder)
      counts.unchanged += 1
      return
    }
    if let base = memory.copy.base {
      let local = try coder.fields(of: stored, collection, id)
      if local.members.contains(where: { base[$0.key] != nil && base[$0.key] != $0.value }) {
        try transaction.delete(.state, RemoteMemory.id(collection, id))
        counts.unchanged += 1
        return
      }
    }
    try transaction.delete(collection, id)
    try transaction.delete(.state, RemoteMemory.id(collection, id))
    counts.remove(from: collection)
    plan(PlannedChange(operation: .remove, collection: collection, id: id))
  }
}
