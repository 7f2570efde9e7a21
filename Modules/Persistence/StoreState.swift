import Ports

/// What a process knows of the store: the manifest, and everything that follows from it and the journal.
struct StoreState: Sendable {
  var manifest: Manifest
  /// The last commit in it.
  var sequence: UInt64
  var tables: [String: Table]
  /// The journal file that is appended to, and where its last whole transaction ends.
  var journal: JournalFile
  var end: Int

  /// Checks the collection files, if they have no more bytes than this.
  func checkFiles(upTo most: Int) throws(StoreError) {
    let files = tables.values.compactMap(\.published)
    if files.reduce(0, { $0 + $1.part.bytes }) > most { return }
    for file in files { try file.check(0..<file.part.bytes) }
  }

  /// Whether this is the later one.
  func isNewer(than other: StoreState) -> Bool {
    (manifest.version, sequence) > (other.manifest.version, other.sequence)
  }
}

/// Reads the state from the disk, as little of it as is new.
struct StateLoader {
  let disk: Disk
  let limits: Limits

  /// The manifest; `nil` where there is no store.
  func manifest() throws(StoreError) -> Manifest? {
    guard let file = try disk.open(Manifest.name) else { return nil }
    let size = try file.information().size
    // A manifest names some collections and journal files; megabytes of it are none.
    guard size < 1 << 22 else {
      throw StoreError(.damaged, "the manifest is too long", path: disk.path(Manifest.name), offset: 1 << 22)
    }
    return try Manifest(text: try file.bytes(count: size), path: disk.path(Manifest.name), repair: disk.remedies.repair)
  }

  /// The state under a manifest; `nil` where its files are gone because a newer manifest came.
  ///
  /// - Parameters:
  ///   - known: what was known before; files that both name are not opened again.
  ///   - bounds: where the journal ends as far as it counts, if that is known.
  func state(
    _ manifest: Manifest, known: StoreState?, _ bounds: JournalFile.Bounds
  ) throws(StoreError) -> (state: StoreState, torn: Int)? {
    if let known, known.manifest == manifest {
      if case .exactly(let end) = bounds, end <= known.end { return (known, 0) }
      return try extended(known, bounds)
    }
    var tables: [String: Table] = [:]
    for part in manifest.parts {
      let published: PublishedFile
      if let old = known?.tables[part.collection]?.published, old.part == part {
        published = old
      } else {
        guard let opened = try PublishedFile(part, on: disk) else { return nil }
        published = opened
      }
      tables[part.collection] = Table(published: published, count: part.records)
    }
    var gatherer = ChangeGatherer()
    var sequence = manifest.folded
    for segment in manifest.segments {
      let isActive = segment == manifest.active
      if manifest.isHistory(segment) { continue }
      guard let file = try disk.open(segment.fileName, .read) else { return nil }
      let journal = JournalFile(file: file, segment: segment, leastWindow: limits.journalWindow)
      let ending = try read(
        journal, from: 0, isActive ? bounds : .unknown, sequence: segment.first, after: manifest.folded,
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
      state.journal, from: state.end, bounds, sequence: state.sequence + 1, after: state.manifest.folded,
      &state.sequence, &gatherer)
    state.end = ending.end
    gatherer.apply(to: &state.tables)
    return (state, ending.torn)
  }

  private func read(
    _ journal: JournalFile, from start: Int, _ bounds: JournalFile.Bounds, sequence first: UInt64, after folded: UInt64,
    _ sequence: inout UInt64, _ gatherer: inout ChangeGatherer
  ) throws(StoreError) -> JournalFile.Verdict {
    try journal.read(from: start, bounds, sequence: first) { (frame, place) throws(StoreError) in
      sequence = frame.sequence
      guard frame.sequence > folded else { return }
      let mapping = try journal.mapping(place + frame.bytes)
      gatherer.keep(mapping)
      try journal.changes(of: frame, at: place, in: mapping) { (change) throws(StoreError) in gatherer.add(change) }
    }
  }
}

/// Sizes that the store keeps to.
package struct Limits: Sendable {
  /// The journal is folded once it is longer than this and than a share of the collection files that it changes.
  package var foldJournal = 4 << 20
  /// That share, as a divisor. With 1 the files at least double from fold to fold while a store grows, so that all
  /// folds together write no more than twice what was committed.
  package var foldShare = 1
  /// The journal is folded at this length in any case.
  package var foldAlways = 64 << 20
  /// How much of the folded journal is kept for the change feed.
  package var keptJournal = 64 << 20
  /// How much of the address space a journal file gets at least.
  package var journalWindow = 64 << 20
  /// How many bytes of records that are put together are held; more are sorted on the disk.
  package var loadBuffer = 16 << 20
  /// Up to so many bytes a collection's published file is renewed after every command that commits.
  package var viewAlways = 1 << 20
  /// A longer one is renewed where at least this share of it, as a divisor, was committed since …
  package var viewShare = 8
  /// … or where it is older than the time in which so many bytes a second are written: a hundredth of what a slow disk
  /// does.
  package var viewPace = 2_500_000
  /// Up to so many bytes it is a copy of the collection file, and is renewed while somebody may wait for it.
  package var viewCopied = 8 << 20
  /// Up to so many it is renewed in the background; compaction renews longer ones.
  package var viewMost = 64 << 20
  /// A writer checks the collection files before it adds to them, if they have no more bytes than this in all: it
  /// takes a fraction of a millisecond. Longer ones are checked where they are read.
  package var checkedMost = 1 << 20

  package init() {}
}
