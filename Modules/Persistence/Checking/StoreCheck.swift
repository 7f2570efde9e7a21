import Models
import Ports

/// Reads every byte of a store and says what is wrong, all of it.
struct StoreCheck {
  let disk: Disk
  let limits: Limits
  /// What is known of the end of the journal under a manifest.
  let bounds: (Manifest) throws(StoreError) -> JournalFile.Bounds
  private(set) var findings: [StoreFinding] = []
  /// Whether something that no record depends on is to be written anew: an index, or what the change feed reads.
  var needsRewrite: Bool { !rewritten.isEmpty }
  /// What is said of that: a repair does it.
  private(set) var rewritten: [StoreFinding] = []

  struct ChangedFile {
    /// Whether all of these lines are records.
    var isLoadable: Bool
    /// Whether they come from commits that the store has lost, and not from another program.
    var isLost: Bool
  }

  private(set) var changedFiles: [String: ChangedFile] = [:]

  /// What is said last of commits that are not there any more: nothing else depends on it.
  private var lost: StoreFinding?

  /// What was found of a write that was broken off; the next writer cuts it off.
  private(set) var truncatedTail: (finding: StoreFinding, keptAs: String)?

  init(disk: Disk, limits: Limits, bounds: @escaping (Manifest) throws(StoreError) -> JournalFile.Bounds) {
    (self.disk, self.limits, self.bounds) = (disk, limits, bounds)
  }

  /// - Throws: where a file cannot be read at all, or the format is a newer one.
  mutating func run(loneFile: StoreError?) throws(StoreError) {
    try lookForNestedStores()
    if let loneFile { return add(loneFile) }
    let manifest: Manifest
    do throws(StoreError) {
      guard let found = try StateLoader(disk: disk, limits: limits).manifest() else { return }
      manifest = found
    } catch {
      if error.code != .damaged { throw error }
      return add(error)
    }
    for part in manifest.parts {
      try collect(part.collection) { (check) throws(StoreError) in try check.look(at: part, manifest) }
    }
    for run in manifest.history?.runs ?? [] {
      try collect(run.part.collection) { (check) throws(StoreError) in try check.look(at: run.part, manifest) }
    }
    if let history = manifest.history, findings.allSatisfy({ $0.severity == .note }) {
      for part in manifest.parts {
        try collect(part.collection) { (check) throws(StoreError) in try check.undoAll(history, of: part) }
      }
    }
    for segment in manifest.segments {
      try collect { (check) throws(StoreError) in try check.look(at: segment, manifest) }
    }
    // Where something is damaged, lines that are no more there may be all that is left.
    if findings.allSatisfy({ $0.severity == .note }) {
      try collect { (check) throws(StoreError) in try check.lookAtPublishedFiles(manifest) }
    }
    if let lost { findings.append(lost) }
  }

  @discardableResult
  private mutating func note(
    _ name: String, _ offset: Int?, _ message: String, _ suggestion: Advice, _ collection: String? = nil
  ) -> StoreFinding {
    let finding = StoreFinding(
      .note, path: disk.path(name), offset: offset, message: message, suggestion: suggestion,
      collection: collection.map { CollectionName(rawValue: $0) })
    findings.append(finding)
    return finding
  }

  private mutating func add(_ error: StoreError, _ collection: String? = nil) {
    findings.append(
      StoreFinding(
        .damage, path: error.path ?? disk.system.path, offset: error.offset, message: error.message,
        suggestion: disk.suggestions.repair, collection: collection.map { CollectionName(rawValue: $0) }))
  }

  private mutating func collect(
    _ collection: String? = nil, _ body: (inout StoreCheck) throws(StoreError) -> Void
  ) throws(StoreError) {
    do throws(StoreError) { try body(&self) } catch {
      if error.code != .damaged { throw error }
      add(error, collection)
    }
  }

