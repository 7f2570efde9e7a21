import Models
import Ports

/// What can be read of a collection file: the lines of good blocks, and the gaps between them.
struct SalvagedFile {
  let part: Manifest.Part
  let run: SortedRun
  /// The bytes of the others.
  let gaps: [ClosedRange<Int>]
  /// The ids of the good lines before and after each gap.
  let neighbours: [(before: ByteSlice?, after: ByteSlice?)]
  /// Whether the sums file is not what was written.
  let areSumsDamaged: Bool
  /// Whether its writer finished it; otherwise no manifest named it.
  let isFinished: Bool
  var isMissing = false

  var isWhole: Bool { gaps.isEmpty && !areSumsDamaged }

  /// A file that the manifest names and that is not there: all of it is a gap.
  static func missing(_ part: Manifest.Part) -> SalvagedFile {
    SalvagedFile(
      part: part, run: SortedRun(sorted: [], owners: []), gaps: [0...max(part.bytes - 1, 0)],
      neighbours: [(nil, nil)], areSumsDamaged: false, isFinished: false, isMissing: true)
  }
}

extension SalvagedFile {
  /// - Parameter isKnown: whether a manifest tells what was written.
  init?(_ part: Manifest.Part, isKnown: Bool, on disk: Disk) throws(StoreError) {
    guard let file = try disk.open(part.fileName) else { return nil }
    let (mapping, slice) = try file.mapped()
    let size = slice.count
    let blocks = (size + CollectionFile.blockSize - 1) / CollectionFile.blockSize
    let sums = try disk.open(part.sumsName).map { (file) throws(StoreError) in
      try file.bytes(count: try file.information().size)
    }
    let agrees = sums.map { XXHash64.sum($0) == part.sum } ?? false
    // The sums follow from the lines: where they give the manifest's number, every line is what was written.
    let isProved = isKnown && !agrees && Self.isProved(slice, part)
    let isGood = { (block: Int) -> Bool in
      if isProved { return true }
      guard let sums, sums.count >= block * 8 + 8 else { return false }
      let start = block * CollectionFile.blockSize
      let bytes = slice[start..<min(start + CollectionFile.blockSize, size)]
      return sums.withByteSlice {
        UnsafeRawPointer($0.base + block * 8).loadUnaligned(as: UInt64.self).littleEndian == XXHash64.sum(bytes.raw)
      }
    }
    var entries: [SortedRun.Entry] = []
    var owners: [any AnyObject & Sendable] = [mapping]
    var gaps: [ClosedRange<Int>] = []
    // How many good lines come before each gap.
    var goodBefore: [Int] = []
    for range in slice.lines {
      let (offset, end) = (range.lowerBound, range.upperBound)
      // The newline before the line counts too: a damaged one may be in the middle of a record.
      let touched = max(offset - 1, 0) / CollectionFile.blockSize...min(end, size - 1) / CollectionFile.blockSize
      let line = slice[range]
      if touched.allSatisfy(isGood), end < size, let key = RecordKey(of: line), let id = key.unescaped() {
        let arena = Arena(id)
        owners.append(arena)
        entries.append(SortedRun.Entry(key: arena.slice, record: line))
      } else if let last = gaps.last, last.upperBound == offset - 1 {
        gaps[gaps.count - 1] = last.lowerBound...end
      } else {
        gaps.append(offset...end)
        goodBefore.append(entries.count)
      }
    }
    if isKnown, size < part.bytes, gaps.last.map({ $0.upperBound < size - 1 }) ?? true {
      gaps.append(size...part.bytes - 1)
      goodBefore.append(entries.count)
    }
    let finished = [blocks * 8, blocks * 8 + SparseIndex.byteCount(blocks: blocks)]
    self.init(
      part: part, run: SortedRun(unsorted: entries, owners: owners), gaps: gaps,
      neighbours: goodBefore.map { count in
        (count > 0 ? entries[count - 1].key : nil, count < entries.count ? entries[count].key : nil)
      },
      areSumsDamaged: isKnown && !agrees,
      isFinished: sums.map { finished.contains($0.count) } ?? false)
  }

  /// The lines of the published file, if they are those of the collection file as it was written; else `nil`.
  static func published(_ part: Manifest.Part, on disk: Disk) throws(StoreError) -> SortedRun? {
    guard let file = try? disk.open(part.publishedName) else { return nil }
    let (mapping, slice) = try file.mapped()
    guard isProved(slice, part) else { return nil }
    var entries: [SortedRun.Entry] = []
    var owners: [any AnyObject & Sendable] = [mapping]
    for line in slice.lines {
      guard let key = RecordKey(of: slice[line]), let id = key.unescaped() else { continue }
      let arena = Arena(id)
      owners.append(arena)
      entries.append(SortedRun.Entry(key: arena.slice, record: slice[line]))
    }
    return SortedRun(unsorted: entries, owners: owners)
  }

  /// The records of an older file or of the journal whose ids lie in the gaps; those outside were deleted since.
  ///
  /// O(n + g) for n records and g gaps: both are sorted by id.
  func withinGaps(_ older: SortedRun) -> SortedRun {
    var gap = 0
    let entries = older.entries.filter { entry in
      while gap < neighbours.count, let after = neighbours[gap].after, after.compare(entry.key) <= 0 { gap += 1 }
      guard gap < neighbours.count else { return false }
      return neighbours[gap].before.map { $0.compare(entry.key) < 0 } ?? true
    }
    return SortedRun(sorted: entries, owners: older.owners)
  }

  /// Whether the good lines, with these in the gaps, are the file as it was written. Holds it in memory.
  func isProved(with fill: [SortedRun]) -> Bool {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(part.bytes)
    for entry in (fill + [run]).asOne.first?.entries ?? [] where !entry.isTombstone {
      bytes.append(contentsOf: entry.record.array)
      bytes.append(0x0A)
    }
    return bytes.withByteSlice { Self.isProved($0, part) }
  }

  /// Whether these lines give the sums file whose checksum the manifest has.
  private static func isProved(_ slice: ByteSlice, _ part: Manifest.Part) -> Bool {
    guard slice.count == part.bytes else { return false }
    var sums: [UInt8] = []
    func add(_ word: UInt64) { withUnsafeBytes(of: word.littleEndian) { sums.append(contentsOf: $0) } }
    for start in stride(from: 0, to: slice.count, by: CollectionFile.blockSize) {
      add(XXHash64.sum(slice[start..<min(start + CollectionFile.blockSize, slice.count)].raw))
    }
    if XXHash64.sum(sums) == part.sum { return true }
    var index = SparseIndexWriter()
    var last: ByteSlice?
    for line in slice.lines {
      last = slice[line]
      index.add(slice[line], at: line.lowerBound)
    }
    guard let last else { return false }
    index.finish(last: last, bytes: slice.count, add)
    return XXHash64.sum(sums) == part.sum
  }
}
