import AlmanacTesting
import Flickr
import Models
import Ports
import Testing

struct FlickrContractTests {
  @Test(arguments: [
    "flickr/person/7@N01", "flickr/photos/7@N01", "flickr/search/cats", "flickr/interestingness",
    "flickr/favorites/7@N01",
  ])
  func holds(path: String) async throws {
    let flickr = FakeFlickr(photos: 30, owners: 4)
    let follow = Follow(path: path)
    // What the fake answers to the first two pulls is what the contract answers to them.
    let driver = PullDriver()
    try await driver.pull(follow, from: flickr, pages: 1)
    let first = flickr.requests.count
    if driver.cursor != nil { try await driver.pull(follow, from: flickr, pages: 1) }
    let again = FakeFlickr(photos: 30, owners: 4)
    var answers: [HTTPResponse] = []
    for request in flickr.requests { answers.append(try await again.transport.send(request)) }
    try await SourceContract(
      source: PullDriver.source(), follow: follow,
      badFollows: [
        Follow(path: "flickr/people/7@N01"), Follow(path: "users/7@N01"), Follow(path: path, limit: 0),
        Follow(path: path, options: ["genre": "6014"]),
      ], answers: Array(answers.prefix(first)), furtherAnswers: Array(answers.dropFirst(first)),
      store: InMemoryRecordStore()
    ).verify()
  }

  /// The owners of the queue are asked for again when the same page is asked for again, by the same follow only.
  @Test func theQueueIsRepeatable() async throws {
    let flickr = FakeFlickr(photos: 30, owners: 4)
    let source = PullDriver.source()
    func pull(_ path: String) async throws -> PullPage {
      try await source.pull(
        Follow(path: path), over: flickr.transport,
        cursor: ["photos": 30, "fetched": 0, "owners": "100@N00 101@N00"])
    }
    let first = try await pull("flickr/search/cats")
    let second = try await pull("flickr/search/cats")
    #expect(first.changes == second.changes)
    #expect(first.changes.map(\.id) == ["100@N00"])
    #expect(first.next == second.next)
    let other = try await pull("flickr/search/dogs")
    #expect(other.changes.map(\.id) == ["101@N00"])
  }
}
