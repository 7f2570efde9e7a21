import Models
import Ports

/// Makes a whole store out of a damaged one: everything readable goes into new files, what is damaged is kept beside.
///
/// A collection file counts below the commits that came after it. A record on a damaged block of it is looked for in the
/// journal, which is kept for a while after it was compacted, in the file of the generation before, and in the published file
/// where that is what was written.
struct Salvage {
  static let suffix = ".damaged"

  let store: JSONFileStore
  let lock: LockFile
  private(set) var findings: [StoreFinding] = []
  var disk: Disk { store.disk }
  /// What may fill gaps of the collection files: older files, and commits that were compacted.
  private var history: [String: Table] = [:]
  private(set) var files: [String: SalvagedFile] = [:]
  /// The commits since.
  private(set) var newer: [String: Table] = [:]
  var sequence: UInt64 = 0
  /// The collections whose gaps were filled with exactly what had been there.
  private(set) var proved: Set<String> = []
  /// Whether every commit that the collection files do not hold was read.
  private(set) var isJournalWhole = true

  init(store: JSONFileStore, lock: LockFile) { (self.store, self.lock) = (store, lock) }

  mutating func run(at: Int) throws(StoreError) {
    let names = try disk.names().sorted()
    let manifest = try knownManifest(names)
    let numbers = names.filter { $0.hasPrefix("journal.") && !$0.hasSuffix(Self.suffix) }
      .compactMap { UInt64($0.dropFirst(8), radix: 16) }.sorted()
    let parts = try takeFiles(manifest, names)
    try takeJournal(manifest ?? placeholder(numbers))
    let tables = try merged()
    try keepPublishedFiles(names, tables, parts)
    let segment = Manifest.Segment(number: (numbers.last ?? 0) + 1, first: sequence + 1, finalSize: nil)
    let version = max(manifest?.version ?? 0, parts.map(\.version).max() ?? 0)
    // With another number all cursors from before expire: commits that are lost leave their numbers to new ones.
    let provisional = Manifest(
      version: version, store: disk.system.randomNumber(), compacted: sequence, compactedAt: at, parts: [], kept: [],
      segments: [segment])
    let writer = Writer(
      store: store, lock: lock,
      state: StoreState(
        manifest: provisional, sequence: sequence, tables: [:],
        journal: try Writer.makeJournal(number: segment.number, first: segment.first, store: store), end: 0))
    writer.keepsChangedFiles = false
    let past = try salvagedHistory(manifest, tables, version: version + 1, at: at)
    let kept = manifest?.parts.filter { files[$0.collection]?.isWhole == true } ?? []
    try writer.begin(with: tables, version: version + 1, sequence: sequence, at: at, kept: kept, history: past)
    try writer.removeOrphans()
    try writer.publishHistory()
    note(
      Manifest.name, nil,
      "the change feed begins anew after commit \(sequence): it starts with the records as they are, and earlier cursors "
        + "have expired", .note, suggestion: "readers of the change feed begin again without a cursor")
  }

  /// The manifest; `nil` where it is lost, and then it is quarantined.
  private mutating func knownManifest(_ names: [String]) throws(StoreError) -> Manifest? {
    var offset: Int?
    do throws(StoreError) {
      if let manifest = try StateLoader(disk: disk, limits: store.limits).manifest() { return manifest }
    } catch {
      if error.code != .damaged { throw error }
      try keep(Manifest.name)
      offset = error.offset
    }
    let sources = names.filter { isPart($0) && ($0.hasSuffix(".records") || $0.hasPrefix("journal.")) }
    if sources.isEmpty, offset == nil { return nil }
    note(
      Manifest.name, offset,
      "the manifest \(offset == nil ? "was missing" : "was damaged") and was made anew from the files that were there"
        + (sources.isEmpty ? "" : ": \(sources.joined(separator: ", "))") + "; no record depends on it", .note)
    return nil
  }

  /// Whether a file belonged to the store, and was not kept by an earlier repair.
  private func isPart(_ name: String) -> Bool { !name.hasSuffix(Self.suffix) }

