import Models
import Ports

extension Writer {
  /// Compacts a long journal. An error does not affect the commit before.
  func compactIfLong(at: Int) {
    let limits = store.limits
    guard isCurrent, state.end > limits.compactJournal else { return }
    let touched = state.tables.values.reduce(0) { $0 + ($1.runs.isEmpty ? 0 : $1.published?.part.bytes ?? 0) }
    guard state.end > limits.compactAlways || state.end > touched / limits.compactShare else { return }
    try? compact(at: at)
  }

  /// Writes new collection files from the old ones and the journal, and begins a new journal file.
  func compact(at: Int) throws(StoreError) {
    guard state.sequence > state.manifest.compacted else { return try publishCollectionFiles() }
    try renew(sequence: state.sequence, at: at)
  }

  /// Writes new collection files for all that the journal changes, and replaces the manifest.
  ///
  /// - Parameters:
  ///   - loaded: a collection file that is written already, with a commit in it that the journal does not have. Then
  ///     the change feed begins anew, so that no cursor skips that commit.
  ///   - change: what that commit adds to the history.
  ///   - sequence: the last commit that the files hold.
  ///   - erasing: records of which no file keeps anything.
  func renew(
    with loaded: Manifest.Part? = nil, _ change: LoadedChange? = nil, sequence: UInt64, at: Int,
    erasing: Erasure = Erasure()
  ) throws(StoreError) {
    let version = state.manifest.version + 1
    var tables = state.tables
    if let loaded { tables[loaded.collection] = tables[loaded.collection] ?? Table() }
    var parts: [Manifest.Part] = []
    do throws(StoreError) {
      let history = try foldedHistory(version, at: at, loaded: change, erasing: erasing)
      for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
        let isLoaded = name == loaded?.collection
        guard isLoaded || !table.runs.isEmpty || table.published == nil else {
          parts.append(table.published!.part)
          continue
        }
        let part = isLoaded ? loaded! : try write(table, name, version)
        guard let published = try CollectionFile(part, on: disk) else {
          throw StoreError(.cannotRead, "a file that was just written has disappeared", path: disk.path(part.fileName))
        }
        tables[name] = Table(published: published, count: part.records)
        parts.append(part)
      }
      let journal = try Writer.makeJournal(number: state.manifest.active.number + 1, first: sequence + 1, store: store)
      let before = state.manifest
      try replaceManifest { writer in
        writer.state.manifest.version = version
        writer.state.sequence = sequence
        writer.state.manifest.compacted = sequence
        writer.state.manifest.compactedAt = at
        writer.state.manifest.parts = parts
        writer.state.manifest.kept = before.parts.filter { !parts.contains($0) && erasing.digests.isEmpty }
        writer.state.manifest.history = history
        writer.state.manifest.segments[before.segments.count - 1].finalSize = writer.state.end
        writer.state.manifest.segments.append(journal.segment)
        if loaded == nil, erasing.digests.isEmpty {
          writer.dropOldSegments()
        } else {
          writer.state.manifest.segments = [journal.segment]
        }
        writer.state.tables = tables
        writer.state.journal = journal
        writer.state.end = 0
      }
    } catch {
      removeFailedFiles()
      throw error
    }
    try publishCollectionFiles()
    store.withCache { $0.unpublished = [:] }
    publish()
    try removeOrphans()
    // A file system without hard links has no published runs.
    try? publishHistory()
  }

  /// Writes whole tables as the first generation of a manifest.
  ///
  /// - Parameters:
  ///   - kept: files of a generation before that stay.
  ///   - history: what the manifest says of the past.
  func begin(
    with tables: [String: Table], version: UInt64, sequence: UInt64, at: Int, kept: [Manifest.Part] = [],
    history: History?
  ) throws(StoreError) {
    var parts: [Manifest.Part] = []
    var written: [String: Table] = [:]
    for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
      let part = try write(table, name, version)
      parts.append(part)
      written[name] = Table(published: try CollectionFile(part, on: disk), count: part.records)
    }
    let journal = try Writer.makeJournal(number: state.manifest.active.number + 1, first: sequence + 1, store: store)
    try replaceManifest { writer in
      writer.state = StoreState(
        manifest: Manifest(
          version: version, store: writer.state.manifest.store, compacted: sequence, compactedAt: at, parts: parts,
          kept: kept, segments: [journal.segment], history: history, erased: writer.state.manifest.erased),
        sequence: sequence, tables: written, journal: journal, end: 0)
    }
    // The new manifest counts: what fails now is done again by the next writer.
    if (try? publishCollectionFiles()) != nil { publish() }
  }

  func write(_ table: Table, _ name: String, _ version: UInt64) throws(StoreError) -> Manifest.Part {
    let output = try CollectionFileWriter(collection: name, version: version, on: disk)
    var table = table
    table.runs = table.runs.asOne
    try table.scan(prefix: .empty, after: nil) { (record) throws(StoreError) in
      try output.add(record)
      return .next
    }
    return try withExtendedLifetime(table) { () throws(StoreError) in try output.finish(store.syncing) }
  }

  /// Drops journal files that the change feed does not need any more.
  private func dropOldSegments() {
    var bytes = 0
    var kept: [Manifest.Segment] = []
    for segment in state.manifest.segments.reversed() {
      bytes += segment.finalSize ?? 0
      if segment.finalSize != nil, bytes > store.limits.keptJournal { break }
      kept.append(segment)
    }
    state.manifest.segments = kept.reversed()
  }

  /// Removes files that were written for a manifest that could not be written. Where that is unknown, all files stay.
  func removeFailedFiles() { if !store.hasFailed { try? removeOrphans() } }

  /// Removes files of the store that neither this generation nor the one before names.
  func removeOrphans() throws(StoreError) {
    let manifest = state.manifest
    var wanted = Set(manifest.fileNames)
    for part in manifest.kept { wanted.formUnion([part.fileName, part.sumsName]) }
    for name in try disk.names() where !wanted.contains(name) {
      if name.hasSuffix(Salvage.suffix) { continue }
      let isOurs =
        [".records", ".sums", ".history", ".hsums"].contains { name.hasSuffix($0) } || name.hasPrefix("journal.")
        || name == Manifest.temporaryName || name == PublishedLog.temporaryName || name.hasPrefix(LoadSorter.prefix)
      if isOurs { try disk.remove(name) }
    }
  }
}
