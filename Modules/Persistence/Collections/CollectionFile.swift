import Models
import Ports
import Synchronization

/// A collection file, mapped: lines sorted by id. Each block has a checksum. A lookup checks it each time, a scan once for
/// as long as nobody writes to the file.
final class CollectionFile: Sendable {
  /// How many bytes one checksum covers.
  static let blockSize = 1024

  let part: Manifest.Part
  let path: String
  let lines: Mapping
  private let sums: Mapping
  private let sumsSize: Int
  let index: SparseIndex?
  let file: OpenFile
  private let sumsFile: OpenFile
  /// Both files when they were last known to be right; `nil` after a check that failed. Nobody writes to them once the
  /// manifest names them.
  private let checked: Mutex<State?>
  /// Both files when `good` was last cleared.
  private let scanned: Mutex<State>
  /// One bit per block: whether a scan found it intact.
  private let good: Bitmap
  private let ends = AtomicLazyReference<Ends>()

  /// The ids of the first and the last line.
  private final class Ends: Sendable {
    let first: [UInt8]
    let last: [UInt8]

    init(_ first: [UInt8], _ last: [UInt8]) { (self.first, self.last) = (first, last) }
  }

  private struct State {
    let lines: FileInformation
    let sums: FileInformation

    init(_ lines: OpenFile, _ sums: OpenFile) throws(StoreError) {
      self.lines = try lines.information()
      self.sums = try sums.information()
    }

    func isTouched(since earlier: State) -> Bool {
      lines.isTouched(since: earlier.lines) || sums.isTouched(since: earlier.sums)
    }
  }

  /// Opens a file that the manifest names; `nil` if it was removed because of a newer generation.
  init?(_ part: Manifest.Part, on disk: Disk) throws(StoreError) {
    guard let file = try disk.open(part.fileName), let sumsFile = try disk.open(part.sumsName) else { return nil }
    (self.part, self.file, self.sumsFile) = (part, file, sumsFile)
    path = disk.path(part.fileName)
    let blocks = (part.bytes + Self.blockSize - 1) / Self.blockSize
    let state = try State(file, sumsFile)
    checked = Mutex(state)
    scanned = Mutex(state)
    good = Bitmap(count: blocks)
    let (size, sumsSize) = (state.lines.size, state.sums.size)
    // A file from an earlier version has no index: lookups search it by halves.
    let isIndexed = blocks > 0 && sumsSize == blocks * 8 + SparseIndex.byteCount(blocks: blocks)
    guard size == part.bytes, isIndexed || sumsSize == blocks * 8 else {
      let (name, offset) = size != part.bytes ? (path, size) : (disk.path(part.sumsName), sumsSize)
      throw StoreError(
        .damaged, "the file has \(offset) bytes, not those that were written", hint: disk.suggestions.repair,
        path: name, offset: offset)
    }
    lines = try file.map(capacity: part.bytes)
    self.sumsSize = sumsSize
    sums = try sumsFile.map(capacity: sumsSize)
    index = isIndexed ? SparseIndex(blocks: blocks, at: sums.base + blocks * 8) : nil
  }

  var slice: ByteSlice { ByteSlice(lines.base, count: part.bytes) }

  /// The sums file: the checksum of each block, and the index.
  var sumsSlice: ByteSlice { ByteSlice(sums.base, count: sumsSize) }

  /// Checks that both files are as long as they were. Touching the mapping beyond a file's end would end the process.
  func checkSize() throws(StoreError) { try checkSize(State(file, sumsFile)) }

  private func checkSize(_ state: State) throws(StoreError) {
    for (size, expected, file) in [(state.lines.size, part.bytes, file), (state.sums.size, sumsSize, sumsFile)]
    where size < expected {
      throw StoreError(
        .damaged, "the file has \(size) bytes, not those that were written", hint: file.disk.suggestions.repair,
        path: file.disk.path(file.name), offset: size)
    }
  }

  /// Checks the sizes, and forgets which blocks are intact if one of the files was written to since. O(1) otherwise.
  func prepareMapping() throws(StoreError) {
    // Before the blocks are read, so that what is written meanwhile is seen the next time.
    let state = try State(file, sumsFile)
    scanned.withLock { scanned in
      guard state.isTouched(since: scanned) else { return }
      scanned = state
      good.clear()
    }
    try checkSize(state)
  }

  /// Checks every block, also those that a scan found intact.
  func checkAll() throws(StoreError) {
    good.clear()
    try checkSize()
    try check(0..<part.bytes)
  }

