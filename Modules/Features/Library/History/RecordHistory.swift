public import Models
public import Ports

public struct RecordHistory: HistoryService {
  let store: any HistoricalStore
  let personal: any RecordStore
  let coder: any RecordCoder
  let catalog: CollectionCatalog
  let restoring: Restoring
  private let time: any TimeSource
  private let endOfDay: @Sendable (CivilDate) -> Timestamp

  public struct Restoring: Sendable {
    let edits: any PendingEdits
    let outbox: any OutboxService
    let editor: any ProposalEditor
    let people: any PersonRestorer

    /// - Parameters:
    ///   - outbox: discards removals that were not sent.
    ///   - editor: edits records that a source has, other than people; without one they are not restored.
    ///   - people: gives people what they had; without it they are not restored.
    public init(
      edits: any PendingEdits, outbox: any OutboxService, editor: any ProposalEditor = NoEditor(),
      people: any PersonRestorer = NoEditor()
    ) {
      (self.edits, self.outbox, self.editor, self.people) = (edits, outbox, editor, people)
    }
  }

  /// The history of a store.
  ///
  /// - Parameters:
  ///   - personal: the same store, for restorations of records that no source has.
  ///   - catalog: the collections of the sources and of the store.
  ///   - endOfDay: the last second of a day where the user is.
  public init(
    store: any HistoricalStore, personal: any RecordStore, coder: any RecordCoder, catalog: CollectionCatalog,
    restoring: Restoring, time: any TimeSource, endOfDay: @escaping @Sendable (CivilDate) -> Timestamp
  ) {
    (self.store, self.personal, self.coder, self.catalog) = (store, personal, coder, catalog)
    (self.restoring, self.time, self.endOfDay) = (restoring, time, endOfDay)
  }

  public func moment(_ text: String) throws(Failure) -> Moment {
    try Failure.from { () throws(StoreError) -> Result<Moment, Failure> in
      if text == "now" { return .success(Moment(commit: try store.snapshot().sequence, at: time.now)) }
      if text.hasPrefix("commit:"), let number = UInt64(text.dropFirst(7)) {
        guard try number <= store.snapshot().sequence else {
          return .failure(Failure(.store, .notFound, "there is no commit \(number) yet", code: .own(.notFound)))
        }
        return .success(Moment(commit: number, at: try store.origin(of: number)?.at ?? time.now))
      }
      func refused(_ message: String) -> Result<Moment, Failure> {
        let hint: Advice = "write \(WrittenTime.examples), now or commit:8120"
        return .failure(Failure(.config, .usage, message, hint: hint, code: .own(.usage)))
      }
      guard let wanted = WrittenTime.past(text, now: time.now, endOfDay: endOfDay) else {
        return refused("'\(text)' is not a time")
      }
      // The end of a day may be later today, also on one that has an hour more.
      guard wanted - time.now <= 25 * 3600 else { return refused("\(wanted.date) is in the future") }
      guard let moment = try store.moment(wanted) else {
        let begins = try (store as? any HistoryMaintenance)?.histories().compactMap(\.since).min {
          $0.commit < $1.commit
        }
        throw StoreError(
          .notKept,
          begins.map { "the history begins at \($0.at), and '\(text)' is \(wanted)" }
            ?? "no history is as old as \(wanted)",
          hint: begins.map { "\($0.at) is the first time that can be read: commit:\(max(1, $0.commit))" })
      }
      return .success(moment)
    }.get()
  }

  public func changes(_ query: HistoryQuery, _ body: (HistoryEntry) throws(Failure) -> ScanStep) throws(Failure) {
    var left = query.limit ?? .max
    try scan(query) { (entry) throws(Failure) -> ScanStep in
      if let cause = query.cause, entry.origin?.cause?.isNamed(cause) != true { return .next }
      if let field = query.field, !Self.touches(entry, field) { return .next }
      left -= 1
      return try body(entry) == .stop || left <= 0 ? .stop : .next
    }
  }

  private static func touches(_ entry: HistoryEntry, _ field: String) -> Bool {
    guard entry.kind == "changed" else { return (entry.before ?? entry.after)?[field] != nil }
    return entry.differences.contains { $0.field.exact == field.exact || $0.field.hasPrefix("\(field).") }
  }

  private func scan(_ query: HistoryQuery, _ body: (HistoryEntry) throws(Failure) -> ScanStep) throws(Failure) {
    // A scan throws errors of the store alone.
    var problem: Failure?
    func hand(_ entry: HistoryEntry) -> ScanStep {
      do throws(Failure) {
        // Whoever asked may be gone, or the program may end.
        if Task.isCancelled { throw Failure(.store, .cancelled, "reading the history was stopped") }
        return try body(entry)
      } catch {
        problem = error
        return .stop
      }
    }
    try Failure.from { () throws(StoreError) in
      let (first, present) = ((query.since?.commit ?? 0) + 1, try store.snapshot().sequence)
      let last = query.until?.commit ?? present
      if first <= last {
        if let record = query.record, let collection = query.collections.first {
          try eachChange(of: collection, record, first...last, page: min(query.limit ?? 100, 100), hand)
        } else {
          try eachChange(in: query.collections, first...last, isShort: query.limit != nil, hand)
        }
      }
    }
    if let problem { throw problem }
  }

