import Models
import Ports

/// A state of the store: the manifest, and what follows from it and the journal.
struct StoreState: Sendable {
  var manifest: Manifest
  var sequence: UInt64
  var tables: [String: Table]
  /// The journal file that is appended to, and where its last whole transaction ends.
  var journal: JournalFile
  var end: Int
  /// The manifest, as a writer of this process read or wrote it.
  var manifestFile: WatchedFile?

  /// Checks the collection files, if their total size is within the limit.
  func checkFiles(upTo most: Int) throws(StoreError) {
    let files = tables.values.compactMap(\.published)
    if files.reduce(0, { $0 + $1.part.bytes }) > most { return }
    for file in files { try file.checkAll() }
  }

  /// Checks the collection files that were written to since they were opened: nobody should.
  ///
  /// O(1) for each file that was not touched.
  ///
  /// - Returns: whether all of them still have a name; another file may have the name of one that has not.
  func checkTouchedFiles() throws(StoreError) -> Bool {
    for table in tables.values where try table.published?.checkIfTouched() == false { return false }
    return true
  }

  /// Checks that the journal still has everything that was read from it.
  func checkLength() throws(StoreError) {
    let size = try journal.file.information().size
    if size < end { throw journal.tooShort(by: end - size, size) }
  }

  /// Whether nothing was written to the journal and the manifest since this process wrote the mark.
  func isAsLeft(_ mark: CommitMark) throws(StoreError) -> Bool {
    guard mark.end == end, mark.describes(try journal.file.information()) else { return false }
    return try manifestFile?.isTouched == false
  }

  func isNewer(than other: StoreState) -> Bool {
    (manifest.version, sequence) > (other.manifest.version, other.sequence)
  }
}

/// Reads the state from the disk, as far as it is new.
struct StateLoader {
  let disk: Disk
  let limits: Limits

  func manifest() throws(StoreError) -> Manifest? { try openManifest()?.manifest }

  func openManifest() throws(StoreError) -> (manifest: Manifest, file: WatchedFile)? {
    guard let file = try disk.open(Manifest.name) else { return nil }
    let size = try file.information().size
    // A manifest names a few files; megabytes cannot be one.
    guard size < 1 << 22 else {
      throw StoreError(.damaged, "the manifest is longer than 4 MiB", path: disk.path(Manifest.name), offset: 1 << 22)
    }
    let watched = try WatchedFile(file)
    let manifest = try Manifest(
      text: try file.bytes(count: size), path: disk.path(Manifest.name), repair: disk.suggestions.repair)
    return (manifest, watched)
  }

  /// The error where files that the manifest names are not there; its path is that of the first one.
  func missingFile() -> StoreError {
    let names = (try? manifest())?.fileNames ?? []
    let missing = names.first { (try? disk.open($0)).flatMap(\.self) == nil }
    return StoreError(
      .damaged,
      missing == nil ? "files of the store were replaced while it was read" : "a file of the store is missing",
      hint: disk.suggestions.repair, path: disk.path(missing ?? Manifest.name))
  }

  /// The state under a manifest, with the number of bytes of a broken write after it, and of acknowledged commits that are
  /// not there; `nil` where its files are gone because a newer manifest came.
  ///
  /// - Parameters:
  ///   - known: an earlier state; files that both name are not opened again.
  ///   - bounds: where the valid part of the journal ends, as far as it is known.
  func state(
    _ manifest: Manifest, known: StoreState?, _ bounds: JournalFile.Bounds
  ) throws(StoreError) -> (state: StoreState, truncated: Int, missing: Int)? {
    if let known, known.manifest == manifest {
      if case .exactly(let end) = bounds.known, end <= known.end { return (known, 0, 0) }
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
      guard let journal = try JournalFile.open(segment, on: disk, limits) else { return nil }
      let ending = try read(
        journal, from: 0, isActive ? bounds : .unknown, sequence: segment.first, after: manifest.compacted,
        &sequence, &gatherer)
      guard isActive else { continue }
      gatherer.apply(to: &tables, from: journal)
      let state = StoreState(manifest: manifest, sequence: sequence, tables: tables, journal: journal, end: ending.end)
      return (state, ending.truncated, ending.missing)
    }
    return nil
  }

