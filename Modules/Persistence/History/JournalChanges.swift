import Models
import Ports

extension StoreState {
  /// Calls `body` with the transactions that the collection files do not hold, and the offsets of their changes.
  ///
  /// - Returns: false where a file is gone because a newer manifest came.
  func eachTransaction(
    on disk: Disk, _ limits: Limits, _ body: (Frame, JournalFile, Mapping, Int) throws(StoreError) -> Void
  ) throws(StoreError) -> Bool {
    for segment in manifest.segments where !manifest.isHistory(segment) {
      let isActive = segment == manifest.active
      guard let journal = try isActive ? journal : JournalFile.open(segment, on: disk, limits) else { return false }
      let size = segment.finalSize ?? end
      var offset = 0
      while offset < size {
        guard let frame = try journal.frame(at: offset, size: size) else {
          throw journal.damaged("a transaction is broken", offset)
        }
        offset += Frame.headCount
        if frame.sequence > manifest.compacted {
          try body(frame, journal, journal.mapping(offset + frame.bytes), offset)
        }
        offset += frame.bytes
      }
    }
    return true
  }
}

/// Every change of the journal that the collection files do not hold, by collection and id.
struct JournalChanges {
  struct Note {
    var commit: UInt64
    var at: Int
    /// The line that says why. Its first byte is not looked at.
    var cause: ByteSlice?
    /// What the line lies in; `nil` where the caller keeps it.
    private var owner: (any AnyObject & Sendable)?

    init(commit: UInt64, at: Int, cause: ByteSlice?, in owner: (any AnyObject & Sendable)? = nil) {
      (self.commit, self.at, self.cause, self.owner) = (commit, at, cause, owner)
    }

    init(commit: UInt64, at: Int, because cause: ChangeCause?) {
      self.init(commit: commit, at: at, cause: nil)
      replace(cause)
    }

    mutating func replace(_ cause: ChangeCause?) {
      let arena = cause.map { Arena(CauseLine.bytes($0)) }
      (owner, self.cause) = (arena, arena?.slice)
    }
  }

  /// A record after a change; `nil` if that removed it.
  struct Version {
    var commit: UInt64
    var at: Int
    var record: ByteSlice?
    var isAddition = false
  }

  private struct Group {
    var entries: [SortedRun.Entry] = []
    var marks: [(note: Int, isAddition: Bool)] = []
  }

  private(set) var notes: [Note] = []
  private var names: [ByteSlice] = []
  private var groups: [Group] = []
  /// What the slices point into.
  private var owners: [any AnyObject & Sendable] = []

  /// Reads the journal; `nil` where a file is gone because a newer manifest came.
  ///
  /// - Parameter wants: whether the changes of a collection are gathered.
  init?(of state: StoreState, on disk: Disk, _ limits: Limits, _ wants: (String) -> Bool) throws(StoreError) {
    var last: (name: ByteSlice, group: Int?)?
    let isWhole = try state.eachTransaction(on: disk, limits) { (frame, journal, mapping, offset) throws(StoreError) in
      if owners.last !== mapping { owners.append(mapping) }
      let cause = try journal.changes(of: frame, at: offset, in: mapping) { (change) throws(StoreError) in
        if last == nil || !(last!.name == change.collection) {
          var group = names.firstIndex { $0 == change.collection }
          if group == nil, wants(change.collection.text) {
            group = names.count
            names.append(change.collection)
            groups.append(Group())
          }
          last = (change.collection, group)
        }
        guard let group = last!.group else { return }
        let (key, arena) = change.key.owned()
        if let arena { owners.append(arena) }
        groups[group].entries.append(SortedRun.Entry(key: key, record: change.record))
        groups[group].marks.append((notes.count, change.kind == .add))
      }
      notes.append(Note(commit: frame.sequence, at: frame.at, cause: cause, in: mapping))
    }
    if !isWhole { return nil }
  }

  var collections: [String] { names.map(\.text).sorted() }

  /// Calls `body` with each changed record, by id, and its versions, oldest first, while this value keeps the slices.
  func each(of collection: String, _ body: (ByteSlice, [Version]) throws(StoreError) -> ScanStep) throws(StoreError) {
    guard let index = names.firstIndex(where: { $0.text == collection }) else { return }
    let group = groups[index]
    let order = SortedRun.order(of: group.entries)
    var position = 0
    while position < order.count {
      let key = group.entries[Int(order[position].position)].key
      var versions: [Version] = []
      while position < order.count {
        let index = Int(order[position].position)
        let entry = group.entries[index]
        guard entry.key == key else { break }
        let note = notes[group.marks[index].note]
        versions.append(
          Version(
            commit: note.commit, at: note.at, record: entry.isTombstone ? nil : entry.record,
            isAddition: group.marks[index].isAddition))
        position += 1
      }
      if try body(key, versions) == .stop { return }
    }
  }

  func versions(of collection: String, _ key: ByteSlice) -> [Version] {
    guard let index = names.firstIndex(where: { $0.text == collection }) else { return [] }
    return zip(groups[index].entries, groups[index].marks).filter { $0.0.key == key }.map { entry, mark in
      Version(
        commit: notes[mark.note].commit, at: notes[mark.note].at, record: entry.isTombstone ? nil : entry.record,
        isAddition: mark.isAddition)
    }
  }
}
