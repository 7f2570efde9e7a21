/// Gathers the fences while a collection file is written, and lays out their tree.
struct FenceWriter {
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

    func append(_ word: UInt64) {
      withUnsafeBytes(of: word) { bytes.append(Slice($0.baseAddress!, count: 8)) }
    }

    func forEach(_ body: (UInt64) -> Void) {
      for place in stride(from: 0, to: bytes.count, by: 8) {
        body(UnsafeRawPointer(bytes.base).loadUnaligned(fromByteOffset: place, as: UInt64.self))
      }
    }
  }

  private var levels: [Level] = [Level()]
  /// The first block that has no fence yet.
  private var fenced = 0

  /// Adds a record that begins at this place of the file; they come in order. It is the fence of the blocks that began
  /// before it and have none.
  mutating func add(_ record: Slice, at place: Int) {
    guard place > fenced * PublishedFile.blockSize || place == 0 else { return }
    Self.withID(of: record) { id in
      repeat {
        add(id, to: 0)
        fenced += 1
      } while fenced * PublishedFile.blockSize < place
    }
  }

  private static func withID(of record: Slice, _ body: (Slice) -> Void) {
    guard let key = RecordKey(of: record), key.isEscaped else {
      return body(RecordKey(of: record)?.text ?? record[0..<0])
    }
    (key.unescaped() ?? []).withSlice(body)
  }

  private mutating func add(_ key: Slice, to level: Int) {
    if level == levels.count { levels.append(Level()) }
    if levels[level].ends.count == FenceTree.fanout { close(level, before: key) }
    levels[level].ids.append(contentsOf: key.raw)
    levels[level].ends.append(levels[level].ids.count)
  }

  /// Finishes a node, whose ids all lie between its first one and `next`.
  private mutating func close(_ level: Int, before next: Slice) {
    let ids = levels[level].ids
    let ends = levels[level].ends
    ids.withSlice { ids in
      let first = ids[0..<ends[0]]
      var same = 0
      while same < min(first.count, next.count), first.base[same] == next.base[same] { same += 1 }
      levels[level].words.append(UInt64(same))
      var start = 0
      for end in ends {
        levels[level].words.append(FenceTree.word(ids[start..<end], from: same))
        start = end
      }
      levels[level].ids.removeAll(keepingCapacity: true)
      levels[level].ends.removeAll(keepingCapacity: true)
      add(first, to: level + 1)
    }
  }

  /// Finishes the tree of a file of so many bytes.
  ///
  /// - Parameters:
  ///   - record: the last one.
  ///   - body: takes its words one after another.
  mutating func finish(last record: Slice, bytes: Int, _ body: (UInt64) -> Void) {
    Self.withID(of: record) { id in
      // No line begins after the beginning of these blocks.
      while fenced * PublishedFile.blockSize < bytes {
        add(id, to: 0)
        fenced += 1
      }
      finish(last: id, body)
    }
  }

  private mutating func finish(last: Slice, _ body: (UInt64) -> Void) {
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
