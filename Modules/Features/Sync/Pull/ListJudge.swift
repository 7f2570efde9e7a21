import Models
import Ports

/// Decides which records have left the list of a follow, from what all pages of a pull say. A value without a store.
///
/// Nothing is removed unless the answers agree that the whole list was read.
struct ListJudge: Sendable {
  /// A list that a record of the list has.
  private struct Sublist {
    var records: Set<RecordName> = []
    var isWhole = false
    var isComplete = false
    /// Whether a record came on several pages, so that another one may not have come.
    var repeats = false

    mutating func add(_ page: ListPage.Sublist) {
      if !records.isDisjoint(with: page.records) { repeats = true }
      records.formUnion(page.records)
      isWhole = page.reading != .partial && !repeats
      isComplete = page.reading == .complete && !repeats
    }
  }

  private var records: Set<RecordName> = []
  /// Those of the second reading.
  private var again: Set<RecordName> = []
  /// The pages of the list in this reading.
  private var pages = 0
  /// Answers whose records were not looked at yet: where the list is as it was, they need not be.
  private var answers: [KnownAnswer] = []
  /// Whether the list is known to be what it was when it was judged before.
  var isAsBefore = false
  private var gone: Set<RecordName> = []
  private var read: [ExactString: Sublist] = [:]
  /// The names of the sublists that records of the list have.
  private var listed: Set<ExactString> = []
  private var kinds: Set<ExactString> = []
  private var mayMissSublists = false
  private var whole: (before: [RecordName], now: [RecordName])?
  private var keepsDeparted = false
  private var isSecondReading = false
  /// Whether a page said something about a list.
  private var isList = false
  /// Whether a page could not say which records it has.
  private var isUnknown = false
  /// Why the list may have records that did not come.
  private(set) var doubts: Set<ListDoubt> = []

  /// Begins with the first page, or, if not, where an earlier pull was interrupted.
  init(isFromStart: Bool) { if !isFromStart { doubts.insert(.interrupted) } }

  /// Whether a page had not changed, so that what is known of its records stays.
  var hasUnchangedPages: Bool { doubts.contains(.unchanged) }

  /// Whether no page had changed, so that the list is what it was.
  var isUnchanged: Bool { doubts == [.unchanged] && records.isEmpty && answers.isEmpty && !isUnknown }

  var isPart: Bool { doubts.contains(.part) }

  /// Begins to read the list again: what either reading lists is there.
  mutating func readAgain() {
    readAnswers()
    (isSecondReading, pages) = (true, 0)
  }

  mutating func readAnswers() {
    for answer in answers {
      let listed = answer.records
      records.formUnion(listed)
      if isSecondReading { again.formUnion(listed) }
    }
    answers = []
  }

  /// Notes what a page says, and returns the doubts that no page had before.
  ///
  /// - Parameters:
  ///   - answer: the known answer whose records the page does not name.
  ///   - hasUncountedRejects: whether a rejected record of the pull may be any record of the list.
  mutating func read(
    _ coverage: PullCoverage, _ answer: KnownAnswer? = nil, hasUncountedRejects: Bool = false
  ) -> [ListDoubt] {
    var found: [ListDoubt] = []
    switch coverage {
    case .unknown: isUnknown = true
    case .unchanged: found = [.unchanged]
    case .page(let page):
      isList = true
      if let answer { answers.append(answer) }
      if page.total != nil, !isAsBefore { readAnswers() }
      keepsDeparted = keepsDeparted || page.keepsDeparted
      mayMissSublists = mayMissSublists || page.mayMissSublists
      records.formUnion(page.records)
      if isSecondReading { again.formUnion(page.records) }
      gone.formUnion(page.gone)
      kinds.formUnion(page.sublistKinds)
      for sublist in page.sublists {
        if sublist.isListed {
          listed.insert(sublist.$name)
        } else {
          read[sublist.$name, default: Sublist()].add(sublist)
        }
      }
      found = page.doubts
      if pages > 0, page.mayHaveMoved { found.append(.movingPages) }
      pages += 1
      // Where records came twice, others may not have come at all.
      let came = isSecondReading ? again.count : records.count
      let isWhole = !isAsBefore && !doubts.contains(.interrupted)
      if let total = page.total, total != came, isWhole { found.append(.count(said: total, came: came)) }
    case .whole(let before, let now, let doubt):
      whole = (before, now)
      found = doubt.map { [$0] } ?? []
    }
    if hasUncountedRejects, !keepsDeparted { found.append(.unreadableID) }
    return found.filter { doubts.insert($0).inserted }
  }

  enum Verdict: Hashable, Sendable {
    /// The whole list was read, or whole sublists, and lacks these, in order.
    case remove([RecordName])
    /// Nothing is removed: there is a doubt, or the list is not known.
    case keep
    /// The list is to be read a second time.
    case readAgain
    /// The list lacks most of the records that it had of a collection, which is more likely a fault; `added` is the number of
    /// new ones.
    case refuse(CollectionName, lost: Int, of: Int, added: Int)
  }

