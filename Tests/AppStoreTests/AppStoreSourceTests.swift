import AlmanacTesting
import AppStore
import Models
import Ports
import Testing

@Suite struct AppStoreSourceTests {
  @Test func keepsTheContract() async throws {
    let shelf = Shelf()
    for (follow, body) in [
      (Follow(path: "app-store/fr/top-paid", limit: 3), Feed.legacy(["1", "2", "3"])),
      (Follow(path: "app-store/fr/top-free", options: ["feed": "marketing"]), Feed.marketing(["1", "2"])),
    ] {
      try await SourceContract(
        source: shelf.source, follow: follow,
        badFollows: [
          Follow(path: "app-store/uk/top-free"), Follow(path: "app-store/us/top"), Follow(path: "app-store"),
          Follow(path: "app-store/us/new", limit: 300),
        ], answers: [Feed.answer(body, etag: "\"1\"")], store: InMemoryRecordStore()
      ).verify()
    }
  }

  @Test(arguments: [
    (nil, Follow(path: "app-store/fr/top-paid"), "https://itunes.apple.com/fr/rss/toppaidapplications/limit=100/json"),
    (
      "http://localhost:8080/", Follow(path: "app-store/us/top-free", limit: 200, options: ["genre": "6014"]),
      "http://localhost:8080/us/rss/topfreeapplications/limit=200/genre=6014/json"
    ),
    (
      "http://h/base//", Follow(path: "app-store/us/new", limit: 1), "http://h/base/us/rss/newapplications/limit=1/json"
    ),
    (
      nil, Follow(path: "app-store/jp/top-grossing", limit: 10),
      "https://itunes.apple.com/jp/rss/topgrossingapplications/limit=10/json"
    ),
    (
      nil, Follow(path: "app-store/us/top-paid", limit: 25, options: ["feed": "marketing"]),
      "https://rss.marketingtools.apple.com/api/v2/us/apps/top-paid/25/apps.json"
    ),
    (
      "http://localhost", Follow(path: "app-store/us/top-free", options: ["feed": "marketing"]),
      "http://localhost/api/v2/us/apps/top-free/100/apps.json"
    ),
  ])
  func asksTheRightAddress(base: String?, follow: Follow, url: String) async throws {
    let transport = ScriptedTransport([Feed.answer(Feed.legacy(["1"]))])
    let page = try await Shelf(url: base).pull(follow, transport)
    #expect(transport.requests.map(\.url) == [url])
    #expect(transport.requests.allSatisfy { $0.method == .get && $0.validator == nil })
    #expect(page.url == url)
  }

  @Test func appsAndRanksComeInTheFeedsOrder() async throws {
    let shelf = Shelf()
    let page = try await shelf.see(["30", "10", "20", "10"])
    #expect(page.changes.map(\.rule) == [.merge, .merge, .merge, .merge, .replace])
    let snapshot = try #require(try shelf.snapshots().first)
    #expect(snapshot.id == "us/top-free/2026-03-01T10:00:00Z")
    #expect(snapshot.ranks == ["30", "10", "20"])
    #expect(snapshot.lastObservedAt == snapshot.observedAt)
  }

  @Test func aRejectedEntryLeavesTheOthersInOrder() async throws {
    let shelf = Shelf()
    let body = Feed.legacy(["3", "1"], extra: [.object(["im:name": "broken"])])
    let page = try await shelf.pull(Follow(path: "app-store/us/new"), ScriptedTransport([Feed.answer(body)]))
    #expect(page.rejects.total == 1)
    #expect(try shelf.snapshots().first?.ranks == ["3", "1"])
    let all = try await Shelf().pull(
      Follow(path: "app-store/us/new"), ScriptedTransport([Feed.answer(Feed.legacy([], extra: [7, 8]))]))
    #expect(all.rejects.total == 2 && all.changes.isEmpty)
  }

