import Models
import Parsing
import Ports
import Sync
import TestSupport
import Testing

@Suite struct RejectTests {
  private func bench(_ items: JSONValue...) -> Bench {
    let coder = Bench().coder
    let body = coder.encode(["items": .array(items)] as JSONObject)
    return Bench(
      transport: ScriptedTransport([HTTPResponse(status: 200, body: body, url: "http://fake.test/notes")]))
  }

  @Test func aRejectIsKeptOnceAndDroppedWhenItOccursNoMore() async throws {
    let good: JSONValue = .object(["id": "1", "text": "good"])
    let bad = bench(good, 7, .object(["id": "2"]))
    let first = try await bad.sync("fake/notes")
    #expect(first.follows.map(\.status) == [.partial])
    #expect(first.totals.added == 1)
    #expect(first.totals.rejected == 2)
    let kept = try bad.ids(.rejects)
    #expect(kept.count == 2)
    let reject = try Reject(fields: try #require(try bad.record(.rejects, kept[0])))
    #expect(reject.follow == "fake/notes")
    #expect(reject.url.hasPrefix("http://fake.test/notes"))
    let place = try bad.place()
    bad.time.advance(by: .seconds(60))
    let second = try await bad.sync("fake/notes")
    #expect(second.totals.rejected == 2)
    #expect(try bad.changes(since: place).isEmpty)
    let mended = Bench(
      store: bad.store,
      transport: bench(good, .object(["id": "2", "text": "mended"])).transport)
    let third = try await mended.sync("fake/notes")
    #expect(third.follows.map(\.status) == [.ok])
    #expect(try mended.ids(.rejects).isEmpty)
  }

  @Test func eventsNameTheRejects() async throws {
    let bench = bench(7)
    _ = try await bench.sync("fake/notes")
    #expect(
      bench.events.events.contains(
        .rejected(follow: "fake/notes", path: "$.items[0]", expected: "a note", found: "number")))
  }
}
