import Models
import Ports

/// The file that people and other programs read, `people.jsonl`, of a collection in some state.
///
/// It is a copy for reading only: the store itself never reads a record from it. It is the collection file under a
/// second name where no commit has changed the collection since, and a file of its own where one has.
struct View {
  let collection: String
  let table: Table
  let disk: Disk

  /// The views of the collections that users see.
  static func all(in state: StoreState, on disk: Disk) -> [View] {
    CollectionName.listed.compactMap { name in
      state.tables[name.rawValue].map { View(collection: name.rawValue, table: $0, disk: disk) }
    }
  }

  private var fileName: String { collection + Manifest.Part.publishedSuffix }

  /// Whether the file holds the newest records. A collection of more than so many bytes is not read for that: its file
  /// counts as behind when commits have changed the collection since it was compacted.
  func isCurrent(upTo most: Int) throws(StoreError) -> Bool {
    // What is no file of ours, a link or a folder, holds nothing.
    guard let file = try? disk.open(fileName), let information = try? file.information() else { return false }
    if table.runs.isEmpty, let part = table.published?.part {
      if try disk.open(part.fileName)?.information().identity == information.identity { return true }
      if information.size != part.bytes { return false }
    }
    guard isWithin(most) else { return table.runs.isEmpty }
    return try holds(try contents(), file, information.size)
  }

  /// Writes the file, unless it holds the newest records or they take more than so many bytes.
  ///
  /// It is brought to the disk before it gets its name: after a power cut it is this file or the one before.
  func renew(upTo most: Int) throws(StoreError) {
    guard isWithin(most) else { return }
    let contents = try contents()
    if let file = try? disk.open(fileName), let size = try? file.information().size, try holds(contents, file, size) {
      return
    }
    let temporary = fileName + ".new"
    do throws(StoreError) {
      let file = try disk.create(temporary)
      try file.write(contents.slice.raw, at: 0)
      try file.sync()
      try disk.rename(temporary, to: fileName)
    } catch {
      try? disk.remove(temporary)
      throw error
    }
  }

  private func holds(_ contents: borrowing ByteBuffer, _ file: OpenFile, _ size: Int) throws(StoreError) -> Bool {
    guard size == contents.count else { return false }
    let bytes = try file.bytes(count: size)
    return bytes.withSlice { $0 == contents.slice }
  }

  /// Whether the records take no more than so many bytes, with those that were replaced since the file was written.
  private func isWithin(_ most: Int) -> Bool {
    var bytes = table.published?.part.bytes ?? 0
    for run in table.runs {
      // Judged without a look at each change where there are too many.
      if bytes > most || run.entries.count > most { return false }
      bytes += run.entries.reduce(0) { $0 + $1.record.count + 1 }
    }
    return bytes <= most
  }

  private func contents() throws(StoreError) -> ByteBuffer {
    var contents = ByteBuffer(capacity: 1 << 16)
    try table.scan(prefix: .empty, after: nil) { (record) throws(StoreError) in
      contents.append(record)
      contents.append(0x0A)
      return .next
    }
    return contents
  }
}
