import Glibc
import Ports
import Synchronization

/// A collection file, mapped: lines sorted by id, every block of it with a checksum that is looked at when the block
/// is touched first.
final class PublishedFile: Sendable {
  /// How many bytes one checksum covers.
  static let blockSize = 1024

  let part: Manifest.Part
  let path: String
  let lines: Mapping
  private let sums: Mapping
  private let sumsSize: Int
  let fences: FenceTree?
  let file: OpenFile
  /// One bit a block: already found good.
  private let good: Bitmap

  /// Opens a file that the manifest names; `nil` where it is gone because a newer generation came.
  init?(_ part: Manifest.Part, on disk: Disk) throws(StoreError) {
    guard let file = try disk.open(part.fileName), let sumsFile = try disk.open(part.sumsName) else { return nil }
    self.part = part
    self.file = file
    path = disk.path(part.fileName)
    let blocks = (part.bytes + Self.blockSize - 1) / Self.blockSize
    let (size, sumsSize) = (try file.information().size, try sumsFile.information().size)
    // A file that was written before there were fences has none: then lookups search it by halves.
    let isFenced = blocks > 0 && sumsSize == blocks * 8 + FenceTree.byteCount(blocks: blocks)
    guard size == part.bytes, isFenced || sumsSize == blocks * 8 else {
      let (name, place) = size != part.bytes ? (path, size) : (disk.path(part.sumsName), sumsSize)
      throw StoreError(
        .damaged, "the file has \(place) bytes, not those that were written", hint: disk.remedies.repair, path: name,
        offset: place)
    }
    lines = try file.map(capacity: part.bytes)
    self.sumsSize = sumsSize
    sums = try sumsFile.map(capacity: sumsSize)
    fences = isFenced ? FenceTree(blocks: blocks, at: sums.base + blocks * 8) : nil
    good = Bitmap(count: blocks)
  }

  var slice: Slice { Slice(lines.base, count: part.bytes) }

  /// The sums file: the checksum of each block, and the fences.
  var sumsSlice: Slice { Slice(sums.base, count: sumsSize) }

  /// Checks the blocks that hold these bytes, as far as it was not done before.
  @inline(__always)
  func check(_ range: Range<Int>) throws(StoreError) {
    guard !range.isEmpty else { return }
    var block = range.lowerBound / Self.blockSize
    let last = (range.upperBound - 1) / Self.blockSize
    while block <= last {
      if !good[block] { try checkBlock(block) }
      block += 1
    }
  }

  private func checkBlock(_ block: Int) throws(StoreError) {
    let start = block * Self.blockSize
    try check(
      block, UnsafeRawBufferPointer(start: lines.base + start, count: min(Self.blockSize, part.bytes - start)))
  }

  /// Checks a block's bytes, wherever they were read to, if it was not done before.
  func check(_ block: Int, _ bytes: UnsafeRawBufferPointer) throws(StoreError) {
    if good[block] { return }
    let start = block * Self.blockSize
    let expected = (sums.base + block * 8).loadUnaligned(as: UInt64.self).littleEndian
    guard XXHash64.sum(bytes) == expected else {
      throw damaged("bytes \(start)..<\(start + bytes.count) are not what was written", start)
    }
    good.set(block)
  }

  func damaged(_ message: String, _ offset: Int) -> StoreError {
    StoreError(.damaged, message, hint: file.disk.remedies.repair, path: path, offset: offset)
  }

  /// The end of the line that holds a place: the place of its newline.
  func lineEnd(from place: Int) throws(StoreError) -> Int {
    var start = place
    while start < part.bytes {
      let end = min((start / Self.blockSize + 1) * Self.blockSize, part.bytes)
      try check(start..<end)
      if let found = slice[0..<end].first(0x0A, from: start) { return found }
      start = end
    }
    throw damaged("the last line has no end", place)
  }

  /// The first place of a line whose id is not before `key`, at or after a beginning of a line.
  func place(of key: Slice, from floor: Int = 0) throws(StoreError) -> Int {
    if key.count == 0 { return floor }
    if let found = try fencedPlace(of: key) { return max(found, floor) }
    // Looked for by the first line that begins in a block, then line by line. `low` begins at or before the place, all
    // lines that begin at or after `high` are not before the key.
    var low = floor
    var lowBlock = floor / Self.blockSize
    var highBlock = (part.bytes + Self.blockSize - 1) / Self.blockSize
    while highBlock - lowBlock > 1 {
      let middle = lowBlock + (highBlock - lowBlock) / 2
      // The line that begins first in the block, or later where a long line goes on through all of it.
      let start = try lineEnd(from: middle * Self.blockSize - 1) + 1
      var isBefore = false
      if start < part.bytes {
        let end = try lineEnd(from: start)
        isBefore = try compare(start..<end, key) < 0
      }
      if isBefore {
        low = max(low, start)
        lowBlock = middle
      } else {
        highBlock = middle
      }
    }
    while low < part.bytes {
      let end = try lineEnd(from: low)
      if try compare(low..<end, key) >= 0 { return low }
      low = end + 1
    }
    return low
  }

  /// Compares the id of a line with a key.
  @inline(__always)
  func compare(_ line: Range<Int>, _ key: Slice) throws(StoreError) -> Int {
    try compare(slice[line], at: line.lowerBound, key)
  }

  /// Compares the id of a line that stands at a place of the file with a key.
  @inline(__always)
  func compare(_ line: Slice, at place: Int, _ key: Slice) throws(StoreError) -> Int {
    guard let found = RecordKey(of: line) else { throw damaged("a line does not begin with an id", place) }
    if !found.isEscaped { return found.text.compare(key) }
    guard let id = found.unescaped() else { throw damaged("an id is not well-formed", place) }
    return id.withUnsafeBufferPointer { Slice($0).compare(key) }
  }

  /// Two blocks from the beginning of one, read rather than mapped; fewer bytes where the file ends.
  func twoBlocks(from block: Int) throws(StoreError) -> [UInt8] {
    let start = block * Self.blockSize
    return try file.bytes(at: start, count: min(2 * Self.blockSize, part.bytes - start))
  }
}
