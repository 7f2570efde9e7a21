import AlmanacTesting
import Flickr
import Models
import Parsing
import Ports
import Testing

struct OwnerQueueTests {
  private let follow = Follow(path: "flickr/search/cats")

  @Test func everyUnknownOwnerIsAskedForOnce() async throws {
    let flickr = FakeFlickr(photos: 500, owners: 120)
    let driver = PullDriver()
    try await driver.pull(follow, from: flickr)
    #expect(flickr.asked == (0..<120).map(FakeFlickr.nsid))
    #expect(try driver.count(.owners) == 120)
    #expect(flickr.requests.allSatisfy { $0.budget == flickr.requests[0].budget && $0.budget != nil })
    print("500 photos of 120 owners: \(flickr.asked.count) calls of getInfo, \(Set(flickr.asked).count) people")
  }

  @Test func killedHalfWayAndStartedAgainRepeatsNothing() async throws {
    for pages in [1, 2, 17, 60, 120] {
      let flickr = FakeFlickr(photos: 500, owners: 120)
      let first = PullDriver()
      try await first.pull(follow, from: flickr, run: "one", pages: pages)
      // Another process: nothing but the store, the cursor and the memory is left.
      let second = PullDriver(store: first.store, cursor: first.cursor, sourceState: first.sourceState)
      try await second.pull(follow, from: flickr, run: "two")
      #expect(flickr.asked == (0..<120).map(FakeFlickr.nsid))
      #expect(flickr.pages == [1])
    }
  }

  @Test func theSecondRunAsksForNobody() async throws {
    let flickr = FakeFlickr(photos: 500, owners: 120)
    let driver = PullDriver()
    try await driver.pull(follow, from: flickr, run: "one")
    let pages = try await driver.pull(follow, from: flickr, run: "two")
    #expect(pages.count == 1)
    #expect(flickr.asked.count == 120)
  }

  @Test func twoFollowsOfOneRunShareTheQueue() async throws {
    let flickr = FakeFlickr(photos: 300, owners: 40)
    let source = PullDriver.source()
    let store = InMemoryRecordStore()
    async let first: [PullPage] = PullDriver(store: store, source: source).pull(follow, from: flickr)
    async let second: [PullPage] = PullDriver(store: store, source: source).pull(
      Follow(path: "flickr/favorites/7@N01"), from: flickr)
    _ = try await (first, second)
    #expect(Set(flickr.asked).count == 40)
    #expect(flickr.asked.count == 40)
    #expect(try store.snapshot().count(.owners) == 40)
  }

  @Test(arguments: [1, 4, 16]) func sideBySideTheResultIsTheSame(jobs: Int) async throws {
    let flickr = FakeFlickr(
      photos: 200, owners: 50,
      faults: [
        FakeFlickr.nsid(3): FakeFlickr.fail(5, "User deleted"), FakeFlickr.nsid(4): FakeFlickr.fail(1, "Not found"),
      ])
    let driver = PullDriver()
    let pages = try await driver.pull(follow, from: flickr, jobs: jobs)
    #expect(pages.count == 1 + (50 + jobs - 1) / jobs)
    #expect(Set(flickr.asked).count == 50)
    #expect(flickr.asked.count == 50)
    #expect(try driver.count(.owners) == 49)
    #expect(try driver.owner(FakeFlickr.nsid(3))?.deleted == true)
  }

