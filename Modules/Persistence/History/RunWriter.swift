import Models
import Ports

/// Writes a run: for each record that changed, by id, a line with its changes, oldest first.
final class RunWriter {
  private let collection: String
  private let number: UInt64
  private let disk: Disk
  /// The names of fields that are left out, and of those of which one change a day is kept.
  private let quiet: [[UInt8]]
  private let daily: [[UInt8]]
  private var output: CollectionFileWriter?
  private var line = ByteBuffer(capacity: 1 << 12)
  private var delta = RecordDelta()
  private var run: History.Run?

  init(_ collection: String, number: UInt64, _ kept: History.Kept? = nil, on disk: Disk) {
    (self.collection, self.number, self.disk) = (collection, number, disk)
    quiet = kept?.hiddenNames(at: .max - 1) ?? []
    daily = (kept?.policy.daily ?? []).map { Array("\"\($0)\"".utf8) }
  }

  /// - Parameters:
  ///   - before: the record before the first one.
  ///   - noting: takes the commit of each change that is written.
  func add(
    _ key: ByteSlice, _ before: ByteSlice?, _ versions: [JournalChanges.Version], noting: (UInt64) -> Void
  ) throws(StoreError) {
    var arenas: [Arena] = []
    func shown(_ record: ByteSlice?) -> ByteSlice? {
      guard let record, !quiet.isEmpty else { return record }
      arenas.append(Arena(RecordDelta.without(quiet, record.array)))
      return arenas.last!.slice
    }
    begin(key)
    let start = line.count
    var old = shown(before)
    let records = versions.map { shown($0.record) }
    // The days of changes that touch nothing but daily fields.
    let days = records.indices.map { index -> Int? in
      guard !daily.isEmpty, let new = records[index], let last = index == 0 ? old : records[index - 1],
        RecordDelta.without(daily, last.array) == RecordDelta.without(daily, new.array)
      else { return nil }
      return versions[index].at / Self.day
    }
    for (index, version) in versions.enumerated() {
      let new = records[index]
      if let old, let new, old == new { continue }
      if old == nil, new == nil { continue }
      if let day = days[index], index + 1 < days.count, days[index + 1] == day { continue }
      if line.count > start { line.append(0x2C) }
      delta.append(version.commit, day: days[index], old, new, to: &line)
      note(version.commit, version.at)
      noting(version.commit)
      old = new
    }
    try withExtendedLifetime(arenas) { () throws(StoreError) in if line.count > start { try end() } }
  }

  func add(_ key: ByteSlice, _ before: ByteSlice?, _ after: ByteSlice, _ note: JournalChanges.Note) throws(StoreError) {
    if let before, before == after { return }
    if before == nil, quiet.isEmpty {
      begin(key)
      delta.append(note.commit, day: nil, nil, after, to: &line)
      self.note(note.commit, note.at)
      return try end()
    }
    try add(key, before, [JournalChanges.Version(commit: note.commit, at: note.at, record: after)]) { _ in }
  }

  private static let day = 86_400

  func add(_ note: JournalChanges.Note) throws(StoreError) {
    line.truncate(to: 0)
    line.append("{\"id\":\"")
    line.append(utf8: Self.noteID(note.commit))
    line.append("\",\"at\":\"")
    line.append(utf8: Timestamp(secondsSinceEpoch: note.at).description)
    line.append(0x22)
    if let cause = note.cause {
      line.append(0x2C)
      line.append(cause[1..<cause.count])
    } else {
      line.append(0x7D)
    }
    self.note(note.commit, note.at)
    try write()
  }

  static func noteID(_ commit: UInt64) -> String { padded(commit, 12) }

  private func begin(_ key: ByteSlice) {
    line.truncate(to: 0)
    line.append("{\"id\":\"")
    line.append(escaped: key)
    line.append(LineChange.opening)
  }

  private func end() throws(StoreError) {
    line.append("]}")
    try write()
  }

  private func note(_ commit: UInt64, _ at: Int) {
    let change = History.Run(part: part, first: commit, last: commit, least: at, most: at, changes: 1)
    // Notes come in the order of their commits. Changes do not, and their times are not searched.
    if run == nil { run = change } else { run!.add(change, isMixed: at < run!.most) }
  }

  private var part: Manifest.Part {
    Manifest.Part(collection: collection, version: number, records: 0, bytes: 0, sum: 0, isHistory: true)
  }

  /// Writes the line, which stays until the next one.
  private func write() throws(StoreError) {
    if output == nil { output = try CollectionFileWriter(run!.part, on: disk) }
    try output!.add(line.slice)
  }

  /// Completes the file and makes it read-only: a published name of it leads to the same bytes.
  ///
  /// - Returns: its entry for the manifest; `nil` where nothing was added.
  func finish(_ sync: (OpenFile) throws(StoreError) -> Void) throws(StoreError) -> History.Run? {
    guard let output, var run else { return nil }
    run.part = try output.finish(sync)
    return run
  }
}