  private mutating func look(at part: Manifest.Part, _ manifest: Manifest) throws(StoreError) {
    guard let published = try CollectionFile(part, on: disk) else {
      let isThere = try disk.open(part.fileName) != nil
      throw StoreError(
        .damaged, isThere ? "the file with the checksums is missing" : "the file is missing",
        path: disk.path(isThere ? part.sumsName : part.fileName), offset: 0)
    }
    var (damaged, first): (Int, Int?) = (0, nil)
    for start in stride(from: 0, to: part.bytes, by: CollectionFile.blockSize) {
      let block = start..<min(start + CollectionFile.blockSize, part.bytes)
      do throws(StoreError) { try published.check(block) } catch {
        if error.code != .damaged { throw error }
        damaged += block.count
        first = first ?? start
      }
    }
    let isWhole = first == nil
    if let first {
      add(published.damaged("\(damaged) bytes, in blocks of 1,024, are not what was written", first), part.collection)
    }
    if XXHash64.sum(published.sumsSlice.raw) != part.sum {
      if !isWhole {
        let path = disk.path(part.sumsName)
        throw StoreError(.damaged, "the checksums are not those that were written", path: path, offset: 0)
      }
      // Every block agrees with its checksum, so it is the index behind them, by which nothing is decided.
      rewritten.append(
        note(
          part.sumsName, 0, "the index is not what was written; lookups work without it, but take longer",
          disk.suggestions.repair, part.collection))
    }
    if !isWhole { return }
    var count = 0
    var last: [UInt8] = []
    var reader = CollectionFile.Reader(file: published, offset: 0)
    _ = try reader.hand(upTo: nil, prefix: .empty) { (line) throws(StoreError) in
      let offset = line.base - published.slice.base
      guard let key = RecordKey(of: line), let id = key.unescaped() else {
        throw published.damaged("a line does not begin with an id", offset)
      }
      if count > 0, !last.lexicographicallyPrecedes(id) { throw published.damaged("ids are not in order", offset) }
      last = id
      count += 1
      return .next
    }
    if count != part.records { throw published.damaged("\(count) records, not \(part.records)", 0) }
  }

  /// Undoes every change of a collection once: each must fit to its record.
  private func undoAll(_ history: History, of part: Manifest.Part) throws(StoreError) {
    var past = PastCollection(table: Table(published: try CollectionFile(part, on: disk)), commit: 0)
    past.skipped = history.lost.filter { $0.collection == part.collection }
    for run in history.runs(of: part.collection).reversed() {
      if let file = try CollectionFile(run.part, on: disk) { past.runs.append(file) }
    }
    try past.scan(prefix: .empty, after: nil) { (_) throws(StoreError) in .next }
  }

  /// A backup that is copied to the store's path while there is a store becomes a folder in it, and is never read.
  private mutating func lookForNestedStores() throws(StoreError) {
    for name in try disk.nestedStores() {
      note(
        name, nil,
        "a store lies within the store, and is not used: it may be a backup that was restored to the wrong place",
        "to use it, stop every program that uses the store, move '\(disk.system.path)' away, and rename "
          + "'\(name)' in it to '\(disk.system.path)'; otherwise move '\(name)' out of the store")
    }
  }

  /// Notes, or reports as a blocker, that the disk has too little room.
  ///
  /// - Parameter rewritten: how many bytes the next compaction writes.
  mutating func lookForRoom(rewritten: Int) {
    guard let room = disk.system.room(for: limits.commitRoom) else { return }
    let hint: Advice = "free some space, or raise the quota"
    if !room.isEnough {
      findings.append(
        StoreFinding(
          .blocked, path: disk.system.path,
          message: "the disk is full, or the quota is used up: \(room.free) bytes are free, and a commit needs up to "
            + "\(limits.commitRoom)", suggestion: hint))
    } else if room.free < rewritten {
      findings.append(
        StoreFinding(
          .note, path: disk.system.path,
          message:
            "\(room.free) bytes of the disk are free, and the next compaction writes \(rewritten): until there is "
            + "more room, the journal grows", suggestion: hint))
    }
  }

