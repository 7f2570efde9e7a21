/// Gathers the fences while a collection file is written, and lays out their tree.
struct FenceWriter {
  private struct Level {
    /// The ids of the node that is not yet full, one behind the other.
    var ids: [UInt8] = []
    var ends: [Int] = []
    /// The nodes that are.
    var words: [UInt64] = []
  }

  private var levels: [Level] = [Level()]

  /// Adds the fence of the next block.
  mutating func add(_ key: Slice) { add(key, to: 0) }

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

  /// Finishes the tree, all of whose ids are up to `last`.
  ///
  /// - Parameter body: takes its words one after another.
  mutating func finish(last: Slice, _ body: (UInt64) -> Void) {
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
