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
  private struct Group {
    /// The name, in a mapping that `owners` keeps.
    let name: Slice
    var entries: [Run.Entry] = []
    /// How many records more the collection holds.
    var gain = 0
  }

  private var groups: [Group] = []
  private var last = 0
  private var owners: [any AnyObject & Sendable] = []

  /// Keeps what the slices of later changes lie in.
  mutating func keep(_ owner: any AnyObject & Sendable) {
    if !owners.contains(where: { $0 === owner }) { owners.append(owner) }
  }

  mutating func add(_ change: FrameChange) {
    if groups.isEmpty || !(groups[last].name == change.collection) { find(change.collection) }
    var key = change.key.text
    if change.key.isEscaped {
      let arena = Arena(change.key.unescaped() ?? [])
      owners.append(arena)
      key = arena.slice
    }
    groups[last].entries.append(Run.Entry(key: key, record: change.record))
    switch change.kind {
    case .add: groups[last].gain += 1
    case .cut: groups[last].gain -= 1
    case .set: break
    }
  }

  private mutating func find(_ name: Slice) {
    if let found = groups.firstIndex(where: { $0.name == name }) {
      last = found
    } else {
      last = groups.count
      groups.append(Group(name: name))
    }
  }

  /// Adds what was gathered to the tables.
  func apply(to tables: inout [String: Table]) {
    for group in groups {
      let name = String(decoding: group.name.raw, as: UTF8.self)
      tables[name, default: Table()].runs.add(Run(unsorted: group.entries, owners: owners))
      tables[name]!.count += group.gain
    }
  }
}