  /// The changes of a record under all of its ids. A commit that gave it another one is a change of its id.
  private func eachChange(
    of collection: CollectionName, _ id: String, _ commits: ClosedRange<UInt64>, page size: Int,
    _ body: (HistoryEntry) -> ScanStep
  ) throws(StoreError) {
    var (id, before) = (id, commits.upperBound + 1)
    while true {
      let page = try store.history(collection, id, before: before, limit: max(1, size))
      guard let oldest = page.last else { return }
      before = oldest.commit
      for change in page {
        guard change.commit >= commits.lowerBound else { return }
        var entry = try self.entry(change, of: collection)
        let move = entry.origin?.cause?.moved.first { $0.collection == collection && $0.$to == id.exact }
        if let move, change.before == nil,
          let former = try store.history(collection, move.from, before: change.commit + 1, limit: 1).first,
          former.commit == change.commit, let old = former.before
        {
          entry.before = try coder.object(old, collection, move.from)
          if body(entry) == .stop { return }
          (id, before) = (move.from, change.commit)
          break
        }
        if body(entry) == .stop { return }
      }
    }
  }

  /// The changes of collections by commit. Those of a range of commits are held at a time: at first of few where the last ones
  /// alone are wanted.
  private func eachChange(
    in collections: [CollectionName], _ commits: ClosedRange<UInt64>, isShort: Bool,
    _ body: (HistoryEntry) -> ScanStep
  ) throws(StoreError) {
    let names = collections.isEmpty ? try kept() : collections
    var (last, size): (UInt64, UInt64) = (commits.upperBound, isShort ? 100 : 10_000)
    while last >= commits.lowerBound {
      let first = last - commits.lowerBound < size ? commits.lowerBound : last - size + 1
      var found: [(collection: CollectionName, change: RecordChange)] = []
      for name in names {
        try store.history(name, in: first...last) { change in
          found.append((name, change))
          return .next
        }
      }
      found.sort { ($1.change.commit, $0.collection, $0.change.$id) < ($0.change.commit, $1.collection, $1.change.$id) }
      for (name, change) in found where body(try entry(change, of: name)) == .stop { return }
      guard first > commits.lowerBound else { return }
      (last, size) = (first - 1, size * 4)
    }
  }

  /// The collections of sources whose history is kept.
  private func kept() throws(StoreError) -> [CollectionName] {
    let common = Set(CollectionDescriptor.common.map(\.name))
    let names = catalog.names.filter { !common.contains($0) }
    guard let maintenance = store as? any HistoryMaintenance else { return names }
    let kept = Set(try maintenance.histories().filter { $0.policy.keep != .none }.map(\.collection))
    return names.filter(kept.contains)
  }

  private func entry(_ change: RecordChange, of collection: CollectionName) throws(StoreError) -> HistoryEntry {
    HistoryEntry(
      commit: change.commit, origin: try store.origin(of: change.commit), collection: collection, id: change.id,
      before: try change.before.map { (bytes) throws(StoreError) in try coder.object(bytes, collection, change.id) },
      after: try change.after.map { (bytes) throws(StoreError) in try coder.object(bytes, collection, change.id) },
      nameField: catalog[collection]?.nameField)
  }

  public func difference(
    from: Moment, to: Moment, in collections: [CollectionName], _ body: (HistoryEntry) throws(Failure) -> ScanStep
  ) throws(Failure) {
    guard from.commit <= to.commit else {
      throw Failure(
        .config, .usage, "\(from.at) is after \(to.at)", hint: "name the earlier time first", code: .own(.usage))
    }
    guard from.commit < to.commit else { return }
    var problem: Failure?
    do throws(StoreError) {
      for name in collections.isEmpty ? try kept() : collections {
        var waiting: RecordChange?
        // Whether more are wanted; a record that is again what it was is none.
        func hand(_ next: RecordChange?) throws(StoreError) -> Bool {
          guard let done = waiting, done.$id != next?.$id else { return true }
          guard done.before != done.after else { return true }
          let entry = try entry(done, of: name)
          do throws(Failure) { return try body(entry) == .next } catch {
            problem = error
            return false
          }
        }
        // A state that a damage has lost is no beginning: all since would seem to be added.
        try store.snapshot(at: from.commit).scan(name, .all) { (_: RawSpan) throws(StoreError) in .stop }
        try store.history(name, in: from.commit + 1...to.commit) { (change) throws(StoreError) -> ScanStep in
          guard try hand(change) else {
            waiting = nil
            return .stop
          }
          let before = waiting.flatMap { $0.$id == change.$id ? $0 : nil }.map(\.before) ?? change.before
          waiting = RecordChange(id: change.id, commit: change.commit, before: before, after: change.after)
          return .next
        }
        if problem == nil, waiting != nil { guard try hand(nil) else { break } }
        if problem != nil { break }
      }
    } catch {
      throw error.failure
    }
    if let problem { throw problem }
  }

  public func blame(_ collection: CollectionName, _ id: String, at moment: Moment) throws(Failure) -> [BlamedField] {
    let record = try Failure.reading(store.snapshot(at: moment.commit).object(collection, id, coder))
    guard let record else { throw Library.missing(collection, id) }
    var fields = Self.leaves(record).map { BlamedField($0, $1) }
    var open = fields.count
    try changes(HistoryQuery([collection], record: id, until: moment)) { entry in
      let changed = entry.before == nil ? nil : Set(entry.differences.map(\.field.exact))
      for index in fields.indices where fields[index].commit == nil {
        guard changed?.contains(fields[index].field.exact) ?? true else { continue }
        (fields[index].commit, fields[index].origin) = (entry.commit, entry.origin)
        open -= 1
      }
      return open > 0 ? .next : .stop
    }
    return fields
  }

  private static func leaves(_ object: JSONObject, below path: String = "") -> [(String, JSONValue)] {
    object.members.flatMap { member in
      member.value.object.map { leaves($0, below: "\(path)\(member.key).") } ?? [(path + member.key, member.value)]
    }
  }
}
