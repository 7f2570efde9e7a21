import Ports

/// The lines that a collection's file can have: every record of it that its files and the journal still hold.
///
/// O(n) for n bytes of them; eight bytes of memory a line.
struct KnownLines {
  private let collection: String
  private var sums: Set<UInt64> = []

  init(collection: String) { self.collection = collection }

  /// Adds the lines of a collection file, if it is there.
  mutating func add(_ part: Manifest.Part, on disk: Disk) throws(StoreError) {
    guard let file = try disk.open(part.fileName) else { return }
    try Self.eachLine(of: file) { sums.insert($0) }
  }

  /// Adds the records of a journal file, if it is there.
  mutating func add(_ segment: Manifest.Segment, on disk: Disk, _ limits: Limits) throws(StoreError) {
    guard let file = try disk.open(segment.fileName) else { return }
    let journal = JournalFile(file: file, segment: segment, leastWindow: limits.journalWindow)
    // What follows damage is not looked at.
    _ = try journal.judge(from: 0, .unknown, sequence: segment.first) { (frame, place) throws(StoreError) in
      let mapping = try journal.mapping(place + frame.bytes)
      try journal.changes(of: frame, at: place, in: mapping) { (change) throws(StoreError) in
        guard change.kind != .cut, change.collection.raw.elementsEqual(collection.utf8) else { return }
        sums.insert(XXHash64.sum(change.record.raw))
      }
    }
  }

  /// Adds the records of a run.
  mutating func add(_ run: Run) {
    for entry in run.entries where !entry.isCut { sums.insert(XXHash64.sum(entry.record.raw)) }
  }

  /// Whether every line of the file is one of them; empty lines, which an older format allows, aside.
  func hold(_ file: OpenFile) throws(StoreError) -> Bool {
    var isKnown = true
    try Self.eachLine(of: file) { isKnown = isKnown && sums.contains($0) }
    return isKnown
  }

  private static func eachLine(of file: OpenFile, _ body: (UInt64) -> Void) throws(StoreError) {
    let size = try file.information().size
    let mapping = try file.map(capacity: size)
    let slice = Slice(mapping.base, count: size)
    withExtendedLifetime(mapping) {
      var start = 0
      while start < size {
        let end = slice.first(0x0A, from: start) ?? size
        if end > start { body(XXHash64.sum(slice[start..<end].raw)) }
        start = end + 1
      }
    }
  }
}
