import Models
import Ports
import Testing

@testable import Sync

/// Which records have left a list: one case for each doubt and each form of coverage.
@Suite struct ListJudgeTests {
  private static let (items, makers) = (CollectionName(rawValue: "items"), CollectionName(rawValue: "makers"))

  private static func records(_ ids: some Sequence<Int>, _ collection: CollectionName = items) -> [RecordName] {
    ids.map { RecordName(collection, String($0)) }
  }

  private static func before(_ records: [RecordName]) -> ListedRecords { ListedRecords(follow: "a/b", Set(records)) }

  private func verdict(
    of pages: [PullCoverage], before: [RecordName], isFromStart: Bool = true, isForced: Bool = false,
    others: Set<RecordName> = [], readings: Int = 1
  ) -> ListJudge.Verdict {
    var judge = ListJudge(isFromStart: isFromStart)
    for reading in 0..<readings {
      if reading > 0 { judge.readAgain() }
      for page in pages { _ = judge.read(page) }
    }
    return judge.verdict(before: Self.before(before), isForced: isForced) { others.intersection($0) }
  }

  private static let ten = records(0..<10)
  private static let eight = ListPage(records(0..<8))
  private static let gone = records([8, 9])

  @Test("a whole list removes what it lacks, unless another follow lists it")
  func whole() {
    #expect(verdict(of: [.page(Self.eight)], before: Self.ten) == .remove(Self.gone))
    #expect(
      verdict(of: [.page(Self.eight)], before: Self.ten, others: Set(Self.records([8]))) == .remove(Self.records([9])))
    #expect(verdict(of: [.whole(before: Self.ten, now: Self.eight.records)], before: []) == .remove(Self.gone))
    #expect(verdict(of: [.page(Self.eight)], before: []) == .remove([]))
  }

  @Test(
    "each doubt keeps everything, on each page of a list and beside each other form of page",
    arguments: [
      ListDoubt.part, .limit, .interrupted, .unchanged, .unreadableID, .noList(path: "$.a"), .emptyAnswer,
      .count(said: 10, came: 8), .more(page: 1, isEmpty: true), .more(page: 1, isEmpty: false),
      .pages(said: 2, came: 1), .samePage(2),
    ])
  func doubts(_ doubt: ListDoubt) {
    var page = Self.eight
    page.doubts = [doubt]
    for pages in [[PullCoverage.page(page)], [.page(page), .page(ListPage([]))], [.page(ListPage([])), .page(page)]] {
      #expect(verdict(of: pages, before: Self.ten) == .keep)
      #expect(verdict(of: pages, before: Self.ten, isForced: true) == .keep)
    }
    guard doubt != .interrupted else { return }
    #expect(verdict(of: [.whole(before: Self.ten, now: [], doubt: doubt)], before: []) == .keep)
  }

  @Test("what came with the pages of the pull itself does not make a list with other ids credible")
  func otherIDs() throws {
    let new = Self.records(100..<120)
    var before = Self.before(Self.ten + new)
    before.judged = Set(Self.ten)
    for isForced in [false, true] {
      var judge = ListJudge(isFromStart: true)
      _ = judge.read(.page(ListPage(new)))
      let verdict = judge.verdict(before: before, isForced: isForced) { _ in [] }
      #expect(verdict == (isForced ? .remove(Self.ten) : .refuse(Self.items, lost: 10, of: 10, added: 20)))
    }
  }

  @Test("the rest of an interrupted pull is not compared with the number of all records")
  func countOfTheRest() {
    var page = Self.eight
    page.total = 10
    for isFromStart in [true, false] {
      var judge = ListJudge(isFromStart: isFromStart)
      #expect(judge.read(.page(page)) == (isFromStart ? [.count(said: 10, came: 8)] : []))
    }
  }

  @Test("a rejected record that the source does not count may be any record, of a later page, too")
  func uncountedRejects() {
    for pages in [[PullCoverage.page(Self.eight)], [.unknown, .whole(before: Self.ten, now: Self.eight.records)]] {
      for hasUncountedRejects in [true, false] {
        var judge = ListJudge(isFromStart: true)
        for (index, page) in pages.enumerated() {
          _ = judge.read(page, hasUncountedRejects: hasUncountedRejects && index == 0)
        }
        let expected = hasUncountedRejects ? ListJudge.Verdict.keep : .remove(Self.gone)
        #expect(judge.verdict(before: Self.before(Self.ten), isForced: true) { _ in [] } == expected)
      }
    }
  }

  @Test(
    "a page that says nothing of the list, one that had not changed, and the rest of an interrupted pull keep everything"
  )
  func otherPages() {
    for other in [PullCoverage.unknown, .unchanged] {
      #expect(verdict(of: [.page(Self.eight), other], before: Self.ten) == .keep)
      #expect(verdict(of: [other, .page(Self.eight)], before: Self.ten) == .keep)
      #expect(verdict(of: [other], before: Self.ten) == .keep)
    }
    #expect(verdict(of: [], before: Self.ten) == .keep)
    #expect(verdict(of: [.page(Self.eight)], before: Self.ten, isFromStart: false) == .keep)
    // A source that knows the whole list at once needs no first page.
    let whole = PullCoverage.whole(before: Self.ten, now: Self.eight.records)
    #expect(verdict(of: [whole], before: [], isFromStart: false) == .remove(Self.gone))
  }

  @Test("where borders of pages move, what is missing is looked for a second time; what either reading has stays")
  func movingPages() {
    let pages = [PullCoverage.page(ListPage(Self.records(0..<5))), .page(ListPage(Self.records(5..<8)))]
    #expect(verdict(of: pages, before: Self.ten) == .readAgain)
    #expect(verdict(of: pages, before: Self.eight.records) == .remove([]))
    #expect(verdict(of: pages, before: Self.ten, readings: 2) == .remove(Self.gone))
    // Every record of a page that is empty now may have moved.
    #expect(verdict(of: [.page(Self.eight), .page(ListPage([]))], before: Self.ten) == .readAgain)
    var fixed = ListPage(Self.records(5..<8))
    fixed.mayHaveMoved = false
    #expect(verdict(of: [pages[0], .page(fixed)], before: Self.ten) == .remove(Self.gone))
    var judge = ListJudge(isFromStart: true)
    for page in pages { _ = judge.read(page) }
    judge.readAgain()
    _ = judge.read(.page(ListPage(Self.records([8]))))
    #expect(judge.verdict(before: Self.before(Self.ten), isForced: false) { _ in [] } == .remove(Self.records([9])))
  }

  @Test("a record on two pages of one reading stands for one that did not come, where the list says how many there are")
  func repeatedRecords() {
    func pages(_ total: Int?) -> [PullCoverage] {
      var last = ListPage(Self.records([3, 4]))
      last.total = total
      return [.page(ListPage(Self.records(0..<4))), .page(last)]
    }
    #expect(verdict(of: pages(6), before: Self.records(0..<6)) == .keep)
    #expect(verdict(of: pages(nil), before: Self.records(0..<6), readings: 2) == .remove(Self.records([5])))
    var judge = ListJudge(isFromStart: true)
    #expect(pages(6).flatMap { judge.read($0) } == [.movingPages, .count(said: 6, came: 5)])
  }

  @Test("a list of another length than it says removes nothing")
  func lengths() {
    var page = Self.eight
    for (total, expected) in [(8, ListJudge.Verdict.remove(Self.gone)), (9, .keep), (7, .keep)] {
      page.total = total
      #expect(verdict(of: [.page(page)], before: Self.ten) == expected, "\(total)")
    }
  }

  @Test("most of a collection goes only by force; collections are counted one by one")
  func guardOfEachCollection() {
    let before = Self.records(0..<20) + Self.records(0..<4, Self.makers)
    let now = Self.records(0..<20) + Self.records([0, 7], Self.makers)
    for page in [PullCoverage.page(ListPage(now)), .whole(before: before, now: now)] {
      #expect(verdict(of: [page], before: before) == .refuse(Self.makers, lost: 3, of: 4, added: 1))
      #expect(verdict(of: [page], before: before, isForced: true) == .remove(Self.records(1..<4, Self.makers)))
    }
    // A short list may become empty.
    #expect(verdict(of: [.page(ListPage([]))], before: Self.records(0..<2)) == .remove(Self.records(0..<2)))
    #expect(
      verdict(of: [.page(ListPage([]))], before: Self.records(0..<3)) == .refuse(Self.items, lost: 3, of: 3, added: 0))
  }

  @Test("the results of a search are kept, and the list is known")
  func searches() {
    var page = Self.eight
    page.keepsDeparted = true
    #expect(verdict(of: [.page(page)], before: Self.ten) == .remove([]))
    page.doubts = [.pages(said: 2, came: 1)]
    #expect(verdict(of: [.page(page)], before: Self.ten) == .keep)
  }

  @Test("what an answer says is gone goes, also where no pull listed it, and stays where another follow lists it")
  func goneRecords() {
    var page = ListPage([])
    page.gone = Self.records([1])
    #expect(verdict(of: [.page(page)], before: []) == .remove(Self.records([1])))
    #expect(verdict(of: [.page(page)], before: [], others: Set(Self.records([1]))) == .remove([]))
  }

  private static func list(_ listed: [String], _ read: [ListPage.Sublist], mayMiss: Bool = false) -> PullCoverage {
    var page = ListPage(records([1]))
    page.sublistKinds = ["a"]
    page.sublists = listed.map { .init($0, reading: .partial, isListed: true) } + read
    page.mayMissSublists = mayMiss
    return .page(page)
  }

  @Test(
    "the lists of a record: what was read to its end counts, everything else has what it had; they go with the record")
  func sublists() {
    var before = Self.before(Self.records([1]))
    before.sublists = [
      "a x": Set(Self.records(10..<12)), "a y": Set(Self.records(20..<22)), "b z": Set(Self.records([30])),
    ]
    func verdict(_ page: PullCoverage) -> ListJudge.Verdict {
      var judge = ListJudge(isFromStart: true)
      _ = judge.read(page)
      return judge.verdict(before: before, isForced: true) { _ in [] }
    }
    // Neither was asked for. Of another definition's lists nothing is known.
    #expect(verdict(Self.list(["a x", "a y"], [])) == .remove([]))
    // The record of the second one is gone.
    #expect(verdict(Self.list(["a x"], [])) == .remove(Self.records(20..<22)))
    // A rejected record may be the one that has it.
    #expect(verdict(Self.list(["a x"], [], mayMiss: true)) == .remove([]))
    // It was read, to its end or not.
    let ended = ListPage.Sublist("a x", Self.records([10]), reading: .ended)
    let partial = ListPage.Sublist("a x", Self.records([10]), reading: .partial)
    #expect(verdict(Self.list(["a x", "a y"], [ended])) == .remove(Self.records([11])))
    #expect(verdict(Self.list(["a x", "a y"], [partial])) == .remove([]))
    // What a list and a record of it both have stays as long as one has it.
    #expect(
      verdict(Self.list(["a x", "a y"], [.init("a x", Self.records([1, 10, 11]), reading: .ended)])) == .remove([]))
    #expect(
      verdict(Self.list(["a y"], [.init("a x", Self.records([1, 12]), reading: .ended)]))
        == .remove(Self.records(10..<13)))
  }
}
