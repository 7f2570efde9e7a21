import Ports

extension PublishedFile {
  /// A record, copied out.
  func record(_ key: Slice) throws(StoreError) -> [UInt8]? {
    if let fences {
      var block = try fences.block(of: key) { (block) throws(StoreError) in try isFence(block, after: key) }
      var found = try find(key, in: block)
      if case .before = found, block > 0 {
        block -= 1
        found = try find(key, in: block)
      }
      if case .record(let record) = found { return record }
      if case .absent = found { return nil }
    }
    let start = try place(of: key)
    guard start < part.bytes else { return nil }
    let end = try lineEnd(from: start)
    return try compare(start..<end, key) == 0 ? slice[start..<end].array : nil
  }

  private enum Found {
    case record([UInt8])
    case absent
    /// Not in this block, but maybe in one before.
    case before
    /// Not told by these bytes.
    case elsewhere
  }

  /// Looks for a record where the fences say that it is.
  ///
  /// The bytes are read, not touched in the mapping: a lookup here and there would have the system map pages all over
  /// the file, which takes longer than everything else.
  private func find(_ key: Slice, in block: Int) throws(StoreError) -> Found {
    let bytes = try twoBlocks(from: block)
    let base = block * Self.blockSize
    return try bytes.withSlice { (bytes) throws(StoreError) in
      guard bytes.count == min(2 * Self.blockSize, part.bytes - base) else { return .elsewhere }
      var checked = min(Self.blockSize, bytes.count)
      try check(block, bytes[0..<checked].raw)
      var place = 0
      if block > 0 {
        guard let newline = bytes[0..<checked].first(0x0A) else { return .elsewhere }
        place = newline + 1
      }
      var isFirst = true
      while base + place < part.bytes {
        var end = place < checked ? bytes[0..<checked].first(0x0A, from: place) : nil
        if end == nil, checked < bytes.count {
          try check(block + 1, bytes[checked..<bytes.count].raw)
          checked = bytes.count
          end = bytes.first(0x0A, from: place)
        }
        guard let end else { return .elsewhere }
        let line = bytes[place..<end]
        let order = try compare(line, at: base + place, key)
        if order == 0 { return .record(line.array) }
        // What comes before is not after the key only if the first line is not; the file's own has nothing before it.
        if order > 0 { return isFirst && base + place > 0 ? .before : .absent }
        isFirst = false
        place = end + 1
      }
      return isFirst ? .before : .absent
    }
  }

  private func isFence(_ block: Int, after key: Slice) throws(StoreError) -> Bool {
    let line = try self.line(ofBlock: block)
    if line.isEmpty { return true }
    return try compare(line, key) > 0
  }

  /// The first place of a line whose id is not before `key`, by the fences; `nil` where they lead nowhere.
  func fencedPlace(of key: Slice) throws(StoreError) -> Int? {
    guard let fences else { return nil }
    var block = try fences.block(of: key) { (block) throws(StoreError) in try isFence(block, after: key) }
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

  /// The line whose id is a block's fence: the first one that begins after the block's beginning, so that the block
  /// before need not be looked at; empty where there is none.
  private func line(ofBlock block: Int) throws(StoreError) -> Range<Int> {
    let start = block == 0 ? 0 : try lineEnd(from: block * Self.blockSize) + 1
    return start < part.bytes ? start..<(try lineEnd(from: start)) : start..<start
  }
}
