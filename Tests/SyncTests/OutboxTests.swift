import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

@Suite struct OutboxTests {
  private func bench(refusing value: String) async throws -> Bench {
    let bench = try await Bench.synced(["a": "0", "b": "0"])
    bench.server.change { $0.refused = [value] }
    try await bench.edit("one", ["a": .string(value)], entry: "e1")
    _ = try await bench.engine.flush(only: nil)
    return bench
  }

  @Test("taking the remote's values leaves the fields alone that the remote has not changed")
  func theirsKeepsWhatIsUnopposed() async throws {
    let bench = try await Bench.synced(["a": "0", "b": "0"])
    try await bench.edit("one", ["a": "mine", "b": "mine"], entry: "e1")
    bench.server.set("one", ["a": "theirs", "b": "0"])
    _ = try await bench.sync("fake/card/one")
    let entry = try await bench.outbox.resolve("e1", take: .theirs)
    #expect(entry.state == .pending && entry.edit == ["b": "mine"] && entry.base == ["b": "0"])
    #expect(try bench.card("one") == ["id": "one", "a": "theirs", "b": "mine"])
    _ = try await bench.sync("fake/card/one")
    #expect(bench.server.now.cards["one"] == ["id": "one", "a": "theirs", "b": "mine"])
    #expect(try bench.outbox.entries().isEmpty)
  }

  @Test("taking the removal by the remote leaves nothing of an edit, also of a field that the record did not have")
  func theirsIsARemoval() async throws {
    let bench = try await Bench.synced(["a": "0"])
    try await bench.edit("one", ["b": "mine"], entry: "e1")
    // The conflict says that the record was removed; what is remembered of the remote does not, as after a merge.
    var entry = try bench.outbox.entries()[0]
    entry.meetRemoval()
    entry.state = .conflict
    try await bench.store.put([entry], bench.coder)
    let ended = try await bench.outbox.resolve("e1", take: .theirs)
    #expect(ended.state == .pending && ended.edit == [:] && !ended.isRemoved)
    #expect(try bench.outbox.entries().isEmpty)
    #expect(try bench.card("one")?["b"] == nil)
  }

  @Test func aRefusedEntryIsTriedAgain() async throws {
    let bench = try await bench(refusing: "bad")
    bench.server.change { $0.refused = [] }
    #expect(try await bench.engine.flush(only: nil).refused == 1)
    #expect(try await bench.outbox.retry(nil).map(\.state) == [.pending])
    #expect(try await bench.engine.flush(only: nil).sent == 1)
    #expect(bench.server.now.cards["one"]?["a"] == "bad")
  }

  @Test("a change of a refused field corrects the edit: all of its fields are sent, with a new key")
  func aRefusedEntryIsCorrected() async throws {
    let bench = try await Bench.synced(["a": "0", "b": "0", "c": "0"])
    bench.server.change { $0.refused = ["bad"] }
    try await bench.edit("one", ["a": "bad", "b": "1"], entry: "e1")
    #expect(try await bench.engine.flush(only: nil).refused == 1)
    // Another field is another edit, which the refused one does not hold up.
    try await bench.edit("one", ["c": "1"], entry: "e2")
    #expect(try await bench.engine.flush(only: nil).sent == 1)
    #expect(bench.server.now.cards["one"] == ["id": "one", "a": "0", "b": "0", "c": "1"])
    try await bench.edit("one", ["a": "good"], entry: "e3")
    let entries = try bench.outbox.entries()
    #expect(entries.map(\.id) == ["e3"] && entries.map(\.state) == [.pending])
    #expect(entries.map(\.edit) == [["a": "good", "b": "1"]] && entries.map(\.base) == [["a": "0", "b": "0"]])
    #expect(try await bench.outbox.retry(nil).isEmpty)
    #expect(try await bench.engine.flush(only: nil).sent == 1)
    #expect(try bench.outbox.entries().isEmpty)
    #expect(bench.server.now.cards["one"] == ["id": "one", "a": "good", "b": "1", "c": "1"])
  }

