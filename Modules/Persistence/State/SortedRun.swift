import Models
import Ports

/// Changes of one collection that are not yet in its file, sorted by id, each id once.
final class SortedRun: @unchecked Sendable {
  // The slices point into mappings and arenas that `owners` keeps, and nothing changes: hence unchecked.

  struct Entry {
    var key: ByteSlice
    var record: ByteSlice
    /// The XXH64 of a record that is read from the mapped journal, which another program may change; 0 for others.
    var sum: UInt64 = 0
    var isTombstone: Bool { record.count == 0 }
    var isIntact: Bool { sum == 0 || XXHash64.sum(record.raw) == sum }
  }

  let entries: [Entry]
  let owners: [any AnyObject & Sendable]

  init(sorted entries: [Entry], owners: [any AnyObject & Sendable]) { (self.entries, self.owners) = (entries, owners) }

  /// Entries as they came: of two with the same id the later one counts.
  convenience init(unsorted entries: [Entry], owners: [any AnyObject & Sendable]) {
    self.init(sorted: Self.sorted(entries), owners: owners)
  }

  private static func sorted(_ entries: [Entry]) -> [Entry] {
    var isSorted = true
    var position = 1
    while position < entries.count, isSorted {
      isSorted = entries[position - 1].key.compare(entries[position].key) < 0
      position += 1
    }
    if isSorted { return entries }
    let order = order(of: entries)
    var result: [Entry] = []
    result.reserveCapacity(entries.count)
    var last: UInt64?
    for (word, position) in order {
      let index = Int(position)
      // Ids with other words are other ids, and need not be touched.
      if word == last, result[result.count - 1].key == entries[index].key {
        result[result.count - 1] = entries[index]
      } else {
        result.append(entries[index])
      }
      last = word
    }
    return result
  }

  /// The positions of entries by id; of equal ids the earlier one comes first.
  ///
  /// Ids are compared by eight bytes in a register, from where they begin to differ, and in memory only where equal.
  static func order(of entries: [Entry]) -> [(word: UInt64, position: UInt32)] {
    let first = entries[0].key
    var common = first.count
    for entry in entries {
      var same = 0
      let end = min(common, entry.key.count)
      while same < end, entry.key.base[same] == first.base[same] { same += 1 }
      common = same
    }
    var order: [(word: UInt64, position: UInt32)] = []
    order.reserveCapacity(entries.count)
    for (position, entry) in entries.enumerated() {
      var word: UInt64 = 0
      for byte in 0..<8 {
        let at = common + byte
        word = word << 8 | (at < entry.key.count ? UInt64(entry.key.base[at]) : 0)
      }
      order.append((word, UInt32(position)))
    }
    order.sort { left, right in
      if left.word != right.word { return left.word < right.word }
      let difference = entries[Int(left.position)].key.compare(entries[Int(right.position)].key)
      return difference != 0 ? difference < 0 : left.position < right.position
    }
    return order
  }

  /// Both as one; of two with the same id that of `newer` counts.
  static func merged(_ older: SortedRun, _ newer: SortedRun) -> SortedRun {
    var entries: [Entry] = []
    entries.reserveCapacity(older.entries.count + newer.entries.count)
    var (left, right) = (0, 0)
    while left < older.entries.count, right < newer.entries.count {
      let order = older.entries[left].key.compare(newer.entries[right].key)
      if order < 0 {
        entries.append(older.entries[left])
      } else {
        entries.append(newer.entries[right])
        right += 1
      }
      if order <= 0 { left += 1 }
    }
    entries += older.entries[left...]
    entries += newer.entries[right...]
    var owners = older.owners
    for owner in newer.owners where !owners.contains(where: { $0 === owner }) { owners.append(owner) }
    return SortedRun(sorted: entries, owners: owners)
  }

  /// The first position whose id is not before `key`.
  func position(of key: ByteSlice) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].key.compare(key) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func entry(_ key: ByteSlice) -> Entry? {
    let position = position(of: key)
    return position < entries.count && entries[position].key == key ? entries[position] : nil
  }
}

extension [SortedRun] {
  var asOne: [SortedRun] {
    guard var newest = last else { return [] }
    for older in dropLast().reversed() { newest = SortedRun.merged(older, newest) }
    return [newest]
  }

  /// Adds newer changes, and merges so that the runs stay few: each is more than twice as long as the next.
  mutating func add(_ run: SortedRun) {
    append(run)
    while count >= 2, self[count - 2].entries.count <= 2 * self[count - 1].entries.count {
      let newer = removeLast()
      self[count - 1] = SortedRun.merged(self[count - 1], newer)
    }
  }
}

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
  private mutating func keep(_ owner: any AnyObject & Sendable) {
    if !owners.contains(where: { $0 === owner }) { owners.append(owner) }
  }

  mutating func add(_ frame: Frame, at offset: Int, of journal: JournalFile) throws(StoreError) {
    let mapping = try journal.mapping(offset + frame.bytes)
    keep(mapping)
    try journal.changes(of: frame, at: offset, in: mapping) { (change) throws(StoreError) in add(change) }
  }

  private mutating func add(_ change: FrameChange) {
    if groups.isEmpty || !(groups[last].name == change.collection) { find(change.collection) }
    let (key, arena) = change.key.owned()
    if let arena { owners.append(arena) }
    groups[last].entries.append(
      SortedRun.Entry(
        key: key, record: change.record, sum: change.kind == .delete ? 0 : XXHash64.sum(change.record.raw)))
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
  ///
  /// - Parameter journal: the file that they are read from, for errors; the last one, if there are several.
  func apply(to tables: inout [String: Table], from journal: JournalFile? = nil) {
    for group in groups {
      let name = String(decoding: group.name.raw, as: UTF8.self)
      tables[name, default: Table()].runs.add(SortedRun(unsorted: group.entries, owners: owners))
      tables[name]!.count += group.gain
      tables[name]!.journal = journal
    }
  }
}
