import Models
import Ports

/// A folder of format 0: bare JSON Lines, in any order, with no manifest and no journal.
struct LegacyFolder {
  /// What the files of the old format are kept as, once they are migrated.
  static let suffix = ".format0"

  /// How the collection files end that a migration writes.
  static let firstFiles = ".0000000000000001.records"

  /// Whether only a store has a file of this name, and not a folder of exports: the records of a program's own state, or a
  /// file that was migrated.
  static func isOwn(_ name: String) -> Bool {
    ["state", "cards", "outbox"].contains { name == $0 + Manifest.Part.publishedSuffix } || name.hasSuffix(suffix)
  }

  let disk: Disk

  /// The collections, or none where the folder holds no such files.
  ///
  /// - Throws: `damaged`, naming the line, where a line is not a record.
  ///
  /// - Parameter reject: takes the name and the bytes of a line that is not a record; without it that is an error.
  func tables(rejecting reject: ((String, Range<Int>) -> Void)? = nil) throws(StoreError) -> [String: Table] {
    var tables: [String: Table] = [:]
    for name in try disk.names() {
      guard name.hasSuffix(".jsonl"), let file = try disk.open(name) else { continue }
      let size = try file.information().size
      let mapping = try file.map(capacity: size)
      let lines = ByteSlice(mapping.base, count: size)
      var entries: [SortedRun.Entry] = []
      var owners: [any AnyObject & Sendable] = [mapping]
      var start = 0
      while start < size {
        let end = lines.first(0x0A, from: start) ?? size
        defer { start = end + 1 }
        if end > start {
          let line = lines[start..<end]
          guard var key = RecordKey(of: line)?.text, let id = RecordKey(of: line)?.unescaped(),
            (try? id.withByteSlice({ (id) throws(StoreError) in _ = try DiskTransaction.check(line, id: id) })) != nil
          else {
            if let reject {
              reject(name, start..<end)
              continue
            }
            throw StoreError(
              .damaged, "a line is not a record, a JSON object that begins with its id", path: disk.path(name),
              offset: start)
          }
          if key.count != id.count {
            let arena = Arena(id)
            owners.append(arena)
            key = arena.slice
          }
          entries.append(SortedRun.Entry(key: key, record: line))
        }
      }
      let run = SortedRun(unsorted: entries, owners: owners)
      if !entries.isEmpty { tables[String(name.dropLast(6))] = Table(runs: [run], count: run.entries.count) }
    }
    return tables
  }
}

extension Writer {
  /// Takes over the records of the old format; its files are kept under other names.
  func migrate(_ tables: [String: Table], at: Int) throws(StoreError) {
    let names = Set(try disk.names())
    for name in tables.keys {
      let file = name + ".jsonl"
      if !names.contains(file + LegacyFolder.suffix) { try disk.link(file, to: file + LegacyFolder.suffix) }
    }
    try begin(with: tables, version: 1, sequence: 1, at: at)
  }

  /// Writes whole tables as the first generation of a manifest.
  ///
  /// - Parameter kept: files of a generation before that stay.
  func begin(
    with tables: [String: Table], version: UInt64, sequence: UInt64, at: Int, kept: [Manifest.Part] = []
  ) throws(StoreError) {
    var parts: [Manifest.Part] = []
    var written: [String: Table] = [:]
    for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
      let part = try write(table, name, version)
      parts.append(part)
      written[name] = Table(published: try CollectionFile(part, on: disk), count: part.records)
    }
    let journal = try Writer.makeJournal(
      number: state.manifest.active.number + 1, first: sequence + 1, store: store)
    try replaceManifest { writer in
      writer.state = StoreState(
        manifest: Manifest(
          version: version, store: writer.state.manifest.store, compacted: sequence, compactedAt: at, parts: parts,
          kept: kept, segments: [journal.segment]),
        sequence: sequence, tables: written, journal: journal, end: 0)
    }
    // The new manifest counts: what fails now is done again by the next writer.
    if (try? publishCollectionFiles()) != nil { publish() }
  }
}