  @Test("a refused edit that may have arrived is not sent after a newer one of the field")
  func aRefusedEditDoesNotSetBack() async throws {
    let bench = try await bench(refusing: "bad")
    var refused = try bench.outbox.entries()[0]
    refused.outcomeUnknown = true
    try await bench.store.put([refused], bench.coder)
    try await bench.edit("one", ["a": "good"], entry: "e2")
    #expect(try bench.outbox.entries().map(\.id) == ["e1", "e2"])
    bench.server.change { $0.refused = [] }
    #expect(try await bench.engine.flush(only: nil).sent == 1)
    #expect(try await bench.outbox.retry(nil).isEmpty && bench.outbox.entries().isEmpty)
    #expect(try bench.server.now.cards["one"]?["a"] == "good" && bench.card("one")?["a"] == "good")
  }

  @Test("a refused field that has the remote's value again is nothing to send, the others still are")
  func aRefusedFieldIsSetBack() async throws {
    let bench = try await bench(refusing: "bad")
    try await bench.edit("one", ["a": "0"], entry: "e2")
    #expect(try bench.outbox.entries().isEmpty)
    try await bench.edit("one", ["a": "bad", "b": "1"], entry: "e3")
    #expect(try await bench.engine.flush(only: nil).refused == 1)
    try await bench.edit("one", ["a": "0"], entry: "e4")
    #expect(try bench.outbox.entries().map(\.edit) == [["b": "1"]])
    #expect(try await bench.engine.flush(only: nil).sent == 1)
    #expect(try bench.outbox.entries().isEmpty)
  }

  @Test("a corrected edit of a field that the remote changed meanwhile is a conflict")
  func aCorrectionOverAnothersChangeIsAConflict() async throws {
    let bench = try await bench(refusing: "bad")
    bench.server.set("one", ["a": "theirs"])
    _ = try await bench.sync("fake/card/one")
    try await bench.edit("one", ["a": "good"], entry: "e2")
    let entry = try #require(try bench.outbox.entries().first)
    #expect(entry.state == .conflict && entry.theirs == ["a": "theirs"] && entry.edit == ["a": "good"])
    _ = try await bench.engine.flush(only: nil)
    #expect(bench.server.now.cards["one"]?["a"] == "theirs")
    #expect(try bench.outbox.entries().count == 1)
  }

  @Test("an edit that did not arrive, and one in conflict, are replaced by a new edit of the field")
  func anEditIsReplaced() async throws {
    let isDown = Mutex(true)
    let bench = Bench(
      server: FakeSourceServer(coder: JSONRecordCoder()) { request in
        request.method == .put && isDown.withLock { $0 } ? .unreachable : .none
      })
    bench.server.set("one", ["a": "0", "b": "0"])
    _ = try await bench.sync("fake/card/one")
    try await bench.edit("one", ["a": "bad", "b": "1"], entry: "e1")
    #expect(try await bench.engine.flush(only: nil).pending == 1)
    isDown.withLock { $0 = false }
    try await bench.edit("one", ["a": "good"], entry: "e2")
    #expect(try bench.outbox.entries().map(\.edit) == [["a": "good", "b": "1"]])
    #expect(try await bench.engine.flush(only: nil).sent == 1)
    #expect(try bench.outbox.entries().isEmpty)
    #expect(bench.server.now.cards["one"] == ["id": "one", "a": "good", "b": "1"])

    try await bench.edit("one", ["a": "mine", "b": "2"], entry: "e3")
    bench.server.set("one", ["a": "theirs"])
    _ = try await bench.sync("fake/card/one")
    #expect(try bench.outbox.entries().map(\.state) == [.conflict])
    try await bench.edit("one", ["a": "newer"], entry: "e4")
    let entry = try #require(try bench.outbox.entries().first)
    #expect(entry.state == .conflict && entry.edit == ["a": "newer", "b": "2"], "\(entry)")
    #expect(entry.theirs?["a"] == "theirs")
    _ = try await bench.outbox.resolve(entry.id, take: .theirs)
    #expect(try bench.card("one")?["a"] == "theirs")
    // With the value of the other side nothing is left to decide.
    try await bench.edit("one", ["a": "mine"], entry: "e5")
    bench.server.set("one", ["a": "third"])
    _ = try await bench.sync("fake/card/one")
    try await bench.edit("one", ["a": "third"], entry: "e6")
    #expect(try bench.outbox.entries().allSatisfy { $0.edit["a"] == nil })
  }

