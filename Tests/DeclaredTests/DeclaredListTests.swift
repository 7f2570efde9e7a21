import AlmanacTesting
import Models
import Ports
import Sync
import Synchronization
import Testing

/// What a list that is read removes, and how far its point moves.
@Suite("Lists of declared sources")
struct DeclaredListTests {
  private static func answer(_ ids: Range<Int>, _ more: String) -> HTTPResponse {
    let items = ids.map { #"{"id": \#($0), "name": "n\#($0)", "at": \#(1000 + $0)}"# }.joined(separator: ",")
    return HTTPResponse(#"{"items": [\#(items)]\#(more)}"#)
  }

  @Test("the next address is a template with values of the answer, below the address of the API")
  func nextAddress() async throws {
    let shop = try Shop(
      Shop.definition(
        #""get": "/items?sort=id", "pages": {"next": "/items?n={size}&after={$.next}", "size": 2}, "take": {"records": "$.items", "into": "items"}"#
      ))
    func page(_ id: Int, _ next: String) -> HTTPResponse {
      let item = #"{"id": \#(id), "name": "n", "at": 5}"#
      return HTTPResponse(#"{"items": [\#(item)]\#(next)}"#)
    }
    shop.change {
      $0.answers["/items?sort=id"] = page(1, #", "next": "a b""#)
      $0.answers["/items?n=2&after=a%20b"] = page(2, #", "next": """#)
    }
    try await shop.sync()
    #expect(shop.requests == ["/items?sort=id", "/items?n=2&after=a%20b"])
    #expect(try shop.ids() == ["1", "2"])
  }

  @Test("a list that the answers contradict removes nothing; the next one that they agree on does")
  func contradictions() async throws {
    let cases: [(pages: String, target: String, answers: [(String, Range<Int>, String)])] = [
      (
        #"{"offset": 0, "count": "$.total"}"#, "/items?size=9{&offset}",
        [("&offset=0", 0..<3, #", "total": 5"#), ("&offset=3", 0..<0, #", "total": 5"#)]
      ),
      (#"{"count": "$.total"}"#, "/items?size=9", [("", 0..<3, #", "total": 5"#)]),
      (#"{"next": "$.next", "more": "$.more"}"#, "/items?size=9", [("", 0..<3, #", "more": true"#)]),
      (#"{"cursor": {"cursor": "$.cursor"}, "more": "$.more"}"#, "/items?size=9", [("", 0..<3, #", "more": true"#)]),
      (
        #"{"page": 1, "pages": "$.pages"}"#, "/items?size=9{&page}",
        [("&page=1", 0..<3, #", "pages": 2"#), ("&page=2", 0..<0, #", "pages": 3"#)]
      ),
      (
        #"{"page": 1, "more": "$.more"}"#, "/items?size=9{&page}",
        [("&page=1", 0..<3, #", "more": true"#), ("&page=2", 0..<0, #", "more": true"#)]
      ),
    ]
    for (pages, target, answers) in cases {
      let shop = try Shop(items: 5, follow: #""get": "\#(target)", "pages": \#(pages), "complete": true"#)
      try await shop.sync()
      #expect(try shop.ids().count == 5)
      for (query, ids, more) in answers {
        shop.change { $0.answers["/items?size=9\(query)".exact] = Self.answer(ids, more) }
      }
      let report = try await shop.sync()
      #expect(report.error == nil && report.counts.removed == 0, "\(pages): \(report)")
      let plan = try await shop.sync(options: SyncOptions(dryRun: true))
      #expect(
        plan.notes.contains { $0.hasSuffix(": nothing is removed") || $0.contains("gave 3: nothing is removed;") })
      shop.change { state in
        state.answers = [:]
        state.items.removeLast(2)
      }
      #expect(try await shop.sync().counts.removed == 2, "\(pages)")
    }
  }

  @Test("a list that came before it was declared complete is known, and what it lacks then goes")
  func completeAddedLater() async throws {
    let list = #""get": "/items?size=9""#
    let before = try Shop(items: 5, follow: list)
    try await before.sync()
    let after = try Shop(items: 3, follow: list + #", "complete": true"#, after: before)
    #expect(try await after.sync().counts.removed == 2)
    #expect(try after.ids() == ["0", "1", "2"])
  }

  @Test("what a list that is no complete one had keeps nothing that a complete list lacks")
  func partsHaveNoVeto() async throws {
    let part = try Shop(items: 5, follow: #""get": "/items?size=9""#)
    try await part.sync()
    let definition = Shop.definition(#""get": "/items?size=9", "complete": true, \#(Shop.take)"#)
      .replacing("\"all\"", with: "\"whole\"")
    let whole = try Shop(items: 5, definition, after: part)
    try await whole.sync("shop/whole")
    whole.change { _ = $0.items.removeLast() }
    #expect(try await whole.sync("shop/whole").counts.removed == 1)
  }

  private static let two = Shop.definition(
    #""get": "/items", "complete": true, "take": [{"records": "$.items", "into": "items"}, {"records": "$.makers", "into": "makers"}]"#
  )

  private static func makers(_ logins: Range<Int>) -> String {
    #", "makers": ["# + logins.map { #"{"login": "m\#($0)"}"# }.joined(separator: ",") + "]"
  }

  @Test("an answer without one of its lists removes nothing")
  func missingList() async throws {
    let shop = try Shop(Self.two)
    shop.change { $0.answers["/items"] = Self.answer(0..<4, Self.makers(0..<2)) }
    try await shop.sync()
    shop.change { $0.answers["/items"] = Self.answer(0..<3, "") }
    let report = try await shop.sync()
    #expect(report.error == nil && report.counts.removed == 0, "\(report)")
    #expect(try shop.ids("makers") == ["m0", "m1"])
    shop.change { $0.answers["/items"] = Self.answer(0..<3, Self.makers(0..<1)) }
    #expect(try await shop.sync().counts.removed == 2)
  }

  @Test("most of a small collection is not removed beside a large one")
  func guardOfEachCollection() async throws {
    let shop = try Shop(Self.two)
    shop.change { $0.answers["/items"] = Self.answer(0..<20, Self.makers(0..<4)) }
    try await shop.sync()
    shop.change { $0.answers["/items"] = Self.answer(0..<20, Self.makers(0..<1)) }
    let report = try await shop.sync()
    #expect(report.error?.code == .own(.massRemoval))
    #expect(report.error?.message.contains("the list of makers lost 3 of 4 records") == true, "\(report)")
    #expect(try await shop.sync(options: SyncOptions(force: true)).counts.removed == 3)
  }

  @Test("a list in doubt is not the complete one of the week")
  func doubtfulListIsReadAgain() async throws {
    let shop = try Shop(
      items: 5,
      follow:
        #""get": "/items?size=9{&offset,since}", "pages": {"offset": 0, "count": "$.total"}, "since": {"field": "at", "form": "epoch"}, "complete": "7d""#
    )
    try await shop.sync()
    shop.time.advance(by: .seconds(8 * 86_400))
    shop.change { state in
      for (offset, ids) in [(0, 0..<3), (3, 0..<0)] {
        state.answers["/items?size=9&offset=\(offset)".exact] = Self.answer(ids, #", "total": 5"#)
      }
    }
    #expect(try await shop.sync().counts.removed == 0)
    shop.change { state in
      state.answers = [:]
      state.items.removeLast(2)
    }
    shop.time.advance(by: .seconds(3600))
    #expect(try await shop.sync().counts.removed == 2)
    #expect(shop.requests.allSatisfy { !$0.contains("since") })
  }

  private static let since = #""since": {"field": "at", "form": "epoch"}"#

  @Test("a record with a time in the future does not stop the point")
  func future() async throws {
    let shop = try Shop(items: 3, follow: #""get": "/items?size=9{&since}", \#(Self.since)"#)
    let begun = shop.time.now.secondsSinceEpoch
    shop.change { $0.items[1].at = begun + 2_000_000_000 }
    try await shop.sync()
    shop.time.advance(by: .seconds(60))
    shop.change { $0.items.append(.init(id: 9, name: "new", at: begun + 30, maker: "m")) }
    #expect(try await shop.sync().counts.added == 1)
    #expect(shop.requests == ["/items?size=9&since=\(begun)"])
  }

  @Test("a limit leaves no holes: a list in ascending order goes on where it was cut, with equal times, too")
  func limitOfAscendingList() async throws {
    let shop = try Shop(
      items: 17,
      follow:
        #""get": "/items?size=2{&cursor,since}", "pages": {"cursor": {"cursor": "$.cursor"}}, "limit": {"default": 5, "most": 100}, \#(Self.since)"#
    )
    shop.change { state in for index in 6...8 { state.items[index].at = 1006 } }
    for _ in 0..<12 { try await shop.sync() }
    #expect(try shop.ids().count == 17)
  }

  @Test("a limit leaves no holes: a list with the newest first keeps its point until it comes to it")
  func limitOfDescendingList() async throws {
    for newestFirst in [#", "newestFirst": true"#, ""] {
      let shop = try Shop(
        items: 17,
        follow:
          #""get": "/items?size=2&order=newest{&cursor,since}", "pages": {"cursor": {"cursor": "$.cursor"}}, "limit": {"default": 5, "most": 100}, "since": {"field": "at", "form": "epoch"\#(newestFirst)}"#
      )
      try await shop.sync()
      #expect(try shop.ids().count == 5, "the first pull is not meant to read what is older")
      shop.change { state in
        for id in 17..<34 { state.items.append(.init(id: id, name: "n", at: 1000 + id, maker: "m")) }
      }
      try await shop.sync()
      try await shop.sync()
      #expect(try shop.ids().count == 10)
      try await shop.sync(limit: 100)
      #expect(try shop.ids().count == 5 + 17, "\(newestFirst)")
      #expect(try await shop.sync().counts.added == 0)
    }
  }
}
