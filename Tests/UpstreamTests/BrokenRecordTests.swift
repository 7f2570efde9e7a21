import Testing
import UpstreamKit

@Suite struct BrokenRecordTests {
  @Test func breaksEveryNthRecord() throws {
    let played = try Played {
      $0.brokenEvery = 10
      $0.people = 30
      $0.photos = 50
    }
    defer { played.upstream.stop() }
    let people = try #require(try json(played.client.call("GET", "/people")) as? [[String: Any]])
    #expect(people.indices.filter { people[$0]["birthday"] as? String == "sometime" } == [9, 19, 29])
    let answer = try played.flickr("interestingness.getList&per_page=500")
    let photos = try #require((answer["photos"] as? [String: Any])?["photo"] as? [[String: Any]])
    #expect(photos.indices.filter { !(photos[$0]["id"] is String) } == [9, 19, 29, 39, 49])
    let chart = try played.object("/us/rss/topgrossingapplications/limit=200/json")
    let entries = try #require((chart["feed"] as? [String: Any])?["entry"] as? [[String: Any]])
    let nameless = entries.filter { $0["im:name"] == nil }
    #expect((5...40).contains(nameless.count))
    let feed = try played.object("/api/v2/us/apps/top-free/100/apps.json")["feed"] as? [String: Any]
    let results = try #require(feed?["results"] as? [[String: Any]])
    #expect(results.contains { !($0["name"] is String) } && results.contains { $0["name"] is String })
  }

  @Test func breaksNothingUntold() throws {
    let played = try Played { $0.people = 30 }
    defer { played.upstream.stop() }
    #expect(try !played.client.call("GET", "/people").text.contains("sometime"))
  }
}
