import Ports

/// A state of the store: the manifest, and what follows from it and the journal.
struct StoreState: Sendable {
  var manifest: Manifest
  /// The last commit in it.
  var sequence: UInt64
  var tables: [String: Table]
  /// The journal file that is appended to, and where its last whole transaction ends.
  var journal: JournalFile
  var end: Int

  /// Checks the collection files, if they have at most so many bytes in all.
  func checkFiles(upTo most: Int) throws(StoreError) {
    let files = tables.values.compactMap(\.published)
    if files.reduce(0, { $0 + $1.part.bytes }) > most { return }
    for file in files { try file.check(0..<file.part.bytes) }
  }

  /// Whether this state is newer.
  func isNewer(than other: StoreState) -> Bool {
    (manifest.version, sequence) > (other.manifest.version, other.sequence)
  }
}

/// Reads the state from the disk, as far as it is new.
struct StateLoader {
  let disk: Disk
  let limits: Limits

  /// The manifest; `nil` where there is no store.
  func manifest() throws(StoreError) -> Manifest? {
    guard let file = try disk.open(Manifest.name) else { return nil }
    let size = try file.information().size
    // A manifest names a few files; megabytes cannot be one.
    guard size < 1 << 22 else {
      throw StoreError(.damaged, "the manifest is longer than 4 MiB", path: disk.path(Manifest.name), offset: 1 << 22)
    }
    return try Manifest(text: try file.bytes(count: size), path: disk.path(Manifest.name), repair: disk.remedies.repair)
  }

  /// The state under a manifest; `nil` where its files are gone because a newer manifest came.
  ///
  /// - Parameters:
  ///   - known: an earlier state; files that both name are not opened again.
  ///   - bounds: where the valid part of the journal ends, as far as it is known.
  func state(
    _ manifest: Manifest, known: StoreState?, _ bounds: JournalFile.Bounds
  ) throws(StoreError) -> (state: StoreState, torn: Int)? {
    if let known, known.manifest == manifest {
      if case .exactly(let end) = bounds, end <= known.end { return (known, 0) }
      return try extended(known, bounds)
    }
    var tables: [String: Table] = [:]
    for part in manifest.parts {
      let published: CollectionFile
      if let old = known?.tables[part.collection]?.published, old.part == part {
        published = old
      } else {
        guard let opened = try CollectionFile(part, on: disk) else { return nil }
        published = opened
      }
      tables[part.collection] = Table(published: published, count: part.records)
    }
    var gatherer = ChangeGatherer()
    var sequence = manifest.compacted
    for segment in manifest.segments {
      let isActive = segment == manifest.active
      if manifest.isHistory(segment) { continue }
      guard let file = try disk.open(segment.fileName, .read) else { return nil }
      let journal = JournalFile(file: file, segment: segment, leastWindow: limits.journalWindow)
      let ending = try read(
        journal, from: 0, isActive ? bounds : .unknown, sequence: segment.first, after: manifest.compacted,
        &sequence, &gatherer)
      guard isActive else { continue }
      gatherer.apply(to: &tables)
      let state = StoreState(
        manifest: manifest, sequence: sequence, tables: tables, journal: journal, end: ending.end)
      return (state, ending.torn)
    }
    return nil
  }

  private func extended(_ known: StoreState, _ bounds: JournalFile.Bounds) throws(StoreError) -> (
    state: StoreState, torn: Int
  ) {
    var state = known
    var gatherer = ChangeGatherer()
    let ending = try read(
      state.journal, from: state.end, bounds, sequence: state.sequence + 1, after: state.manifest.compacted,
      &state.sequence, &gatherer)
    state.end = ending.end
    gatherer.apply(to: &state.tables)
    return (state, ending.torn)
  }

  private func read(
    _ journal: JournalFile, from start: Int, _ bounds: JournalFile.Bounds, sequence first: UInt64,
    after compacted: UInt64,
    _ sequence: inout UInt64, _ gatherer: inout ChangeGatherer
  ) throws(StoreError) -> JournalFile.Verdict {
    try journal.read(from: start, bounds, sequence: first) { (frame, place) throws(StoreError) in
      sequence = frame.sequence
      guard frame.sequence > compacted else { return }
      let mapping = try journal.mapping(place + frame.bytes)
      gatherer.keep(mapping)
      try journal.changes(of: frame, at: place, in: mapping) { (change) throws(StoreError) in gatherer.add(change) }
    }
  }
}
