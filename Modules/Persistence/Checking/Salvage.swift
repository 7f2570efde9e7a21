import Ports

/// Makes a whole store out of a damaged one: everything readable goes into new files, what is damaged is kept beside.
///
/// A record on a damaged block of a collection file is looked for in the journal, which is kept for a while after it
/// was folded, and in the file of the generation before.
struct Salvage {
  /// What is added to the name of a damaged file.
  static let suffix = ".damaged"

  let store: JSONFileStore
  let lock: LockFile
  private(set) var findings: [StoreFinding] = []
  private var disk: Disk { store.disk }
  private var tables: [String: [Run]] = [:]
  private var sequence: UInt64 = 0

  init(store: JSONFileStore, lock: LockFile) {
    self.store = store
    self.lock = lock
  }

  mutating func run(at: Int) throws(StoreError) {
    let names = try disk.names().sorted()
    let manifest = (try? StateLoader(disk: disk, limits: store.limits).manifest()).flatMap { $0 }
    // After a lost manifest any file may be the newest: the later versions win.
    let parts = manifest.map { $0.kept + $0.parts } ?? Self.parts(in: names)
    var versions = [manifest?.version ?? 0]
    for part in parts.sorted(by: { $0.version < $1.version }) {
      versions.append(part.version)
      let isLast = !parts.contains { $0.collection == part.collection && $0.version > part.version }
      try take(part, isKnown: manifest != nil, isLast: isLast)
    }
    sequence = manifest?.folded ?? 0
    let numbers = names.filter { $0.hasPrefix("journal.") && !$0.hasSuffix(Self.suffix) }
      .compactMap { UInt64($0.dropFirst(8), radix: 16) }.sorted()
    for number in numbers { try take(journal: number, manifest) }
    let next = (numbers.last ?? 0) + 1
    let provisional = Manifest(
      version: versions.max()!, store: manifest?.store ?? disk.system.randomNumber(), folded: sequence, foldedAt: at,
      parts: [], kept: [], segments: [Manifest.Segment(number: next, first: sequence + 1, sealed: nil)])
    let journal = try Writer.makeJournal(number: next, first: sequence + 1, store: store)
    let writer = Writer(
      store: store, lock: lock,
      state: StoreState(manifest: provisional, sequence: sequence, tables: [:], journal: journal, end: 0))
    try keepPublished(names)
    try writer.begin(
      with: tables.mapValues { Table(runs: $0) }, version: provisional.version + 1, sequence: sequence, at: at)
    try writer.removeStrangers()
  }

  /// Files of collections as their names tell of them.
  private static func parts(in names: [String]) -> [Manifest.Part] {
    names.filter { $0.hasSuffix(".records") }.compactMap { name in
      let words = name.split(separator: ".")
      guard words.count == 3, let version = UInt64(words[1], radix: 16) else { return nil }
      return Manifest.Part(collection: String(words[0]), version: version, records: 0, bytes: 0, sum: 0)
    }
  }

  /// Takes the good lines of a collection file.
  private mutating func take(_ part: Manifest.Part, isKnown: Bool, isLast: Bool) throws(StoreError) {
    guard let file = try disk.open(part.fileName) else {
      if isLast { note(part.fileName, nil, "the file is missing", .damage) }
      return
    }
    let size = try file.information().size
    let mapping = try file.map(capacity: size)
    let slice = Slice(mapping.base, count: size)
    let sums = try disk.open(part.sumsName).map { (file) throws(StoreError) in
      try file.bytes(count: try file.information().size)
    }
    let good = { (block: Int) -> Bool in
      guard let sums, sums.count >= block * 8 + 8 else { return false }
      let start = block * PublishedFile.blockSize
      let bytes = slice[start..<min(start + PublishedFile.blockSize, size)]
      return sums.withSlice {
        UnsafeRawPointer($0.base + block * 8).loadUnaligned(as: UInt64.self).littleEndian == XXHash64.sum(bytes.raw)
      }
    }
    var entries: [Run.Entry] = []
    var owners: [any AnyObject & Sendable] = [mapping]
    var gaps: [ClosedRange<Int>] = []
    var place = 0
    while place < size {
      let end = slice.first(0x0A, from: place) ?? size
      let blocks = place / PublishedFile.blockSize...min(end, size - 1) / PublishedFile.blockSize
      let line = slice[place..<end]
      if blocks.allSatisfy(good), end < size, let key = RecordKey(of: line), let id = key.unescaped() {
        let arena = Arena(id)
        owners.append(arena)
        entries.append(Run.Entry(key: arena.slice, record: line))
      } else if let last = gaps.last, last.upperBound == place - 1 {
        gaps[gaps.count - 1] = last.lowerBound...end
      } else {
        gaps.append(place...end)
      }
      place = end + 1
    }
    let run = Run(unsorted: entries, owners: owners)
    if isLast, !gaps.isEmpty {
      try keep(part.fileName)
      for gap in gaps {
        note(part.fileName, gap.lowerBound, "\(gap.count - 1) bytes could not be read", .damage)
      }
      // Older records may fill the gaps; those outside were deleted since.
      tables[part.collection] = (tables[part.collection] ?? []).map { Self.within(gaps, of: run, slice, $0) }
    } else {
      tables[part.collection] = []
    }
    tables[part.collection]!.append(run)
  }