  /// In place of a lost manifest: every journal file counts, and no commit counts as compacted.
  private func placeholder(_ numbers: [UInt64]) -> Manifest {
    Manifest(
      version: 0, store: 0, compacted: 0, compactedAt: 0, parts: [], kept: [],
      segments: numbers.map { Manifest.Segment(number: $0, first: .max, finalSize: nil) })
  }

  /// Takes the collection files, and what the older ones have; those that were there.
  private mutating func takeFiles(_ manifest: Manifest?, _ names: [String]) throws(StoreError) -> [Manifest.Part] {
    let all = manifest.map { $0.kept + $0.parts } ?? Self.parts(in: names)
    for (collection, parts) in Dictionary(grouping: all, by: \.collection) {
      let ordered = parts.sorted { $0.version < $1.version }
      var newest: SalvagedFile?
      // After a lost manifest the newest file may be one that was never finished.
      for part in ordered.reversed() where newest == nil {
        let file = try SalvagedFile(part, isKnown: manifest != nil, on: disk)
        if manifest != nil || file?.isFinished == true { newest = file ?? .missing(part) }
      }
      if newest == nil, let last = ordered.last { newest = try SalvagedFile(last, isKnown: false, on: disk) }
      guard let newest else { continue }
      files[collection] = newest
      for part in ordered where part.version < newest.part.version {
        guard let older = try SalvagedFile(part, isKnown: manifest != nil, on: disk) else { continue }
        history[collection, default: Table()].runs.add(older.run)
      }
    }
    return all
  }

  /// Files of collections as their names tell of them.
  private static func parts(in names: [String]) -> [Manifest.Part] {
    names.filter { $0.hasSuffix(".records") }.compactMap { name in
      let words = name.split(separator: ".")
      guard words.count == 3, let version = UInt64(words[1], radix: 16) else { return nil }
      return Manifest.Part(collection: String(words[0]), version: version, records: 0, bytes: 0, sum: 0)
    }
  }

  private mutating func takeJournal(_ manifest: Manifest) throws(StoreError) {
    let isKnown = manifest.version > 0
    var (compacted, since) = (ChangeGatherer(), ChangeGatherer())
    sequence = manifest.compacted
    for segment in manifest.segments {
      guard let journal = try JournalFile.open(segment, on: disk, store.limits) else {
        if !manifest.isHistory(segment) {
          isJournalWhole = false
          note(segment.fileName, nil, "the file is missing: its commits are lost", .loss)
        }
        continue
      }
      var bounds = JournalFile.Bounds.unknown
      if let mark = try lock.mark, mark.journal == segment.number {
        // Without a manifest the mark's version tells nothing, and its journal file is the one with this number.
        bounds =
          isKnown
          ? JournalFile.Bounds(mark, of: manifest, boot: store.bootID)
          : JournalFile.Bounds(known: .acknowledged(mark.end), identity: mark.file?.identity)
      }
      let size = min(segment.finalSize ?? .max, try journal.file.information().size)
      var next = segment.first
      if !isKnown { next = try journal.firstFrame(from: 0, size: size, notBefore: 0)?.frame.sequence ?? sequence + 1 }
      var offset = 0
      while true {
        let verdict = try journal.verdict(from: offset, bounds, sequence: next) { (frame, offset) throws(StoreError) in
          if frame.sequence <= manifest.compacted {
            try compacted.add(frame, at: offset, of: journal)
          } else {
            try since.add(frame, at: offset, of: journal)
          }
        }
        sequence = max(sequence, verdict.next - 1)
        if verdict.truncated > 0 {
          try keep(segment.fileName)
          note(
            segment.fileName, verdict.end,
            "\(verdict.truncated.counted("byte")) after commit \(verdict.next - 1) were not a whole commit, and were cut off",
            .note)
        }
        guard case .damaged = verdict.tail else { break }
        let found = try journal.firstFrame(from: verdict.end + 1, size: size, notBefore: verdict.next)
        try lost(
          journal, verdict.end..<(found?.offset ?? size), verdict.next, until: found?.frame.sequence,
          isCompacted: manifest.isHistory(segment))
        guard let found else { break }
        (offset, next) = (found.offset, found.frame.sequence)
      }
    }
    compacted.apply(to: &history)
    since.apply(to: &newer)
  }

