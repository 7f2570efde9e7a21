import Models
import Ports

/// What was changed here, and not by a source: each thing that somebody did, the newest first.
struct OwnChanges: Sendable {
  /// The changes of one command, of one request or of one form.
  struct Action: Sendable {
    let cause: ChangeCause
    let at: Timestamp
    let last: UInt64
    private(set) var first: UInt64
    private(set) var counts: [CollectionName: SyncCounts] = [:]
    /// The last change; the only one where `isSingle` is.
    let entry: HistoryEntry

    fileprivate init(_ entry: HistoryEntry, _ origin: CommitOrigin, _ cause: ChangeCause) {
      (self.entry, self.cause, at, first, last) = (entry, cause, origin.at, entry.commit, entry.commit)
      add(entry)
    }

    fileprivate mutating func add(_ entry: HistoryEntry) {
      first = entry.commit
      counts[entry.collection, default: SyncCounts()].count(entry)
    }

    fileprivate func takes(_ entry: HistoryEntry, _ cause: ChangeCause) -> Bool {
      entry.commit == first || (cause.run.map { $0 == self.cause.run } ?? false)
    }

    /// How many changes it made.
    var size: Int { counts.values.reduce(0) { $0 + $1.size } }
    var isSingle: Bool { size == 1 }
  }

  /// What differs of all records between two moments.
  private struct Difference {
    private var kinds: [[ExactString]: String] = [:]
    /// The present ids of records that a server gave another one.
    private var ids: [[ExactString]: String] = [:]

    mutating func note(_ entry: HistoryEntry) { kinds[entry.record] = entry.kind }

    mutating func note(_ moves: [ChangeCause.Move]) {
      for move in moves {
        let name = move.collection.rawValue.exact
        ids[[name, move.$from]] = ids[[name, move.$to]] ?? move.to
      }
    }

    /// The last change of a record that is of the kind of all its changes together; `nil` for any other change.
    ///
    /// - Parameter isAgain: whether the change brought back what was added since then.
    mutating func take(_ entry: HistoryEntry, isAgain: @autoclosure () -> Bool) -> HistoryEntry? {
      var entry = entry
      entry.id = ids[entry.record] ?? entry.id
      guard let kind = kinds[entry.record] else { return nil }
      // What added it before it was removed says it, and not what brought it back.
      if kind == "added", entry.before == nil, isAgain() { return nil }
      // One that came back after its removal, and is not as it was, is changed.
      if kind == "changed", entry.before == nil { entry.before = entry.after }
      guard entry.kind == kind else { return nil }
      kinds[entry.record] = nil
      return entry
    }
  }

  /// The most changes that are looked at.
  private static let most = 20_000

  let actions: [Action]
  private let services: DaemonServices

  /// Reads those of the collections that people can change here.
  ///
  /// - Parameter isDifference: whether each record counts once, as it differs now from what it was then, and not at all
  ///   where it does not.
  /// - Throws: `Failure` where the store cannot be read.
  init(_ services: DaemonServices, since: Timestamp, isDifference: Bool = false) throws(Failure) {
    self.services = services
    let names = services.catalog.collections.filter(\.isChangedHere).map(\.name)
    var (actions, seen, whole) = ([Action](), 0, Difference())
    if isDifference { try services.differences(in: names, since: since) { whole.note($0) } }
    do throws(Failure) {
      let history = try services.history()
      let first = try history.beginning(since.description)
      try history.changes(HistoryQuery(names, since: first)) { entry in
        seen += 1
        if isDifference { whole.note(entry.origin?.cause?.moved ?? []) }
        if let origin = entry.origin, let cause = origin.cause, cause.isOwn,
          let entry = isDifference
            ? whole.take(
              entry,
              isAgain: cause.bringsBack && services.last(before: entry).map { $0.commit > first?.commit ?? 0 } ?? false)
            : entry
        {
          if actions.last?.takes(entry, cause) ?? false {
            actions[actions.count - 1].add(entry)
          } else {
            actions.append(Action(entry, origin, cause))
          }
        }
        return seen < Self.most ? .next : .stop
      }
    } catch {
      guard error.code == .store(.notKept) || error.code == .own(.noHistory) else { throw error }
    }
    // Of several edits of a record, the last one says it.
    var known: Set<[ExactString]> = []
    self.actions = actions.filter { action in
      let entry = action.entry
      return !action.isSingle || known.insert(entry.record + [entry.kind.exact]).inserted
    }
  }

