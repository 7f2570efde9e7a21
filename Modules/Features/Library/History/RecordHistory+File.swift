public import Models
public import Ports

// What somebody changed in a copy of a collection is an edit like any other. The commit that the copy was made of tells it
// from what the store changed since.

extension RecordHistory {
  public func changes(
    inFile collection: CollectionName, madeOf commits: [UInt64], _ read: () throws(Failure) -> [UInt8]?
  ) throws(Failure) -> FileChanges {
    let file = try CopiedRecords(collection, catalog, coder, read)
    var best: (commit: UInt64, base: Base)?
    var failure: Failure?
    for commit in commits.sorted(by: >) {
      do throws(StoreError) {
        let base = try base(of: file, in: collection, at: commit)
        if base.distance < best?.base.distance ?? .max { best = (commit, base) }
      } catch {
        failure = failure ?? error.failure
      }
    }
    guard let best else {
      throw failure
        ?? Failure(
          .config, .usage, "it is not known of which state of \(collection) the file was made", code: .own(.usage))
    }
    var changes = FileChanges(base: best.commit)
    let snapshot = try Failure.reading(store.snapshot())
    try compare(file, with: best.base.records, in: snapshot, collection, &changes)
    return changes
  }

  public func edits(to records: [JSONObject], of collection: CollectionName) throws(Failure) -> FileChanges {
    let file = CopiedRecords(records)
    let snapshot = try Failure.reading(store.snapshot())
    var changes = FileChanges(base: 0)
    var stored: [ExactString: JSONObject] = [:]
    for id in file.ids {
      let fields = try Failure.reading(snapshot.object(collection, id.text, coder))
      stored[id] = fields.map { canonical($0, collection) }
    }
    try compare(file, with: stored, in: snapshot, collection, &changes)
    return changes
  }

  /// The records of a past state, and in how many fields and records they differ from those of the file.
  private struct Base {
    var records: [ExactString: JSONObject] = [:]
    var distance = 0
  }

  private func base(
    of file: CopiedRecords, in collection: CollectionName, at commit: UInt64
  ) throws(StoreError) -> Base {
    var base = Base()
    var found = 0
    try store.snapshot(at: commit).eachObject(collection, .all, coder) { fields in
      let (record, id) = (canonical(fields, collection), (fields["id"]?.string ?? "").exact)
      let differing = file[id].map { self.fields(of: collection, in: $0, unlike: record).count }
      if differing != nil { found += 1 }
      base.records[id] = record
      // A line that is missing tells nothing: it may have been deleted.
      base.distance += differing ?? 0
      return .next
    }
    base.distance += file.ids.count - found
    return base
  }

  /// The form in which fields of different versions are equal.
  private func canonical(_ fields: JSONObject, _ collection: CollectionName) -> JSONObject {
    (try? catalog.canonical(fields, in: collection)) ?? fields
  }

  /// The fields of which a line has another value than a record. Only the program sets some, which a line may lack.
  private func fields(of collection: CollectionName, in line: JSONObject, unlike record: JSONObject) -> [String] {
    let assigned = catalog[collection]?.record?.assignedFields ?? []
    return line.keys.filter { line[$0] != record[$0] }
      + record.keys.filter { name in line[name] == nil && !assigned.contains { $0.exact == name.exact } }
  }

