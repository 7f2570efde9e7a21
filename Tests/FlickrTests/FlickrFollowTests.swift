import AlmanacTesting
import Flickr
import Models
import Ports
import Testing

struct FlickrFollowTests {
  private let source = PullDriver.source()

  @Test(arguments: [
    "flickr/person/83136939@N00", "flickr/photos/1@N1", "flickr/favorites/83136939@N00", "flickr/interestingness",
    "flickr/search/cats", "flickr/search/black%20cats", "flickr/search/black cats", "flickr/search/a/b/c",
    "flickr/search/100%",
  ])
  func isTaken(path: String) throws { try source.check(Follow(path: path)) }

  @Test(arguments: [
    "flickr", "flickr/", "flickr/person", "flickr/person/", "flickr/person/somebody", "flickr/person/@N00",
    "flickr/person/1@N", "flickr/person/1@M00", "flickr/person/1@N00/x", "flickr/photos/1 @N00", "flickr/search",
    "flickr/search/", "flickr/search/%20", "flickr/interestingness/today", "flickr/albums/1@N00", "users/flickr",
    "flickrx/search/cats", "flickr/favorites",
  ])
  func isRefused(path: String) {
    let error = #expect(throws: FollowError.self) { try source.check(Follow(path: path)) }
    #expect(error?.allowed.hasPrefix("expected flickr/") == true, "\(error?.allowed ?? "")")
    #expect(error?.failure.reason == .usage)
  }

  @Test(arguments: [
    ("flickr/search/cats", 1, true), ("flickr/search/cats", 4000, true), ("flickr/search/cats", 4001, false),
    ("flickr/search/cats", 0, false), ("flickr/search/cats", -1, false), ("flickr/photos/1@N00", 100_000, true),
    ("flickr/photos/1@N00", 100_001, false),
  ])
  func limit(path: String, limit: Int, isAllowed: Bool) {
    let follow = Follow(path: path, limit: limit)
    if isAllowed {
      #expect(throws: Never.self) { try source.check(follow) }
    } else {
      let error = #expect(throws: FollowError.self) { try source.check(follow) }
      #expect(error?.allowed.hasPrefix("a limit of 1 to ") == true)
    }
  }

  /// The queries, as the recordings of others have them.
  @Test(arguments: [
    (Follow(path: "flickr/person/7@N01"), "method=flickr.people.getInfo", "user_id=7@N01"),
    (
      Follow(path: "flickr/photos/7@N01", limit: 20), "method=flickr.people.getPublicPhotos",
      "user_id=7@N01&per_page=20&page=1&extras=date_upload,date_taken,tags,url_sq,url_q,url_l"
    ),
    (
      Follow(path: "flickr/favorites/7@N01"), "method=flickr.favorites.getPublicList",
      "user_id=7@N01&per_page=500&page=1&extras=date_upload,date_taken,tags,url_sq,url_q,url_l"
    ),
    (
      Follow(path: "flickr/interestingness", limit: 900), "method=flickr.interestingness.getList",
      "per_page=500&page=1&extras=date_upload,date_taken,tags,url_sq,url_q,url_l"
    ),
    (
      Follow(path: "flickr/search/black%20cats/dogs & co", limit: 3), "method=flickr.photos.search",
      "text=black%20cats%2Fdogs%20%26%20co&per_page=3&page=1&extras=date_upload,date_taken,tags,url_sq,url_q,url_l"
    ),
  ])
  func asks(follow: Follow, method: String, query: String) async throws {
    let flickr = FakeFlickr([])
    try await PullDriver().pull(follow, from: flickr)
    let request = try #require(flickr.requests.first)
    #expect(
      request.url
        == "https://flickr.example/services/rest/?\(method)&api_key=k&format=json&nojsoncallback=1&\(query)")
    let budget = try #require(request.budget)
    #expect(budget.calls == 3600 && budget.window == Interval(seconds: 3600))
    #expect(budget.name == "flickr-8254c329a92850f6")
  }

  @Test func withoutAddressAsksFlickr() async throws {
    let flickr = FakeFlickr([])
    try await PullDriver(source: PullDriver.source(url: nil)).pull(Follow(path: "flickr/interestingness"), from: flickr)
    #expect(flickr.requests.first?.url.hasPrefix("https://api.flickr.com/services/rest/?") == true)
  }

  @Test(arguments: [nil, ""]) func withoutKeyNothingIsAsked(key: String?) async throws {
    let flickr = FakeFlickr([])
    let error = await #expect(throws: SourceError.self) {
      try await PullDriver(source: PullDriver.source(key: key)).pull(
        Follow(path: "flickr/interestingness"), from: flickr)
    }
    #expect(error?.failure.reason == .denied)
    #expect(error?.failure.hint?.contains("ALMANAC_FLICKR_KEY") == true)
    #expect(error?.failure.hint?.contains("servers.flickr.apiKey") == true)
    #expect(flickr.requests.isEmpty)
  }
}
