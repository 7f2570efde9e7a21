import AlmanacTesting
import Flickr
import Models
import Parsing
import Ports
import Testing

@Suite(.enabled(if: Fixtures.folder != nil, Comment(rawValue: Fixtures.reason)))
struct FlickrSamplesTests {
  /// Every recorded list of photos, through the source into the store: no photo is lost, each has what it must have.
  @Test func recordedListsGoThrough() async throws {
    var kept = 0
    for name in Fixtures.names("flickr") where Self.isList(name) {
      let bytes = try Fixtures.bytes("flickr/\(name)")
      let transport = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) in
        let isPerson = request.url.contains("getInfo")
        let fail = Array(FakeFlickr.fail(1, "User not found").utf8)
        return HTTPResponse(status: 200, body: isPerson ? fail : bytes, url: request.url)
      }
      let page = try await PullDriver.source().pull(Follow(path: "flickr/search/cats"), over: transport)
      #expect(page.rejects.isEmpty, "\(name): \(page.rejects)")
      for change in page.changes {
        let photo = try Photo(fields: change.fields)
        #expect(photo.thumbnailURL.hasPrefix("http"), "\(name)")
        #expect(photo.pageURL.contains("/photos/"), "\(name)")
        kept += 1
      }
    }
    print("recorded lists: \(kept) photos")
    #expect(kept > 100)
  }

  private static func isList(_ name: String) -> Bool {
    ["flickr.photos.search", "flickr.interestingness", "flickr.people.getPhotos-", "flickrios", "search-empty"]
      .contains { name.hasPrefix($0) }
  }

  /// Every recorded person, followed.
  @Test(arguments: [
    "flickr.people.getInfo-flickr-objects-1.json", "getInfo-allauth-nulls.json", "getInfo-borkazoid.json",
    "getInfo-no-realname-location.derived.json", "spring-peopleinfo-3b6f67.json", "spring-peopleinfo-8a5d85.json",
  ])
  func recordedPeopleGoThrough(name: String) async throws {
    let answer = HTTPResponse(status: 200, body: try Fixtures.bytes("flickr/\(name)"), url: "")
    let page = try await PullDriver.source().pull(
      Follow(path: "flickr/person/7@N01"), over: ScriptedTransport([answer]))
    let owner = try Owner(fields: try #require(page.changes.first).fields)
    #expect(!owner.username.isEmpty)
    #expect(owner.iconURL.hasPrefix("https://"))
  }

  @Test(arguments: ["fail-100-jsonp.js", "fail-98-spaced-jsonp.js"])
  func recordedRefusalsAreRefusals(name: String) async throws {
    let answer = HTTPResponse(status: 200, body: try Fixtures.bytes("flickr/\(name)"), url: "")
    let error = await #expect(throws: SourceError.self) {
      try await PullDriver.source().pull(Follow(path: "flickr/search/cats"), over: ScriptedTransport([answer]))
    }
    #expect(error?.failure.reason == .denied)
  }
}
