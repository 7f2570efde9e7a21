import Ports

extension JournalFile {
  /// The changes of one transaction, in their order, as slices of `mapping`.
  func changes(
    of frame: Frame, at place: Int, in mapping: Mapping, _ body: (FrameChange) throws(StoreError) -> Void
  ) throws(StoreError) {
    let slice = Slice(mapping.base + place, count: frame.bytes)
    var start = 0
    for _ in 0..<frame.changes {
      guard let end = slice.first(0x0A, from: start), let change = FrameChange(line: slice[start..<end]) else {
        throw damaged("a change is not understood", place + start)
      }
      try body(change)
      start = end + 1
    }
    guard start == frame.bytes else { throw damaged("a transaction has more changes than it says", place) }
  }
}

/// Gathers the changes of many transactions into one run a collection.
struct ChangeGatherer {
  private var entries: [String: [Run.Entry]] = [:]
  private var counts: [String: Int] = [:]
  private var owners: [any AnyObject & Sendable] = []

  /// Keeps what the slices of later changes lie in.
  mutating func keep(_ owner: any AnyObject & Sendable) {
    if !owners.contains(where: { $0 === owner }) { owners.append(owner) }
  }

  mutating func add(_ change: FrameChange) {
    let name = String(decoding: change.collection.raw, as: UTF8.self)
    var key = change.key.text
    if change.key.isEscaped {
      let arena = Arena(change.key.unescaped() ?? [])
      owners.append(arena)
      key = arena.slice
    }
    entries[name, default: []].append(Run.Entry(key: key, record: change.record))
    switch change.kind {
    case .add: counts[name, default: 0] += 1
    case .cut: counts[name, default: 0] -= 1
    case .set: break
    }
  }

  /// Adds what was gathered to the tables.
  func apply(to tables: inout [String: Table]) {
    for (name, entries) in entries {
      tables[name, default: Table()].runs.add(Run(unsorted: entries, owners: owners))
      tables[name]!.count += counts[name] ?? 0
    }
  }
}
