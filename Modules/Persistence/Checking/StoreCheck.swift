import Ports

/// Reads every byte of a store and says what is wrong, all of it.
struct StoreCheck {
  let disk: Disk
  let limits: Limits
  private(set) var findings: [StoreFinding] = []

  init(disk: Disk, limits: Limits) {
    self.disk = disk
    self.limits = limits
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
      try collect { (check) throws(StoreError) in try check.look(at: segment, isActive: segment == manifest.active) }
    }
    for name in try disk.names().sorted() {
      guard let file = try? disk.open(name), (try? file.information())?.isOpenToOthers == true else { continue }
      findings.append(
        StoreFinding(
          .note, path: disk.path(name), message: "others may read or write this file", mend: "chmod 600 it"))
    }
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
    if XXHash64.sum(published.sumsSlice.raw) != part.sum {
      let path = disk.path(part.sumsName)
      throw StoreError(.damaged, "the checksums are not those that were written", path: path, offset: 0)
    }
    for start in stride(from: 0, to: part.bytes, by: PublishedFile.blockSize) {
      try collect { (_) throws(StoreError) in
        try published.check(start..<min(start + PublishedFile.blockSize, part.bytes))
      }
    }
    if findings.contains(where: { $0.path == published.path }) { return }
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
    try lookAtName(of: part, published, manifest)
  }

  /// The name that people know is a second one of the same file; an editor may have put another file there.
  private mutating func lookAtName(
    of part: Manifest.Part, _ published: PublishedFile, _ manifest: Manifest
  ) throws(StoreError) {
    guard let named = try disk.open(part.publishedName), let file = try disk.open(part.fileName) else {
      findings.append(
        StoreFinding(
          .note, path: disk.path(part.publishedName), message: "the file is missing; its records are not",
          mend: "run 'almanac compact'"))
      return
    }
    if try named.information().identity == file.information().identity { return }
    let size = try named.information().size
    if size == part.bytes, try named.bytes(count: size).withSlice({ $0 == published.slice }) { return }
    // A writer that was killed just before it renewed the name leaves the file of before.
    let older = manifest.kept.filter { $0.collection == part.collection }.map(\.fileName)
    for name in older + [part.publishedName + LegacyFolder.suffix] {
      guard try disk.open(name)?.information().identity == named.information().identity else { continue }
      findings.append(
        StoreFinding(
          .note, path: disk.path(part.publishedName), message: "the file is older than the store; its records are not",
          mend: "the next write renews it"))
      return
    }
    findings.append(
      StoreFinding(
        .damage, path: disk.path(part.publishedName), offset: 0, message: "the file was replaced from outside",
        mend: "'almanac doctor --repair' puts the store's own back; to take the changes over, import them"))
  }

  private mutating func look(at segment: Manifest.Segment, isActive: Bool) throws(StoreError) {
    guard let file = try disk.open(segment.fileName) else {
      throw StoreError(.damaged, "the file is missing", path: disk.path(segment.fileName), offset: 0)
    }
    let journal = JournalFile(file: file, segment: segment, leastWindow: limits.journalWindow)
    let ending = try journal.read(from: 0, .unknown, sequence: segment.first) { (frame, place) throws(StoreError) in
      let mapping = try journal.mapping(place + frame.bytes)
      try journal.changes(of: frame, at: place, in: mapping) { (_) throws(StoreError) in }
    }
    if ending.torn > 0, isActive {
      findings.append(
        StoreFinding(
          .note, path: disk.path(segment.fileName), offset: ending.end,
          message: "\(ending.torn) bytes of a transaction that was never finished",
          mend: "the next write cuts them off and keeps them"))
    }
  }
}