  /// Checks everything if one of the files was written to since it was opened or checked. O(1) otherwise.
  ///
  /// - Returns: whether both files still have a name.
  func checkIfTouched() throws(StoreError) -> Bool {
    // Before the check, so that what is written meanwhile is seen the next time.
    let state = try State(file, sumsFile)
    if let checked = checked.withLock({ $0 }), !state.isTouched(since: checked) { return true }
    if state.lines.isRemoved || state.sums.isRemoved { return false }
    do throws(StoreError) {
      try checkAll()
    } catch {
      checked.withLock { $0 = nil }
      throw error
    }
    checked.withLock { $0 = state }
    return true
  }

  /// Checks the mapped blocks that hold these bytes, unless they were found intact before.
  @inline(__always)
  func check(_ range: Range<Int>) throws(StoreError) {
    var block = range.lowerBound / Self.blockSize
    while block * Self.blockSize < range.upperBound {
      if !good[block] { try checkBlock(block) }
      block += 1
    }
  }

  private func checkBlock(_ block: Int) throws(StoreError) {
    let start = block * Self.blockSize
    let count = min(Self.blockSize, part.bytes - start)
    try check(block, UnsafeRawBufferPointer(start: lines.base + start, count: count))
    good.set(block)
  }

  /// Checks a block's bytes, wherever they were read to.
  func check(_ block: Int, _ bytes: UnsafeRawBufferPointer) throws(StoreError) {
    let start = block * Self.blockSize
    let expected = (sums.base + block * 8).loadUnaligned(as: UInt64.self).littleEndian
    guard XXHash64.sum(bytes) == expected else {
      throw damaged("bytes \(start)..<\(start + bytes.count) are not what was written", start)
    }
  }

  func damaged(_ message: String, _ offset: Int) -> StoreError {
    StoreError(.damaged, message, hint: file.disk.suggestions.repair, path: path, offset: offset)
  }

  /// The end of the line that holds an offset: the offset of its newline.
  func lineEnd(from offset: Int) throws(StoreError) -> Int {
    var start = offset
    while start < part.bytes {
      let end = min((start / Self.blockSize + 1) * Self.blockSize, part.bytes)
      try check(start..<end)
      if let found = slice[0..<end].first(0x0A, from: start) { return found }
      start = end
    }
    throw damaged("the last line has no end", offset)
  }

