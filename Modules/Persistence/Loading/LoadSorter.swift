import Models
import Ports

/// Sorts any number of records by id with some megabytes of memory: an external merge sort. Records that do not fit are
/// written to the disk as sorted runs, which are merged when they are read. Of those that change nothing, the id is kept.
final class LoadSorter {
  private let disk: Disk
  private let limits: Limits
  private var buffer: ByteBuffer
  /// The offset of each record's header in the buffer.
  private var offsets: [Int] = []
  private(set) var runs: [LoadRun] = []
  private var files = 0

  init(disk: Disk, limits: Limits) {
    (self.disk, self.limits) = (disk, limits)
    buffer = ByteBuffer(capacity: 1 << 16)
  }

  var isEmpty: Bool { offsets.isEmpty && runs.isEmpty }

  func add(_ record: LoadedRecord) throws(StoreError) {
    try withKey(record.id) { (id) throws(StoreError) in
      try DiskTransaction.check(id)
      try record.record.withByteSlice { (line) throws(StoreError) in
        let hasID = record.isStored ? true : try DiskTransaction.check(line, id: id).isEscaped
        let size = record.isStored ? 0 : line.count
        if buffer.count > 0, buffer.count + size > limits.loadBuffer { try spill() }
        offsets.append(buffer.count)
        LoadHead(record: size, key: hasID ? id.count : 0, source: record.place).write(to: &buffer)
        if hasID { buffer.append(id) }
        if size > 0 { buffer.append(line) }
      }
    }
  }

  /// All records, while they fit into memory; `nil` once some are on the disk.
  func inMemory() throws(StoreError) -> [LoadedRecord]? {
    guard runs.isEmpty else { return nil }
    return try sorted().map { entry in
      LoadedRecord(
        id: String(decoding: entry.key.raw, as: UTF8.self), record: entry.record.array, place: entry.source,
        isStored: entry.isStored)
    }
  }

  /// - Throws: `invalidRecord` where two have the same id.
  func merged() throws(StoreError) -> LoadMerge {
    if !offsets.isEmpty { try spill() }
    // Merging needs the memory.
    buffer = ByteBuffer(capacity: 1)
    return LoadMerge(runs)
  }

  private func sorted() throws(StoreError) -> [LoadEntry] {
    let bytes = buffer.slice
    let entries = offsets.map { LoadEntry(at: $0, in: bytes) }
    let run = SortedRun(unsorted: entries.map { SortedRun.Entry(key: $0.key, record: $0.record) }, owners: [])
    guard run.entries.count == entries.count else { throw Self.duplicate(in: entries) }
    return run.entries.map { LoadEntry($0) }
  }

  private static func duplicate(in entries: [LoadEntry]) -> StoreError {
    var seen: Set<[UInt8]> = []
    let second = entries.first { !seen.insert($0.key.array).inserted }!
    return .duplicate(String(decoding: second.key.raw, as: UTF8.self), at: second.source)
  }

  private func spill() throws(StoreError) {
    files += 1
    let name = "\(Self.prefix)\(disk.system.processID).\(disk.system.randomNumber())"
    let file = try disk.create(name)
    // The file has no name: it exists while it is open, and vanishes with the process however that ends.
    try disk.remove(name)
    var output = ByteBuffer(capacity: 1 << 20)
    var written = 0
    for entry in try sorted() {
      output.append(entry.whole)
      guard output.count >= 1 << 20 else { continue }
      try file.write(output.slice.raw, at: written)
      written += output.count
      output.truncate(to: 0)
    }
    try file.write(output.slice.raw, at: written)
    written += output.count
    runs.append(LoadRun(file: file, mapping: try file.map(capacity: written), size: written))
    offsets.removeAll(keepingCapacity: true)
    buffer.truncate(to: 0)
  }

  /// How the names of these files begin, for the moment before they are unlinked.
  static let prefix = "load."
}

/// The header of a record: its length, the length of its id if that is escaped in the record, and its source line.
struct LoadHead {
  var record: Int
  var key: Int
  var source: Int

