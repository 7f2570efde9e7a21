import AlmanacTesting
import Models
import Parsing
import Ports
import Testing

@testable import almanacd

/// The numbered events.
@Suite struct EventFeedTests {
  @Test("what happened after a number; what is too old is said to be missing")
  func items() throws {
    let feed = EventFeed(coder: JSONRecordCoder())
    #expect(feed.items(after: 0)?.isEmpty == true)
    for number in 0..<10 { feed.report(.warning(message: "\(number)")) }
    #expect(feed.items(after: 7)?.map(\.number) == [8, 9, 10])
    #expect(feed.items(after: 10)?.isEmpty == true)
    for _ in 0..<EventFeed.mostItems { feed.report(.warning(message: "more")) }
    #expect(feed.items(after: 7) == nil)
    let kept = try #require(feed.items(after: feed.last - 500))
    #expect(kept.count == 500)
  }

  @Test("large events do not pile up")
  func bytes() {
    let feed = EventFeed(coder: JSONRecordCoder())
    let data = [UInt8](repeating: 0x20, count: 100_000)
    for _ in 0..<100 { feed.add("commit", data) }
    #expect(feed.items(after: 0) == nil)
    #expect(feed.items(after: 99)?.count ?? 1 <= 1)
  }

  @Test("a listener is woken by what happens, and no more than so many may listen")
  func listeners() async {
    let feed = EventFeed(coder: JSONRecordCoder())
    let stream = feed.listen()
    feed.report(.warning(message: "a"))
    feed.report(.warning(message: "b"))
    var iterator = stream?.signals.makeAsyncIterator()
    #expect(await iterator?.next() != nil)
    var others: [EventFeed.Listening] = []
    while let other = feed.listen() { others.append(other) }
    #expect(others.count == EventFeed.mostListeners - 1)
    others = []
    #expect(feed.listen() != nil)
  }

  @Test("what is of no use to listeners is not told")
  func silent() {
    let feed = EventFeed(coder: JSONRecordCoder())
    feed.report(.requestStarted(method: "GET", url: "http://a", attempt: 1))
    feed.report(.budgetTaken(name: "a", remaining: 1))
    #expect(feed.last == 0)
  }
}
