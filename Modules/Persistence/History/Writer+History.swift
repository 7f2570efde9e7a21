import Models
import Ports

extension Writer {
  /// Begins the history where the program asks for one, and completes an erasure that was interrupted.
  func prepareHistory() throws(StoreError) {
    if store.keeps != nil, state.manifest.history == nil {
      try replaceManifest { writer in
        writer.state.manifest.version += 1
        // What the journal holds becomes history, without causes.
        writer.state.manifest.history = History(
          begins: writer.state.manifest.compacted, beginsAt: writer.state.manifest.compactedAt)
      }
      publish()
    }
    if !state.manifest.erased.isEmpty { try completeErasure() }
  }

  /// Lets the history of a store without commits begin at another time.
  func beginHistory(at: Int) throws(StoreError) {
    guard state.manifest.history != nil, state.manifest.compactedAt != at else { return }
    try replaceManifest { writer in
      writer.state.manifest.version += 1
      writer.state.manifest.compactedAt = at
      writer.state.manifest.history?.beginsAt = at
    }
    publish()
  }

  /// A commit that the journal does not have, with its run.
  struct LoadedChange {
    var run: History.Run?
    var note: JournalChanges.Note
  }

  /// Writes what the commits of the journal changed as runs, before the files that hold what they became.
  ///
  /// It follows from the collection files and the journal, which stay as they are until a manifest names the new files. So
  /// each change is in exactly one place: in the journal after the last compacted commit, or in a run.
  func foldedHistory(
    _ version: UInt64, at: Int, loaded: LoadedChange? = nil, erasing: Erasure = Erasure()
  ) throws(StoreError) -> History? {
    guard var history = state.manifest.history else { return nil }
    let changes = try JournalChanges(of: state, on: disk, store.limits) { [manifest = state.manifest] in
      store.kept($0, in: manifest).policy.keep != .none
    }
    guard let changes else { throw StateLoader(disk: disk, limits: store.limits).missingFile() }
    var named: Set<UInt64> = []
    for name in changes.collections {
      let kept = store.kept(name, in: state.manifest)
      history.kept[name] = kept
      let output = RunWriter(name, number: version << 12, kept, on: disk)
      // Both are in order, and the file is rewritten in any case: looking up each record takes twice as long.
      var published = try state.tables[name]?.published.map { (file) throws(StoreError) in try LineCursor(file) }
      try changes.each(of: name) { (key, versions) throws(StoreError) in
        if erasing.holds(name, key) { return .next }
        while published?.isBefore(key) == true { try published!.advance() }
        let before = versions[0].isAddition ? nil : published?.line(of: key)
        try output.add(key, before, versions) { named.insert($0) }
        return .next
      }
      if let run = try output.finish(syncing) { history.runs.append(run) }
    }
    var notes = changes.notes.filter { named.contains($0.commit) }
    if let loaded, let run = loaded.run {
      history.kept[run.part.collection] = store.kept(run.part.collection, in: state.manifest)
      history.runs.append(run)
      notes.append(loaded.note)
    }
    try append(notes, erasing, version << 12, to: &history)
    history.dropOld(at: at)
    try erase(erasing, version, &history)
    for name in history.kept.keys.sorted() + [History.notes] { try join(name, version, &history) }
    return history
  }

  private func append(
    _ notes: [JournalChanges.Note], _ erasing: Erasure, _ number: UInt64, to history: inout History
  ) throws(StoreError) {
    let output = RunWriter(History.notes, number: number, on: disk)
    for var note in notes {
      if let kept = note.cause.flatMap({ erasing.without($0) }) { note.replace(kept) }
      try output.add(note)
    }
    if let run = try output.finish(syncing) { history.runs.append(run) }
  }