  @Test(arguments: ["{\"feed\":{}}", "{\"feed\":{\"entry\":null}}", "{\"feed\":{\"entry\":[]}}"])
  func aFeedWithoutEntriesIsAChartWithoutRanks(body: String) async throws {
    let shelf = Shelf()
    let page = try await shelf.pull(
      Follow(path: "app-store/us/new"), ScriptedTransport([Feed.answer(Array(body.utf8))]))
    #expect(page.changes.count == 1)
    #expect(try shelf.snapshots().map(\.ranks) == [[]])
  }

  @Test func theSameRanksMoveLastObservedAtOnly() async throws {
    let shelf = Shelf()
    try await shelf.see(["1", "2"])
    shelf.time.advance(by: .seconds(3600))
    let page = try await shelf.see(["1", "2"])
    #expect(page.changes.last?.rule == .updateMetadata)
    let snapshot = try #require(try shelf.snapshots().first)
    #expect(try shelf.snapshots().count == 1)
    #expect(snapshot.lastObservedAt - snapshot.observedAt == 3600)
    shelf.time.advance(by: .seconds(3600))
    try await shelf.see(["2", "1"])
    #expect(try shelf.snapshots().map(\.ranks) == [["1", "2"], ["2", "1"]])
  }

  @Test func twoSnapshotsWithinASecondAreOne() async throws {
    let shelf = Shelf()
    try await shelf.see(["1", "2"])
    try await shelf.see(["2", "1"])
    #expect(try shelf.snapshots().map(\.ranks) == [["2", "1"]])
  }

  @Test func aChartOfAGenreIsAnotherChart() async throws {
    let shelf = Shelf()
    try await shelf.see(["1"], Follow(path: "app-store/us/top-free", options: ["genre": "2014"]))
    shelf.time.advance(by: .seconds(60))
    let page = try await shelf.see(["1"])
    #expect(page.changes.last?.rule == .replace)
    shelf.time.advance(by: .seconds(60))
    #expect(try await shelf.see(["1"]).changes.last?.rule == .updateMetadata)
    #expect(
      try await shelf.see(["1"], Follow(path: "app-store/us/top-free", options: ["genre": "2014"])).changes.last?.rule
        == .updateMetadata)
    #expect(try shelf.snapshots().map(\.seriesID) == ["us/top-free/2014", "us/top-free"])
  }

  @Test func validatorsHoldForOneAddress() async throws {
    let shelf = Shelf()
    let follow = Follow(path: "app-store/us/top-free", limit: 2)
    let first = try await shelf.pull(follow, ScriptedTransport([Feed.answer(Feed.legacy(["1", "2"]), etag: "\"v1\"")]))
    let sourceState = try #require(first.sourceState)
    shelf.time.advance(by: .seconds(60))
    let quiet = ScriptedTransport([HTTPResponse(status: 304, url: "http://answer.test/")])
    let page = try await shelf.pull(follow, quiet, sourceState: sourceState)
    #expect(quiet.requests.first?.validator == HTTPValidator(etag: "\"v1\""))
    #expect(page.changes.map(\.rule) == [.updateMetadata] && page.sourceState == nil)
    #expect(try shelf.snapshots().map { $0.lastObservedAt - $0.observedAt } == [60])
    let longer = ScriptedTransport([Feed.answer(Feed.legacy(["1", "2", "3"]))])
    _ = try await shelf.pull(Follow(path: follow.path, limit: 3), longer, sourceState: sourceState)
    #expect(longer.requests.first?.validator == nil)
    // Without the snapshot that the answer stands for, a 304 would say nothing.
    let empty = ScriptedTransport([Feed.answer(Feed.legacy(["1"]))])
    _ = try await Shelf().pull(follow, empty, sourceState: sourceState)
    #expect(empty.requests.first?.validator == nil)
  }

  @Test func thereAreAsManyStorefrontsAsTheAppStoreHas() {
    let source = Shelf().source
    var known = 0
    for first in UInt8(ascii: "a")...UInt8(ascii: "z") {
      for second in UInt8(ascii: "a")...UInt8(ascii: "z") {
        let code = String(decoding: [first, second], as: UTF8.self)
        if (try? source.check(Follow(path: "app-store/\(code)/new"))) != nil { known += 1 }
      }
    }
    #expect(known == 175)
  }
}
