import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Testing

@Suite struct RejectTests {
  private func bench(_ items: JSONValue...) -> Bench { bench(items) }

  private func bench(_ items: [JSONValue]) -> Bench {
    let coder = Bench().coder
    let body = coder.encode(["items": .array(items)] as JSONObject)
    return Bench(transport: ScriptedTransport([HTTPResponse(status: 200, body: body, url: "http://fake.test/notes")]))
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
    #expect(try bad.store.recordChanges(since: place).isEmpty)
    let mended = Bench(store: bad.store, transport: bench(good, .object(["id": "2", "text": "mended"])).transport)
    let third = try await mended.sync("fake/notes")
    #expect(third.follows.map(\.status) == [.ok])
    #expect(try mended.ids(.rejects).isEmpty)
  }

  @Test func theFirstThousandAreKeptAndAllAreCounted() async throws {
    let limit = RejectedRecords.limit
    let numbers = (0..<(limit + 200)).map { JSONValue.int($0) }
    let bench = bench([.object(["id": "1", "text": "good"])] + numbers)
    let report = try await bench.sync("fake/notes")
    let follow = try #require(report.follows.first)
    #expect(follow.counts.rejected == limit + 200)
    #expect(follow.rejectsKept == limit)
    #expect(follow.fields["rejectsKept"] == .int(limit))
    let kept = try bench.ids(.rejects)
    #expect(kept.count == limit)
    let indexes = try kept.map { try #require(try bench.record(.rejects, $0)?["index"]?.int) }
    #expect(indexes.sorted() == Array(1...limit))
    let status = try #require(try bench.engine.status([Follow(path: "fake/notes")]).follows.first)
    #expect(status.rejected == limit + 200)
    #expect(status.fields["rejected"] == .int(limit + 200))
    let place = try bench.place()
    _ = try await bench.sync("fake/notes")
    #expect(try bench.store.recordChanges(since: place).isEmpty)
    // New rejects replace those that no longer occur; below the limit, the count is not reported.
    let fewer = Bench(store: bench.store, transport: self.bench(numbers.suffix(300)).transport)
    let second = try await fewer.sync("fake/notes")
    #expect(second.follows.first?.counts.rejected == 300)
    #expect(second.follows.first?.fields["rejectsKept"] == nil)
    #expect(try fewer.ids(.rejects).count == 300)
    #expect(try fewer.engine.status([Follow(path: "fake/notes")]).follows.first?.rejected == 300)
  }

  @Test func theLimitHoldsOverThePagesAndAfterAPullThatBroke() async throws {
    let limit = RejectedRecords.limit
    func page(_ number: Int, next: Int?) -> HTTPResponse {
      let numbers = (0..<600).map { JSONValue.int(number * 600 + $0) }
      var answer: JSONObject = ["items": .array(numbers)]
      answer.append("next", next)
      return HTTPResponse(status: 200, body: Bench().coder.encode(answer), url: "http://fake.test/notes")
    }
    let broken = Bench(
      transport: ScriptedTransport([page(0, next: 1), HTTPResponse(status: 500, url: "http://fake.test/notes")]))
    #expect(try await broken.sync("fake/notes").follows.first?.status == .failed)
    #expect(try broken.ids(.rejects).count == 600)
    let rest = Bench(store: broken.store, transport: ScriptedTransport([page(1, next: 2), page(2, next: nil)]))
    let report = try #require(try await rest.sync("fake/notes").follows.first)
    #expect(report.counts.rejected == 1_200)
    #expect(report.rejectsKept == limit - 600)
    #expect(try rest.ids(.rejects).count == limit)
    #expect(try rest.engine.status([Follow(path: "fake/notes")]).follows.first?.rejected == 1_800)
  }

  @Test("a rejected record may be any of the list: nothing is removed, after a pull that broke in between, too")
  func mayBeAnyRecord() async throws {
    func note(_ id: Int) -> JSONValue { .object(["id": .string("\(id)"), "text": .string("note \(id)")]) }
    func page(_ items: [JSONValue], next: Int? = nil) -> HTTPResponse {
      var answer: JSONObject = ["items": .array(items)]
      answer.append("next", next)
      return HTTPResponse(status: 200, body: Bench().coder.encode(answer), url: "http://fake.test/notes")
    }
    func synced(_ store: any RecordStore, _ pages: [HTTPResponse]) async throws -> Int {
      let bench = Bench(store: store, transport: ScriptedTransport(pages))
      _ = try await bench.sync("fake/notes")
      return try bench.ids(FakeSource.notes).count
    }
    let store = bench().store
    #expect(try await synced(store, [page((1...5).map(note))]) == 5)
    let (bad, good) = (page([7, note(2), note(4)], next: 1), page([note(3)]))
    #expect(try await synced(store, [bad, good]) == 5)
    #expect(try await synced(store, [bad, HTTPResponse(status: 500, url: "http://fake.test/notes")]) == 5)
    #expect(try await synced(store, [good]) == 5)
    #expect(try await synced(store, [page((1...4).map(note))]) == 4)
  }

  @Test("a pull whose records were all rejected is not a success, and is repeated in full the next time")
  func allRejected() async throws {
    let good: JSONValue = .object(["id": "1", "text": "good"])
    let first = bench(good)
    #expect(try await first.sync("fake/notes").follows.map(\.status) == [.ok])
    let before = try #require(try first.engine.status([Follow(path: "fake/notes")]).follows.first?.lastSuccess)
    first.time.advance(by: .seconds(10))
    let bad = Bench(store: first.store, transport: bench(7, 8).transport)
    bad.time.advance(by: .seconds(10))
    let report = try #require(try await bad.sync("fake/notes").follows.first)
    #expect(report.status == .failed && report.counts.rejected == 2)
    #expect(report.error?.reason == .unparsable && report.error?.message == "all 2 records were rejected")
    #expect(try bad.ids(.rejects).count == 2)
    let status = try #require(try bad.engine.status([Follow(path: "fake/notes")]).follows.first)
    #expect(status.lastSuccess == before && status.failures == 1 && status.rejected == 2)
    let state = try #require(try bad.record(.state, "follow/fake/notes"))
    #expect(state["memory"] == nil && state["cursor"] == nil)
    // A single valid record makes the pull a success.
    let mended = Bench(store: first.store, transport: bench(7, good).transport)
    #expect(try await mended.sync("fake/notes").follows.map(\.status) == [.partial])
  }

  @Test func eventsNameTheRejects() async throws {
    let bench = bench(7)
    _ = try await bench.sync("fake/notes")
    #expect(
      bench.events.events.contains(
        .rejected(follow: "fake/notes", path: "$.items[0]", expected: "a note", found: "number")))
  }
}