  /// The records of an older file whose ids lie where the newer one has gaps.
  private static func within(_ gaps: [ClosedRange<Int>], of run: Run, _ slice: Slice, _ older: Run) -> Run {
    let bounds = gaps.map { gap -> (Slice?, Slice?) in
      let before = run.entries.last { $0.record.base < slice.base + gap.lowerBound }
      let after = run.entries.first { $0.record.base > slice.base + gap.upperBound }
      return (before?.key, after?.key)
    }
    let entries = older.entries.filter { entry in
      bounds.contains { before, after in
        (before.map { $0.compare(entry.key) < 0 } ?? true) && (after.map { entry.key.compare($0) < 0 } ?? true)
      }
    }
    return Run(sorted: entries, owners: older.owners)
  }

  /// Takes the whole transactions of a journal file.
  private mutating func take(journal number: UInt64, _ manifest: Manifest?) throws(StoreError) {
    let known = manifest?.segments.first { $0.number == number }
    if manifest != nil, known == nil { return }
    let segment = known ?? Manifest.Segment(number: number, first: 1, sealed: nil)
    guard let file = try disk.open(segment.fileName) else { return }
    let journal = JournalFile(file: file, segment: segment, leastWindow: store.limits.journalWindow)
    let size = min(segment.sealed ?? Int.max, try file.information().size)
    var gatherer = ChangeGatherer()
    var place = 0
    var gap: Int?
    while place < size {
      if let frame = try journal.frame(at: place, size: size) {
        let mapping = try journal.mapping(place + Frame.headCount + frame.bytes)
        gatherer.keep(mapping)
        try journal.changes(of: frame, at: place + Frame.headCount, in: mapping) { (change) throws(StoreError) in
          gatherer.add(change)
        }
        sequence = max(sequence, frame.sequence)
        place += Frame.headCount + frame.bytes
        if let start = gap { try lost(segment.fileName, start..<place - Frame.headCount - frame.bytes) }
        gap = nil
      } else {
        gap = gap ?? place
        place = try journal.nextLine(after: place, size: size)
      }
    }
    if let start = gap { try lost(segment.fileName, start..<size) }
    var gathered = tables.mapValues { Table(runs: $0) }
    gatherer.apply(to: &gathered)
    tables = gathered.mapValues(\.runs)
  }

  private mutating func lost(_ name: String, _ range: Range<Int>) throws(StoreError) {
    try keep(name)
    note(name, range.lowerBound, "\(range.count) bytes of the journal are no whole transaction", .damage)
  }

  private mutating func note(_ name: String, _ offset: Int?, _ message: String, _ severity: StoreFinding.Severity) {
    findings.append(
      StoreFinding(
        severity, path: disk.path(name), offset: offset, message: message,
        mend: "mended; the damaged file is kept as \(name)\(Self.suffix)"))
  }

  /// Gives a damaged file a second name, under which it stays.
  private func keep(_ name: String) throws(StoreError) {
    try disk.remove(name + Self.suffix)
    try disk.link(name, to: name + Self.suffix)
  }

  /// Keeps published files that somebody changed.
  private func keepPublished(_ names: [String]) throws(StoreError) {
    for name in names where name.hasSuffix(".jsonl") { try keep(name) }
  }
}

extension JournalFile {
  /// The beginning of the next line that may be a transaction's first.
  func nextLine(after place: Int, size: Int) throws(StoreError) -> Int {
    var start = place + 1
    while start < size {
      let piece = try file.bytes(at: start, count: min(1 << 16, size - start))
      if piece.isEmpty { return size }
      if let newline = piece.firstIndex(of: 0x0A) { return start + newline + 1 }
      start += piece.count
    }
    return size
  }
}
