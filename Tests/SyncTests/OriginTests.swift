import AlmanacTesting
import Models
import Ports
import Sync
import Testing

/// Two sources with one collection: whose record it is decides who sends its edits.
@Suite struct OriginTests {
  /// Sends to one of two servers, by the host.
  private struct TwoServers: HTTPTransport {
    let first: FakeSourceServer
    let second: FakeSourceServer

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      try await (request.url.hasPrefix("http://fake.test") ? first : second).send(request)
    }
  }

  private let first = FakeSourceServer(coder: Bench().coder)
  private let second = FakeSourceServer(coder: Bench().coder)

  /// The name of the second source sorts before that of the first.
  private func bench(store: (any RecordStore)? = nil, names: [String] = ["fake", "another"]) -> Bench {
    let coder = Bench().coder
    let sources = names.map {
      FakeSource(
        $0, coder: coder, edits: Bench.edits(), base: $0 == "fake" ? "http://fake.test" : "http://another.test")
    }
    return Bench(store: store, sources: sources, transport: TwoServers(first: first, second: second))
  }

  @Test func aRecordIsSentToWhereItCameFrom() async throws {
    let bench = bench()
    first.set("one", ["a": "0"])
    second.set("two", ["a": "0"])
    _ = try await bench.sync("fake/card/one", "another/card/two")
    for card in ["one", "two"] { try await bench.edit(card, ["a": "1"], entry: "e-\(card)") }
    #expect(try bench.outbox.entries().compactMap(\.source?.rawValue).sorted() == ["another", "fake"])
    #expect(try await bench.engine.flush(only: nil).sent == 2)
    #expect(first.now.cards["one"]?["a"] == "1" && second.now.cards["two"]?["a"] == "1")
    #expect(first.now.cards["two"] == nil && second.now.cards["one"] == nil)
    try await bench.remove(FakeSource.cards, "two", entry: "d")
    #expect(try await bench.engine.flush(only: nil).sent == 1)
    #expect(second.now.cards["two"] == nil && first.now.removals.isEmpty)
  }

  @Test func aNewRecordIsSentByTheSourceThatItNames() async throws {
    let bench = bench()
    try await bench.add(note: "hello", entry: "e1", source: SourceName(rawValue: "fake"))
    try await bench.add(note: "unnamed", entry: "e2")
    let counts = try await bench.engine.flush(only: nil)
    #expect(counts.sent == 1 && counts.pending == 1)
    #expect(first.now.notes.map(\.text) == ["hello"] && second.now.notes.isEmpty)
    // Nobody knows where the other one belongs, which its entry says.
    let waiting = try #require(try bench.outbox.entries().first)
    #expect(waiting.lastError?.contains("another, fake") == true && waiting.attempts == 0)
  }

  @Test func anEntryWithoutASourceIsSentByTheOnlyOne() async throws {
    let both = bench()
    first.set("one", ["a": "0"])
    _ = try await both.sync("fake/card/one")
    // As an earlier version wrote it: neither the entry nor the remote's copy names a source.
    let entry = OutboxEntry(
      id: "e1", target: "cards/one", kind: .put, edit: ["a": "1"], base: ["a": "0"], createdAt: both.time.now)
    try await both.put(FakeSource.cards, ["id": "one", "a": "1"])
    try await both.put(.outbox, entry.fields)
    var state = try #require(try both.record(.state, "remote/cards/one"))
    #expect(state["source"] == "fake")
    state["source"] = nil
    try await both.put(.state, state)
    #expect(try await both.engine.flush(only: nil).pending == 1)
    #expect(try await bench(store: both.store, names: ["fake"]).engine.flush(only: nil).sent == 1)
    #expect(first.now.cards["one"]?["a"] == "1")
  }

  @Test func aPullFindsOutWhereAnOldRecordBelongs() async throws {
    let bench = bench()
    first.set("one", ["a": "0"])
    try await bench.put(FakeSource.cards, ["id": "one", "a": "0"])
    try await bench.edit("one", ["a": "1"], entry: "e1")
    #expect(try await bench.engine.flush(only: nil).pending == 1)
    #expect(try await bench.sync("fake/card/one").outbox.sent == 1)
    #expect(first.now.cards["one"]?["a"] == "1" && second.now.seen.isEmpty)
  }

  @Test func anIDOfAnotherSourcesRecordIsRejected() async throws {
    let bench = bench()
    first.set("one", ["a": "first"])
    second.set("one", ["a": "second"])
    _ = try await bench.sync("fake/card/one")
    let report = try await bench.sync("another/card/one")
    #expect(report.follows.map(\.status) == [.partial] && report.totals.rejected == 1)
    #expect(try bench.card("one")?["a"] == "first")
    #expect(
      try bench.record(.rejects, try #require(try bench.ids(.rejects).first))?["found"]?.string?.contains("fake")
        == true)
    // It is not removed by the other source either.
    second.change { $0.remove("one") }
    _ = try await bench.sync("another/card/one")
    #expect(try bench.card("one")?["a"] == "first")
    // Without its own source, the record goes to the one that still has it.
    second.set("one", ["a": "third"])
    let alone = self.bench(store: bench.store, names: ["another"])
    #expect(try await alone.sync("another/card/one", options: SyncOptions(full: true)).totals.updated == 1)
    #expect(try alone.card("one")?["a"] == "third")
  }

  @Test func anEditWhoseSourceIsMissingSaysSo() async throws {
    let both = bench()
    first.set("one", ["a": "0"])
    _ = try await both.sync("fake/card/one")
    try await both.edit("one", ["a": "1"], entry: "e1")
    let alone = bench(store: both.store, names: ["another"])
    #expect(try await alone.engine.flush(only: nil).pending == 1)
    #expect(try alone.outbox.entries().first?.lastError == "the source 'fake' is not configured")
    #expect(second.now.seen.isEmpty)
  }
}
