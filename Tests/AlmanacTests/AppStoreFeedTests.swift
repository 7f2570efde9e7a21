import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// Recorded feeds, each served once by a seed and once by a local server, come out of the CLI as they stand in the
/// file.
@Suite(.enabled(if: Fixtures.folder != nil, "the recorded samples are not on this machine"))
struct AppStoreFeedTests {
  /// How many apps each file holds, read by hand; `nil` for one that is no chart of apps and must be refused.
  struct Feed: CustomStringConvertible {
    var file: String
    var follow: [String]
    var count: Int
    var description: String { file }
  }

  static let feeds: [Feed] = [
    Feed(
      file: "appstore-legacy/jp-topgrossing-limit1-entry-object.json", follow: ["app-store/jp/top-grossing"], count: 1),
    Feed(file: "appstore-legacy/jp-topgrossing-no-entry.derived.json", follow: ["app-store/jp/top-grossing"], count: 0),
    Feed(file: "appstore-legacy/us-feed-entry-empty-array.json", follow: ["app-store/us/top-free"], count: 0),
    Feed(file: "appstore-legacy/us-newfree-limit2-one-array.json", follow: ["app-store/us/new"], count: 1),
    Feed(
      file: "appstore-legacy/us-topgrossing-25-TopApps.repaired.json", follow: ["app-store/us/top-grossing"], count: 25),
    Feed(
      file: "appstore-v1v2/hk-ios-apps-top100-100.json", follow: ["app-store/hk/top-free", "--feed", "marketing"],
      count: 100),
    Feed(
      file: "appstore-v1v2/us-apps-topfree-50-first-genres-empty.json",
      follow: ["app-store/us/top-free", "--feed", "marketing"], count: 1),
  ]

  @Test(arguments: feeds, [true, false])
  func comesOutAsRecorded(feed: Feed, seeded: Bool) async throws {
    let bytes = try Fixtures.bytes(feed.file)
    let expected = try RecordedFeed(bytes)
    #expect(expected.entries.count == feed.count)
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let server = try LocalServer { _ in Reply.json(String(decoding: bytes, as: UTF8.self)) }
    defer { server.stop() }
    let follow = try await almanac.run(["follow"] + feed.follow + ["--limit", "100"])
    #expect(follow.status == 0, "\(follow.err)")
    var arguments = ["sync", "--format", "json"]
    if seeded {
      arguments += ["--seed", try almanac.file("seed.har", try har(feed.follow, bytes))]
    } else {
      arguments += ["--server", "app-store=\(server.url)"]
    }
    let sync = try await almanac.run(arguments)
    #expect(sync.status == 0, "\(sync.err)")

    let apps = try await almanac.run("list", "apps", "--format", "json").records()
    let storefront = feed.follow[0].split(separator: "/")[1]
    #expect(Set(apps.compactMap { $0["id"] as? String }) == Set(expected.entries.map { "\(storefront)/\($0.id)" }))
    for entry in expected.entries {
      let app = try #require(apps.first { $0["appID"] as? String == entry.id })
      #expect(app["storefront"] as? String == String(storefront))
      #expect(app["name"] as? String == entry.name)
      #expect(app["artist"] as? String == entry.artist)
      #expect(app["thumbnailURL"] as? String == entry.thumbnail)
      #expect(app["artworkURL"] as? String == entry.artwork)
      #expect((app["price"] as? [String: String])?["amount"] == entry.amount)
      #expect((app["price"] as? [String: String])?["currency"] == entry.currency)
    }
    let charts = try await almanac.run("list", "charts", "--format", "json").records()
    #expect(charts.count == 1)
    #expect(charts.first?["ranks"] as? [String] == expected.entries.map(\.id))
  }

  private func har(_ follow: [String], _ bytes: [UInt8]) throws -> String {
    let parts = follow[0].split(separator: "/").map(String.init)
    let feeds = [
      "top-free": "topfreeapplications", "top-paid": "toppaidapplications",
      "top-grossing": "topgrossingapplications", "new": "newapplications",
    ]
    let url =
      follow.count > 1
      ? "https://rss.marketingtools.apple.com/api/v2/\(parts[1])/apps/\(parts[2])/100/apps.json"
      : "https://itunes.apple.com/\(parts[1])/rss/\(feeds[parts[2]] ?? "")/limit=100/json"
    return try Recording.har([Recording.Exchange(url: url, body: bytes)])
  }
}

/// A feed read with Foundation alone, to compare with.
struct RecordedFeed {
  struct Entry {
    var id: String
    var name: String
    var artist: String
    var thumbnail: String?
    var artwork: String?
    var amount: String?
    var currency: String?
  }

  var entries: [Entry] = []

  init(_ bytes: [UInt8]) throws {
    let root = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let feed = root?["feed"] as? [String: Any] ?? [:]
    if let results = feed["results"] as? [[String: Any]] {
      entries = results.map { result in
        let id = (result["id"] as? String) ?? (result["id"] as? Int).map(String.init) ?? ""
        let image = result["artworkUrl100"] as? String
        return Entry(
          id: id, name: result["name"] as? String ?? "", artist: result["artistName"] as? String ?? "",
          thumbnail: image, artwork: image)
      }
      return
    }
    let list = feed["entry"] as? [[String: Any]] ?? (feed["entry"] as? [String: Any]).map { [$0] } ?? []
    entries = list.map { entry in
      func label(_ key: String) -> String { (entry[key] as? [String: Any])?["label"] as? String ?? "" }
      func attribute(_ key: String, _ name: String) -> String? {
        ((entry[key] as? [String: Any])?["attributes"] as? [String: Any])?[name] as? String
      }
      let images = (entry["im:image"] as? [[String: Any]] ?? []).sorted { Self.height($0) < Self.height($1) }
      return Entry(
        id: attribute("id", "im:id") ?? "", name: label("im:name"), artist: label("im:artist"),
        thumbnail: images.first?["label"] as? String, artwork: images.last?["label"] as? String,
        amount: attribute("im:price", "amount"), currency: attribute("im:price", "currency"))
    }
  }

  private static func height(_ image: [String: Any]) -> Int {
    Int((image["attributes"] as? [String: Any])?["height"] as? String ?? "") ?? 0
  }
}
