import Ports

/// A sorted run on the disk.
struct LoadRun {
  let file: OpenFile
  let mapping: Mapping
  let size: Int
}

/// Merges sorted runs: the records of all of them, by ascending id.
///
/// O(log k) per record for k runs. Some tens of KiB of each run stay in memory.
final class LoadMerge {
  private struct Cursor {
    let run: LoadRun
    var place = 0
    /// Up to here, pages of the run were released.
    var rested = 0
    var entry: LoadEntry?

    init(_ run: LoadRun) {
      self.run = run
      read()
    }

    private mutating func read() {
      entry = place < run.size ? LoadEntry(at: place, in: ByteSlice(run.mapping.base, count: run.size)) : nil
    }

    private static let piece = 1 << 15

    mutating func advance() {
      place += entry?.whole.count ?? 0
      if place > rested + Self.piece {
        let end = place / Self.piece * Self.piece
        run.mapping.rest(rested..<end)
        rested = end
      }
      read()
    }
  }

  private var cursors: [Cursor]
  /// A heap of indices of `cursors`, the smallest id first. Cursors at their end are not in it.
  private var heap: [Int] = []

  init(_ runs: [LoadRun]) {
    cursors = runs.map { Cursor($0) }
    heap = cursors.indices.filter { cursors[$0].entry != nil }
    for index in heap.indices.reversed() { sink(index) }
  }

  /// The next record; `nil` at the end. It stays in memory until `advance`.
  var head: LoadEntry? { heap.isEmpty ? nil : cursors[heap[0]].entry }

  /// Advances to the next record.
  ///
  /// - Throws: `invalidRecord` where it has the same id.
  func advance() throws(StoreError) {
    guard let last = head else { return }
    // The same id can only come from another run. Both are compared while the last one is in memory.
    for next in [1, 2] where next < heap.count {
      guard let entry = cursors[heap[next]].entry, entry.key == last.key else { continue }
      throw .duplicate(String(decoding: last.key.raw, as: UTF8.self), at: max(last.source, entry.source))
    }
    cursors[heap[0]].advance()
    if cursors[heap[0]].entry == nil { heap.swapAt(0, heap.count - 1); heap.removeLast() }
    sink(0)
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    cursors[heap[left]].entry!.key.compare(cursors[heap[right]].entry!.key) < 0
  }

  private func sink(_ start: Int) {
    var index = start
    while true {
      var first = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count && precedes(child, first) { first = child }
      if first == index { return }
      heap.swapAt(index, first)
      index = first
    }
  }
}
