import AlmanacTesting
import Models
import Ports
import Sync
import Testing

@Suite struct PullTests {
  @Test func addsThenFindsNothingNew() async throws {
    let bench = Bench()
    bench.server.set("one", ["color": "red", "size": 3])
    for text in ["a", "b", "c"] { bench.server.change { $0.addNote(text) } }
    let first = try await bench.sync("fake/card/one", "fake/notes")
    #expect(first.follows.map(\.status) == [.ok, .ok])
    #expect(first.totals.added == 4)
    #expect(first.totals.requests == 2)
    #expect(first.totals.bytes > 50)
    #expect(try bench.card("one") == ["id": "one", "color": "red", "size": 3])
    let place = try bench.place()
    bench.time.advance(by: .seconds(60))
    let second = try await bench.sync("fake/card/one", "fake/notes")
    #expect(second.follows.map(\.status) == [.unchanged, .unchanged])
    #expect(second.totals.added + second.totals.updated + second.totals.removed == 0)
    #expect(try bench.changes(since: place).isEmpty)
    #expect(bench.server.now.seen.count == 4)
  }

  @Test func countsUpdatesFieldByField() async throws {
    let bench = Bench()
    bench.server.set("one", ["color": "red"])
    _ = try await bench.sync("fake/card/one")
    bench.server.set("one", ["color": "blue", "shape": "round"])
    let report = try await bench.sync("fake/card/one")
    #expect(report.totals.updated == 1)
    #expect(try bench.card("one") == ["id": "one", "color": "blue", "shape": "round"])
    bench.server.set("one", ["shape": .null])
    _ = try await bench.sync("fake/card/one")
    #expect(try bench.card("one") == ["id": "one", "color": "blue"])
  }

  @Test func anotherOrderOfFieldsIsNoChange() async throws {
    let bench = Bench()
    bench.server.set("one", ["a": "1", "b": "2"])
    try await bench.put(FakeSource.cards, ["id": "one", "b": "2", "a": "1"])
    let report = try await bench.sync("fake/card/one")
    #expect(report.follows.map(\.status) == [.unchanged])
  }

  @Test func absentFieldsKeepTheirValuesWhereTheRuleSaysSo() async throws {
    let bench = Bench(rule: .merge)
    bench.server.set("one", ["a": "1", "b": "2"])
    try await bench.put(FakeSource.cards, ["id": "one", "a": "0", "summary": "long"])
    _ = try await bench.sync("fake/card/one")
    #expect(try bench.card("one") == ["id": "one", "a": "1", "summary": "long", "b": "2"])
  }

  @Test func pagesAreCommittedOneByOneAndResumed() async throws {
    let coder = Bench().coder
    let server = FakeSourceServer(coder: coder) { $0.url.contains("page=2") ? .unreachable : .none }
    for number in 0..<25 { server.change { $0.addNote("note \(number)") } }
    let bench = Bench(server: server)
    let follow = Follow(path: "fake/notes", limit: 10)
    let broken = try await bench.engine.sync([follow], SyncOptions())
    #expect(broken.follows.map(\.status) == [.failed])
    #expect(broken.totals.added == 20)
    #expect(try bench.ids(FakeSource.notes).count == 20)
    // The same store, and a server that answers again.
    let whole = FakeSourceServer(coder: coder)
    whole.change { $0 = server.now }
    let again = Bench(store: bench.store, server: whole)
    let report = try await again.engine.sync([follow], SyncOptions())
    #expect(report.totals.added == 5)
    #expect(report.totals.requests == 1)
    #expect(try again.ids(FakeSource.notes).count == 25)
  }

  @Test func anotherLimitBeginsAnew() async throws {
    let bench = Bench(
      server: FakeSourceServer(coder: Bench().coder) { $0.url.contains("page=1") ? .unreachable : .none })
    for number in 0..<25 { bench.server.change { $0.addNote("note \(number)") } }
    _ = try await bench.engine.sync([Follow(path: "fake/notes", limit: 10)], SyncOptions())
    let report = try await bench.engine.sync([Follow(path: "fake/notes", limit: 100)], SyncOptions())
    #expect(report.follows.map(\.status) == [.ok])
    #expect(try bench.ids(FakeSource.notes).count == 25)
  }

  @Test func fullForgetsValidators() async throws {
    let bench = Bench()
    bench.server.set("one", ["a": "1"])
    _ = try await bench.sync("fake/card/one")
    let quiet = try await bench.sync("fake/card/one")
    #expect(quiet.totals.bytes == 0)
    let full = try await bench.sync("fake/card/one", options: SyncOptions(full: true))
    #expect(full.totals.bytes > 0)
    #expect(full.follows.map(\.status) == [.unchanged])
  }

  @Test func aPullThatWasAskedForBeforeAPushDoesNotUndoIt() async throws {
    // The answer to the pull is on its way while the edit is made, sent and accepted.
    let server = FakeSourceServer(coder: Bench().coder)
    let gate = SlowTransport(server)
    let bench = Bench(server: server, transport: gate)
    bench.server.set("one", ["a": "old"])
    _ = try await bench.sync("fake/card/one")
    let engine = bench.engine
    gate.holdNextAnswer()
    async let late = engine.sync([Follow(path: "fake/card/one")], SyncOptions(full: true, sendsEdits: false))
    await gate.waitUntilHeld()
    try await bench.edit("one", ["a": "new"], entry: "e1")
    _ = try await engine.flush(only: nil)
    gate.release()
    _ = try await late
    #expect(bench.server.now.cards["one"]?["a"] == "new")
    #expect(try bench.card("one")?["a"] == "new")
  }
}
