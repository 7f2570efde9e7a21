import Ports

extension DiskTransaction {
  /// Decides for every change whether it adds, replaces, removes or does nothing, and finishes the journal's bytes.
  ///
  /// - Returns: how many changes are left; with 0 there is nothing to write.
  func finish(sequence: UInt64, at: Int) throws(StoreError) -> Int {
    bringIndexUpToDate()
    var kept: [Bool] = []
    kept.reserveCapacity(changes.count)
    var count = 0
    for change in changes {
      let isKept = change.isOver ? false : try classify(change)
      kept.append(isKept)
      if isKept { count += 1 }
    }
    guard count > 0 else { return 0 }
    if count < changes.count { compact(keeping: kept) }
    let size = lines.count - Frame.headCount
    let body = lines.slice[Frame.headCount..<lines.count]
    Frame(sequence: sequence, at: at, changes: count, bytes: size, sum: XXHash64.sum(body.raw))
      .writeHead(to: lines.base)
    return count
  }

  private func classify(_ change: Change) throws(StoreError) -> Bool {
    guard let table = tables[names[change.collection]], let old = try table.record(key(change)) else {
      if change.record.isEmpty { return false }
      // The line was begun as `set`.
      let word: StaticString = "add"
      (lines.base + change.line.lowerBound + 2).update(from: word.utf8Start, count: 3)
      return true
    }
    return change.record.isEmpty || !old.withSlice { $0 == lines.slice[change.record] }
  }

  /// Moves the lines that stay together.
  private func compact(keeping kept: [Bool]) {
    var end = Frame.headCount
    for (change, isKept) in zip(changes, kept) where isKept {
      let size = change.line.count + 1
      (lines.base + end).update(from: UnsafePointer(lines.base + change.line.lowerBound), count: size)
      end += size
    }
    lines.cut(to: end)
  }
}