  /// Joins four neighbouring runs of a size, so that few files are read, and each byte is rewritten a few times.
  private func join(_ name: String, _ version: UInt64, _ history: inout History) throws(StoreError) {
    var number = version << 12 + 16
    while case let four = Array(history.runs(of: name).suffix(4)), four.count == 4,
      four[0].part.bytes < 4 * four[3].part.bytes, four.reduce(0, { $0 + $1.part.bytes }) <= store.limits.joinMost,
      history.kept[name]?.spans(from: four.map(\.least).min()!, to: four.map(\.most).max()!) ?? true
    {
      let joined = try RunWriter(name, number: number, history.kept[name], on: disk).join(four, syncing)
      history.replace(four, with: joined)
      number += 1
    }
  }

  func syncing(_ file: OpenFile) throws(StoreError) {
    try file.makeReadOnly()
    try store.syncing(file)
  }

  /// The run of a first transaction, which becomes collection files at once.
  func history(of tables: [String: Table], _ note: JournalChanges.Note) throws(StoreError) -> History? {
    guard var history = state.manifest.history else { return nil }
    var isNamed = false
    for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
      let kept = store.kept(name, in: state.manifest)
      history.kept[name] = kept
      if kept.policy.keep == .none { continue }
      let output = RunWriter(name, number: (state.manifest.version + 1) << 12, kept, on: disk)
      try table.scan(prefix: .empty, after: nil) { (record) throws(StoreError) in
        guard let key = RecordKey(of: record) else { return .next }
        let version = JournalChanges.Version(commit: note.commit, at: note.at, record: record)
        _ = try key.withBytes { (key) throws(StoreError) in try output.add(key, nil, [version]) { _ in isNamed = true }
        }
        return .next
      }
      if let run = try output.finish(syncing) { history.runs.append(run) }
    }
    try append(isNamed ? [note] : [], Erasure(), (state.manifest.version + 1) << 12, to: &history)
    return history
  }
}

extension History {
  mutating func replace(_ old: [Run], with new: Run?) {
    guard let first = runs.firstIndex(where: { $0 == old[0] }) else { return }
    runs.removeAll { old.contains($0) }
    if let new { runs.insert(new, at: first) }
  }

  /// Drops the runs of which every change is too old, and their notes where nothing needs them.
  mutating func dropOld(at now: Int) {
    for (name, kept) in kept {
      guard case .days(let days) = kept.policy.keep else { continue }
      for run in runs(of: name) where run.most < now.minus(days.times(86_400)) {
        self.kept[name]!.since = max(self.kept[name]!.since, run.last)
        self.kept[name]!.sinceAt = max(self.kept[name]!.sinceAt, run.most)
        runs.removeAll { $0 == run }
      }
    }
    if kept.values.contains(where: { $0.policy.keep == .forever }) { return }
    let first = runs.filter { $0.part.collection != Self.notes }.map(\.first).min() ?? .max
    for run in runs(of: Self.notes) where run.last < first {
      (begins, beginsAt) = (max(begins, run.last), max(beginsAt, run.most))
      runs.removeAll { $0 == run }
    }
  }
}

extension History.Kept {
  /// Whether a run may span so many seconds: where old ones are dropped, a quarter of what is kept.
  func spans(from least: Int, to most: Int) -> Bool {
    guard case .days(let days) = policy.keep else { return true }
    return most.minus(least) <= days.times(86_400) / 4
  }
}

extension JSONFileStore {
  /// What is kept of a collection: what the manifest says, or else the program. The program may begin to keep one of the
  /// store's own at any time; what the journal has of it is kept from then on.
  func kept(_ name: String, in manifest: Manifest) -> History.Kept {
    let collection = CollectionName(rawValue: name)
    let known = manifest.history?.kept[name]
    if let known, !collection.isInternal || known.policy.keep != .none { return known }
    let policy = keeps?.policy(collection) ?? (collection.isInternal ? .none : .forever)
    let begins = collection.isInternal ? nil : manifest.history
    return History.Kept(
      policy, since: begins?.begins ?? manifest.compacted, at: begins?.beginsAt ?? manifest.compactedAt)
  }
}

extension History.Kept {
  init(_ policy: HistoryPolicy, since: UInt64, at: Int) {
    self.init(policy: policy, since: since, sinceAt: at, hidden: policy.quiet.map { Hidden(field: $0, until: .max) })
  }
}
