import Glibc
import Ports

extension Writer {
  /// Folds the journal once it is long. The commit before it stands whatever happens here.
  func foldIfLong(at: Int) {
    let limits = store.limits
    guard isCurrent, state.end > limits.foldJournal else { return }
    let touched = state.tables.values.reduce(0) { $0 + ($1.runs.isEmpty ? 0 : $1.published?.part.bytes ?? 0) }
    guard state.end > limits.foldAlways || state.end > touched / limits.foldShare else { return }
    try? fold(at: at)
  }

  /// Writes new collection files out of the old ones and the journal, and begins a new journal file.
  func fold(at: Int) throws(StoreError) {
    guard state.sequence > state.manifest.folded else { return try publishNames() }
    try renew(sequence: state.sequence, at: at)
  }

  /// Writes new collection files for all that the journal changes, and replaces the manifest.
  ///
  /// - Parameters:
  ///   - loaded: a collection file that is written already, with a commit in it that the journal does not have. Then
  ///     the change feed begins anew: nobody may pass over that commit.
  ///   - sequence: the last commit that the files hold.
  func renew(with loaded: Manifest.Part? = nil, sequence: UInt64, at: Int) throws(StoreError) {
    let version = state.manifest.version + 1
    var tables = state.tables
    if let loaded { tables[loaded.collection] = tables[loaded.collection] ?? Table() }
    var parts: [Manifest.Part] = []
    do throws(StoreError) {
      for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
        let isLoaded = name == loaded?.collection
        guard isLoaded || !table.runs.isEmpty || table.published == nil else {
          parts.append(table.published!.part)
          continue
        }
        let part = isLoaded ? loaded! : try write(table, name, version)
        guard let published = try PublishedFile(part, on: disk) else {
          throw StoreError(.cannotRead, "a file that was just written is gone", path: disk.path(part.fileName))
        }
        tables[name] = Table(published: published, count: part.records)
        parts.append(part)
      }
      let journal = try Writer.makeJournal(
        number: state.manifest.active.number + 1, first: sequence + 1, store: store)
      let before = state.manifest
      try replaceManifest { writer in
        writer.state.manifest.version = version
        writer.state.sequence = sequence
        writer.state.manifest.folded = sequence
        writer.state.manifest.foldedAt = at
        writer.state.manifest.parts = parts
        writer.state.manifest.kept = before.parts.filter { !parts.contains($0) }
        writer.state.manifest.segments[before.segments.count - 1].sealed = writer.state.end
        writer.state.manifest.segments.append(journal.segment)
        if loaded == nil { writer.dropOldSegments() } else { writer.state.manifest.segments = [journal.segment] }
        writer.state.tables = tables
        writer.state.journal = journal
        writer.state.end = 0
      }
    } catch {
      removeFailedFiles()
      throw error
    }
    try publishNames()
    store.withCache { $0.unpublished = [:] }
    publish()
    try removeStrangers()
  }

  func write(_ table: Table, _ name: String, _ version: UInt64) throws(StoreError) -> Manifest.Part {
    let output = try PublishedWriter(collection: name, version: version, on: disk)
    var table = table
    table.runs = table.runs.asOne
    try table.scan(prefix: .empty, after: nil) { (record) throws(StoreError) in
      try output.add(record)
      return .next
    }
    return try withExtendedLifetime(table) { () throws(StoreError) in
      try output.finish { (file) throws(StoreError) in try store.syncing(file) }
    }
  }

  /// Lets go of journal files that the change feed need not have any more.
  private func dropOldSegments() {
    var bytes = 0
    var kept: [Manifest.Segment] = []
    for segment in state.manifest.segments.reversed() {
      bytes += segment.sealed ?? 0
      if segment.sealed != nil, bytes > store.limits.keptJournal { break }
      kept.append(segment)
    }
    state.manifest.segments = kept.reversed()
  }

  /// Removes what was written for a manifest that did not come. If it is not known whether it came, all is left.
  func removeFailedFiles() {
    if !store.isPoisoned { try? removeStrangers() }
  }

  /// Removes files of the store's own kinds that neither this generation nor the one before has.
  func removeStrangers() throws(StoreError) {
    let manifest = state.manifest
    var wanted: Set<String> = []
    for part in manifest.parts + manifest.kept { wanted.formUnion([part.fileName, part.sumsName]) }
    for segment in manifest.segments { wanted.insert(segment.fileName) }
    for name in try disk.names() where !wanted.contains(name) {
      if name.hasSuffix(Salvage.suffix) || name.hasSuffix(LegacyFolder.suffix) { continue }
      let isOurs =
        name.hasSuffix(".records") || name.hasSuffix(".sums") || name.hasPrefix("journal.")
        || name == Manifest.temporaryName || name.hasPrefix(LoadSorter.prefix)
      if isOurs { try disk.remove(name) }
    }
  }
}
