/// Gathers the changes of many transactions into one sorted run per collection.
struct ChangeGatherer {
  private struct Group {
    /// The name, in a mapping that `owners` keeps.
    let name: ByteSlice
    var entries: [SortedRun.Entry] = []
    /// By how many records the collection grows.
    var gain = 0
  }

  private var groups: [Group] = []
  private var last = 0
  private var owners: [any AnyObject & Sendable] = []

  /// Retains the memory that the slices of later changes point into.
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
    groups[last].entries.append(SortedRun.Entry(key: key, record: change.record))
    switch change.kind {
    case .add: groups[last].gain += 1
    case .delete: groups[last].gain -= 1
    case .set: break
    }
  }

  private mutating func find(_ name: ByteSlice) {
    if let found = groups.firstIndex(where: { $0.name == name }) {
      last = found
    } else {
      last = groups.count
      groups.append(Group(name: name))
    }
  }

  /// Adds the gathered changes to the tables.
  func apply(to tables: inout [String: Table]) {
    for group in groups {
      let name = String(decoding: group.name.raw, as: UTF8.self)
      tables[name, default: Table()].runs.add(SortedRun(unsorted: group.entries, owners: owners))
      tables[name]!.count += group.gain
    }
  }
}
