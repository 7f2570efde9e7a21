/// Keeps the first records of an order, no more of them than are wanted.
///
/// Records that sort alike stay in the order in which they came, which is that of their ids.
struct FirstRecords {
  private struct Entry {
    let key: SortKey?
    let place: Int
    let record: [UInt8]
  }

  private let limit: Int
  private let descending: Bool
  /// Where there is a limit, a heap whose first entry is the last of the order.
  private var entries: [Entry] = []
  private var count = 0

  init(limit: Int?, descending: Bool) {
    self.limit = limit ?? Int.max
    self.descending = descending
  }

  /// Takes a record in, if it is among the first ones so far. Without a key the order is that of coming.
  mutating func add(_ key: SortKey?, _ record: RawSpan) {
    count += 1
    if entries.count == limit {
      // Judged before the bytes are copied: most records of a large collection end here.
      let entry = Entry(key: key, place: count, record: [])
      guard precedes(entry, entries[0]) else { return }
      entries[0] = Entry(key: key, place: count, record: Self.copy(record))
      sink(0)
      return
    }
    entries.append(Entry(key: key, place: count, record: Self.copy(record)))
    if limit != Int.max { rise(entries.count - 1) }
  }

  /// The records in order.
  func inOrder() -> [[UInt8]] { entries.sorted(by: precedes).map(\.record) }

  private static func copy(_ record: RawSpan) -> [UInt8] {
    record.withUnsafeBytes { Array($0) }
  }

  private func precedes(_ lhs: Entry, _ rhs: Entry) -> Bool {
    guard let left = lhs.key, let right = rhs.key else { return (lhs.place < rhs.place) != descending }
    return left.precedes(right, descending: descending) ?? (lhs.place < rhs.place)
  }

  private mutating func rise(_ start: Int) {
    var index = start
    while index > 0, precedes(entries[(index - 1) / 2], entries[index]) {
      entries.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      var last = index
      for child in [2 * index + 1, 2 * index + 2] where child < entries.count {
        if precedes(entries[last], entries[child]) { last = child }
      }
      if last == index { return }
      entries.swapAt(index, last)
      index = last
    }
  }
}
