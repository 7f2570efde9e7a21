import Ports

extension CollectionFile {
  struct Reader {
    let file: CollectionFile
    var offset: Int
    /// The blocks before this offset are checked. The next `step` bytes follow, more with each step of a scan.
    private var checked: Int
    private var step = CollectionFile.blockSize
    /// Up to here, pages of the file were released, or were those of an earlier scan.
    private var rested: Int

    init(file: CollectionFile, offset: Int) {
      (self.file, self.offset) = (file, offset)
      checked = offset
      // Scans that follow one another release what those before them have read.
      rested = offset / Self.piece * Self.piece - Self.piece
    }

    /// How much of the file a scan keeps in memory; a multiple of the pages of any machine.
    private static let piece = 8 << 20

    @inline(__always)
    private mutating func lineEnd() throws(StoreError) -> Int {
      var start = offset
      while true {
        if start < checked, let found = file.slice[0..<checked].first(0x0A, from: start) { return found }
        start = max(start, checked)
        guard start < file.part.bytes else { throw file.damaged("the last line has no end", offset) }
        // One piece stays, in which lines may still be in use.
        if start > rested + 2 * Self.piece {
          if rested >= 0 { file.lines.rest(rested..<rested + Self.piece) }
          rested += Self.piece
        }
        let end = min((start / CollectionFile.blockSize * CollectionFile.blockSize) + step, file.part.bytes)
        try file.checkSize()
        try file.check(start..<end)
        checked = end
        step = min(step * 2, 1 << 16)
      }
    }

    /// Passes on the lines before an id, or all, as far as they have the prefix; ends at the id's line or behind it.
    mutating func hand(
      upTo key: ByteSlice?, prefix: ByteSlice, _ body: (ByteSlice) throws(StoreError) -> ScanStep
    ) throws(StoreError) -> ScanStep {
      let slice = file.slice
      let size = slice.count
      while offset < size {
        let end = try lineEnd()
        if let key {
          let order = try file.compare(offset..<end, key)
          if order == 0 { offset = end + 1 }
          if order >= 0 { return .next }
        }
        if prefix.count > 0, try !file.hasPrefix(offset..<end, prefix) {
          offset = size
          return .next
        }
        let line = slice[offset..<end]
        offset = end + 1
        if try body(line) == .stop { return .stop }
      }
      return .next
    }
  }

  /// A reader that begins at the first line of a range.
  func reader(prefix: ByteSlice, after: ByteSlice?) throws(StoreError) -> Reader {
    try prepareMapping()
    var start = try offset(of: prefix)
    if let after, start < part.bytes {
      start = try offset(of: after, from: start)
      if start < part.bytes {
        let end = try lineEnd(from: start)
        if try compare(start..<end, after) == 0 { start = end + 1 }
      }
    }
    return Reader(file: self, offset: start)
  }

  func hasPrefix(_ line: Range<Int>, _ prefix: ByteSlice) throws(StoreError) -> Bool {
    guard let key = RecordKey(of: slice[line]) else {
      throw damaged("a line does not begin with an id", line.lowerBound)
    }
    if !key.isEscaped { return key.text.starts(with: prefix) }
    guard let id = key.unescaped() else { throw damaged("an id is not well-formed", line.lowerBound) }
    return id.withUnsafeBufferPointer { ByteSlice($0).starts(with: prefix) }
  }
}
