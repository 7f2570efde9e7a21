import Models
import Ports

/// The lines that the published files of some collections can have: every record of them that the collection files and
/// the journal still hold.
///
/// O(n) for n bytes of them, each journal file read once; eight bytes of memory a line.
struct KnownLines {
  private var sums: [String: Set<UInt64>]

  init(of collections: some Sequence<String>) { sums = Dictionary(uniqueKeysWithValues: collections.map { ($0, []) }) }

  /// Adds the lines of a collection file, if it is there.
  mutating func add(_ part: Manifest.Part, on disk: Disk) throws(StoreError) {
    guard sums[part.collection] != nil, let file = try disk.open(part.fileName) else { return }
    let (mapping, slice) = try file.mapped()
    withExtendedLifetime(mapping) {
      for line in slice.lines { sums[part.collection]!.insert(XXHash64.sum(slice[line].raw)) }
    }
  }

  /// Adds the records of a journal file, if it is there; what follows damage is not looked at.
  ///
  /// - Returns: the number of its last commit.
  @discardableResult
  mutating func add(_ segment: Manifest.Segment, on disk: Disk, _ limits: Limits) throws(StoreError) -> UInt64 {
    guard !sums.isEmpty, let journal = try JournalFile.open(segment, on: disk, limits) else { return 0 }
    let verdict = try journal.verdict(from: 0, .unknown, sequence: segment.first) {
      (frame, offset) throws(StoreError) in
      let mapping = try journal.mapping(offset + frame.bytes)
      try journal.changes(of: frame, at: offset, in: mapping) { (change) throws(StoreError) in
        if change.kind != .delete { sums[change.collection.text]?.insert(XXHash64.sum(change.record.raw)) }
      }
    }
    return verdict.next - 1
  }

  mutating func add(_ run: SortedRun, of collection: String) {
    for entry in run.entries where !entry.isTombstone { sums[collection]?.insert(XXHash64.sum(entry.record.raw)) }
  }

  func isKnown(_ collection: String) -> Bool { sums[collection]?.isEmpty == false }

  struct Unknown {
    var first: Int?
    /// How many of them look like records.
    var records = 0
    /// How many do not.
    var others = 0

    /// How many there are: `20 records`, or `3 lines, not all of them records`.
    var text: String {
      others > 0 ? "\((others + records).counted("line")), not all of them records" : records.counted("record")
    }
  }

  /// Looks for lines of a file that are not known; empty ones, which an older format allows, are passed over.
  func unknown(in file: OpenFile, of collection: String) throws(StoreError) -> Unknown {
    let known = sums[collection] ?? []
    var unknown = Unknown()
    let (mapping, slice) = try file.mapped()
    withExtendedLifetime(mapping) {
      for line in slice.lines where !line.isEmpty && !known.contains(XXHash64.sum(slice[line].raw)) {
        unknown.first = unknown.first ?? line.lowerBound
        if Self.isRecord(slice[line]) { unknown.records += 1 } else { unknown.others += 1 }
      }
    }
    return unknown
  }

  /// Whether the lines of a file look like records.
  static func areRecords(in file: OpenFile) throws(StoreError) -> Bool {
    let (mapping, slice) = try file.mapped()
    return withExtendedLifetime(mapping) { slice.lines.allSatisfy { $0.isEmpty || isRecord(slice[$0]) } }
  }

  private static func isRecord(_ line: ByteSlice) -> Bool {
    guard let id = RecordKey(of: line)?.unescaped(), String(validating: line.raw, as: UTF8.self) != nil else {
      return false
    }
    return (try? id.withByteSlice { (id) throws(StoreError) in _ = try DiskTransaction.check(line, id: id) }) != nil
  }
}
