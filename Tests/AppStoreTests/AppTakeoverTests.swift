import AlmanacTesting
import AppStore
import Models
import Parsing
import Ports
import Testing

/// Apps of stores of earlier versions, whose ids are the App Store's alone, go to the storefronts with the next pull.
@Suite struct AppTakeoverTests {
  private let shelf = Shelf()
  private let us = Follow(path: "app-store/us/top-free")

  private func put(_ id: String, in collection: CollectionName = .apps, _ fields: JSONObject) async throws {
    var record: JSONObject = ["id": .string(id)]
    record.members += fields.members
    try await shelf.store.put(record, in: collection, shelf.coder)
  }

  private func old(_ id: String, url: String? = nil, more: JSONObject = [:]) async throws {
    var fields: JSONObject = ["name": .string("Old \(id)"), "artist": "Maker", "thumbnailURL": "t", "artworkURL": "a"]
    fields.append("url", url)
    fields.members += more.members
    try await put(id, fields)
  }

  private func chart(_ storefront: String, _ ranks: [String]) async throws {
    let time = Timestamp(secondsSinceEpoch: 1_700_000_000)
    let snapshot = ChartSnapshot(
      storefront: storefront, chart: "top-free", observedAt: time, lastObservedAt: time, ranks: ranks)
    try await put(snapshot.id, in: .charts, JSONObject(members: Array(snapshot.fields.members.dropFirst())))
  }

  private func apps() throws -> [String: JSONObject] {
    var apps: [String: JSONObject] = [:]
    try shelf.store.snapshot().scan(.apps, .all) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
      let fields = try shelf.coder.object(bytes, of: .apps)
      apps[fields["id"]?.string ?? ""] = fields
      return .next
    }
    return apps
  }

  @Test func everyStorefrontThatSawAnAppGetsIt() async throws {
    try await old("1", more: ["bundleID": "b.1", "unknown": .int(7)])
    try await old("2")
    try await old("3", url: "https://apps.apple.com/de/app/x/id3")
    try await old("4")
    try await chart("us", ["1", "2"])
    try await chart("fr", ["1"])
    try await shelf.see(["2"])
    let apps = try apps()
    #expect(Set(apps.keys) == ["us/1", "fr/1", "us/2", "de/3", "4"])
    for id in ["us/1", "fr/1"] {
      let app = try #require(apps[id])
      #expect(app.keys.prefix(3) == ["id", "storefront", "appID"])
      #expect(app["storefront"]?.string.map { "\($0)/1" } == id && app["appID"] == "1")
      #expect(app["name"] == "Old 1" && app["bundleID"] == "b.1" && app["unknown"] == .int(7))
    }
    #expect(apps["us/2"]?["name"] == "App 2")
    let later = try await shelf.see(["2"])
    #expect(later.changes.map(\.rule) == [.merge, .updateMetadata])
  }

  @Test func chartsNameOldAppsUntilThen() async throws {
    try await old("1")
    try await chart("us", ["1"])
    let top = try shelf.charts.top(us.path, limit: nil)
    #expect(top.map(\.name) == ["Old 1"] && top.map(\.storefront) == ["us"])
    #expect(try shelf.charts.history(app: "us/1", path: nil).name == "Old 1")
  }

  @Test func whatAStorefrontKnowsStays() async throws {
    try await old("1")
    try await chart("us", ["1"])
    try await put(
      "us/1",
      [
        "storefront": "us", "appID": "1", "name": "New", "artist": "Maker", "thumbnailURL": "t", "artworkURL": "a",
      ])
    try await shelf.see(["2"])
    #expect(try apps().mapValues { $0["name"] } == ["us/1": "New", "us/2": "App 2"])
  }

  @Test func anAnswerThatNothingChangedMovesThemToo() async throws {
    let first = try await shelf.pull(us, ScriptedTransport([Feed.answer(Feed.legacy(["1"]), etag: "\"v1\"")]))
    try await old("5", url: "https://itunes.apple.com/fr/app/x/id5")
    let quiet = ScriptedTransport([HTTPResponse(status: 304, url: "http://answer.test/")])
    let page = try await shelf.pull(us, quiet, sourceState: try #require(first.sourceState))
    #expect(page.changes.map(\.rule) == [.insert, .remove, .updateMetadata])
    #expect(try Set(apps().keys) == ["us/1", "fr/5"])
  }
}
