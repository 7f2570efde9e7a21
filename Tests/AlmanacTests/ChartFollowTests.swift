import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// Paths of charts with genres and storefronts in any spelling, and follows that are changed.
@Suite final class ChartFollowTests: ProgramTests {
  private func following(_ almanac: Program) async throws -> [String] {
    try await almanac.run("following", "--format", "json").records().compactMap { $0["follow"] as? String }
  }

  @Test func twoGenresOfAChartAreFollowed() async throws {
    let upstream = try Upstream(UpstreamOptions())
    defer { upstream.stop() }
    for arguments in [
      ["app-store/us/top-free/games"], ["app-store/US/top-free/6016"], ["app-store/us/top-free"],
      ["app-store/us/top-free", "--genre", "utilities"],
    ] {
      let follow = try await almanac.run(["follow"] + arguments + ["--limit", "5"])
      #expect(follow.status == 0, "\(follow.err)")
    }
    let paths = ["/6014", "/6016", "", "/6002"].map { "app-store/us/top-free" + $0 }
    #expect(try await following(almanac) == paths)
    let server = ["--server", "app-store=\(upstream.url)"]
    let sync = try await almanac.run(["sync", "--format", "json"] + server)
    #expect(sync.status == 0, "\(sync.err)")
    let follows = try sync.object()["follows"] as? [[String: Any]] ?? []
    #expect(follows.compactMap { $0["follow"] as? String } == paths)
    for path in paths {
      let top = try await almanac.run("charts", "top", path, "--format", "json")
      #expect(try !top.records().isEmpty, "\(path): \(top.err)")
    }
    let one = try await almanac.run(["sync", "app-store/US/top-free/games", "--format", "json"] + server).object()
    #expect((one["follows"] as? [[String: Any]])?.first?["unchanged"] as? Int ?? 0 > 0, "its limit is the followed one")
    #expect(try await almanac.run("unfollow", "app-store/us/top-free/games").status == 0)
    #expect(try await following(almanac) == Array(paths.dropFirst()))
  }

  @Test func theHintOfAChartThatIsNotKeptCanBeFollowed() async throws {
    let upstream = try Upstream(UpstreamOptions())
    defer { upstream.stop() }
    try almanac.makeStore()
    let missing = try await almanac.run("charts", "top", "app-store/us/top-free/games")
    #expect(missing.status == 66)
    #expect(missing.err.contains("'almanac sync app-store/us/top-free/6014' fetches it"), "\(missing.err)")
    let sync = try await almanac.run("sync", "app-store/us/top-free/6014", "--server", "app-store=\(upstream.url)")
    #expect(sync.status == 0, "\(sync.err)")
    #expect(try await almanac.run("charts", "top", "app-store/us/top-free/games").status == 0)
  }

  @Test func aGenreBesideThePathMeansThePathWithTheGenre() async throws {
    let config = try almanac.file(
      "old.json", #"{"follows": [{"follow": "app-store/us/new", "genre": 6014}, {"follow": "app-store/us/new"}]}"#)
    let following = try await almanac.run("following", "--config", config, "--format", "jsonl")
    #expect(
      following.out == #"{"follow":"app-store/us/new/6014"}"# + "\n" + #"{"follow":"app-store/us/new"}"# + "\n",
      "\(following.err)")
    let changed = try await almanac.run("follow", "app-store/us/new/games", "--every", "2h", "--config", config)
    #expect(changed.status == 0, "\(changed.err)")
    #expect(
      try String(contentsOfFile: config, encoding: .utf8)
        == #"{"follows": [{"follow": "app-store/us/new/6014", "every": "2h"}, {"follow": "app-store/us/new"}]}"#)
    let twice = try almanac.file(
      "twice.json",
      #"{"follows": [{"follow": "app-store/us/new", "genre": 6014}, {"follow": "app-store/US/new/games"}]}"#)
    let refused = try await almanac.run("sync", "--config", twice)
    #expect(refused.status == 78 && refused.err.contains("is in follows[0] already"), "\(refused.err)")
  }

  @Test func theGenresAreListed() async throws {
    let genres = try await almanac.run("genre", "list", "--format", "json").records()
    #expect(genres.contains { $0 as NSDictionary == ["id": "6014", "name": "games", "title": "Games"] })
    let table = try await almanac.run("genre", "list")
    #expect(table.status == 0 && table.out.contains("photo-video"), "\(table.err)")
    let wrong = try await almanac.run("follow", "app-store/us/new/gamse")
    #expect(wrong.status == 64 && wrong.err.contains("did you mean 'games'?"), "\(wrong.err)")
    #expect(wrong.err.contains("weather"))
  }

  @Test func followChangesWhatIsNamedAndKeepsTheRest() async throws {
    let path = "app-store/us/top-free"
    func follow(_ options: String...) async throws -> Program.Result {
      try await almanac.run(["follow", path] + options)
    }
    func kept() async throws -> NSDictionary {
      try await almanac.run("following", "--format", "json").records().first as? NSDictionary ?? [:]
    }
    #expect(try await follow("--limit", "50", "--feed", "marketing").status == 0)
    let every = try await follow("--every", "2h")
    #expect(every.status == 0)
    #expect(every.err == "\(path) is followed already, changed: every 2h; kept: limit 50, feed marketing\n")
    #expect(try await kept() == ["follow": path, "limit": 50, "every": "2h", "feed": "marketing"])
    let limit = try await follow("--limit", "60", "--every", "2h")
    #expect(
      limit.err == "\(path) is followed already, changed: limit 60 (was 50); kept: every 2h, feed marketing\n")
    let same = try await follow()
    #expect(
      same.err == "\(path) is followed already, nothing changed; kept: limit 60, every 2h, feed marketing\n")
    // What is kept and what is named must go together.
    let tooMany = try await follow("--limit", "150")
    #expect(tooMany.status == 64 && tooMany.err.contains("1 to 100 with the marketing feed"), "\(tooMany.err)")
    #expect(try await kept() == ["follow": path, "limit": 60, "every": "2h", "feed": "marketing"])
  }
}

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