  /// The first offset of a line whose id is not before `key`, at or after a beginning of a line.
  func offset(of key: ByteSlice, from floor: Int = 0) throws(StoreError) -> Int {
    if key.count == 0 { return floor }
    if let found = try indexedOffset(of: key) { return max(found, floor) }
    // A binary search over the first lines of blocks, then line by line. The offset is at or after `low`, and lines that
    // begin at or after `highBlock` are not before the key.
    var low = floor
    var lowBlock = floor / Self.blockSize
    var highBlock = (part.bytes + Self.blockSize - 1) / Self.blockSize
    while highBlock - lowBlock > 1 {
      let middle = lowBlock + (highBlock - lowBlock) / 2
      // The line that begins first in the block, or later where a long line fills all of it.
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

  @inline(__always)
  func compare(_ line: Range<Int>, _ key: ByteSlice) throws(StoreError) -> Int {
    try compare(slice[line], at: line.lowerBound, key)
  }

  @inline(__always)
  func compare(_ line: ByteSlice, at offset: Int, _ key: ByteSlice) throws(StoreError) -> Int {
    guard let found = RecordKey(of: line) else { throw damaged("a line does not begin with an id", offset) }
    if !found.isEscaped { return found.text.compare(key) }
    guard let id = found.unescaped() else { throw damaged("an id is not well-formed", offset) }
    return id.withUnsafeBufferPointer { ByteSlice($0).compare(key) }
  }

  /// Two blocks from the beginning of one, read rather than mapped; fewer bytes where the file ends.
  func twoBlocks(from block: Int) throws(StoreError) -> [UInt8] {
    let start = block * Self.blockSize
    return try file.bytes(at: start, count: min(2 * Self.blockSize, part.bytes - start))
  }
}

extension CollectionFile {
  /// A record, copied out.
  func record(_ key: ByteSlice) throws(StoreError) -> [UInt8]? {
    if let index {
      if isOutside(key) { return nil }
      var block = try index.block(of: key) { (block) throws(StoreError) in
        try prepareMapping()
        return try isFirstKey(block, after: key)
      }
      var found = try find(key, in: block)
      if case .before = found, block > 0 {
        block -= 1
        found = try find(key, in: block)
      }
      if case .record(let record) = found { return record }
      if case .absent = found { return nil }
    }
    try prepareMapping()
    let start = try offset(of: key)
    guard start < part.bytes else { return nil }
    let end = try lineEnd(from: start)
    return try compare(start..<end, key) == 0 ? slice[start..<end].array : nil
  }

  /// Whether an id comes before the first or after the last one, as most do that a server gives to new records: then
  /// nothing needs to be read. A file whose ends are damaged has its other records.
  private func isOutside(_ key: ByteSlice) -> Bool {
    guard let ends = self.ends.load() ?? (try? readEnds()) else { return false }
    return ends.first.withByteSlice { key.compare($0) < 0 } || ends.last.withByteSlice { key.compare($0) > 0 }
  }

  private func readEnds() throws(StoreError) -> Ends {
    try prepareMapping()
    var block = (part.bytes - 1) / Self.blockSize
    var line = try self.line(ofBlock: block)
    while line.isEmpty, block > 0 {
      block -= 1
      line = try self.line(ofBlock: block)
    }
    while line.upperBound + 1 < part.bytes { line = line.upperBound + 1..<(try lineEnd(from: line.upperBound + 1)) }
    return ends.storeIfNil(Ends(try id(of: self.line(ofBlock: 0)), try id(of: line)))
  }

  private func id(of line: Range<Int>) throws(StoreError) -> [UInt8] {
    guard let id = RecordKey(of: slice[line])?.withBytes({ $0.array }) else {
      throw damaged("a line does not begin with an id", line.lowerBound)
    }
    return id
  }

  private enum Found {
    case record([UInt8])
    case absent
    /// Not in this block, but maybe in one before.
    case before
    /// These bytes do not tell.
    case elsewhere
  }

  /// Looks for a record where the index says that it is.
  ///
  /// The bytes are read, not touched in the mapping: a lookup here and there would have the system map pages all over
  /// the file, which takes longer than everything else.
  private func find(_ key: ByteSlice, in block: Int) throws(StoreError) -> Found {
    let bytes = try twoBlocks(from: block)
    let base = block * Self.blockSize
    return try bytes.withByteSlice { (bytes) throws(StoreError) in
      guard bytes.count == min(2 * Self.blockSize, part.bytes - base) else { return .elsewhere }
      var checked = min(Self.blockSize, bytes.count)
      try check(block, bytes[0..<checked].raw)
      var offset = 0
      if block > 0 {
        guard let newline = bytes[0..<checked].first(0x0A) else { return .elsewhere }
        offset = newline + 1
      }
      var isFirst = true
      while base + offset < part.bytes {
        var end = offset < checked ? bytes[0..<checked].first(0x0A, from: offset) : nil
        if end == nil, checked < bytes.count {
          try check(block + 1, bytes[checked..<bytes.count].raw)
          checked = bytes.count
          end = bytes.first(0x0A, from: offset)
        }
        guard let end else { return .elsewhere }
        let line = bytes[offset..<end]
        let order = try compare(line, at: base + offset, key)
        if order == 0 { return .record(line.array) }
        // What comes before is not after the key only if the first line is not; the file's own has nothing before it.
        if order > 0 { return isFirst && base + offset > 0 ? .before : .absent }
        isFirst = false
        offset = end + 1
      }
      return isFirst ? .before : .absent
    }
  }

  private func isFirstKey(_ block: Int, after key: ByteSlice) throws(StoreError) -> Bool {
    let line = try self.line(ofBlock: block)
    if line.isEmpty { return true }
    return try compare(line, key) > 0
  }

  /// The first offset of a line whose id is not before `key`, by the index; `nil` where the index is wrong.
  func indexedOffset(of key: ByteSlice) throws(StoreError) -> Int? {
    guard let index else { return nil }
    var block = try index.block(of: key) { (block) throws(StoreError) in try isFirstKey(block, after: key) }
    var line = try self.line(ofBlock: block)
    if block > 0 {
      var isWrong = line.isEmpty
      if !isWrong { isWrong = try compare(line, key) > 0 }
      if isWrong {
        block -= 1
        line = try self.line(ofBlock: block)
      }
    }
    guard !line.isEmpty else { return nil }
    var order = try compare(line, key)
    // What comes before is not after the key only if this line is not; the first line has nothing before it.
    guard order <= 0 || line.lowerBound == 0 else { return nil }
    for _ in 0..<Self.mostLines {
      if order >= 0 { return line.lowerBound }
      let start = line.upperBound + 1
      guard start < part.bytes else { return part.bytes }
      line = start..<(try lineEnd(from: start))
      order = try compare(line, key)
    }
    return nil
  }

  /// More lines than this do not begin in a block: one with its newline has 11 bytes and more.
  private static let mostLines = blockSize / 11 + 2

  /// The line whose id is a block's key in the index: the first one that begins after the block's beginning, so that the
  /// block before need not be read; empty if there is none.
  private func line(ofBlock block: Int) throws(StoreError) -> Range<Int> {
    let start = block == 0 ? 0 : try lineEnd(from: block * Self.blockSize) + 1
    return start < part.bytes ? start..<(try lineEnd(from: start)) : start..<start
  }
}
