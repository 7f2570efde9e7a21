import Ports

/// Finds the block of a collection file in which an id may be, without reading other blocks.
///
/// It follows the checksums of the blocks. Each block has a key: the id of the first line that begins in it, or of a later
/// line where none does. Only eight bytes of an id are kept, from where the ids of a node begin to differ. A node has up to
/// 1,023 keys after one word that says where that is. The first keys of all nodes are the level above, up to a level of one
/// node.
///
/// It is a hint: lookups compare the lines that it leads to, so that a wrong index costs only time.
struct SparseIndex: @unchecked Sendable {
  // The mapping belongs to the file that it is part of, and nothing in it changes: hence unchecked.

  /// How many keys a node has at most; with its first word it takes two pages.
  static let fanout = 1023

  private struct Level {
    /// Its first word.
    var start: Int
    var count: Int
    /// How many blocks one of them covers.
    var span: Int
  }

  private let base: UnsafeRawPointer
  // The root comes last.
  private let levels: [Level]

  /// The tree over that many `blocks`, at least one; `base` stays with the caller.
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

  /// The size in bytes of the tree over that many `blocks`.
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
  static func word(_ key: ByteSlice, from position: Int) -> UInt64 {
    if position + 8 <= key.count {
      return UInt64(bigEndian: UnsafeRawPointer(key.base + position).loadUnaligned(as: UInt64.self))
    }
    var word: UInt64 = 0
    for at in position..<position + 8 { word = word << 8 | (at < key.count ? UInt64(key.base[at]) : 0) }
    return word
  }

  /// The last block whose key is not after the id, or the first; maybe the next, where its key begins as the id does.
  ///
  /// - Parameter isAfter: whether a block's key is after the id; asked where many keys begin as the id does.
  func block(of key: ByteSlice, isAfter: (Int) throws(StoreError) -> Bool) throws(StoreError) -> Int {
    var node = 0
    for level in levels.reversed() {
      let first = node * Self.fanout
      let count = min(Self.fanout, level.count - first)
      // A damaged level above leads outside: then the hint is wrong, and nothing there is read.
      guard count > 0 else { return 0 }
      let words = base + (level.start + node * (Self.fanout + 1)) * 8
      let position = Int(truncatingIfNeeded: words.load(as: UInt64.self).littleEndian & 0xFFFF)
      let word = Self.word(key, from: position)
      // Keys before `low` are not after the id, those from `high` on are.
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
      // One key with the same eight bytes is most likely the id itself; with several, the lines decide.
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

/// Gathers the keys while a collection file is written, and lays out the index.
struct SparseIndexWriter {
  private struct Level {
    /// The ids of the node that is not yet full, one behind the other.
    var ids: [UInt8] = []
    var ends: [Int] = []
    /// The nodes that are.
    let words = Words()
  }

  /// Numbers that grow at the end and are never copied for that: there are eight bytes of them for each block.
  private final class Words {
    private var bytes = ByteBuffer(capacity: 64)
    var isEmpty: Bool { bytes.count == 0 }

    func append(_ word: UInt64) { withUnsafeBytes(of: word) { bytes.append(ByteSlice($0.baseAddress!, count: 8)) } }

    func forEach(_ body: (UInt64) -> Void) {
      for position in stride(from: 0, to: bytes.count, by: 8) {
        body(UnsafeRawPointer(bytes.base).loadUnaligned(fromByteOffset: position, as: UInt64.self))
      }
    }
  }

  private var levels: [Level] = [Level()]
  /// The first block that has no key yet.
  private var indexed = 0

  /// Adds a record that begins at this position of the file; they come in order. Its id is the key of the blocks that
  /// began before it and have none.
  mutating func add(_ record: ByteSlice, at position: Int) {
    guard position > indexed * CollectionFile.blockSize || position == 0 else { return }
    Self.withID(of: record) { id in
      repeat {
        add(id, to: 0)
        indexed += 1
      } while indexed * CollectionFile.blockSize < position
    }
  }

  private static func withID(of record: ByteSlice, _ body: (ByteSlice) -> Void) {
    let (id, arena) = RecordKey(of: record)?.owned() ?? (record[0..<0], nil)
    withExtendedLifetime(arena) { body(id) }
  }

  private mutating func add(_ key: ByteSlice, to level: Int) {
    if level == levels.count { levels.append(Level()) }
    if levels[level].ends.count == SparseIndex.fanout { close(level, before: key) }
    levels[level].ids.append(contentsOf: key.raw)
    levels[level].ends.append(levels[level].ids.count)
  }

  /// Finishes a node, whose ids all lie between its first one and `next`.
  private mutating func close(_ level: Int, before next: ByteSlice) {
    let ids = levels[level].ids
    let ends = levels[level].ends
    ids.withByteSlice { ids in
      let first = ids[0..<ends[0]]
      var same = 0
      while same < min(first.count, next.count), first.base[same] == next.base[same] { same += 1 }
      levels[level].words.append(UInt64(same))
      var start = 0
      for end in ends {
        levels[level].words.append(SparseIndex.word(ids[start..<end], from: same))
        start = end
      }
      levels[level].ids.removeAll(keepingCapacity: true)
      levels[level].ends.removeAll(keepingCapacity: true)
      add(first, to: level + 1)
    }
  }

  /// Finishes the tree of a file of that many bytes.
  ///
  /// - Parameters:
  ///   - body: takes its words one after another.
  mutating func finish(last record: ByteSlice, bytes: Int, _ body: (UInt64) -> Void) {
    Self.withID(of: record) { id in
      // No line begins after the beginning of these blocks.
      while indexed * CollectionFile.blockSize < bytes {
        add(id, to: 0)
        indexed += 1
      }
      finish(last: id, body)
    }
  }

  private mutating func finish(last: ByteSlice, _ body: (UInt64) -> Void) {
    var level = 0
    while level < levels.count, !levels[level].ends.isEmpty {
      // A level of one node has none above it.
      let isRoot = levels[level].words.isEmpty
      close(level, before: last)
      levels[level].words.forEach(body)
      if isRoot { break }
      level += 1
    }
  }
}
