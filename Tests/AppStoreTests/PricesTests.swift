import AlmanacTesting
import AppStore
import Models
import Parsing
import Ports
import Testing

/// Prices of apps over time.
@Suite struct PricesTests {
  private func see(_ prices: [String?], _ shelf: Shelf, chart: String = "top-free") async throws {
    for price in prices {
      let feed = price.map { Feed.legacy(["1", "2"], price: $0) } ?? Feed.marketing(["1", "2"])
      _ = try await shelf.pull(Follow(path: "app-store/us/\(chart)"), ScriptedTransport([Feed.answer(feed)]))
      shelf.time.advance(by: .seconds(3600))
    }
  }

  private func amounts(_ shelf: Shelf, app: String = "1") throws -> [String] {
    try shelf.charts.prices(app: app).flatMap(\.points).map(\.price.amount)
  }

  /// A feed that writes a price differently changes nothing, and neither does the first price.
  @Test(arguments: [
    (["0.99"], ["0.99"]), (["0.99", "0.99000", "0.990"], ["0.990"]), (["0.99", "1.99"], ["0.99", "1.99"]),
    (["2", "1", "2", "1"], ["2", "1", "2", "1"]), ([nil, nil], []),
    ([nil, "3"], ["3"]),
  ])
  func aChangeIsKeptOnce(seen: [String?], kept: [String]) async throws {
    let shelf = Shelf()
    try await see(seen, shelf)
    guard !kept.isEmpty else {
      #expect(throws: Failure.self) { try shelf.charts.prices(app: "1") }
      return
    }
    #expect(try amounts(shelf) == kept)
    #expect(try amounts(shelf, app: "us/2") == kept)
    #expect(try shelf.charts.priceChanges(since: nil, drops: false, limit: nil).count == 2 * (kept.count - 1))
  }

  @Test func aHistoryHasTimesAndTheNewestChangeIsFirst() async throws {
    let shelf = Shelf()
    let start = shelf.time.now
    try await see(["4", "3", "5"], shelf)
    let history = try #require(try shelf.charts.prices(app: "1").first)
    #expect(history.name == "App 1" && history.storefront == "us")
    #expect(history.points.map(\.observedAt) == [start, start + 3600, start + 7200])
    let changes = try shelf.charts.priceChanges(since: nil, drops: false, limit: 3)
    #expect(changes.map(\.id) == ["us/1/0002", "us/2/0002", "us/1/0001"])
    #expect(changes.map { $0.price.isLower(than: $0.previous) } == [false, false, true])
    #expect(try shelf.charts.priceChanges(since: start + 7200, drops: false, limit: nil).count == 2)
    #expect(try shelf.charts.priceChanges(since: nil, drops: true, limit: 1).map(\.id) == ["us/1/0001"])
  }

  /// Apps of a chart in their order, and each one's newest change first, also within a second.
  @Test func theOrderWithinASecondIsSteady() async throws {
    let shelf = Shelf()
    let price = { (amount: String) in Price(amount: amount, currency: "USD") }
    let changes = [("9", 1), ("10", 2), ("10", 1)].map { app, number in
      PriceChange(
        storefront: "us", appID: app, number: number, name: app, observedAt: shelf.time.now, previous: price("2"),
        price: price("1"))
    }
    try await shelf.store.put(changes, shelf.coder)
    #expect(
      try shelf.charts.priceChanges(since: nil, drops: false, limit: nil).map(\.id) == [
        "us/10/0002", "us/10/0001", "us/9/0001",
      ])
  }

  /// Two charts that are fetched at the same time see the same change.
  @Test func twoChartsWriteOneChange() async throws {
    let shelf = Shelf()
    try await see(["4"], shelf)
    let snapshot = try shelf.store.snapshot()
    var ids: [[String]] = []
    for chart in ["top-free", "top-grossing"] {
      let page = try await shelf.source.pull(
        Follow(path: "app-store/us/\(chart)"),
        PullContext(
          transport: ScriptedTransport([Feed.answer(Feed.legacy(["1"], price: "2"))]), snapshot: snapshot,
          now: shelf.time.now, run: "run"))
      shelf.time.advance(by: .seconds(1))
      ids.append(page.changes.filter { $0.collection == .prices && $0.rule == .insert }.map(\.id))
    }
    #expect(ids == [["us/1/0001"], ["us/1/0001"]])
  }

  @Test func pricesInDifferentCurrenciesAreNotCompared() {
    let (euro, dollar) = (Price(amount: "1.00", currency: "EUR"), Price(amount: "2", currency: "USD"))
    #expect(euro.isLower(than: dollar) == nil)
    #expect(euro.isLower(than: Price(amount: "1", currency: "EUR")) == nil)
    #expect(dollar.isLower(than: Price(amount: "10.5", currency: "USD")) == true)
  }
}
