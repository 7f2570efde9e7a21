public import Models
public import Ports

/// The commands that a `RememberingStore` remembers.
public struct UndoHistory: UndoService {
  private let store: any RecordStore
  private let coder: any RecordCoder
  private let catalog: CollectionCatalog

  /// Creates the history of a store, which must not be a `RememberingStore`: undoing is not remembered.
  public init(store: any RecordStore, coder: any RecordCoder, catalog: CollectionCatalog) {
    (self.store, self.coder, self.catalog) = (store, coder, catalog)
  }

  public func commands() throws(Failure) -> [UndoableCommand] {
    try store.read { (snapshot) throws(StoreError) in
      try UndoEntry.all(in: snapshot, coder).reversed().map { (entry) throws(StoreError) in
        let entry = try entry.whole(from: store)
        var command = try command(entry, snapshot)
        command.refusal = try Self.refusal(entry, snapshot)
        return command
      }
    }
  }

  public func undo(run: String) async throws(Failure) -> UndoableCommand {
    try await undo(UndoEntry.key(ofRun: run).id)
  }

  /// Undoes a command.
  ///
  /// - Throws: `Failure`: `notFound`, `usage`; or if the store cannot be read or written.
  public func undo(_ id: String) async throws(Failure) -> UndoableCommand {
    let known = try store.read { (snapshot) throws(StoreError) in
      try UndoEntry(id: id, in: snapshot, coder)?.whole(from: store)
    }
    return try await store.change { (transaction) throws(StoreError) -> Result<UndoableCommand, Failure> in
      guard let known, var entry = try UndoEntry(id: id, in: transaction, coder) else {
        return .failure(
          Failure(.store, .notFound, "what is to be undone is not remembered any more", code: .own(.notFound)))
      }
      if entry.isTooLarge, entry.counts == known.counts { entry = known }
      if let refusal = try Self.refusal(entry, transaction) { return .failure(refusal) }
      let undone = try command(entry, transaction)
      transaction.explain(ChangeCause(.undo, tool: ChangeCause.Tool(text: entry.command), of: entry.run))
      for change in entry.changes {
        if let before = change.before {
          try transaction.put(before, id: change.id, in: change.collection)
        } else {
          try transaction.delete(change.collection, change.id)
        }
      }
      try transaction.clearState(entry.key)
      return .success(undone)
    }
  }

  /// Why a command cannot be undone; `nil` where every record is as it left it.
  private static func refusal(_ entry: UndoEntry, _ reader: any RecordReader) throws(StoreError) -> Failure? {
    if entry.isTooLarge {
      return Failure(
        .store, .usage,
        "'\(entry.command)' of \(entry.at) is not remembered: it erased records, or it changed more than 1,000, or more "
          + "than 200,000 with their cards where the store keeps their history",
        hint: "a backup from before it has them", code: .own(.tooLarge))
    }
    for change in entry.changes {
      let now = try reader.record(change.collection, change.id)
      guard UndoEntry.digest(now) != change.after else { continue }
      let what = entry.isListed ? "'\(entry.command)' of \(entry.at)" : "this"
      let reason =
        switch change.collection {
        case .outbox: "its edit was sent, or decided, since"
        case _ where now == nil: "\(change.collection)/\(change.id) is not there any more"
        default: "\(change.collection)/\(change.id) was changed since"
        }
      return Failure(
        .store, .usage, "\(what) cannot be undone: \(reason)",
        hint: "nothing was changed; edit the record to change it back", code: .own(.changedSince),
        path: "\(change.collection)/\(change.id)")
    }
    return nil
  }

  private func command(_ entry: UndoEntry, _ reader: any RecordReader) throws(StoreError) -> UndoableCommand {
    var command = UndoableCommand(id: entry.id, command: entry.command, at: entry.at, changes: [])
    for change in entry.changes where !change.collection.isInternal {
      let field = catalog[change.collection]?.nameField
      var record = change.before
      if record == nil { record = try reader.record(change.collection, change.id) }
      let name = field.flatMap { field in record.flatMap { try? coder.decode($0) }?[field]?.string }
      command.changes.append(
        .init(collection: change.collection, id: change.id, name: name, isNew: change.before == nil))
    }
    return command
  }
}
