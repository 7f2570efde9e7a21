import AlmanacTesting
import Models
import Ports
import Sync
import Testing

/// A dry run tells the requests that a real one then sends.
@Suite struct RehearsalTests {
  /// Bytes of the whole store, and what the server was sent.
  private func place(_ bench: Bench) throws -> Int { try bench.store.changes(since: nil, limit: .max).count }

  @Test func tellsWhatIsThenSent() async throws {
    let bench = Bench()
    for card in ["one", "two"] { bench.server.set(card, ["a": "0", "b": "0"]) }
    _ = try await bench.sync("fake/card/one", "fake/card/two")
    try await bench.edit("one", ["a": "1", "b": .null], entry: "e1")
    try await bench.edit("two", ["b": "2"], entry: "e2")
    try await bench.add(note: "hello", entry: "e3")
    let before = try place(bench)
    let report = try await bench.sync(options: SyncOptions(dryRun: true))
    let outgoing = try #require(report.outgoing)
    #expect(outgoing.map(\.method) == ["PUT", "PUT", "POST"])
    #expect(outgoing.map(\.target) == ["cards/one", "cards/two", "notes/l-e3"])
    #expect(outgoing.map(\.id) == ["e1", "e2", "e3"])
    #expect(outgoing[0].edit == ["a": "1", "b": .null])
    #expect(outgoing[0].body?["a"] == "1" && outgoing[0].url?.hasSuffix("/cards/one") == true)
    #expect(outgoing[2].body == ["text": "hello"])
    #expect(report.outbox.pending == 3 && report.plan == [])
    // Nothing was written, nothing was sent, nothing was reported as sent.
    #expect(try place(bench) == before)
    #expect(bench.server.now.cards["one"]?["a"] == "0" && bench.server.now.notes.isEmpty)
    #expect(!bench.events.events.contains { if case .edit = $0 { true } else { false } })
    #expect(try await bench.sync().outbox.sent == 3)
    #expect(try await bench.sync(options: SyncOptions(dryRun: true)).outgoing == [])
    #expect(try await bench.sync(options: SyncOptions(sendsEdits: false)).outgoing == nil)
    #expect(try await bench.sync().outgoing == nil)
  }

  @Test func everyEditOfARecordIsTold() async throws {
    let bench = Bench()
    bench.server.set("one", ["a": "0", "b": "0"])
    _ = try await bench.sync("fake/card/one")
    try await bench.edit("one", ["a": "1"], entry: "e1")
    bench.server.change { $0.refused = ["1"] }
    _ = try await bench.engine.flush(only: nil)
    bench.server.change { $0.refused = [] }
    try await bench.edit("one", ["b": "2"], entry: "e2")
    _ = try await bench.outbox.retry(nil)
    let outgoing = try #require(try await bench.sync(options: SyncOptions(dryRun: true)).outgoing)
    #expect(outgoing.map(\.id) == ["e1", "e2"], "\(outgoing)")
  }

  /// What the pull of the same run settles or turns into a conflict is not sent, and not told.
  @Test func whatThePullSettlesIsNotTold() async throws {
    let bench = Bench()
    for card in ["same", "clash", "mine"] { bench.server.set(card, ["a": "0"]) }
    _ = try await bench.sync("fake/card/same", "fake/card/clash", "fake/card/mine")
    for card in ["same", "clash", "mine"] { try await bench.edit(card, ["a": "1"], entry: "e-\(card)") }
    bench.server.set("same", ["a": "1"])
    bench.server.set("clash", ["a": "theirs"])
    let report = try await bench.engine.sync(
      ["same", "clash", "mine"].map { Follow(path: "fake/card/\($0)") }, SyncOptions(dryRun: true))
    #expect(report.outgoing?.map(\.target) == ["cards/mine"])
  }
}