  /// Says which commits are lost in a gap of the journal, and what they held.
  private mutating func lost(
    _ journal: JournalFile, _ gap: Range<Int>, _ first: UInt64, until next: UInt64?, isCompacted: Bool
  ) throws(StoreError) {
    let name = journal.segment.fileName
    try keep(name)
    if !isCompacted { isJournalWhole = false }
    let bytes = gap.isEmpty ? "the file was truncated" : "\(gap.count) bytes are not what was written"
    if isCompacted {
      note(name, gap.lowerBound, "\(bytes); the collection files hold these commits, so no record is lost", .note)
    } else if let next, next == first {
      note(name, gap.lowerBound, "\(bytes); no commit is lost", .note)
    } else {
      let commits =
        next.map { $0 == first + 1 ? "commit \(first) is lost" : "commits \(first) to \($0 - 1) are lost" }
        ?? "commit \(first) is lost, and any that followed it"
      note(name, gap.lowerBound, "\(bytes): \(commits)\(try held(by: gap, of: journal))", .loss)
    }
  }

  /// Names records whose changes can still be read in a gap; nothing proves that they are as they were written.
  private func held(by gap: Range<Int>, of journal: JournalFile) throws(StoreError) -> String {
    let bytes = try journal.file.bytes(at: gap.lowerBound, count: min(gap.count, 1 << 20))
    var records: [String] = []
    var seen: Set<ExactString> = []
    bytes.withByteSlice { bytes in
      for line in bytes.lines {
        guard let change = FrameChange(line: bytes[line]), let id = change.key.unescaped(),
          (try? DiskTransaction.check(CollectionName(rawValue: change.collection.text))) != nil,
          (try? id.withByteSlice({ (id) throws(StoreError) in try DiskTransaction.check(id) })) != nil,
          let text = String(validating: id, as: UTF8.self)
        else { continue }
        let record = "\(change.collection.text)/\(text)"
        if seen.insert(record.exact).inserted { records.append(record) }
      }
    }
    if records.isEmpty { return "; what it held cannot be read" }
    let more = records.count > 5 ? " and \(records.count - 5) more" : ""
    return "; what can still be read of it names \(records.prefix(5).joined(separator: ", "))\(more)"
  }

  /// Everything as whole tables, with the gaps filled.
  private mutating func merged() throws(StoreError) -> [String: Table] {
    var tables = newer
    for (collection, file) in files.sorted(by: { $0.key < $1.key }) {
      let published = file.gaps.isEmpty ? nil : try SalvagedFile.published(file.part, on: disk)
      let older = (history[collection]?.runs ?? []) + [published].compactMap(\.self)
      let fill = file.gaps.isEmpty ? [] : older.map { file.withinGaps($0) }.asOne
      if !fill.isEmpty, file.isProved(with: fill) { proved.insert(collection) }
      tables[collection] = Table(runs: fill + [file.run] + (newer[collection]?.runs ?? []))
      try report(file, found: fill.reduce(0) { $0 + $1.entries.count { !$0.isTombstone } })
    }
    return tables
  }

  private mutating func report(_ file: SalvagedFile, found: Int) throws(StoreError) {
    let part = file.part
    if file.areSumsDamaged, try disk.open(part.sumsName) != nil {
      try keep(part.sumsName)
      note(part.sumsName, 0, "the checksums or the index were damaged, and were written anew", .note, part.collection)
    } else if file.areSumsDamaged, !file.isMissing {
      note(part.sumsName, nil, "the file with the checksums was missing, and was written anew", .note, part.collection)
    }
    if file.gaps.isEmpty { return }
    if !file.isMissing { try keep(part.fileName) }
    let lost = max(0, part.records - file.run.entries.count - found)
    let bytes = file.isMissing ? "the file is missing" : "\(file.gaps.reduce(0) { $0 + $1.count }) bytes cannot be read"
    let held = "\(bytes), which held \((lost + found).counted("record")) of \(part.collection)"
    let recovered = "recovered from the journal, the previous and the published file"
    note(
      part.fileName, file.gaps[0].lowerBound,
      lost + found == 0
        ? "\(bytes); no record is lost"
        : lost == 0 ? "\(held): all \(recovered)" : "\(held): \(found) \(recovered), \(lost) lost",
      lost > 0 ? .loss : .note, part.collection)
  }

