import AlmanacTesting
import Models
import Ports
import Sync
import Testing

/// Two sources share a collection: the source of a record sends its edits.
@Suite struct OriginTests {
  /// Sends requests to one of two servers, by host.
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
    return Bench(store: store, sources: Sources(sources), transport: TwoServers(first: first, second: second))
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

  @Test("while one server hangs, another one gets its edits, and what is asked for the first one comes after it")
  func aServerThatHangsHoldsUpNoOther() async throws {
    let slow = SlowTransport(first)
    let sources = Sources(["fake", "another"].map { FakeSource($0, coder: Bench().coder, edits: Bench.edits()) })
    let transport = ScriptedTransport { [second] (request: HTTPRequest, _: Int) throws(TransportError) in
      try await request.url.hasSuffix("/one") ? slow.send(request) : second.send(request)
    }
    let bench = Bench(sources: sources, transport: transport)
    first.set("one", ["a": "0"])
    second.set("two", ["a": "0"])
    _ = try await bench.sync("fake/card/one", "another/card/two")
    for card in ["one", "two"] { try await bench.edit(card, ["a": "1"], entry: "e-\(card)") }
    let engine = bench.engine
    #expect(try engine.waitingEdits() == ["fake": ["e-one"], "another": ["e-two"]])
    slow.holdNextAnswer()
    async let hanging = engine.flush(only: nil, to: "fake")
    await slow.waitUntilHeld()
    let counts = try await engine.flush(only: nil, to: "another")
    #expect(counts.sent == 1 && counts.pending == 0 && second.now.cards["two"]?["a"] == "1")
    try await bench.edit("two", ["a": "2"], entry: "e-three")
    #expect(try await engine.flush(only: ["e-three"]).sent == 1)
    async let all = engine.flush(only: nil)
    slow.release()
    #expect(try await hanging.sent == 1)
    _ = try await all
    #expect(slow.most == 1 && first.now.values["one/a"] == ["0", "1"])
  }

  @Test func aNewRecordIsSentByTheSourceThatItNames() async throws {
    let bench = bench()
    try await bench.add(note: "hello", entry: "e1", source: SourceName(rawValue: "fake"))
    try await bench.add(note: "unnamed", entry: "e2")
    let counts = try await bench.engine.flush(only: nil)
    #expect(counts.sent == 1 && counts.pending == 1)
    #expect(first.now.notes.map(\.text) == ["hello"] && second.now.notes.isEmpty)
    // The source of the second note is unknown, and the entry contains that reason.
    let waiting = try #require(try bench.outbox.entries().first)
    #expect(waiting.lastError?.contains("another, fake") == true && waiting.attempts == 0)
  }

  @Test func anEntryWithoutASourceIsSentByTheOnlyOne() async throws {
    let both = bench()
    first.set("one", ["a": "0"])
    _ = try await both.sync("fake/card/one")
    // An earlier version stored no source in the entry or the remote's copy.
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
    // The other source cannot remove it either.
    second.change { $0.remove("one") }
    _ = try await bench.sync("another/card/one")
    #expect(try bench.card("one")?["a"] == "first")
    // Without its own source, the record moves to the source that still has it.
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

/// Stores of earlier versions, which kept the remote's copy among the data of the source and had no source names.
@Suite struct EarlierStoreTests {
  private static let note: JSONObject = ["id": "r-n1", "text": "0", "remoteID": "n1"]

  /// A store with a note that an earlier version pulled, and an edit of a card that it queued.
  private func bench() async throws -> Bench {
    let bench = Bench()
    bench.server.change { $0.addNote("0") }
    bench.server.set("one", ["a": "0", "b": "0"])
    try await bench.put(FakeSource.notes, Self.note)
    try await bench.put(
      .state, ["id": "remote/notes/r-n1", "memory": .object(["base": .object(Self.note), "mark": true])])
    try await bench.put(FakeSource.cards, ["id": "one", "a": "mine", "b": "0"])
    try await bench.put(
      .state,
      [
        "id": "remote/cards/one",
        "memory": .object(["etag": "\"1\"", "base": .object(["id": "one", "a": "0", "b": "0"])]), "accepted": "e0",
      ])
    try await bench.put(
      .outbox,
      [
        "id": "e1", "target": "cards/one", "kind": "put", "fields": .object(["a": "mine"]),
        "base": .object(["a": "0"]), "attempts": 0, "state": "pending", "createdAt": "2026-01-01T00:00:00Z",
      ])
    return bench
  }

  @Test func theCopyIsReadAndItsSourceLearned() async throws {
    let bench = try await bench()
    let edits = bench.edits("e")
    let before = try edits.remoteCopy(of: FakeSource.notes, "r-n1", in: bench.store.snapshot())
    #expect(before == RemoteCopy(base: Self.note, sourceState: ["mark": true]))
    let report = try await bench.sync("fake/notes", options: SyncOptions(sendsEdits: false))
    #expect(report.follows.map(\.status) == [.unchanged])
    let after = try edits.remoteCopy(of: FakeSource.notes, "r-n1", in: bench.store.snapshot())
    #expect(after == RemoteCopy(source: SourceName(rawValue: "fake"), base: Self.note, sourceState: ["mark": true]))
  }

  /// A record that was changed locally without an edit is kept, by comparison with the remote's last known copy.
  @Test func whatWasChangedHereStays() async throws {
    let bench = try await bench()
    try await bench.put(FakeSource.notes, ["id": "r-n1", "text": "mine", "remoteID": "n1"])
    _ = try await bench.sync("fake/notes")
    #expect(try bench.record(FakeSource.notes, "r-n1")?["text"] == "mine")
  }

  @Test func theWaitingEditIsSentUnderTheKnownTag() async throws {
    let bench = try await bench()
    #expect(try bench.outbox.entries().map(\.edit) == [["a": "mine"]])
    #expect(try await bench.engine.flush(only: nil).sent == 1)
    #expect(bench.server.now.cards["one"] == ["id": "one", "a": "mine", "b": "0"])
    #expect(bench.server.now.seen.map(\.method) == [.put])
    #expect(try bench.record(.state, "remote/cards/one")?["memory"] == .object(["etag": "\"2\""]))
  }

  @Test func aLaterEditIsTakenUpOnTheKnownBase() async throws {
    let bench = try await bench()
    try await bench.edit("one", ["b": "mine too"], entry: "e2")
    let entry = try #require(try bench.outbox.entries().first)
    #expect(entry.id == "e1" && entry.edit == ["a": "mine", "b": "mine too"] && entry.base == ["a": "0", "b": "0"])
  }
}
