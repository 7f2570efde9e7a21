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
  private(set) var needsRewrite = false

  init(
    disk: Disk, limits: Limits, bounds: @escaping (Manifest) throws(StoreError) -> JournalFile.Bounds
  ) {
    self.disk = disk
    self.limits = limits
    self.bounds = bounds
  }

  private static let mend = "run 'almanac doctor --repair'"

  /// - Throws: where a file cannot be read at all, or the format is a newer one.
  mutating func run(loneFile: StoreError?) throws(StoreError) {
    if let loneFile { return add(loneFile) }
    let manifest: Manifest
    do throws(StoreError) {
      guard let found = try StateLoader(disk: disk, limits: limits).manifest() else {
        return try collect { (check) throws(StoreError) in _ = try LegacyFolder(disk: check.disk).tables() }
      }
      manifest = found
    } catch {
      if error.code != .damaged { throw error }
      return add(error)
    }
    for part in manifest.parts { try collect { (check) throws(StoreError) in try check.look(at: part, manifest) } }
    for segment in manifest.segments {
      try collect { (check) throws(StoreError) in try check.look(at: segment, manifest) }
    }
    // Where something is damaged, lines that are no more there may be all that is left.
    if findings.isEmpty {
      let views = Set(CollectionName.listed.map(\.rawValue) + manifest.parts.map(\.collection)).sorted()
      for name in views { try collect { (check) throws(StoreError) in try check.lookAtView(of: name, manifest) } }
    }
    let open = try disk.names().sorted().filter { name in
      guard let file = try? disk.open(name) else { return false }
      return (try? file.information())?.isOpenToOthers == true
    }
    if open.isEmpty { return }
    let names = open.prefix(3).joined(separator: ", ") + (open.count > 3 ? " and \(open.count - 3) more" : "")
    note(
      "", nil, "others may read or write \(open.count == 1 ? "a file" : "\(open.count) files"): \(names)",
      "chmod -R go= '\(disk.system.path)'")
  }

  private mutating func note(_ name: String, _ offset: Int?, _ message: String, _ mend: String) {
    findings.append(
      StoreFinding(
        .note, path: name.isEmpty ? disk.system.path : disk.path(name), offset: offset, message: message, mend: mend))
  }

  private mutating func add(_ error: StoreError) {
    findings.append(
      StoreFinding(
        .damage, path: error.path ?? disk.system.path, offset: error.offset, message: error.message, mend: Self.mend))
  }

  /// Turns damage into a finding.
  private mutating func collect(_ body: (inout StoreCheck) throws(StoreError) -> Void) throws(StoreError) {
    do throws(StoreError) { try body(&self) } catch {
      if error.code != .damaged { throw error }
      add(error)
    }
  }

  private mutating func look(at part: Manifest.Part, _ manifest: Manifest) throws(StoreError) {
    guard let published = try PublishedFile(part, on: disk) else {
      throw StoreError(.damaged, "the file is missing", path: disk.path(part.fileName), offset: 0)
    }
    for start in stride(from: 0, to: part.bytes, by: PublishedFile.blockSize) {
      try collect { (_) throws(StoreError) in
        try published.check(start..<min(start + PublishedFile.blockSize, part.bytes))
      }
    }
    let isWhole = !findings.contains { $0.path == published.path }
    if XXHash64.sum(published.sumsSlice.raw) != part.sum {
      if !isWhole {
        let path = disk.path(part.sumsName)
        throw StoreError(.damaged, "the checksums are not those that were written", path: path, offset: 0)
      }
      // Every block agrees with its checksum, so it is the index behind them, by which nothing is decided.
      needsRewrite = true
      note(part.sumsName, 0, "the index is not what was written; lookups do without it", Self.mend)
    }
    if !isWhole { return }
    var place = 0
    var count = 0
    var last: [UInt8] = []
    while place < part.bytes {
      let end = try published.lineEnd(from: place)
      let line = published.slice[place..<end]
      guard let key = RecordKey(of: line), let id = key.unescaped() else {
        throw published.damaged("a line does not begin with an id", place)
      }
      if count > 0, !last.lexicographicallyPrecedes(id) { throw published.damaged("ids are not in order", place) }
      last = id
      count += 1
      place = end + 1
    }
    if count != part.records { throw published.damaged("\(count) records, not \(part.records)", 0) }
  }

  /// The file that people read may be missing or older than the store, which `behind` tells of; but every line of it
  /// must be a record that the store has had. An editor may have put another file there.
  private mutating func lookAtView(of collection: String, _ manifest: Manifest) throws(StoreError) {
    let name = collection + Manifest.Part.publishedSuffix
    let parts = (manifest.parts + manifest.kept).filter { $0.collection == collection }
    guard let named = try disk.open(name) else { return }
    let identity = try named.information().identity
    // A migration that was killed leaves the file of the old format.
    for file in parts.map(\.fileName) + [name + LegacyFolder.suffix]
    where try disk.open(file)?.information().identity == identity { return }
    var known = KnownLines(collection: collection)
    for part in parts { try known.add(part, on: disk) }
    for segment in manifest.segments { try known.add(segment, on: disk, limits) }
    if try known.hold(named) { return }
    findings.append(
      StoreFinding(
        .damage, path: disk.path(name), offset: 0, message: "the file was replaced from outside",
        mend: "'almanac doctor --repair' puts the store's own back; to take the changes over, import them"))
  }

  private mutating func look(at segment: Manifest.Segment, _ manifest: Manifest) throws(StoreError) {
    do throws(StoreError) {
      guard let file = try disk.open(segment.fileName) else {
        throw StoreError(.damaged, "the file is missing", path: disk.path(segment.fileName), offset: 0)
      }
      let journal = JournalFile(file: file, segment: segment, leastWindow: limits.journalWindow)
      let isActive = segment == manifest.active
      let verdict = try journal.read(
        from: 0, isActive ? try bounds(manifest) : .unknown, sequence: segment.first
      ) { (frame, place) throws(StoreError) in
        let mapping = try journal.mapping(place + frame.bytes)
        try journal.changes(of: frame, at: place, in: mapping) { (_) throws(StoreError) in }
      }
      if verdict.torn > 0 {
        note(
          segment.fileName, verdict.end,
          "\(verdict.torn) bytes after commit \(verdict.next - 1) are not a whole commit: its write was broken off",
          "the next write cuts them off and keeps them")
      }
      if verdict.missing > 0 {
        note(
          segment.fileName, verdict.end,
          "\(verdict.missing) bytes are missing after commit \(verdict.next - 1): the file was cut, and commits are lost; "
            + "or the folder was copied while a program wrote to it", "copy the store again, if it is a copy")
      }
    } catch {
      guard error.code == .damaged, manifest.isHistory(segment) else { throw error }
      needsRewrite = true
      note(
        segment.fileName, error.offset,
        "the change feed cannot hand out the commits from here on: \(error.message); no record is lost",
        "\(Self.mend); who follows the feed then begins again")
    }
  }
}
