public import Models
public import Ports

extension JSONFileStore: HistoryMaintenance {
  public func histories() throws(StoreError) -> [HistoryStatus] {
    guard let state = try currentState(), let history = state.manifest.history else { return [] }
    return Set(state.tables.keys).union(history.kept.keys).sorted().map { name in
      let kept = kept(name, in: state.manifest)
      let runs = history.runs(of: name)
      let since = Moment(commit: kept.since, at: Timestamp(secondsSinceEpoch: kept.sinceAt))
      return HistoryStatus(
        CollectionName(rawValue: name), kept.policy, since: kept.policy.keep == .none ? nil : since,
        lost: history.lost.filter { $0.collection == name }.map(\.commits.upperBound).max(),
        changes: runs.reduce(0) { $0 + $1.changes }, bytes: runs.reduce(0) { $0 + $1.part.bytes })
    }
  }

  public func setPolicy(_ policy: HistoryPolicy, of collection: CollectionName) async throws(StoreError) {
    try DiskTransaction.check(collection)
    try await changing { (writer) throws(StoreError) in
      // What was committed until now is kept as the policy until now says.
      try writer.compact(at: time.now.secondsSinceEpoch)
      let (sequence, now) = (writer.state.sequence, time.now.secondsSinceEpoch)
      try writer.replaceManifest { writer in
        writer.state.manifest.version += 1
        var history = writer.state.manifest.history ?? History(begins: sequence, beginsAt: now)
        writer.state.manifest.history = history
        let old = kept(collection.rawValue, in: writer.state.manifest)
        var new = History.Kept(policy, since: old.since, at: old.sinceAt)
        if old.policy.keep == .none { (new.since, new.sinceAt) = (sequence, now) }
        // What was left out of changes until now is not in them.
        new.hidden += old.hidden.filter { !policy.quiet.contains($0.field) }.map {
          History.Kept.Hidden(field: $0.field, until: min($0.until, sequence))
        }
        history.kept[collection.rawValue] = new
        if policy.keep == .none { history.runs.removeAll { $0.part.collection == collection.rawValue } }
        history.dropOld(at: now)
        writer.state.manifest.history = history
      }
      writer.publish()
      try writer.removeOrphans()
      try writer.publishHistory()
    }
  }

  public func write(
    at time: Timestamp, _ body: (inout any StoreTransaction) throws(StoreError) -> Void
  ) async throws(StoreError) {
    _ = try await write(asOf: time.secondsSinceEpoch, body)
  }

  @discardableResult
  public func erase(
    _ select: (any RecordReader) throws(StoreError) -> [RecordName]
  ) async throws(StoreError) -> ErasedRecords {
    var erased = ErasedRecords()
    try await changing { (writer) throws(StoreError) in
      let state = writer.state
      let names = try select(DiskSnapshot(sequence: state.sequence, tables: state.tables, store: state.manifest.store))
      var erasure = Erasure()
      for name in names { erasure.add(name.collection.rawValue, Array(name.id.utf8)) }
      erased = try writer.erase(erasure)
    }
    return erased
  }

  private func changing(_ body: (Writer) throws(StoreError) -> Void) async throws(StoreError) {
    try checkIsNoBackup()
    let lock = try await acquireWriteLock()
    defer { releaseWriteLock(lock) }
    try body(try openWriter(lock))
    try checkPlace()
  }
}

extension Writer {
  /// The folder of the published runs.
  static let historyFolder = "history"

  /// Publishes the runs of collections that people may want to read, as `history/people.8120.jsonl` with the last commit:
  /// read-only names of the same files. Names of runs that are gone are removed.
  func publishHistory() throws(StoreError) {
    guard let folder = disk.subfolder(Self.historyFolder) else { return }
    let runs = (state.manifest.history?.runs ?? []).filter { !CollectionName(rawValue: $0.part.collection).isInternal }
    guard try folder.openFolder(create: !runs.isEmpty) else { return }
    var wanted = Dictionary(
      runs.map { ("\($0.part.collection).\($0.last)\(Manifest.Part.publishedSuffix)", $0.part.fileName) }
    ) { $1 }
    for name in try folder.names() {
      let identity = (try? folder.open(name)?.information().identity) ?? nil
      if let file = wanted[name], let identity, try disk.open(file)?.information().identity == identity {
        wanted[name] = nil
      } else if name.hasSuffix(Manifest.Part.publishedSuffix) {
        try folder.remove(name)
      }
    }
    for (name, file) in wanted { try disk.link(file, to: "\(Self.historyFolder)/\(name)") }
  }
}
