import AlmanacTesting
import Flickr
import Models
import Ports
import Testing

struct FlickrPhotosPullTests {
  private let search = "flickr/search/cats"

  @Test(arguments: [
    (0, nil, [1], 0), (3, nil, [1], 3), (500, nil, [1], 500), (1200, nil, [1], 500), (1200, 1200, [1, 2, 3], 1200),
    (1200, 700, [1, 2], 700), (1200, 4000, [1, 2, 3], 1200), (90, 7, [1], 7),
  ])
  func pullsToTheLimit(photos: Int, limit: Int?, pages: [Int], kept: Int) async throws {
    let flickr = FakeFlickr(photos: photos, owners: 1)
    let driver = PullDriver()
    try await driver.pull(Follow(path: search, limit: limit), from: flickr)
    #expect(flickr.pages == pages)
    // How many pages there are is known with the first one.
    #expect(driver.expected.requests == Array(flickr.requests.prefix(pages.count).dropFirst(2)))
    #expect(try driver.count(.photos) == kept)
  }

  @Test func goesOnWhereItWasStopped() async throws {
    let flickr = FakeFlickr(photos: 2000, owners: 3)
    let follow = Follow(path: search, limit: 2000)
    let first = PullDriver()
    try await first.pull(follow, from: flickr, run: "one", pages: 2)
    let second = PullDriver(store: first.store, cursor: first.cursor, sourceState: first.sourceState)
    try await second.pull(follow, from: flickr, run: "two")
    #expect(flickr.pages == [1, 2, 3, 4])
    #expect(try second.count(.photos) == 2000)
    #expect(flickr.asked.count == 3)
  }

  @Test func aPhotoIsKeptAsItCame() async throws {
    let driver = PullDriver()
    let pages = try await driver.pull(Follow(path: search), from: FakeFlickr([.init(id: "9", owner: "7@N01")]))
    let change = try #require(pages.first?.changes.first)
    #expect(change.rule == .merge)
    guard case .page(let list) = pages[0].coverage else { throw BrokenHistory("no list") }
    #expect(list.keepsDeparted)
    let photo = try Photo(fields: change.fields)
    #expect(photo.ownerID == "7@N01")
    #expect(photo.thumbnailURL == "https://images.example/9_s.jpg")
    #expect(photo.imageURL == "https://images.example/9_b.jpg")
    #expect(photo.takenAt?.description == "2014-01-02T03:04:05Z")
    #expect(photo.tags == ["one", "two"])
  }

  @Test("a list that ends before its number of pages is in doubt; another number of photos than the total is not")
  func listsInDoubt() async throws {
    let flickr = FakeFlickr(photos: 1200, owners: 1)
    for (pages, doubts) in [(3, [ListDoubt.pages(said: 3, came: 2)]), (2, [])] {
      let transport = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
        let query = FakeFlickr.query(of: request)
        guard let page = query["page"], page != "1" else { return try await flickr.transport.send(request) }
        let empty =
          #"{"photos":{"page":\#(page),"pages":\#(pages),"perpage":500,"total":"9999","photo":[]},"stat":"ok"}"#
        return HTTPResponse(status: 200, body: Array(empty.utf8), url: request.url)
      }
      let (source, follow) = (PullDriver.source(), Follow(path: search, limit: 2000))
      let first = try await source.pull(follow, over: transport)
      let second = try await source.pull(follow, over: transport, cursor: first.next)
      guard case .page(let list) = second.coverage else { throw BrokenHistory("no list") }
      #expect(list.doubts == doubts && list.keepsDeparted)
    }
  }

  @Test func theKeyIsInNoPage() async throws {
    let driver = PullDriver(source: PullDriver.source(key: "geheim"))
    let pages = try await driver.pull(Follow(path: search), from: FakeFlickr(photos: 3, owners: 2))
    #expect(pages.count == 3)
    for page in pages { #expect(!page.url.contains("geheim")) }
  }

  @Test(arguments: [
    (1, "flickr/photos/7@N01", Failure.Reason.notFound), (1, "flickr/person/7@N01", .notFound),
    (1, "flickr/favorites/7@N01", .notFound), (1, "flickr/search/cats", .unavailable),
    (100, "flickr/search/cats", .denied), (98, "flickr/search/cats", .denied), (99, "flickr/person/7@N01", .denied),
    (105, "flickr/search/cats", .tryLater), (112, "flickr/interestingness", .unavailable),
  ])
  func flickrSaysNo(code: Int, path: String, reason: Failure.Reason) async throws {
    let answer = FakeFlickr.fail(code, "No.")
    let flickr = FakeFlickr([], faults: ["list": answer, "7@N01": answer])
    let error = await #expect(throws: SourceError.self) {
      try await PullDriver(source: PullDriver.source(key: "geheim")).pull(Follow(path: path), from: flickr)
    }
    let failure = try #require(error?.failure)
    #expect(failure.kind == .api)
    #expect(failure.reason == reason)
    #expect(failure.code?.text == String(code))
    #expect(failure.url?.contains("geheim") == false)
  }

  @Test func anErrorStatusIsAnError() async throws {
    let transport = ScriptedTransport([
      HTTPResponse(
        status: 503, headers: ["Retry-After": "9"], body: Array("<html>".utf8), url: "https://flickr.example")
    ])
    let error = await #expect(throws: SourceError.self) {
      try await PullDriver.source().pull(Follow(path: search), over: transport)
    }
    guard case .answered(503, _, let url, 9)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!url.contains("api_key"))
  }

  @Test func aCursorThatIsNoneIsTheBeginning() async throws {
    let flickr = FakeFlickr(photos: 3, owners: 1)
    let driver = PullDriver(cursor: ["page": "seven"])
    try await driver.pull(Follow(path: search), from: flickr)
    #expect(flickr.pages == [1])
    #expect(try driver.count(.photos) == 3)
  }
}
