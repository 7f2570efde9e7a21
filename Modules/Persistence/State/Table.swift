import Ports

/// The state of a collection: its file and the changes since.
struct Table: Sendable {
  var published: CollectionFile?
  /// Oldest first.
  var runs: [SortedRun] = []
  /// How many records it holds.
  var count = 0

  /// A record, copied out.
  func record(_ key: ByteSlice) throws(StoreError) -> [UInt8]? {
    for run in runs.reversed() {
      if let entry = run.entry(key) { return entry.isTombstone ? nil : entry.record.array }
    }
    return try published?.record(key)
  }

  /// Passes on the records of a range; newer changes replace older ones.
  func scan(
    prefix: ByteSlice, after: ByteSlice?, extra: SortedRun? = nil, _ body: (ByteSlice) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    var reader = try published?.reader(prefix: prefix, after: after)
    var cursors: [(run: SortedRun, place: Int)] = []
    for run in runs + (extra.map { [$0] } ?? []) {
      cursors.append((run, Self.start(in: run, prefix: prefix, after: after)))
    }
    if cursors.count == 1 { return try Self.scan(cursors[0].run.entries, cursors[0].place, &reader, prefix, body) }
    while true {
      // The smallest id of all runs; the newest run that has it takes precedence.
      var next: SortedRun.Entry?
      for cursor in cursors where cursor.place < cursor.run.entries.count {
        let entry = cursor.run.entries[cursor.place]
        if next == nil || entry.key.compare(next!.key) <= 0 { next = entry }
      }
      if let found = next, !found.key.starts(with: prefix) { next = nil }
      guard let next else {
        _ = try reader?.hand(upTo: nil, prefix: prefix, body)
        return
      }
      if try reader?.hand(upTo: next.key, prefix: prefix, body) == .stop { return }
      for index in cursors.indices {
        let (run, place) = cursors[index]
        if place < run.entries.count, run.entries[place].key == next.key { cursors[index].place += 1 }
      }
      if !next.isTombstone, try body(next.record) == .stop { return }
    }
  }

  /// The same with one run, the most frequent case.
  private static func scan(
    _ entries: [SortedRun.Entry], _ start: Int, _ reader: inout CollectionFile.Reader?, _ prefix: ByteSlice,
    _ body: (ByteSlice) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    var place = start
    while place < entries.count {
      let entry = entries[place]
      guard entry.key.starts(with: prefix) else { break }
      if try reader?.hand(upTo: entry.key, prefix: prefix, body) == .stop { return }
      if !entry.isTombstone, try body(entry.record) == .stop { return }
      place += 1
    }
    _ = try reader?.hand(upTo: nil, prefix: prefix, body)
  }

  private static func start(in run: SortedRun, prefix: ByteSlice, after: ByteSlice?) -> Int {
    let start = run.place(of: prefix)
    guard let after else { return start }
    let place = run.place(of: after)
    return max(start, place < run.entries.count && run.entries[place].key == after ? place + 1 : place)
  }
}