extension RunWriter {
  /// Writes neighbouring runs as one, oldest first: their bytes are joined, and nothing is parsed but for daily fields.
  ///
  /// - Parameter isErased: whether the line of an id is left out.
  func join(
    _ runs: [History.Run], _ sync: (OpenFile) throws(StoreError) -> Void, isErased: (ByteSlice) -> Bool = { _ in false }
  ) throws(StoreError) -> History.Run? {
    var cursors: [LineCursor] = []
    for run in runs { cursors.append(try LineCursor(run, on: disk)) }
    var joined = runs[0]
    joined.part = part
    for (earlier, run) in zip(runs, runs.dropFirst()) {
      joined.add(run, isMixed: run.isMixed || run.least < earlier.most)
    }
    run = joined
    while let key = cursors.smallest {
      let found = cursors.indices.filter { cursors[$0].has(key) }
      if isErased(key.slice) {
        for index in found { run!.changes -= LineChange.all(in: cursors[index].line!)?.count ?? 0 }
      } else if found.count == 1 {
        line.truncate(to: 0)
        line.append(cursors[found[0]].line!)
        try write()
      } else {
        begin(key.slice)
        let start = line.count
        var last: [UInt8]?
        for index in found {
          let changes = cursors[index].line!
          guard daily.isEmpty else {
            for change in LineChange.all(in: changes) ?? [] {
              if let before = last, let both = LineChange.merged(before, change.whole.array) {
                last = both
                run!.changes -= 1
              } else {
                if let last { add(last, after: start) }
                last = change.whole.array
              }
            }
            continue
          }
          if line.count > start { line.append(0x2C) }
          let opening = RecordKey(of: changes)!.text
          line.append(
            changes[opening.base - changes.base + opening.count + LineChange.openingCount..<changes.count - 2])
        }
        if let last { add(last, after: start) }
        try end()
      }
      for index in found { try cursors[index].advance() }
    }
    return try finish(sync)
  }

  func copy(
    _ lines: [SortedRun.Entry], of run: History.Run, _ sync: (OpenFile) throws(StoreError) -> Void
  ) throws(StoreError) -> History.Run? {
    self.run = run
    self.run!.part.version = number
    for entry in lines {
      line.truncate(to: 0)
      line.append(entry.record)
      try write()
    }
    return try finish(sync)
  }

  private func add(_ change: [UInt8], after start: Int) {
    if line.count > start { line.append(0x2C) }
    change.withByteSlice { line.append($0) }
  }
}

extension LineChange {
  /// Two neighbouring changes of daily fields on one day as one: the commit of the later, and what was before both.
  static func merged(_ earlier: [UInt8], _ later: [UInt8]) -> [UInt8]? {
    earlier.withByteSlice { earlier in
      later.withByteSlice { later in
        var (old, new): ([RecordDelta.Member], [RecordDelta.Member]) = ([], [])
        var (was, since): ([RecordDelta.Member], [RecordDelta.Member]) = ([], [])
        guard RecordDelta.members(of: earlier, &old), RecordDelta.members(of: later, &new), old.count == 3,
          new.count == 3, old[1].name.text == "\"day\"", old[1].whole == new[1].whole, old[2].name.text == "\"was\"",
          old[2].name == new[2].name, RecordDelta.members(of: old[2].value, &was),
          RecordDelta.members(of: new[2].value, &since)
        else { return nil }
        was += since.filter { member in !was.contains { $0.name == member.name } }
        let members = was.map { $0.whole.array }.joined(separator: [0x2C])
        return [0x7B] + new[0].whole.array + [0x2C] + new[1].whole.array + Array(",\"was\":{".utf8) + members
          + Array("}}".utf8)
      }
    }
  }
}

/// Reads the lines of a file one after another, of a collection or of a run.
struct LineCursor {
  /// An id, with what its bytes lie in.
  struct Key {
    var slice: ByteSlice
    var arena: Arena?
  }

  private var reader: CollectionFile.Reader
  private let prefix: ByteSlice
  private(set) var line: ByteSlice?
  private(set) var key = Key(slice: .empty)

  init(_ file: CollectionFile, prefix: ByteSlice = .empty, after: ByteSlice? = nil) throws(StoreError) {
    reader = try file.reader(prefix: prefix, after: after)
    self.prefix = prefix
    try advance()
  }

  init(_ run: History.Run, on disk: Disk) throws(StoreError) {
    guard let file = try CollectionFile(run.part, on: disk) else {
      throw StoreError(
        .damaged, "a file of the history is missing", hint: disk.suggestions.repair, path: disk.path(run.part.fileName))
    }
    try self.init(file)
  }

  func has(_ other: Key) -> Bool { line(of: other.slice) != nil }

  func line(of other: ByteSlice) -> ByteSlice? { key.slice == other ? line : nil }

  func isBefore(_ other: ByteSlice) -> Bool { line != nil && key.slice.compare(other) < 0 }

  mutating func advance() throws(StoreError) {
    var found: ByteSlice?
    _ = try reader.hand(upTo: nil, prefix: prefix) { (line) throws(StoreError) in
      found = line
      return .stop
    }
    line = found
    guard let found, let key = RecordKey(of: found) else { return }
    let (bytes, arena) = key.owned()
    self.key = Key(slice: bytes, arena: arena)
  }
}

extension [LineCursor] {
  var smallest: LineCursor.Key? {
    var smallest: LineCursor.Key?
    for cursor in self where cursor.line != nil {
      if smallest == nil || cursor.key.slice.compare(smallest!.slice) < 0 { smallest = cursor.key }
    }
    return smallest
  }
}