  mutating func note(
    _ name: String, _ offset: Int?, _ message: String, _ severity: StoreFinding.Severity, _ collection: String? = nil,
    suggestion: Advice? = nil
  ) {
    findings.append(
      StoreFinding(
        severity, path: disk.path(name), offset: offset, message: message,
        suggestion: suggestion ?? kept[name].map { "the damaged file is kept as \($0)" },
        collection: collection.map { CollectionName(rawValue: $0) }))
  }

  private var kept: [String: String] = [:]

  /// Gives a damaged file a second name, under which it stays; what an earlier repair kept stays too.
  mutating func keep(_ name: String) throws(StoreError) {
    if kept[name] != nil { return }
    let quarantined = try disk.unusedName(name, Self.suffix)
    try disk.link(name, to: quarantined)
    kept[name] = quarantined
  }

  /// Keeps published files with lines that the store has never had, or has lost.
  private mutating func keepPublishedFiles(
    _ names: [String], _ tables: [String: Table], _ parts: [Manifest.Part]
  ) throws(StoreError) {
    var views: [(collection: String, file: OpenFile)] = []
    for name in names where name.hasSuffix(Manifest.Part.publishedSuffix) && kept[name] == nil {
      let collection = String(name.dropLast(Manifest.Part.publishedSuffix.count))
      guard let view = try? disk.open(name), let identity = try? view.information().identity else { continue }
      // A second name of a collection file holds nothing that the file does not.
      var isOwn = false
      for part in parts where part.collection == collection && !isOwn {
        isOwn = try disk.open(part.fileName)?.information().identity == identity
      }
      if !isOwn { views.append((collection, view)) }
    }
    var known = KnownLines(of: views.map(\.collection))
    // Not the lines of the collection files as they are: what is on their damaged blocks is lost.
    for (collection, _) in views {
      for run in (tables[collection]?.runs ?? []) + (history[collection]?.runs ?? []) { known.add(run, of: collection) }
    }
    for name in names where name.hasPrefix("journal.") && isPart(name) {
      guard let number = UInt64(name.dropFirst(8), radix: 16) else { continue }
      try known.add(Manifest.Segment(number: number, first: 1, finalSize: nil), on: disk, store.limits)
    }
    for (collection, file) in views {
      let unknown = try known.unknown(in: file, of: collection)
      guard let first = unknown.first else { continue }
      try keep(file.name)
      // The store would not replace the file of a collection that it no longer has.
      if tables[collection] == nil { try disk.remove(file.name) }
      let quarantined = kept[file.name] ?? file.name
      if unknown.others > 0 {
        note(
          file.name, first,
          "has \(unknown.others.counted("line")) that cannot be read, and "
            + "\(unknown.records.counted("record")) that the store does not hold", .note, collection)
      } else {
        note(
          file.name, first, "has \(unknown.records.counted("record")) that the store does not hold", .note, collection,
          // Nobody loads what a program keeps for itself.
          suggestion: CollectionName(rawValue: collection).isInternal
            ? nil
            : "the file is kept as \(quarantined); \(disk.suggestions.load(disk.path(quarantined))) to take all of its records over"
        )
      }
    }
  }
}

extension JournalFile {
  /// The first whole transaction at or after an offset, of this number or a later one.
  ///
  /// It need not be at the beginning of a line: the newline before it may be what is damaged.
  func firstFrame(
    from start: Int, size: Int, notBefore sequence: UInt64
  ) throws(StoreError) -> (frame: Frame, offset: Int)? {
    guard start < size else { return nil }
    let opening = ByteSlice(Frame.opening)
    return try file.bytes(at: start, count: size - start).withByteSlice { (rest) throws(StoreError) in
      var offset = 0
      while let brace = rest.first(0x7B, from: offset) {
        offset = brace + 1
        guard rest[brace..<rest.count].starts(with: opening) else { continue }
        if let frame = try frame(at: start + brace, size: size), frame.sequence >= sequence {
          return (frame, start + brace)
        }
      }
      return nil
    }
  }
}
