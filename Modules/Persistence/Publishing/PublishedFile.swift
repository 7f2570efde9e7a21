import Models
import Ports

/// The file that people and other programs read, `people.jsonl`, of a collection in some state.
///
/// The store never reads a record from it, and no record of the store shares bytes with it that a program could change:
/// it is a copy, or, where a copy would take too long, it has the blocks of the collection file or is a read-only name
/// of it.
struct PublishedFile {
  let collection: String
  let table: Table
  let disk: Disk

  /// The files of all collections that people may want to read.
  ///
  /// - Parameter withInternal: whether the store's own state is one of them, which only a compaction publishes.
  static func all(in state: StoreState, on disk: Disk, withInternal: Bool = false) -> [PublishedFile] {
    state.tables.keys.sorted().filter { withInternal || !CollectionName(rawValue: $0).isInternal }.map { name in
      PublishedFile(collection: name, table: state.tables[name]!, disk: disk)
    }
  }

  private var fileName: String { collection + Manifest.Part.publishedSuffix }

  var path: String { disk.path(fileName) }

  /// Whether the file holds the newest records. A collection above the limit is not read for that: its file
  /// counts as behind when commits have changed the collection since it was compacted.
  func isCurrent(upTo most: Int) throws(StoreError) -> Bool {
    // What cannot be opened as a file, a link or a folder, holds nothing.
    guard let file = try? disk.open(fileName), let information = try? file.information() else { return false }
    if table.runs.isEmpty, let part = table.published?.part {
      if try disk.open(part.fileName)?.information().identity == information.identity { return true }
      if information.size != part.bytes { return false }
    }
    guard size <= most else { return table.runs.isEmpty }
    return try holdsRecords(file, information.size)
  }

  /// Writes the file, unless it holds the newest records.
  ///
  /// It is synced before it gets its name, so that a power cut leaves this file or the one before.
  ///
  /// O(n) for n bytes of records; one MiB of memory.
  func renew(by writer: Writer) throws(StoreError) {
    if let file = try? disk.open(fileName), let size = try? file.information().size, try holdsRecords(file, size) {
      return
    }
    try replace(by: writer) { (file) throws(StoreError) in
      var hash = XXHash64()
      var output = ByteBuffer(capacity: 1 << 16)
      var written = 0
      try table.scan(prefix: .empty, after: nil) { (record) throws(StoreError) in
        output.append(record)
        output.append(0x0A)
        if output.count >= 1 << 20 {
          try file.write(output.slice.raw, at: written)
          hash.update(output.slice.raw)
          written += output.count
          output.truncate(to: 0)
        }
        return .next
      }
      try file.write(output.slice.raw, at: written)
      hash.update(output.slice.raw)
      return hash.value
    }
  }

  /// How many bytes the records take at most: those of the collection file, with those that were committed since.
  var size: Int {
    table.runs.reduce(table.published?.part.bytes ?? 0) { size, run in
      run.entries.reduce(size) { $0 + $1.record.count + 1 }
    }
  }

  /// When the file was written, in seconds since 1970; `nil` if there is none.
  var modified: Int? { (try? disk.open(fileName)?.information()).flatMap { $0 }.map { $0.modified / 1_000_000_000 } }

  /// Compares the file with the records, a piece at a time.
  private func holdsRecords(_ file: OpenFile, _ size: Int) throws(StoreError) -> Bool {
    var offset = 0
    var piece: [UInt8] = []
    var start = 0
    var isSame = true
    try table.scan(prefix: .empty, after: nil) { (record) throws(StoreError) in
      if offset - start + record.count + 1 > piece.count {
        piece = try file.bytes(at: offset, count: max(1 << 18, record.count + 1))
        start = offset
      }
      let end = offset - start + record.count
      isSame = end < piece.count && piece[end] == 0x0A && piece.withByteSlice { $0[offset - start..<end] == record }
      offset += record.count + 1
      return isSame ? .next : .stop
    }
    return isSame && offset == size
  }

  /// Publishes a collection file as it is.
  ///
  /// - Parameter copyMost: how many bytes are copied where the file system cannot share the blocks of two files. A longer
  ///   file gets a second name, and the right to write to it is taken away.
  static func publish(_ part: Manifest.Part, copyMost: Int, by writer: Writer) throws(StoreError) {
    let disk = writer.disk
    let file = PublishedFile(collection: part.collection, table: Table(), disk: disk)
    guard let source = try CollectionFile(part, on: disk) else { return }
    // A collection that has changed since has newer commits in the journal.
    let isNewest = writer.state.tables[part.collection]?.runs.isEmpty ?? true
    let commit = isNewest ? writer.state.sequence : writer.state.manifest.compacted
    do throws(StoreError) {
      try file.replace(by: writer, commit: commit) { (copy) throws(StoreError) in
        if copy.shareBlocks(of: source.file) { return nil }
        guard part.bytes <= copyMost else { throw StoreError(.aborted, "too long to be copied") }
        try source.check(0..<part.bytes)
        try copy.write(source.slice.raw, at: 0)
        return XXHash64.sum(source.slice.raw)
      }
    } catch {
      if error.code != .aborted { throw error }
      // A user who may not change the mode is not the owner, and cannot write to the file either.
      try? source.file.makeReadOnly()
      try disk.link(part.fileName, to: file.temporaryName)
      try writer.publish(file.temporaryName, as: file.fileName, sum: nil, commit: commit)
    }
  }

  /// Whether the collection file is published as it is, by a file that cannot damage it.
  ///
  /// - Parameter isSure: whether bytes are compared, too; otherwise a copy counts that was not touched since.
  static func isPublished(
    _ part: Manifest.Part, copyMost: Int, isSure: Bool, by writer: Writer
  ) throws(StoreError) -> Bool {
    let disk = writer.disk
    guard let file = try disk.open(part.fileName),
      let named = try? disk.open(part.collection + Manifest.Part.publishedSuffix)
    else { return false }
    let (information, found) = (try file.information(), try named.information())
    if found.identity == information.identity { return part.bytes > copyMost && found.isReadOnly }
    guard found.size == part.bytes else { return false }
    if !isSure, try writer.isAsPublished(part.publishedName, found) { return true }
    // Sharing the blocks once more takes less than a comparison.
    if part.bytes > copyMost { return false }
    return try file.bytes(count: part.bytes) == named.bytes(count: part.bytes)
  }

  private var temporaryName: String { fileName + ".new" }

  /// - Parameters:
  ///   - commit: the last commit that the file holds; `nil` for that of the store.
  ///   - write: writes the file, and returns its XXH64 where that is known.
  private func replace(
    by writer: Writer, commit: UInt64? = nil, _ write: (OpenFile) throws(StoreError) -> UInt64?
  ) throws(StoreError) {
    do throws(StoreError) {
      let file = try disk.create(temporaryName)
      let sum = try write(file)
      // The next commit replaces the file, and a change made in an editor with it.
      try? file.makeReadOnly()
      try file.sync()
      try writer.publish(temporaryName, as: fileName, sum: sum, commit: commit)
    } catch {
      try? disk.remove(temporaryName)
      throw error
    }
  }
}