  /// Whether a page is the one with which the list is judged: the last one, or the one that has the whole list.
  func isDue(at page: PullPage) -> Bool {
    if case .whole = page.coverage { return true }
    return page.next == nil && whole == nil
  }

  /// Whether all pages that were read agree on which records the list has.
  var isKnown: Bool {
    if whole != nil { return doubts.isSubset(of: [.interrupted]) }
    return isList && !isUnknown && doubts.isSubset(of: [.movingPages])
  }

  /// - Parameters:
  ///   - before: what the follow listed until now.
  ///   - isForced: whether a list that lost most of its records is right.
  func verdict<Problem>(
    before: ListedRecords, isForced: Bool, listedElsewhere others: (Set<RecordName>) throws(Problem) -> Set<RecordName>
  ) throws(Problem) -> Verdict {
    if isKnown, keepsDeparted { return .remove([]) }
    let (old, now): (Set<RecordName>, Set<RecordName>)
    var departed: Set<RecordName>
    if !isKnown {
      // What an interrupted pull had read of a list is not known.
      let complete = doubts.contains(.interrupted) ? [:] : read.filter(\.value.isComplete)
      old = complete.keys.reduce(into: []) { $0.formUnion(before.sublists[$1] ?? []) }
      let kept = before.sublists.filter { complete[$0.key] == nil }.values
      now = (kept + read.values.map(\.records)).reduce(into: before.records.union(records)) { $0.formUnion($1) }
      departed = old.subtracting(now)
      if !departed.isEmpty { departed.subtract(try others(departed)) }
      if departed.isEmpty { return .keep }
    } else if let whole {
      (old, now) = (Set(whole.before), Set(whole.now))
      departed = old.subtracting(now)
    } else {
      (old, now) = (earlier(before), self.now(after: before).all)
      departed = old.subtracting(now)
      if !departed.isEmpty { departed.subtract(try others(departed)) }
    }
    if isKnown, !departed.isEmpty, doubts.contains(.movingPages), !isSecondReading { return .readAgain }
    // A small collection can vanish beside a large one, so each is counted on its own.
    let lost = Dictionary(grouping: departed, by: \.collection).mapValues(\.count).sorted { $0.key < $1.key }
    for (collection, lost) in lost where !isForced {
      // What came since the last complete pull, also with the pages of this one, is no reason to believe it.
      let (all, judged) = (
        old.filter { $0.collection == collection }, before.judged.filter { $0.collection == collection }
      )
      let gone = judged.intersection(departed).count
      let isLikely = MassRemoval.isLikely(gone, of: judged.count)
      guard isLikely || MassRemoval.isLikely(lost, of: all.count) else { continue }
      let added = now.count { $0.collection == collection && !(isLikely ? judged : all).contains($0) }
      return .refuse(collection, lost: isLikely ? gone : lost, of: isLikely ? judged.count : all.count, added: added)
    }
    return .remove(departed.inOrder)
  }

  /// What the follow listed until now, with what came with this pull.
  private func earlier(_ before: ListedRecords) -> Set<RecordName> {
    var all = before.records.union(gone)
    for (name, records) in before.sublists where isCurrent(name) { all.formUnion(records) }
    for sublist in read.values { all.formUnion(sublist.records) }
    return all
  }

  /// What the follow lists now. A sublist that was not read to its end still has what it had.
  func now(after before: ListedRecords) -> ListedRecords {
    var now = ListedRecords(follow: before.follow, records)
    for name in Set(before.sublists.keys).union(read.keys) where isCurrent(name) && isThere(name) {
      var sublist = read[name] ?? Sublist()
      if !sublist.isWhole { sublist.records.formUnion(before.sublists[name] ?? []) }
      if !sublist.records.isEmpty { now.sublists[name] = sublist.records }
    }
    return now
  }

  /// Whether lists of records were read that are complete whatever becomes of the list around them.
  var hasCompleteSublists: Bool { read.values.contains(where: \.isComplete) }

  /// Whether the engine keeps the records of the list.
  var isKept: Bool { whole == nil && isList }

  /// Whether every sublist that the list has was read to its end.
  var readsAllSublists: Bool { !mayMissSublists && listed.allSatisfy { read[$0]?.isWhole == true } }

  /// Whether a record has the sublist: one that came, or one of a sublist that was not read to its end.
  private func isThere(_ name: ExactString) -> Bool {
    if mayMissSublists || listed.contains(name) { return true }
    guard let outer = ListPage.outer(of: name) else { return false }
    return isThere(outer) && read[outer]?.isWhole != true
  }

  private func isCurrent(_ name: ExactString) -> Bool {
    let kind = name.text.prefix { $0 != " " }
    return kinds.contains(String(kind).exact)
  }
}
