import Ports

/// Says in which block of a collection file an id is to be looked for, without touching other blocks.
///
/// It stands behind the block sums. For each block there is a fence: the id of the first line that begins within it, or
/// of a later one where none does. Of an id only eight bytes are kept, from where the ids of a node begin to differ. A
/// node has up to 1,023 fences behind one word that says where that is; the first fences of all nodes are the level
/// above, up to a level of one node.
///
/// It is a hint: whoever follows it compares the lines that it finds, so that a wrong one costs time and nothing else.
struct FenceTree: @unchecked Sendable {
  // The mapping belongs to the file that it is part of, and nothing in it changes: hence unchecked.

  /// How many fences a node has at most; with its first word it takes two pages.
  static let fanout = 1023

  private struct Level {
    /// Its first word.
    var start: Int
    /// How many fences it has.
    var count: Int
    /// How many blocks one of them covers.
    var span: Int
  }

  private let base: UnsafeRawPointer
  // The root comes last.
  private let levels: [Level]

  /// The tree over so many blocks, more than none; `base` stays with the caller.
  init(blocks: Int, at base: UnsafeRawPointer) {
    self.base = base
    var levels: [Level] = []
    var level = Level(start: 0, count: blocks, span: 1)
    while true {
      levels.append(level)
      let nodes = (level.count + Self.fanout - 1) / Self.fanout
      if nodes == 1 { break }
      level = Level(start: level.start + level.count + nodes, count: nodes, span: level.span * Self.fanout)
    }
    self.levels = levels
  }

  /// How many bytes the tree over so many blocks takes.
  static func byteCount(blocks: Int) -> Int {
    var words = 0
    var count = blocks
    while count > 0 {
      let nodes = (count + fanout - 1) / fanout
      words += count + nodes
      count = nodes == 1 ? 0 : nodes
    }
    return words * 8
  }

  /// The eight bytes of an id that are compared, as a number.
  @inline(__always)
  static func word(_ key: Slice, from place: Int) -> UInt64 {
    if place + 8 <= key.count {
      return UInt64(bigEndian: UnsafeRawPointer(key.base + place).loadUnaligned(as: UInt64.self))
    }
    var word: UInt64 = 0
    for at in place..<place + 8 { word = word << 8 | (at < key.count ? UInt64(key.base[at]) : 0) }
    return word
  }

  /// The last block whose fence is not after the id, or the first block; maybe the one behind it, where the fence of
  /// that begins as the id does.
  ///
  /// - Parameter isAfter: whether a block's fence is after the id; asked where many fences begin as the id does.
  func block(of key: Slice, isAfter: (Int) throws(StoreError) -> Bool) throws(StoreError) -> Int {
    var node = 0
    for level in levels.reversed() {
      let first = node * Self.fanout
      let count = min(Self.fanout, level.count - first)
      // A fence too many for a damaged level above: then the hint is wrong, and nothing outside is read.
      guard count > 0 else { return 0 }
      let words = base + (level.start + node * (Self.fanout + 1)) * 8
      let place = Int(truncatingIfNeeded: words.load(as: UInt64.self).littleEndian & 0xFFFF)
      let word = Self.word(key, from: place)
      // Fences before `low` are before or at the id, those from `high` on after it.
      var low = 0
      var high = count
      while low < high {
        let middle = (low + high) / 2
        if words.load(fromByteOffset: middle * 8 + 8, as: UInt64.self).littleEndian <= word {
          low = middle + 1
        } else {
          high = middle
        }
      }
      // One fence with the same eight bytes is most likely the id itself; of many the lines tell.
      if low > 1, words.load(fromByteOffset: low * 8 - 8, as: UInt64.self).littleEndian == word {
        var equal = low
        low = 0
        while low < equal {
          let middle = (low + equal) / 2
          let found = words.load(fromByteOffset: middle * 8 + 8, as: UInt64.self).littleEndian
          let isBefore: Bool
          if found < word { isBefore = true } else { isBefore = try !isAfter((first + middle) * level.span) }
          if isBefore { low = middle + 1 } else { equal = middle }
        }
      }
      node = first + max(low - 1, 0)
    }
    return node
  }
}
