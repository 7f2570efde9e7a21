import Models
import Ports

/// Sorts any number of records by id, with some megabytes of memory: what does not fit goes to the disk in sorted runs,
/// which are merged when they are read (an external merge sort).
final class LoadSorter {
  private let disk: Disk
  private let limits: Limits
  private var buffer: ByteBuffer
  /// Where each record's head stands in the buffer.
  private var places: [Int] = []
  private(set) var runs: [LoadRun] = []
  private var files = 0

  init(disk: Disk, limits: Limits) {
    self.disk = disk
    self.limits = limits
    buffer = ByteBuffer(capacity: 1 << 16)
  }

  /// Whether nothing was taken yet.
  var isEmpty: Bool { places.isEmpty && runs.isEmpty }

  /// Takes a record.
  ///
  /// - Throws: `invalidRecord` where id or record are not as they must be.
  func add(_ record: LoadedRecord) throws(StoreError) {
    try withKey(record.id) { (id) throws(StoreError) in
      try DiskTransaction.check(id)
      try record.record.withSlice { (line) throws(StoreError) in
        let key = try DiskTransaction.check(line, id: id)
        if buffer.count > 0, buffer.count + line.count > limits.loadBuffer { try spill() }
        places.append(buffer.count)
        LoadHead(record: line.count, key: key.isEscaped ? id.count : 0, place: record.place).write(to: &buffer)
        if key.isEscaped { buffer.append(id) }
        buffer.append(line)
      }
    }
  }

  /// All records, while they fit into memory; `nil` once some are on the disk.
  func inMemory() throws(StoreError) -> [LoadedRecord]? {
    guard runs.isEmpty else { return nil }
    return try sorted().map { entry in
      LoadedRecord(
        id: String(decoding: entry.key.raw, as: UTF8.self), record: entry.record.array, place: entry.source)
    }
  }

  /// Hands out every record by ascending id.
  ///
  /// - Throws: `invalidRecord` where two have the same id.
  func merged() throws(StoreError) -> LoadMerge {
    if !places.isEmpty { try spill() }
    // Its memory is needed for what follows.
    buffer = ByteBuffer(capacity: 1)
    return LoadMerge(runs)
  }

  private func sorted() throws(StoreError) -> [LoadEntry] {
    let bytes = buffer.slice
    let entries = places.map { LoadEntry(at: $0, in: bytes) }
    let run = Run(unsorted: entries.map { Run.Entry(key: $0.key, record: $0.record) }, owners: [])
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
    // It stays for as long as it is open, and is gone with the process, however that ends.
    try disk.remove(name)
    var output = ByteBuffer(capacity: 1 << 20)
    var written = 0
    for entry in try sorted() {
      output.append(entry.whole)
      guard output.count >= 1 << 20 else { continue }
      try file.write(output.slice.raw, at: written)
      written += output.count
      output.cut(to: 0)
    }
    try file.write(output.slice.raw, at: written)
    written += output.count
    runs.append(LoadRun(file: file, mapping: try file.map(capacity: written), size: written))
    places.removeAll(keepingCapacity: true)
    buffer.cut(to: 0)
  }

  /// How the names of these files begin, for the moment in which they have one.
  static let prefix = "load."
}

/// What stands before each record: its length, that of its id where the record has it with escapes, and its place.
struct LoadHead {
  var record: Int
  var key: Int
  var place: Int

  static let count = 16

  init(record: Int, key: Int, place: Int) {
    self.record = record
    self.key = key
    self.place = place
  }

  init(at base: UnsafeRawPointer) {
    record = Int(base.loadUnaligned(as: UInt32.self))
    key = Int(base.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    place = base.loadUnaligned(fromByteOffset: 8, as: Int.self)
  }

  func write(to buffer: inout ByteBuffer) {
    var words = (UInt32(record), UInt32(key), place)
    withUnsafeBytes(of: &words) { buffer.append(Slice($0.baseAddress!, count: Self.count)) }
  }
}

/// A record with its head, somewhere in memory.
struct LoadEntry {
  let key: Slice
  let record: Slice

  /// The record whose head stands at a place.
  init(at place: Int, in bytes: Slice) {
    let base = UnsafeRawPointer(bytes.base + place)
    let head = LoadHead(at: base)
    record = Slice(base + LoadHead.count + head.key, count: head.record)
    key = head.key > 0 ? Slice(base + LoadHead.count, count: head.key) : RecordKey(of: record)?.text ?? .empty
  }

  init(_ entry: Run.Entry) { (key, record) = (entry.key, entry.record) }

  /// Where it came from.
  var source: Int { LoadHead(at: whole.base).place }

  /// All of it, with its head.
  var whole: Slice {
    // An id that is kept by itself stands before its record.
    let base = min(key.base, record.base) - LoadHead.count
    return Slice(base: base, count: record.base + record.count - base)
  }
}