  private func extended(_ known: StoreState, _ bounds: JournalFile.Bounds) throws(StoreError) -> (
    state: StoreState, truncated: Int, missing: Int
  ) {
    var state = known
    var gatherer = ChangeGatherer()
    let ending = try read(
      state.journal, from: state.end, bounds, sequence: state.sequence + 1, after: state.manifest.compacted,
      &state.sequence, &gatherer)
    state.end = ending.end
    gatherer.apply(to: &state.tables, from: state.journal)
    return (state, ending.truncated, ending.missing)
  }

  private func read(
    _ journal: JournalFile, from start: Int, _ bounds: JournalFile.Bounds, sequence first: UInt64,
    after compacted: UInt64, _ sequence: inout UInt64, _ gatherer: inout ChangeGatherer
  ) throws(StoreError) -> JournalFile.Verdict {
    try journal.read(from: start, bounds, sequence: first) { (frame, position) throws(StoreError) in
      sequence = frame.sequence
      if frame.sequence > compacted { try gatherer.add(frame, at: position, of: journal) }
    }
  }
}

/// The state of a collection: its file and the changes since.
struct Table: Sendable {
  var published: CollectionFile?
  /// Oldest first.
  var runs: [SortedRun] = []
  var count = 0
  /// The journal file that the runs are read from, if they are; for errors.
  var journal: JournalFile?

  func record(_ key: ByteSlice) throws(StoreError) -> [UInt8]? {
    for run in runs.reversed() {
      guard let entry = run.entry(key) else { continue }
      if entry.isTombstone { return nil }
      let record = entry.record.array
      // The copy is checked, so that nothing can change in between.
      let isIntact = record.withByteSlice { SortedRun.Entry(key: key, record: $0, sum: entry.sum).isIntact }
      guard isIntact else { throw damaged(entry) }
      return record
    }
    return try published?.record(key)
  }

  private func damaged(_ entry: SortedRun.Entry) -> StoreError {
    let message = "a record of a commit is not what was written"
    return journal?.damaged(message, journal?.offset(of: entry.record)) ?? StoreError(.damaged, message)
  }

  /// Passes on the records of a range; newer changes replace older ones.
  func scan(
    prefix: ByteSlice, after: ByteSlice?, extra: SortedRun? = nil, _ body: (ByteSlice) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    var reader = try published?.reader(prefix: prefix, after: after)
    var cursors: [(run: SortedRun, position: Int)] = []
    for run in runs + (extra.map { [$0] } ?? []) {
      cursors.append((run, Self.start(in: run, prefix: prefix, after: after)))
    }
    if cursors.count == 1 { return try scan(cursors[0].run.entries, cursors[0].position, &reader, prefix, body) }
    while true {
      // The smallest id of all runs; the newest run that has it takes precedence.
      var next: SortedRun.Entry?
      for cursor in cursors where cursor.position < cursor.run.entries.count {
        let entry = cursor.run.entries[cursor.position]
        if next == nil || entry.key.compare(next!.key) <= 0 { next = entry }
      }
      if let found = next, !found.key.starts(with: prefix) { next = nil }
      guard let next else {
        _ = try reader?.hand(upTo: nil, prefix: prefix, body)
        return
      }
      if try reader?.hand(upTo: next.key, prefix: prefix, body) == .stop { return }
      for index in cursors.indices {
        let (run, position) = cursors[index]
        if position < run.entries.count, run.entries[position].key == next.key { cursors[index].position += 1 }
      }
      if next.isTombstone { continue }
      guard next.isIntact else { throw damaged(next) }
      if try body(next.record) == .stop { return }
    }
  }

  /// The same with one run, the most frequent case.
  private func scan(
    _ entries: [SortedRun.Entry], _ start: Int, _ reader: inout CollectionFile.Reader?, _ prefix: ByteSlice,
    _ body: (ByteSlice) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    var position = start
    while position < entries.count {
      let entry = entries[position]
      guard entry.key.starts(with: prefix) else { break }
      if try reader?.hand(upTo: entry.key, prefix: prefix, body) == .stop { return }
      position += 1
      if entry.isTombstone { continue }
      guard entry.isIntact else { throw damaged(entry) }
      if try body(entry.record) == .stop { return }
    }
    _ = try reader?.hand(upTo: nil, prefix: prefix, body)
  }

  private static func start(in run: SortedRun, prefix: ByteSlice, after: ByteSlice?) -> Int {
    let start = run.position(of: prefix)
    guard let after else { return start }
    let position = run.position(of: after)
    return max(start, position < run.entries.count && run.entries[position].key == after ? position + 1 : position)
  }
}