  /// The files that people read may be missing or older than the store, which `behind` tells of; but every line of them
  /// must be a record that the store has had. An editor may have put another file there.
  private mutating func lookAtPublishedFiles(_ manifest: Manifest) throws(StoreError) {
    var views: [(collection: String, file: OpenFile)] = []
    for name in try disk.names().sorted() where name.hasSuffix(Manifest.Part.publishedSuffix) {
      let collection = String(name.dropLast(Manifest.Part.publishedSuffix.count))
      // What is not a file, a link or a folder, is behind.
      guard let file = try? disk.open(name), try !isOwn(file, collection, manifest) else { continue }
      views.append((collection, file))
    }
    var known = KnownLines(of: views.map(\.collection))
    for part in manifest.parts + manifest.kept { try known.add(part, on: disk) }
    var last = manifest.compacted
    for segment in manifest.segments { last = max(last, try known.add(segment, on: disk, limits)) }
    let ahead = Dictionary(
      uniqueKeysWithValues: try PublishedLog(on: disk).ahead(of: last).map { ($0.name, $0.commit!) })
    for (collection, file) in views {
      let unknown = try known.unknown(in: file, of: collection)
      guard let first = unknown.first else { continue }
      let path = disk.path(file.name)
      // A file of somebody else's, in a store that never had such a collection.
      let published = ahead[file.name]
      guard
        published != nil || known.isKnown(collection) || manifest.parts.contains(where: { $0.collection == collection })
      else { continue }
      // Nobody loads records of the store's own state.
      let isLoadable = unknown.others == 0 && !CollectionName(rawValue: collection).isInternal
      changedFiles[path] = ChangedFile(isLoadable: isLoadable, isLost: published != nil)
      findings.append(
        StoreFinding(
          .damage, path: path, offset: first,
          message: published.map {
            "holds \(unknown.text) of commits that the store has lost: it was published after commit \($0), and the store "
              + "ends with commit \(last)"
          } ?? "changed from outside: \(unknown.text)",
          suggestion: disk.isBackup
            ? disk.suggestions.changeBackup(disk.system.path)
            : isLoadable
              ? "\(disk.suggestions.load(path)) to take the changes over, or \(disk.suggestions.repair) to write the store's own file"
              : "\(disk.suggestions.repair): it keeps this file aside and writes the store's own",
          collection: CollectionName(rawValue: collection)))
    }
  }

  /// Whether a file is a name of a collection file, or has the same bytes.
  private func isOwn(_ file: OpenFile, _ collection: String, _ manifest: Manifest) throws(StoreError) -> Bool {
    let found = try file.information()
    for part in manifest.parts + manifest.kept where part.collection == collection {
      if try disk.open(part.fileName)?.information().identity == found.identity { return true }
    }
    return false
  }

  private mutating func look(at segment: Manifest.Segment, _ manifest: Manifest) throws(StoreError) {
    do throws(StoreError) {
      guard let journal = try JournalFile.open(segment, on: disk, limits) else {
        throw StoreError(.damaged, "the file is missing", path: disk.path(segment.fileName), offset: 0)
      }
      let isActive = segment == manifest.active
      let verdict = try journal.read(from: 0, isActive ? try bounds(manifest) : .unknown, sequence: segment.first) {
        (frame, offset) throws(StoreError) in
        let mapping = try journal.mapping(offset + frame.bytes)
        try journal.changes(of: frame, at: offset, in: mapping) { (_) throws(StoreError) in }
      }
      if verdict.truncated > 0 {
        let kept = Writer.cutName(segment, at: verdict.end)
        let finding = note(
          segment.fileName, verdict.end,
          "\(verdict.truncated) bytes after commit \(verdict.next - 1) are not a whole commit: its write was broken off",
          "the next write cuts them off and keeps them as \(kept)")
        truncatedTail = (finding, kept)
      }
      if verdict.missing > 0 {
        lost = StoreFinding(
          .loss, path: disk.path(segment.fileName), offset: verdict.end,
          message:
            "\(verdict.missing) bytes are missing after commit \(verdict.next - 1): the file was cut, and commits are lost; "
            + "or the folder was copied while a program wrote to it",
          suggestion: "copy the store again, if it is a copy; otherwise a sync fetches what servers have")
      }
    } catch {
      guard error.code == .damaged, manifest.isHistory(segment) else { throw error }
      rewritten.append(
        note(
          segment.fileName, error.offset,
          "the change feed cannot hand out the commits from here on: \(error.message); no record is lost",
          "\(disk.suggestions.repair); readers of the change feed then begin again"))
    }
  }
}
