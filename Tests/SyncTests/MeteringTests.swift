import AlmanacTesting
import Models
import Ports
import Sync
import Testing

@Suite struct MeteringTests {
  @Test func everyTryIsCountedAlsoThoseThatFailed() async throws {
    let retried = HTTPResponse(status: 200, body: Array("{\"id\":\"one\"}".utf8), url: "http://fake.test/", requests: 3)
    let report = try await Bench(transport: ScriptedTransport([retried])).sync("fake/card/one")
    #expect(report.totals.requests == 3)
    #expect(report.totals.bytes == 12)
    let broken = Bench(
      transport: ScriptedTransport { _, _ throws(TransportError) in
        throw TransportError(.timeout, "too slow", requests: 4)
      })
    let failed = try await broken.sync("fake/card/one")
    #expect(failed.totals.requests == 4)
    #expect(failed.follows[0].error?.reason == .unavailable)
  }

  @Test func aStoreThatCannotBeWrittenFailsTheFollow() async throws {
    let store = InMemoryRecordStore()
    let bench = Bench(store: store)
    bench.server.set("one", ["a": "1"])
    store.failNextCommit(with: StoreError(.full, "the disk is full"))
    let report = try await bench.sync("fake/card/one")
    #expect(report.follows[0].error?.reason == .inputOutput)
    #expect(try bench.card("one") == nil)
    #expect(try await bench.sync("fake/card/one").totals.added == 1)
  }

  @Test func aListThatNamesTheSamePageAgainIsAFailure() async throws {
    let body = Array("{\"items\":[],\"next\":0}".utf8)
    let report = try await Bench(transport: ScriptedTransport([HTTPResponse(status: 200, body: body, url: "u")]))
      .sync("fake/notes")
    #expect(report.follows[0].error?.code == "same-page")
    #expect(report.totals.requests == 2)
  }
}
