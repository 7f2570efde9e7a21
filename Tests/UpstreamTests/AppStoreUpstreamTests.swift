import Testing
import UpstreamKit

@Suite struct AppStoreUpstreamTests {
  private func entries(_ played: Played, _ target: String) throws -> [[String: Any]] {
    let feed = try #require(try played.object(target)["feed"] as? [String: Any])
    return try #require(feed["entry"] as? [[String: Any]])
  }

  private func ids(_ entries: [[String: Any]]) -> [String] {
    entries.compactMap { (($0["id"] as? [String: Any])?["attributes"] as? [String: String])?["im:id"] }
  }

  @Test(arguments: ["topfreeapplications", "toppaidapplications", "topgrossingapplications", "newapplications"])
  func playsTheLegacyFeed(feed: String) throws {
    let played = try Played()
    let entries = try entries(played, "/fr/rss/\(feed)/limit=50/json")
    #expect(entries.count == 50)
    #expect(Set(ids(entries)).count == 50)
    for entry in entries {
      let name = try #require(entry["im:name"] as? [String: String])
      #expect(name["label"]?.isEmpty == false)
      let price = try #require(entry["im:price"] as? [String: Any])
      let attributes = try #require(price["attributes"] as? [String: String])
      let amount = try #require(attributes["amount"].flatMap(Double.init))
      #expect(attributes["currency"] == "EUR")
      if feed == "topfreeapplications" { #expect(amount == 0) }
      if feed == "toppaidapplications" { #expect(amount > 0) }
      let images = try #require(entry["im:image"] as? [[String: Any]])
      let heights = images.compactMap { ($0["attributes"] as? [String: String])?["height"] }
      #expect(heights.sorted() == ["100", "53", "75"])
      let released = try #require(entry["im:releaseDate"] as? [String: Any])
      let label = try #require(released["label"] as? String)
      #expect(label.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-07:00/) != nil)
    }
  }

  @Test func drifts() throws {
    let played = try Played()
    let entries = try entries(played, "/us/rss/topgrossingapplications/limit=200/json")
    #expect(entries.contains { $0["summary"] == nil })
    #expect(entries.contains { $0["rights"] == nil })
    let one = try #require(try played.object("/us/rss/topfreeapplications/limit=1/json")["feed"] as? [String: Any])
    #expect(one["entry"] is [String: Any])
    let steady = try Played {
      $0.drift = false
      $0.chartSize = 0
    }
    #expect(try self.entries(steady, "/us/rss/topfreeapplications/limit=1/json").isEmpty)
    let empty = try Played { $0.chartSize = 0 }
    let feed = try #require(try empty.object("/us/rss/topfreeapplications/limit=1/json")["feed"] as? [String: Any])
    #expect(feed["entry"] == nil)
  }

  @Test func chartsDifferAndFilterByGenre() throws {
    let played = try Played()
    let us = try ids(entries(played, "/us/rss/toppaidapplications/limit=100/json"))
    let de = try ids(entries(played, "/de/rss/toppaidapplications/limit=100/json"))
    #expect(us != de)
    let games = try entries(played, "/us/rss/toppaidapplications/limit=20/genre=6014/json")
    #expect(games.count == 20)
    for game in games {
      let category = try #require((game["category"] as? [String: Any])?["attributes"] as? [String: String])
      #expect(category["im:id"] == "6014")
    }
  }

  @Test func movesADayAtATime() throws {
    let played = try Played()
    let target = "/us/rss/toppaidapplications/limit=100/json"
    let first = try ids(entries(played, target))
    #expect(try ids(entries(played, target)) == first)
    played.upstream.advance()
    let second = try ids(entries(played, target))
    #expect(second != first)
    #expect(Set(second).intersection(first).count >= 90)
    #expect(Set(second) != Set(first))
    played.upstream.reset()
    #expect(try ids(entries(played, target)) == first)
  }

  @Test func rotatesByItself() throws {
    let played = try Played { $0.rotateEvery = 2 }
    let days = try (0..<6).map { _ in try ids(entries(played, "/us/rss/topfreeapplications/limit=100/json")) }
    #expect(days[0] == days[1])
    #expect(days[1] != days[2])
    #expect(days[2] == days[3])
    #expect(days[3] != days[4])
  }

  @Test func playsTheMarketingFeed() throws {
    let played = try Played()
    let response = try played.client.call("GET", "/api/v2/us/apps/top-paid/100/apps.json")
    let feed = try #require((json(response) as? [String: Any])?["feed"] as? [String: Any])
    let updated = try #require(feed["updated"] as? String)
    #expect(updated == "Mon, 02 Mar 2026 08:00:00 +0000")
    let results = try #require(feed["results"] as? [[String: Any]])
    #expect(results.count == 100)
    for result in results {
      #expect((result["id"] as? String).flatMap(Int.init) != nil)
      #expect((result["releaseDate"] as? String)?.count == 10)
      #expect((result["genres"] as? [Any])?.isEmpty == true)
    }
    // Both feeds show the same chart.
    let legacy = try ids(entries(played, "/us/rss/toppaidapplications/limit=100/json"))
    #expect(results.compactMap { $0["id"] as? String } == legacy)
  }

  @Test(arguments: [
    ("/us/rss/nosuchfeed/limit=10/json", 404), ("/usa/rss/topfreeapplications/limit=10/json", 404),
    ("/us/rss/topfreeapplications/limit=0/json", 400), ("/us/rss/topfreeapplications/limit=x/json", 400),
    ("/us/rss/topfreeapplications/size=3/json", 400), ("/api/v2/us/apps/top-free/101/apps.json", 404),
    ("/api/v2/us/apps/top-loud/10/apps.json", 404), ("/api/v2/us/books/top-free/10/books.json", 404),
  ])
  func refuses(target: String, status: Int) throws {
    let played = try Played()
    let response = try played.client.call("GET", target)
    #expect(response.status == status)
    #expect(response["content-type"] == "text/html; charset=utf-8")
  }

  @Test func clampsTheLimit() throws {
    let played = try Played()
    #expect(try entries(played, "/us/rss/topfreeapplications/limit=999/json").count == 200)
  }

  @Test func validates() throws {
    let played = try Played()
    let target = "/us/rss/topfreeapplications/limit=5/json"
    let first = try played.client.call("GET", target)
    let tag = try #require(first["etag"])
    let modified = try #require(first["last-modified"])
    #expect(try played.client.call("GET", target, headers: ["If-None-Match": tag]).status == 304)
    #expect(try played.client.call("GET", target, headers: ["If-None-Match": "\"x\", W/\(tag)"]).status == 304)
    #expect(try played.client.call("GET", target, headers: ["If-Modified-Since": modified]).status == 304)
    #expect(
      try played.client.call("GET", target, headers: ["If-None-Match": "\"x\"", "If-Modified-Since": modified]).status
        == 200)
    played.upstream.advance()
    #expect(try played.client.call("GET", target, headers: ["If-None-Match": tag]).status == 200)
    #expect(try played.client.call("POST", target, body: "").status == 405)
  }
}