  /// `Ada King was changed`, or `312 new people`.
  func words(_ action: Action) -> String {
    let entry = action.entry
    guard action.isSingle else {
      let parts = action.counts.sorted { $0.key < $1.key }.compactMap { name, counts in
        HomeData.words(name, counts, back: action.cause.bringsBack ? counts.added : 0)
      }
      return parts.joined(separator: ", ") + (action.cause.kind == .import ? ", imported" : "")
    }
    return "\(name(entry)) \(outcome(entry))"
  }

  /// The words with the address that they lead to; of a single change, only the name leads there.
  func line(_ action: Action) -> (text: String, rest: String, address: String) {
    action.isSingle
      ? (name(action.entry), outcome(action.entry), address(action)) : (words(action), "", address(action))
  }

  private func name(_ entry: HistoryEntry) -> String {
    Shown.name(RecordPages.title(entry.after ?? entry.before ?? [:], entry.collection, services) ?? entry.id)
  }

  private func outcome(_ entry: HistoryEntry) -> String {
    guard entry.kind == "added" else { return "was \(entry.kind)" }
    return services.isBack(entry) ? "is back" : "is new"
  }

  func address(_ action: Action) -> String {
    action.isSingle
      ? Shown.record(action.entry.collection.rawValue, action.entry.id)
      : ChangesPage.address(
        by: ChangesPage.here, since: "commit:\(action.first - 1)", until: "commit:\(action.last)")
  }
}

extension DaemonServices {
  /// Calls `body` with each record that differs now from what it was then. Returns `false` where no history is kept.
  @discardableResult
  func differences(
    in names: [CollectionName], since: Timestamp, _ body: (HistoryEntry) -> Void
  ) throws(Failure) -> Bool {
    guard !names.isEmpty else { return true }
    do throws(Failure) {
      let history = try history()
      let first = try history.beginning(since.description) ?? Moment(commit: 0, at: since)
      try history.difference(from: first, to: history.moment("now"), in: names) { entry in
        if entry.kind != "changed" || !entry.differences.isEmpty { body(entry) }
        return .next
      }
      return true
    } catch {
      guard error.code == .store(.notKept) || error.code == .own(.noHistory) else { throw error }
      return false
    }
  }
}

extension DaemonServices {
  /// The change of the record before this one, or before a moment; `nil` where none is kept.
  fileprivate func last(before entry: HistoryEntry, or moment: Moment? = nil) -> HistoryEntry? {
    var (last, query) = (HistoryEntry?.none, HistoryQuery([entry.collection], record: entry.id, limit: 1))
    query.until = moment ?? entry.origin.map { Moment(commit: entry.commit - 1, at: $0.at) }
    try? history().changes(query) { found in
      last = found
      return .stop
    }
    return last.flatMap { $0.commit < entry.commit ? $0 : nil }
  }

  /// Whether a change, or all changes since a moment, added a record that was there before.
  func isBack(_ entry: HistoryEntry, since moment: Moment? = nil) -> Bool {
    entry.kind == "added" && last(before: entry, or: moment) != nil
  }
}

extension HistoryEntry {
  fileprivate var record: [ExactString] { [collection.rawValue.exact, $id] }
}

extension SyncCounts {
  var size: Int { added + updated + removed }

  /// These counts, none of them larger than in `whole`.
  func atMost(_ whole: SyncCounts) -> SyncCounts {
    var counts = self
    (counts.added, counts.updated) = (min(added, whole.added), min(updated, whole.updated))
    counts.removed = min(removed, whole.removed)
    return counts
  }

  mutating func count(_ entry: HistoryEntry) {
    if entry.before == nil { added += 1 } else if entry.after == nil { removed += 1 } else { updated += 1 }
  }
}

extension ChangeCause {
  /// Whether somebody here did it, and not a source or the store itself.
  var isOwn: Bool { [.edit, .proposal, .import, .undo, .restore, .forget].contains(kind) }

  /// Whether a record that it adds was here before.
  var bringsBack: Bool { kind == .undo || kind == .restore }
}

extension CollectionDescriptor {
  /// Whether people can change its records here, and the store may know what they were.
  fileprivate var isChangedHere: Bool {
    history.keep != .none
      && ([.people, .profiles].contains(name) || !editableFields.isEmpty || !newFields.isEmpty || isRemovable)
  }
}
