import Models
import Ports

extension Salvage {
  /// The history of the repaired store, with the commits since it was compacted; `nil` where none was kept.
  ///
  /// What cannot be saved is marked as lost, so that no state is ever shown that was not.
  mutating func salvagedHistory(
    _ manifest: Manifest?, _ tables: [String: Table], version: UInt64, at: Int
  ) throws(StoreError) -> History? {
    guard let manifest, var history = manifest.history else {
      // Beside a manifest without a history, such a file is one that was never finished.
      for name in try disk.names().sorted() where manifest == nil && name.hasSuffix(".history") {
        try keep(name)
        note(name, nil, "the manifest said of which commits these changes are: earlier states are lost", .loss)
      }
      return store.keeps.map { _ in History(begins: sequence, beginsAt: at) }
    }
    for run in history.runs {
      guard let file = try SalvagedFile(run.part, isKnown: true, on: disk), file.isWhole else {
        try save(run, version, &history)
        continue
      }
    }
    if !isJournalWhole, sequence > manifest.compacted {
      for name in Set(newer.keys).union(files.keys).sorted() {
        history.lost.append(History.Lost(collection: name, commits: manifest.compacted..<sequence))
      }
      note(
        manifest.active.fileName, nil,
        "the states before commit \(sequence), and who made the changes, are lost for all records; the present is not touched",
        .loss)
    }
    for (name, file) in files.sorted(by: { $0.key < $1.key }) where !file.gaps.isEmpty && !proved.contains(name) {
      for gap in file.neighbours { history.lose(name, before: sequence, gap) }
    }
    try addChanges(manifest, tables, version, at, to: &history)
    return history
  }

  private mutating func save(_ run: History.Run, _ version: UInt64, _ history: inout History) throws(StoreError) {
    let name = run.part.collection
    let file = try SalvagedFile(run.part, isKnown: true, on: disk) ?? .missing(run.part)
    for name in (file.gaps.isEmpty ? [] : [run.part.fileName]) + [run.part.sumsName] where try disk.open(name) != nil {
      try keep(name)
    }
    let number = version << 12 + 512 + UInt64(history.runs.firstIndex(of: run) ?? 0)
    let output = RunWriter(name, number: number, on: disk)
    let saved = try output.copy(file.run.entries, of: run, store.syncing)
    history.replace([run], with: saved)
    if file.gaps.isEmpty {
      return note(run.part.sumsName, 0, "the checksums were damaged, and were written anew", .note, name)
    }
    let isNotes = name == History.notes
    if !isNotes { for gap in file.neighbours { history.lose(name, before: run.last, gap) } }
    let lost = max(0, run.part.records - file.run.entries.count)
    note(
      run.part.fileName, file.gaps[0].lowerBound,
      isNotes
        ? "the times and causes of \(lost.counted("commit")) are lost"
        : "the states before commit \(run.last) of \(lost.counted("record")) of \(name) are lost; the present is not touched",
      .loss, isNotes ? nil : name)
  }

  /// Adds what the journal changed: each commit of it, or, where some are lost, what all together made of each record.
  private func addChanges(
    _ manifest: Manifest, _ tables: [String: Table], _ version: UInt64, _ at: Int, to history: inout History
  ) throws(StoreError) {
    let changes = isJournalWhole ? try journalChanges(manifest) : nil
    var named: Set<UInt64> = []
    for name in newer.keys.sorted() {
      let kept = store.kept(name, in: manifest)
      history.kept[name] = kept
      if kept.policy.keep == .none { continue }
      let output = RunWriter(name, number: version << 12, kept, on: disk)
      // What the collection file held, as far as it is known.
      let before = Table(runs: Array((tables[name]?.runs ?? []).dropLast(newer[name]?.runs.count ?? 0)))
      func add(_ key: ByteSlice, _ versions: [JournalChanges.Version]) throws(StoreError) {
        try before.record(key).withByteSlice { (old) throws(StoreError) in
          try output.add(key, old, versions) { named.insert($0) }
        }
      }
      if let changes {
        try changes.each(of: name) { (key, versions) throws(StoreError) in
          try add(key, versions)
          return .next
        }
      } else {
        for entry in newer[name]?.runs.asOne.first?.entries ?? [] {
          try add(entry.key, [.init(commit: sequence, at: at, record: entry.isTombstone ? nil : entry.record)])
        }
      }
      if let run = try output.finish(store.syncing) { history.runs.append(run) }
    }
    let notes = RunWriter(History.notes, number: version << 12, on: disk)
    let known = changes?.notes ?? [.init(commit: sequence, at: at, because: ChangeCause(.repair))]
    for note in known where named.contains(note.commit) { try notes.add(note) }
    if let run = try notes.finish(store.syncing) { history.runs.append(run) }
  }

  private func journalChanges(_ manifest: Manifest) throws(StoreError) -> JournalChanges? {
    guard let journal = try JournalFile.open(manifest.active, on: disk, store.limits) else { return nil }
    let end = try journal.verdict(from: 0, .unknown, sequence: manifest.active.first) { (_, _) throws(StoreError) in }
      .end
    let state = StoreState(manifest: manifest, sequence: sequence, tables: [:], journal: journal, end: end)
    return try JournalChanges(of: state, on: disk, store.limits) { _ in true }
  }
}

extension History {
  /// Marks the states of ids between two as lost.
  fileprivate mutating func lose(
    _ name: String, before commit: UInt64, _ gap: (before: ByteSlice?, after: ByteSlice?)
  ) {
    lost.append(Lost(collection: name, commits: 0..<commit, after: gap.before?.array, before: gap.after?.array))
  }
}