  @Test func aRefusedEntryWhoseFieldChangedThereIsAConflictWhenItIsTriedAgain() async throws {
    let bench = try await bench(refusing: "bad")
    bench.server.set("one", ["a": "theirs"])
    _ = try await bench.sync("fake/card/one")
    #expect(try bench.outbox.entries().map(\.state) == [.refused])
    #expect(try await bench.outbox.retry("e1").map(\.state) == [.conflict])
    #expect(bench.server.now.cards["one"]?["a"] == "theirs")
  }

  @Test func aConflictIsDecidedFieldByField() async throws {
    let bench = try await Bench.synced(["a": "0", "b": "0", "c": "0"])
    try await bench.edit("one", ["a": "mine", "b": "mine"], entry: "e1")
    bench.server.set("one", ["a": "theirs", "b": "theirs"])
    _ = try await bench.sync("fake/card/one")
    #expect(try bench.outbox.entries().map(\.state) == [.conflict])
    let failure = await #expect(throws: Failure.self) { _ = try await bench.outbox.resolve("e1", mine: ["c"]) }
    #expect(failure?.reason == .usage && failure?.hint == "its fields are a, b")
    let entry = try await bench.outbox.resolve("e1", mine: ["a"])
    #expect(entry.state == .pending && entry.edit == ["a": "mine"] && entry.base == ["a": "theirs"])
    #expect(try bench.card("one") == ["id": "one", "a": "mine", "b": "theirs", "c": "0"])
    #expect(try await bench.engine.flush(only: nil).sent == 1)
    #expect(bench.server.now.cards["one"] == ["id": "one", "a": "mine", "b": "theirs", "c": "0"])
  }

  /// `b` is a field of the edit that only the edit changes, `c` one that both sides changed in the same way.
  @Test(arguments: [["a"], ["a", "b"], ["b"], [], ["a", "d"]] as [Set<ExactString>])
  func aFieldThatTheRemoteDidNotChangeStaysInTheEdit(mine: Set<ExactString>) async throws {
    let bench = try await Bench.synced(["a": "0", "b": "0", "c": "0", "d": "0"])
    try await bench.edit("one", ["a": "mine", "b": "mine", "c": "both", "d": "mine"], entry: "e1")
    bench.server.set("one", ["a": "theirs", "b": "0", "c": "both", "d": "theirs"])
    _ = try await bench.sync("fake/card/one")
    #expect(try bench.outbox.entries().first?.contested == ["a", "d"])
    let entry = try await bench.outbox.resolve("e1", mine: mine)
    #expect(entry.state == .pending && entry.contested.isEmpty)
    let expected: JSONObject = [
      "id": "one", "a": mine.contains("a") ? "mine" : "theirs", "b": "mine", "c": "both",
      "d": mine.contains("d") ? "mine" : "theirs",
    ]
    #expect(try bench.card("one") == expected)
    _ = try await bench.sync("fake/card/one")
    #expect(bench.server.now.cards["one"] == expected)
    #expect(try bench.outbox.entries().isEmpty)
  }

  @Test func discardingSetsTheRecordBack() async throws {
    let bench = try await bench(refusing: "bad")
    _ = try await bench.outbox.discard("e1")
    #expect(try bench.card("one") == ["id": "one", "a": "0", "b": "0"])
    #expect(try bench.outbox.entries().isEmpty)
  }