  static let count = 16

  func write(to buffer: inout ByteBuffer) {
    var words = (UInt32(record), UInt32(key), source)
    withUnsafeBytes(of: &words) { buffer.append(ByteSlice($0.baseAddress!, count: Self.count)) }
  }
}

extension LoadHead {
  init(at base: UnsafeRawPointer) {
    self.init(
      record: Int(base.loadUnaligned(as: UInt32.self)),
      key: Int(base.loadUnaligned(fromByteOffset: 4, as: UInt32.self)),
      source: base.loadUnaligned(fromByteOffset: 8, as: Int.self))
  }
}

struct LoadEntry {
  let key: ByteSlice
  /// Empty if the store has it.
  let record: ByteSlice

  init(at offset: Int, in bytes: ByteSlice) {
    let base = UnsafeRawPointer(bytes.base + offset)
    let head = LoadHead(at: base)
    record = ByteSlice(base + LoadHead.count + head.key, count: head.record)
    key = head.key > 0 ? ByteSlice(base + LoadHead.count, count: head.key) : RecordKey(of: record)?.text ?? .empty
  }

  init(_ entry: SortedRun.Entry) { (key, record) = (entry.key, entry.record) }

  var source: Int { LoadHead(at: whole.base).source }

  var isStored: Bool { record.count == 0 }

  var whole: ByteSlice {
    // An id of its own is written before its record.
    let base = min(key.base, record.base) - LoadHead.count
    return ByteSlice(base: base, count: record.base + record.count - base)
  }
}

struct LoadRun {
  let file: OpenFile
  let mapping: Mapping
  let size: Int
}

/// Merges sorted runs: the records of all of them, by ascending id.
///
/// O(log k) per record for k runs. Some tens of KiB of each run stay in memory.
final class LoadMerge {
  private struct Cursor {
    let run: LoadRun
    var offset = 0
    /// Up to here, pages of the run were released.
    var rested = 0
    var entry: LoadEntry?

    init(_ run: LoadRun) {
      self.run = run
      read()
    }

    private mutating func read() {
      entry = offset < run.size ? LoadEntry(at: offset, in: ByteSlice(run.mapping.base, count: run.size)) : nil
    }

    private static let piece = 1 << 15

    mutating func advance() {
      offset += entry?.whole.count ?? 0
      if offset > rested + Self.piece {
        let end = offset / Self.piece * Self.piece
        run.mapping.rest(rested..<end)
        rested = end
      }
      read()
    }
  }

  private var cursors: [Cursor]
  /// A heap of indices of `cursors`, the smallest id first. Cursors at their end are not in it.
  private var heap: [Int] = []

  init(_ runs: [LoadRun]) {
    cursors = runs.map { Cursor($0) }
    heap = cursors.indices.filter { cursors[$0].entry != nil }
    for index in heap.indices.reversed() { sink(index) }
  }

  /// The next record; `nil` at the end. It stays in memory until `advance`.
  var head: LoadEntry? { heap.isEmpty ? nil : cursors[heap[0]].entry }

  /// - Throws: `invalidRecord` where it has the same id.
  func advance() throws(StoreError) {
    guard let last = head else { return }
    // The same id can only come from another run. Both are compared while the last one is in memory.
    for next in [1, 2] where next < heap.count {
      guard let entry = cursors[heap[next]].entry, entry.key == last.key else { continue }
      throw .duplicate(String(decoding: last.key.raw, as: UTF8.self), at: max(last.source, entry.source))
    }
    cursors[heap[0]].advance()
    if cursors[heap[0]].entry == nil { heap.swapAt(0, heap.count - 1); heap.removeLast() }
    sink(0)
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    cursors[heap[left]].entry!.key.compare(cursors[heap[right]].entry!.key) < 0
  }

  private func sink(_ start: Int) {
    var index = start
    while true {
      var first = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count && precedes(child, first) { first = child }
      if first == index { return }
      heap.swapAt(index, first)
      index = first
    }
  }
}
