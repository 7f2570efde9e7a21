import AlmanacTesting
import Models
import Ports
import Sync
import Testing

/// Stores of earlier versions, which kept the remote's copy among what the source remembered, and no sources.
@Suite struct EarlierStoreTests {
  private static let note: JSONObject = ["id": "r-n1", "text": "0", "remoteID": "n1"]

  /// A note that was pulled by an earlier version, and an edit of a card that it queued.
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
    #expect(before == RemoteCopy(base: Self.note, memory: ["mark": true]))
    let report = try await bench.sync("fake/notes", options: SyncOptions(sendsEdits: false))
    #expect(report.follows.map(\.status) == [.unchanged])
    let after = try edits.remoteCopy(of: FakeSource.notes, "r-n1", in: bench.store.snapshot())
    #expect(
      after == RemoteCopy(source: SourceName(rawValue: "fake"), base: Self.note, memory: ["mark": true]))
  }

  /// A record that was changed here without an edit is kept against the remote's last known copy.
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