  @Test func discardingANewRecordRemovesIt() async throws {
    let bench = Bench()
    try await bench.add(note: "hello", entry: "e1")
    _ = try await bench.outbox.discard("e1")
    #expect(try bench.record(FakeSource.notes, "l-e1") == nil)
    #expect(try await bench.engine.flush(only: nil).sent == 0)
  }

  @Test func whatIsNotThereIsNamed() async throws {
    let outbox = Bench().outbox
    for call in 0..<3 {
      let failure = await #expect(throws: Failure.self) {
        switch call {
        case 0: _ = try await outbox.retry("x")
        case 1: _ = try await outbox.discard("x")
        default: _ = try await outbox.resolve("x", take: .mine)
        }
      }
      #expect(failure?.reason == .notFound)
    }
    let bench = try await bench(refusing: "bad")
    let failure = await #expect(throws: Failure.self) { _ = try await bench.outbox.resolve("e1", take: .theirs) }
    #expect(failure?.reason == .usage)
  }

  @Test func twoProcessesNeverSendTheSameEdit() async throws {
    let server = FakeSourceServer(coder: Bench().coder, honoursKeys: false)
    let slow = SlowTransport(server)
    let bench = Bench(server: server, transport: slow)
    try await bench.add(note: "hello", entry: "e1")
    func engine(_ name: String, _ transport: any HTTPTransport, alive: Set<String>) -> SyncEngine {
      SyncEngine(
        store: bench.store, sources: bench.sources, transport: transport, coder: bench.coder, time: bench.time,
        random: SeededRandom(), events: bench.events,
        process: ProcessIdentity(name: name) { alive.contains($0) })
    }
    slow.holdNextAnswer()
    let first = engine("a", slow, alive: ["a", "b"])
    async let flush = first.flush(only: nil)
    await slow.waitUntilHeld()
    let other = try await engine("b", server, alive: ["a", "b"]).flush(only: nil)
    #expect(other.sent == 0 && other.pending == 1)
    // A process that has exited holds no lease, and its edit is found at the remote.
    let heir = try await engine("c", server, alive: ["c"]).flush(only: nil)
    #expect(heir.sent == 1)
    slow.release()
    _ = try await flush
    #expect(server.now.notes.count == 1)
    #expect(try bench.outbox.entries().isEmpty)
  }

  @Test func thisProcessIsKnownToLive() {
    let current = ProcessIdentity.current()
    #expect(current.isAlive(current.name))
    #expect(!current.isAlive("\(current.name.prefix { $0 != "-" })-1"))
    #expect(!current.isAlive("999999999-1"))
    #expect(!current.isAlive("nobody"))
  }

  @Test("a process that cannot be seen counts as running, one of an earlier boot does not") func otherPlaces() throws {
    let current = ProcessIdentity.current()
    let parts = current.name.split(separator: "@").map(String.init)
    // As an earlier version wrote it.
    #expect(current.isAlive(parts[0]) && !current.isAlive("1-1"))
    #if os(Linux)
      let place = try #require(parts.last).split(separator: "/", maxSplits: 2).map(String.init)
      try #require(parts.count == 2 && place.count == 3 && place[1].count == 36)
      let (namespace, boot, host) = (place[0], place[1], place[2])
      // Both containers have a process 1, and neither sees the other's.
      #expect(current.isAlive("1-1@4026530000/\(boot)/\(host)") && current.isAlive("1-1@4026530000/\(boot)/box/-"))
      #expect(!current.isAlive("1-1@\(namespace)/\(boot)/\(host)"))
      // This machine was started again since; of another one nothing is known.
      #expect(!current.isAlive("\(parts[0])@\(namespace)/another-boot/\(host)"))
      #expect(current.isAlive("\(parts[0])@\(namespace)/another-boot/another/machine"))
    #endif
  }
}
