public import Models
public import Ports

/// The commands that a `RememberingStore` remembers.
public struct UndoHistory: UndoService {
  private let store: any RecordStore
  private let coder: any RecordCoder
  private let catalog: CollectionCatalog
  private let edits: any PendingEdits

  /// Creates the history of a store, which must not be a `RememberingStore`: undoing is not remembered.
  public init(
    store: any RecordStore, coder: any RecordCoder, catalog: CollectionCatalog, edits: any PendingEdits
  ) { (self.store, self.coder, self.catalog, self.edits) = (store, coder, catalog, edits) }

  public func commands() throws(Failure) -> [UndoableCommand] {
    try store.read { (snapshot) throws(StoreError) in
      try UndoEntry.all(in: snapshot, coder).reversed().map { (entry) throws(StoreError) in
        let entry = try entry.whole(from: store)
        var command = try command(entry, snapshot)
        if case .failure(let refusal) = try records(before: entry, snapshot) { command.refusal = refusal }
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
      let records: [[UInt8]?]
      switch try self.records(before: entry, transaction) {
      case .success(let found): records = found
      case .failure(let refusal): return .failure(refusal)
      }
      let undone = try command(entry, transaction)
      transaction.explain(ChangeCause(.undo, tool: ChangeCause.Tool(text: entry.command), of: entry.run))
      for (change, record) in zip(entry.changes, records) {
        if let record {
          try transaction.put(record, id: change.id, in: change.collection)
        } else {
          try transaction.delete(change.collection, change.id)
        }
      }
      try transaction.clearState(entry.key)
      return .success(undone)
    }
  }

  /// The records that an undo of a command restores, in the order of its changes; a failure says why it cannot be undone.
  private func records(
    before entry: UndoEntry, _ reader: any RecordReader
  ) throws(StoreError) -> Result<[[UInt8]?], Failure> {
    if entry.isTooLarge {
      return .failure(
        Failure(
          .store, .usage,
          "'\(entry.command)' of \(entry.at) is not remembered: it erased records, or it changed more than 1,000, or more "
            + "than 200,000 with their cards where the store keeps their history",
          hint: "a backup from before it has them", code: .own(.tooLarge)))
    }
    var records: [[UInt8]?] = []
    for change in entry.changes {
      let now = try reader.record(change.collection, change.id)
      let path = "\(change.collection)/\(change.id)"
      let reason: String
      if UndoEntry.digest(now) != change.after {
        reason =
          switch change.collection {
          case .outbox: "its edit was sent, or decided, since"
          case _ where now == nil: "\(path) is not there any more"
          default: "\(path) was changed since"
          }
      } else if let before = change.before, let now, !change.collection.isInternal {
        if let record = try record(change, before, now, reader) {
          records.append(record)
          continue
        }
        reason = "the server changed, or removed, \(path) since"
      } else {
        records.append(change.before)
        continue
      }
      let what = entry.isListed ? "'\(entry.command)' of \(entry.at)" : "this"
      return .failure(
        Failure(
          .store, .usage, "\(what) cannot be undone: \(reason)",
          hint: "nothing was changed; edit the record to change it back", code: .own(.changedSince),
          path: path))
    }
    return .success(records)
  }

  /// The record before a change of some of its fields, where those that had the values of its remote have its present ones: a
  /// merge takes a value that differs from the remote's last copy for a local change, and keeps it. `nil` if they are not
  /// known.
  private func record(
    _ change: UndoEntry.Change, _ before: [UInt8], _ now: [UInt8], _ reader: any RecordReader
  ) throws(StoreError) -> [UInt8]? {
    let base = try edits.remoteCopy(of: change.collection, change.id, in: reader)?.base
    guard let fields = change.remoteFields else {
      guard let base else { return before }
      let (old, new) = try (
        coder.object(before, change.collection, change.id), coder.object(now, change.collection, change.id)
      )
      let isKnown = base.members.allSatisfy { old[$0.key] == $0.value || old[$0.key] == new[$0.key] }
      return isKnown ? before : nil
    }
    guard !fields.isEmpty else { return before }
    guard let base else { return nil }
    let old = try coder.object(before, change.collection, change.id)
    var record = old
    for field in fields { record[field] = base[field] }
    guard record != old else { return before }
    for (field, inputs) in catalog[change.collection]?.record?.dependentFields ?? [:] where base[field] == nil {
      guard inputs.contains(where: { record[$0] != old[$0] }) else { continue }
      record[field] = catalog.derived(field, from: old, to: record, in: change.collection)
    }
    return coder.encode((try? catalog.canonical(record, in: change.collection)) ?? record)
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