  private func compare(
    _ file: CopiedRecords, with base: [ExactString: JSONObject], in snapshot: any StoreSnapshot,
    _ collection: CollectionName, _ changes: inout FileChanges
  ) throws(Failure) {
    func stored(_ id: String) throws(Failure) -> StoredNow {
      try Failure.reading(StoredNow(collection, id, in: snapshot, restoring.edits, coder))
    }
    for id in file.ids {
      guard let line = file[id] else { continue }
      let before = base[id]
      let edited = fields(of: collection, in: line, unlike: before ?? [:])
      guard !edited.isEmpty else {
        changes.unchanged += 1
        continue
      }
      let now = try stored(id.text)
      let current = now.fields.map { canonical($0, collection) }
      var merged = current ?? line
      if current != nil || before != nil {
        for name in edited where current == nil || line[name] != current?[name] {
          let value = FieldSides(line[name], before?[name], current?[name])
          if let before, current != nil, isDerived(name, from: before, to: line, collection) { continue }
          if current != nil, let value = value.merged(isList: isList(name, collection)) {
            merged[name] = value == .null ? nil : value
          } else {
            changes.conflicts.append(.init(now.id, name, base: value.base, file: value.file, stored: value.stored))
          }
        }
        // A record that was removed since stays so.
        guard let current, merged != current else {
          if edited.allSatisfy({ line[$0] == current?[$0] }) { changes.unchanged += 1 }
          continue
        }
      }
      var edit = try restoration(of: collection, now, to: merged)
      edit.wasStored = false
      changes.edits.append(edit)
    }
    for id in base.keys.sorted() where file[id] == nil {
      if try stored(id.text).bytes != nil { changes.missing.append(id) }
    }
  }

  /// Whether a field of a line follows from others: what becomes of these decides about it, too.
  private func isDerived(
    _ name: String, from before: JSONObject, to line: JSONObject, _ collection: CollectionName
  ) -> Bool {
    let sources = catalog[collection]?.record?.dependentFields.first { $0.key.exact == name.exact }?.value ?? []
    guard sources.contains(where: { line[$0] != before[$0] }) else { return false }
    return catalog.derived(name, from: before, to: line, in: collection) == line[name]
  }

  private func isList(_ name: String, _ collection: CollectionName) -> Bool {
    catalog[collection]?.record?.listFields.contains { $0.exact == name.exact } ?? false
  }
}

private struct FieldSides {
  let file: JSONValue?
  let base: JSONValue?
  let stored: JSONValue?

  init(_ file: JSONValue?, _ base: JSONValue?, _ stored: JSONValue?) {
    (self.file, self.base, self.stored) = (file, base, stored)
  }

  /// The value with the changes of both sides, null for none; `nil` if they changed the same.
  func merged(isList: Bool) -> JSONValue? {
    if base == stored { return file ?? .null }
    guard isList else { return nil }
    let (mine, base, theirs) = (file?.array ?? [], base?.array ?? [], stored?.array ?? [])
    guard !ListMerge.isConflict(mine, base, theirs) else { return nil }
    let merged = ListMerge.merged(mine, base, theirs)
    return merged.isEmpty ? .null : .array(merged)
  }
}

/// The records of a file of JSON Lines, in its order.
private struct CopiedRecords {
  private(set) var ids: [ExactString] = []
  private var records: [ExactString: JSONObject] = [:]

  init(_ records: [JSONObject]) {
    for record in records {
      let id = (record["id"]?.string ?? "").exact
      if self.records.updateValue(record, forKey: id) == nil { ids.append(id) }
    }
  }

  /// - Throws: `Failure` with the line of a mistake, and the errors of `read`.
  init(
    _ collection: CollectionName, _ catalog: CollectionCatalog, _ coder: any RecordCoder,
    _ read: () throws(Failure) -> [UInt8]?
  ) throws(Failure) {
    var cutter = LineCutter()
    while let lines = cutter.next(read) {
      try lines.forEach { (place, number) throws(Failure) in
        let found = try lines.withLine(place) { (line) throws(Failure) in
          try Library.record(line, number: number, collection, catalog, coder, Suggestions()) { record, id, _ in
            (record, id)
          }
        }
        guard let (record, id) = found else { return }
        guard records.updateValue(record, forKey: id.exact) == nil else {
          throw Library.mistake(number, "the id '\(id)' is that of an earlier line", .badID)
        }
        ids.append(id.exact)
      }
    }
    if let failure = cutter.failure { throw failure }
  }

  subscript(id: ExactString) -> JSONObject? { records[id] }
}
