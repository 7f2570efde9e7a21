import Models
import Ports

/// Sorts any number of records by id with some megabytes of memory: an external merge sort. Records that do not fit are
/// written to the disk as sorted runs, while others come. Of those that change nothing, the id is kept.
final class LoadSorter {
  private let disk: Disk
  private let limits: Limits
  private var buffer = LoadBuffer()
  /// The runs on the disk, one behind the other.
  private var runs: [Range<Int>] = []
  private var file: OpenFile?
  private var writing: Task<Result<Void, StoreError>, Never>?
  private var size = 0
  /// Whether all of them are an ordinary transaction.
  private(set) var isSmall = true
  /// Whether there are records that may change something.
  private(set) var hasChanges = false

  init(disk: Disk, limits: Limits) { (self.disk, self.limits) = (disk, limits) }

  var isEmpty: Bool { size == 0 }

  func add(_ batch: LoadBatch) async throws(StoreError) {
    for entry in batch.entries {
      let size = entry.isStored ? 0 : entry.record.count
      if self.size > 0, self.size + size > limits.loadBuffer { isSmall = false }
      if buffer.bytes.count > 0, buffer.memory(limits) + size > limits.loadBuffer / 2 { try await spill() }
      hasChanges = hasChanges || size > 0
      let before = buffer.bytes.count
      try batch.bytes.withByteSlice { (bytes) throws(StoreError) in
        let (id, line) = (bytes[entry.id], bytes[entry.record])
        try DiskTransaction.check(id)
        let hasID = entry.isStored ? true : try DiskTransaction.check(line, id: id).isEscaped
        buffer.offsets.append(before)
        LoadHead(record: size, key: hasID ? id.count : 0, source: entry.place).write(to: &buffer.bytes)
        if hasID { buffer.bytes.append(id) }
        if size > 0 { buffer.bytes.append(line) }
      }
      self.size += buffer.bytes.count - before
    }
  }

  /// - Throws: `invalidRecord` where two have the same id.
  func merged() async throws(StoreError) -> LoadMerge {
    try await finishWriting()
    return LoadMerge(
      runs, of: try file.map { (file) throws(StoreError) in try file.map(capacity: runs.last?.upperBound ?? 0) }, file,
      buffer, sorted: try buffer.sorted())
  }

  /// Waits until nothing is written any more.
  func stop() async { _ = await writing?.value }

  private func spill() async throws(StoreError) {
    try await finishWriting()
    if file == nil {
      let name = "\(Self.prefix)\(disk.system.processID).\(disk.system.randomNumber())"
      file = try disk.create(name)
      // The file has no name: it exists while it is open, and vanishes with the process however that ends.
      try disk.remove(name)
    }
    guard let file else { return }
    let start = runs.last?.upperBound ?? 0
    let full = buffer
    runs.append(start..<start + full.bytes.count)
    buffer = LoadBuffer()
    writing = Task { full.write(to: file, at: start) }
  }

  private func finishWriting() async throws(StoreError) {
    guard let result = await writing?.value else { return }
    writing = nil
    try result.get()
  }

  /// How the names of these files begin, for the moment before they are unlinked.
  static let prefix = "load."
}

/// Records as they came, one behind the other.
final class LoadBuffer: @unchecked Sendable {
  // It is filled before it is written in a task, and nothing changes it then: hence unchecked.
  var bytes = ByteBuffer(capacity: 1 << 16)
  /// The offset of each record's header.
  var offsets: [Int] = []

  func memory(_ limits: Limits) -> Int { bytes.count + offsets.count * limits.loadOverhead }

  func sorted() throws(StoreError) -> [LoadEntry] {
    let bytes = bytes.slice
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

  func write(to file: OpenFile, at start: Int) -> Result<Void, StoreError> {
    do throws(StoreError) {
      var output = ByteBuffer(capacity: 1 << 20)
      var written = start
      for entry in try sorted() {
        output.append(entry.whole)
        guard output.count >= 1 << 20 else { continue }
        try file.write(output.slice.raw, at: written)
        written += output.count
        output.truncate(to: 0)
      }
      try file.write(output.slice.raw, at: written)
      return .success(())
    } catch { return .failure(error) }
  }
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

/// Merges sorted runs: the records of all of them, by ascending id.
///
/// O(log k) per record for k runs. Some tens of KiB of each run on the disk stay in memory.
final class LoadMerge {
  private struct Cursor {
    private let mapping: Mapping?
    private let end: Int
    /// The records that are not on the disk.
    private let entries: [LoadEntry]
    private var offset: Int
    /// Up to here, pages of the run were released.
    private var rested: Int
    private(set) var entry: LoadEntry?

    init(_ run: Range<Int>, of mapping: Mapping?) {
      (self.mapping, offset, end, entries) = (mapping, run.lowerBound, run.upperBound, [])
      rested = (offset + Self.piece - 1) / Self.piece * Self.piece
      read()
    }

    init(_ sorted: [LoadEntry]) {
      (mapping, offset, end, entries, rested) = (nil, 0, sorted.count, sorted, 0)
      read()
    }

    private mutating func read() {
      guard offset < end else { return entry = nil }
      entry = mapping.map { LoadEntry(at: offset, in: ByteSlice($0.base, count: end)) } ?? entries[offset]
    }

    private static let piece = 1 << 15

    mutating func advance() {
      guard let mapping else {
        offset += 1
        return read()
      }
      offset += entry?.whole.count ?? 0
      if offset > rested + Self.piece {
        let end = offset / Self.piece * Self.piece
        mapping.rest(rested..<end)
        rested = end
      }
      read()
    }
  }

  private var cursors: [Cursor]
  /// A heap of indices of `cursors`, the smallest id first. Cursors at their end are not in it.
  private var heap: [Int] = []

  /// What the records lie in.
  private let owners: (file: OpenFile?, buffer: LoadBuffer)

  /// - Parameters:
  ///   - mapping: the file of the runs.
  ///   - sorted: the records that are in the buffer.
  init(_ runs: [Range<Int>], of mapping: Mapping?, _ file: OpenFile?, _ buffer: LoadBuffer, sorted: [LoadEntry]) {
    owners = (file, buffer)
    cursors = runs.map { Cursor($0, of: mapping) } + [Cursor(sorted)]
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
