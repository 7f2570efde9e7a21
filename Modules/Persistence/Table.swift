import Ports

/// A collection in some state: its file, and the changes since.
struct Table: Sendable {
  var published: PublishedFile?
  /// Oldest first.
  var runs: [Run] = []
  /// How many records it holds.
  var count = 0

  /// A record, copied out.
  func record(_ key: Slice) throws(StoreError) -> [UInt8]? {
    for run in runs.reversed() {
      if let entry = run.entry(key) { return entry.isCut ? nil : entry.record.array }
    }
    return try published?.record(key)
  }

  /// Hands on the records of a range, oldest changes below newer ones.
  func scan(
    prefix: Slice, after: Slice?, extra: Run? = nil, _ body: (Slice) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    var reader = try published?.reader(prefix: prefix, after: after)
    var cursors: [(run: Run, place: Int)] = []
    for run in runs + (extra.map { [$0] } ?? []) {
      cursors.append((run, Self.start(in: run, prefix: prefix, after: after)))
    }
    if cursors.count == 1 { return try Self.scan(cursors[0].run.entries, cursors[0].place, &reader, prefix, body) }
    while true {
      // The smallest id of all runs; the newest run that has it wins.
      var next: Run.Entry?
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
      if !next.isCut, try body(next.record) == .stop { return }
    }
  }

  /// The same with one run, which is what there is most of the time.
  private static func scan(
    _ entries: [Run.Entry], _ start: Int, _ reader: inout PublishedFile.Reader?, _ prefix: Slice,
    _ body: (Slice) throws(StoreError) -> ScanStep
  ) throws(StoreError) {
    var place = start
    while place < entries.count {
      let entry = entries[place]
      guard entry.key.starts(with: prefix) else { break }
      if try reader?.hand(upTo: entry.key, prefix: prefix, body) == .stop { return }
      if !entry.isCut, try body(entry.record) == .stop { return }
      place += 1
    }
    _ = try reader?.hand(upTo: nil, prefix: prefix, body)
  }

  private static func start(in run: Run, prefix: Slice, after: Slice?) -> Int {
    let start = run.place(of: prefix)
    guard let after else { return start }
    let place = run.place(of: after)
    return max(start, place < run.entries.count && run.entries[place].key == after ? place + 1 : place)
  }
}