  @Test func aDeletedPersonIsATombstone() async throws {
    let flickr = FakeFlickr([.init(id: "1", owner: "7@N01")], faults: ["7@N01": FakeFlickr.fail(5, "User deleted")])
    let driver = PullDriver()
    try await driver.pull(follow, from: flickr)
    #expect(
      try driver.owner("7@N01")
        == Owner(id: "7@N01", username: "7@N01", iconURL: Owner.placeholderIconURL, deleted: true))
    try await driver.pull(follow, from: flickr, run: "two")
    #expect(flickr.asked.count == 1)
  }

  @Test(arguments: ["flickr/photos/7@N01", "flickr/favorites/7@N01"])
  func theListOfADeletedPersonIsATombstone(path: String) async throws {
    let driver = PullDriver()
    let gone = FakeFlickr([], faults: ["list": FakeFlickr.fail(5, "User deleted")])
    let pages = try await driver.pull(Follow(path: path), from: gone)
    #expect(pages.count == 1)
    #expect(try driver.owner("7@N01")?.deleted == true)
  }

  @Test func aDeletedPersonWhoWasKnownKeepsTheName() async throws {
    let driver = PullDriver()
    try await driver.pull(Follow(path: "flickr/person/7@N01"), from: FakeFlickr([]))
    let gone = FakeFlickr([], faults: ["7@N01": FakeFlickr.fail(5, "User deleted")])
    try await driver.pull(Follow(path: "flickr/person/7@N01"), from: gone, run: "two")
    let owner = try #require(try driver.owner("7@N01"))
    #expect(owner.username == "name of 7@N01")
    #expect(owner.iconURL == Owner.placeholderIconURL)
    #expect(owner.deleted == true)
  }

  @Test func somebodyWhomFlickrDoesNotKnowIsNotAskedForAgain() async throws {
    let flickr = FakeFlickr(
      [.init(id: "1", owner: "7@N01"), .init(id: "2", owner: "8@N01")],
      faults: ["7@N01": FakeFlickr.fail(1, "User not found")])
    let driver = PullDriver()
    try await driver.pull(follow, from: flickr)
    #expect(try driver.count(.owners) == 1)
    try await driver.pull(follow, from: flickr, run: "two")
    #expect(flickr.asked == ["7@N01", "8@N01"])
  }

  @Test func oneOddAnswerDoesNotStandInTheWay() async throws {
    let flickr = FakeFlickr(
      [.init(id: "1", owner: "7@N01"), .init(id: "2", owner: "8@N01"), .init(id: "3", owner: "9@N01")],
      faults: ["7@N01": FakeFlickr.fail(777, "Odd"), "8@N01": "{\"person\":{\"nsid\":\"8@N01\"},\"stat\":\"ok\"}"])
    let driver = PullDriver()
    try await driver.pull(follow, from: flickr)
    #expect(try driver.owner("9@N01") != nil)
    #expect(driver.rejects.map(\.raw) == ["7@N01", "8@N01"])
  }

  @Test func aBrokenConnectionKeepsWhatCameBefore() async throws {
    let entries = (0..<40).map { FakeFlickr.Entry(id: String($0), owner: FakeFlickr.nsid($0)) }
    let flickr = FakeFlickr(entries, failures: [11: TransportError(.connectionLost, "gone")])
    let driver = PullDriver()
    let error = await #expect(throws: SourceError.self) { try await driver.pull(follow, from: flickr) }
    #expect(error == .transport(TransportError(.connectionLost, "gone")))
    #expect(try driver.count(.owners) == 10)
    try await driver.pull(follow, from: flickr, run: "two")
    #expect(try driver.count(.owners) == 40)
    #expect(flickr.pages == [1])
    // The one call that was lost is the only one that was made twice.
    #expect(flickr.asked.count == 41)
    #expect(Set(flickr.asked).count == 40)
  }

  /// Of four calls side by side one is lost: the three are kept, and the one is made again.
  @Test func whatFailsSideBySideIsNotForgotten() async throws {
    let entries = (0..<12).map { FakeFlickr.Entry(id: String($0), owner: FakeFlickr.nsid($0)) }
    let flickr = FakeFlickr(entries, failures: [6: TransportError(.connectionLost, "gone")])
    let driver = PullDriver()
    try await driver.pull(follow, from: flickr, jobs: 4)
    #expect(try driver.count(.owners) == 12)
    #expect(flickr.asked.count == 13)
    let down = FakeFlickr(
      entries, failures: Dictionary(uniqueKeysWithValues: (1...4).map { ($0, TransportError(.timeout, "slow")) }))
    await #expect(throws: SourceError.transport(TransportError(.timeout, "slow"))) {
      try await PullDriver().pull(follow, from: down, jobs: 4)
    }
  }

  @Test func ownersWithIdsThatAreNoneAreLeftAlone() async throws {
    let flickr = FakeFlickr([.init(id: "1", owner: "nobody"), .init(id: "2", owner: "7@N01")])
    try await PullDriver().pull(follow, from: flickr)
    #expect(flickr.asked == ["7@N01"])
  }

  @Test func aLongQueueIsWrittenInFewCursors() async throws {
    let flickr = FakeFlickr(photos: 1500, owners: 1500)
    let driver = PullDriver()
    let pages = try await driver.pull(Follow(path: follow.path, limit: 1500), from: flickr)
    let bytes = pages.reduce(0) { $0 + ($1.next.map { driver.coder.encode($0).count } ?? 0) }
    #expect(flickr.asked.count == 1500)
    #expect(bytes < 2_500_000)
    #expect(driver.progress.last?.done == 3000)
  }
}
