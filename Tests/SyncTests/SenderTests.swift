import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

@Suite struct SenderTests {
  private func bench(_ fault: @escaping @Sendable (HTTPRequest) -> FakeSourceServer.Fault = { _ in .none }) async throws
    -> Bench
  {
    let bench = Bench(server: FakeSourceServer(coder: JSONRecordCoder(), fault: fault))
    for card in ["one", "two", "three"] { bench.server.set(card, ["a": "0", "b": "0"]) }
    _ = try await bench.sync("fake/card/one", "fake/card/two", "fake/card/three")
    return bench
  }

  @Test func anAcceptedEditLeavesTheOutbox() async throws {
    let bench = try await bench()
    try await bench.edit("one", ["a": "1"], entry: "e1")
    let place = try bench.place()
    let counts = try await bench.engine.flush(only: nil)
    #expect(counts.sent == 1 && counts.pending == 0)
    #expect(bench.server.now.cards["one"] == ["id": "one", "a": "1", "b": "0"])
    #expect(try bench.outbox.entries().isEmpty)
    // The mark before sending and the end of the entry are written; the record is already up to date.
    #expect(try bench.store.recordChanges(since: place).map(\.collection) == [.outbox, .outbox])
    #expect(try await bench.sync("fake/card/one").totals.updated == 0)
    #expect(bench.server.now.seen.filter { $0.method == .put }.count == 1)
  }

  @Test func editsThatWereNeverTriedAreSentAsOne() async throws {
    let bench = try await bench()
    try await bench.edit("one", ["a": "1"], entry: "e1")
    try await bench.edit("one", ["b": "2"], entry: "e2")
    let entries = try bench.outbox.entries()
    #expect(entries.map(\.edit) == [["a": "1", "b": "2"]])
    _ = try await bench.engine.flush(only: nil)
    #expect(bench.server.now.seen.filter { $0.method == .put }.count == 1)
  }

  @Test("the reason why an edit could not be sent is in the counts and determines the exit status, until it is sent")
  func unsentEdits() async throws {
    let isDown = Mutex(true)
    let bench = try await bench { $0.method == .put && isDown.withLock { $0 } ? .overloaded : .none }
    try await bench.edit("one", ["a": "1"], entry: "e1")
    let report = try await bench.sync("fake/card/two")
    #expect(report.follows.map(\.status) == [.unchanged])
    #expect(report.outbox.pending == 1 && report.outbox.unsent?.message.contains("503") == true)
    #expect(ExitStatus(report) == .tryLater, "the server says when to come back")
    #expect(report.outbox.fields.keys == ["sent", "pending", "conflict", "refused"])
    isDown.withLock { $0 = false }
    bench.time.advance(by: .seconds(3600))
    let again = try await bench.sync("fake/card/two")
    #expect(again.outbox.sent == 1 && again.outbox.unsent == nil && ExitStatus(again) == .done)
  }

  /// A store that cannot be written to after some commits.
  private final class UnwritableStore: WrappedStore, LoadsAtOnce {
    let base: any RecordStore
    private let error: StoreError
    private let left: Atomic<Int>

    init(base: any RecordStore, error: StoreError, after commits: Int) {
      (self.base, self.error) = (base, error)
      left = Atomic(commits)
    }

    func write<Result: Sendable>(
      _ body: (inout any StoreTransaction) throws(StoreError) -> Result
    ) async throws(StoreError) -> Committed<Result> {
      guard left.subtract(1, ordering: .relaxed).oldValue > 0 else { throw error }
      return try await base.write(body)
    }
  }

  @Test(
    "an outbox that cannot be written is in the report beside what was pulled, the run is stored, and the edit waits",
    arguments: [(StoreCode.busy, Models.ExitStatus.tryLater), (.full, .inputOutput)], [false, true])
  func unwritableOutbox(_ failure: (code: StoreCode, status: Models.ExitStatus), isSent: Bool) async throws {
    let (code, status) = failure
    let bench = try await bench()
    try await bench.edit("one", ["a": "1"], entry: "e1")
    bench.server.set("two", ["a": "5", "b": "0"])
    let outbox = UnwritableStore(base: bench.store, error: StoreError(code, "no"), after: isSent ? 1 : 0)
    bench.time.advance(by: .seconds(1))
    let runs = try bench.ids(.runs).count
    let report = try await bench.engine(outbox: outbox).sync([Follow(path: "fake/card/two")], SyncOptions())
    #expect(report.follows.map(\.status) == [.ok] && report.totals.updated == 1)
    #expect(report.outbox.pending == 1 && report.outbox.unsent?.code == .store(code))
    #expect(ExitStatus(report) == status)
    #expect(try bench.ids(.runs).count == runs + 1)
    #expect(try await bench.engine(outbox: outbox).flush(only: nil).unsent?.code == .store(code))
    // Where it was sent, what became of it is read before it is sent again.
    #expect(bench.server.now.seen.count { $0.method == .put } == (isSent ? 1 : 0))
    let again = try await bench.sync("fake/card/two")
    #expect(again.outbox.sent == 1 && again.outbox.unsent == nil)
    #expect(bench.server.now.seen.count { $0.method == .put } == 1)
  }

  @Test("an outbox that cannot be read fails a flush, and is in the report of a sync beside what was pulled")
  func unreadableOutbox() async throws {
    let bench = try await bench()
    bench.server.set("two", ["a": "5", "b": "0"])
    let outbox = InterceptedStore(bench.store) { (_) throws(StoreError) in throw StoreError(.cannotRead, "no") }
    let engine = bench.engine(outbox: outbox)
    let report = try await engine.sync([Follow(path: "fake/card/two")], SyncOptions())
    #expect(report.totals.updated == 1 && report.outbox.unsent?.code == .store(.cannotRead))
    #expect(ExitStatus(report) == .inputOutput)
    await #expect(throws: Failure.self) { try await engine.flush(only: nil) }
  }

  @Test("an edit waits for as long as its server asked, also in another process, unless it is named or sent early")
  func editsWaitForTheServer() async throws {
    let isDown = Mutex(true)
    let bench = try await bench { $0.method == .put && isDown.withLock { $0 } ? .overloaded : .none }
    func puts() -> Int { bench.server.now.seen.count { $0.method == .put } }
    try await bench.edit("one", ["a": "1"], entry: "e1")
    _ = try await bench.sync("fake/card/two")
    let (tried, begun) = (puts(), bench.time.now)
    // Each sync has an engine of its own, as another process has.
    let held = try await bench.sync("fake/card/two")
    #expect(puts() == tried && held.outbox.pending == 1)
    let message = "asked to wait until \(LocalTime(begun + 7))"
    #expect(held.outbox.unsent?.message.contains(message) == true && held.outbox.unsent?.retryAfter == 7)
    #expect(ExitStatus(held) == .tryLater)
    isDown.withLock { $0 = false }
    #expect(try await bench.sync("fake/card/two", options: SyncOptions(asksEarly: true)).outbox.sent == 1)
  }

  @Test("429 to an edit or a follow holds for all edits and follows of the server, and what waits says until when")
  func aLimitHoldsForTheServer() async throws {
    let isBusy = Mutex(true)
    let server = FakeSourceServer(coder: JSONRecordCoder())
    let transport = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      guard isBusy.withLock({ $0 }), request.method == .put || request.url.hasSuffix("/three") else {
        return try await server.send(request)
      }
      return HTTPResponse(status: 429, headers: ["Retry-After": "90"], url: request.url)
    }
    isBusy.withLock { $0 = false }
    let bench = Bench(server: server, transport: transport)
    for card in ["one", "two", "three"] { server.set(card, ["a": "0"]) }
    _ = try await bench.sync("fake/card/one", "fake/card/two", "fake/card/three")
    isBusy.withLock { $0 = true }
    func requests(_ body: () async throws -> Void) async throws -> Int {
      let before = transport.requests.count
      try await body()
      return transport.requests.count - before
    }
    for card in ["one", "two"] { try await bench.edit(card, ["a": "1"], entry: "e-\(card)") }
    _ = try await bench.engine.flush(only: nil)
    #expect(transport.requests.filter { $0.method == .put }.count == 1)
    var end = bench.time.now + 90
    #expect(try bench.outbox.entries().map(\.retryAt) == [end, end])
    bench.time.advance(by: .seconds(60))
    // Neither a new edit nor a follow is asked for, also by another process.
    try await bench.edit("three", ["a": "1"], entry: "e-three")
    let none = try await requests {
      let counts = try await bench.engine.flush(only: nil)
      #expect(counts.unsent?.retryAfter == 30 && counts.pending == 3)
      let report = try await bench.sync("fake/card/two")
      #expect(report.follows[0].error?.isStoredPause == true && report.follows[0].error?.retryAfter == 30)
    }
    #expect(none == 0)
    #expect(try bench.outbox.entries().map(\.retryAt) == [end, end, end])
    let status = try bench.engine.status([Follow(path: "fake/card/two")]).follows[0]
    #expect(status.pausedUntil == end && status.failures == 0)
    bench.time.advance(by: .seconds(31))
    // The limit that a follow meets holds for edits.
    _ = try await bench.sync("fake/card/three", options: SyncOptions(sendsEdits: false))
    end = bench.time.now + 90
    #expect(try await requests { _ = try await bench.engine.flush(only: nil) } == 0)
    #expect(try bench.outbox.entries().map(\.retryAt) == [end, end, end])
    isBusy.withLock { $0 = false }
    #expect(try await bench.engine.flush(only: ["e-two"]).sent == 1)
    #expect(try await bench.sync("fake/card/two", options: SyncOptions(sendsEdits: false)).follows[0].error == nil)
    bench.time.advance(by: .seconds(90))
    #expect(try await bench.engine.flush(only: nil).sent == 2)
  }

  @Test("a pause of the own circuit is not one that the server asked for")
  func ownPauseOfAnEdit() async throws {
    let server = FakeSourceServer(coder: JSONRecordCoder())
    let transport = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      guard request.method == .put else { return try await server.send(request) }
      throw TransportError(.circuitOpen, "requests are paused", url: request.url, retryAfter: 30, requests: 0)
    }
    let bench = try await Bench.synced(["a": "0"], server: server, transport: transport)
    try await bench.edit("one", ["a": "1"], entry: "e1")
    let counts = try await bench.engine.flush(only: nil)
    #expect(counts.unsent?.retryAfter == 30)
    let entry = try #require(try bench.outbox.entries().first)
    #expect(entry.retryAt == nil && entry.lastError == "requests are paused" && !entry.outcomeUnknown)
  }

  @Test func aRefusedEditHoldsUpNoOtherRecord() async throws {
    let bench = try await bench()
    bench.server.change { $0.refused = ["bad"] }
    try await bench.edit("one", ["a": "bad"], entry: "e1")
    try await bench.edit("two", ["a": "good"], entry: "e2")
    let counts = try await bench.engine.flush(only: nil)
    #expect(counts.sent == 1 && counts.refused == 1)
    let refused = try #require(try bench.outbox.entries().first)
    #expect(refused.state == .refused && refused.lastError?.contains("422") == true && refused.attempts == 1)
    #expect(!refused.outcomeUnknown)
    #expect(try bench.card("one")?["a"] == "bad")
    // A later edit of the same record is sent without the refused one.
    try await bench.edit("one", ["b": "fine"], entry: "e3")
    #expect(try await bench.engine.flush(only: nil).sent == 1)
    #expect(bench.server.now.cards["one"] == ["id": "one", "a": "0", "b": "fine"])
    #expect(try bench.card("one") == ["id": "one", "a": "bad", "b": "fine"])
    // A later edit that corrects the field replaces the refused one.
    try await bench.edit("one", ["a": "mended"], entry: "e4")
    _ = try await bench.engine.flush(only: nil)
    #expect(bench.server.now.cards["one"]?["a"] == "mended")
    #expect(try bench.card("one")?["a"] == "mended" && bench.outbox.entries().isEmpty)
  }

  @Test(
    "a server that cannot take one record now holds up no other",
    arguments: [FakeSourceServer.Fault.failure, .overloaded])
  func anUnavailableTargetHoldsUpNoOther(fault: FakeSourceServer.Fault) async throws {
    let bench = try await bench { $0.method == .put && $0.url.contains("/one") ? fault : .none }
    for card in ["one", "two", "three"] { try await bench.edit(card, ["a": "1"], entry: card) }
    let counts = try await bench.engine.flush(only: nil)
    #expect(counts.sent == 2 && counts.pending == 1)
    #expect(["two", "three"].allSatisfy { bench.server.now.cards[$0]?["a"] == "1" })
    #expect(try bench.outbox.entries().map(\.id) == ["one"])
  }

  @Test func onePermanent422DelaysNoOtherTarget() async throws {
    let bench = Bench()
    let cards = (0..<20).map { "c\($0)" }
    for card in cards { bench.server.set(card, ["a": "0"]) }
    _ = try await bench.engine.sync(cards.map { Follow(path: "fake/card/\($0)") }, SyncOptions())
    bench.server.change { $0.refused = ["bad"] }
    // The refused edit is the oldest, so all others follow it.
    for card in cards {
      try await bench.edit(card, ["a": card == "c0" ? "bad" : "good"], entry: card)
      bench.time.advance(by: .seconds(1))
    }
    let before = bench.time.uptime
    let counts = try await bench.engine.flush(only: nil)
    #expect(counts.sent == 19 && counts.refused == 1 && counts.pending == 0)
    #expect(bench.time.uptime == before && bench.time.sleeps.isEmpty)
    let writes = bench.server.now.seen.filter { $0.method == .put }
    #expect(writes.count == 20 && Set(writes.map(\.path)).count == 20)
    #expect(cards.dropFirst().allSatisfy { bench.server.now.cards[$0.exact]?["a"] == "good" })
    // It is not retried automatically, so it does not delay later flushes.
    _ = try await bench.engine.flush(only: nil)
    #expect(bench.server.now.seen.filter { $0.method == .put }.count == 20)
  }

  @Test func aLostAnswerIsLookedForBeforeItIsSentAgain() async throws {
    let puts = Mutex(0)
    let bench = try await bench { request in
      request.method == .put
        && puts.withLock { count in
          count += 1
          return count == 1
        } ? .lostAnswer : .none
    }
    try await bench.edit("one", ["a": "1"], entry: "e1")
    let first = try await bench.engine.flush(only: nil)
    #expect(first.sent == 0 && first.pending == 1)
    #expect(try bench.outbox.entries().map(\.outcomeUnknown) == [true])
    let second = try await bench.engine.flush(only: nil)
    #expect(second.sent == 1)
    #expect(bench.server.now.seen.filter { $0.method == .put }.count == 1)
  }

  @Test func anUnreachableServerIsAskedOnceAFlush() async throws {
    let tries = Mutex(0)
    let bench = try await bench { request in
      guard request.method == .put else { return .none }
      tries.withLock { $0 += 1 }
      return .unreachable
    }
    for card in ["one", "two", "three"] { try await bench.edit(card, ["a": "1"], entry: "e-\(card)") }
    let counts = try await bench.engine.flush(only: nil)
    #expect(counts.pending == 3)
    #expect(tries.withLock { $0 } == 1)
    #expect(try bench.outbox.entries().allSatisfy { !$0.outcomeUnknown })
  }

  @Test(
    "after a timeout the other edits of the server wait, with the reason; a record that failed comes last the next time"
  )
  func failedEditsComeLast() async throws {
    let server = FakeSourceServer(coder: JSONRecordCoder())
    let transport = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      guard request.method == .put, request.url.hasSuffix("/one") else { return try await server.send(request) }
      throw TransportError(.timeout, "no answer within 30 s", url: request.url, mayHaveArrived: true)
    }
    let bench = Bench(server: server, transport: transport)
    func puts() -> [String] {
      transport.requests.filter { $0.method == .put }.compactMap { $0.url.split(separator: "/").last.map(String.init) }
    }
    for card in ["one", "two", "three"] { server.set(card, ["a": "0"]) }
    _ = try await bench.sync("fake/card/one", "fake/card/two", "fake/card/three")
    for card in ["one", "two", "three"] {
      try await bench.edit(card, ["a": "1"], entry: "e-\(card)")
      bench.time.advance(by: .seconds(1))
    }
    let counts = try await bench.engine.flush(only: nil)
    #expect(counts.pending == 3 && counts.sent == 0 && puts() == ["one"])
    let waiting = try bench.outbox.entries().dropFirst()
    #expect(waiting.allSatisfy { $0.attempts == 0 && $0.lastError == "the server does not answer" }, "\(waiting)")
    #expect(try await bench.engine.flush(only: nil).sent == 2)
    #expect(puts().starts(with: ["one", "two", "three"]))
    #expect(transport.requests.last?.url.hasSuffix("/one") == true)
  }

  @Test func editsOfOtherFieldsMergeWithNoQuestion() async throws {
    let bench = try await bench()
    try await bench.edit("one", ["a": "mine"], entry: "e1")
    bench.server.set("one", ["b": "theirs"])
    #expect(try await bench.engine.flush(only: nil).sent == 1)
    #expect(bench.server.now.cards["one"] == ["id": "one", "a": "mine", "b": "theirs"])
    #expect(try bench.card("one") == bench.server.now.cards["one"])
  }

  @Test(arguments: ConflictSide.allCases)
  func theSameFieldOnBothSidesWaitsForAChoice(side: ConflictSide) async throws {
    let bench = try await bench()
    try await bench.edit("one", ["a": "mine"], entry: "e1")
    bench.server.set("one", ["a": "theirs"])
    let counts = try await bench.engine.flush(only: nil)
    #expect(counts.conflict == 1 && counts.sent == 0)
    let conflict = try #require(try bench.outbox.entries().first)
    #expect(conflict.edit == ["a": "mine"] && conflict.base == ["a": "0"] && conflict.theirs == ["a": "theirs"])
    #expect(try bench.card("one")?["a"] == "mine")
    #expect(bench.server.now.cards["one"]?["a"] == "theirs")
    // It stays a conflict after further flushes and pulls.
    let report = try await bench.sync("fake/card/one")
    #expect(report.outbox.conflict == 1 && report.follows[0].status == .unchanged)
    _ = try await bench.outbox.resolve("e1", take: side)
    _ = try await bench.sync("fake/card/one")
    let expected: JSONValue = side == .mine ? "mine" : "theirs"
    #expect(try bench.card("one")?["a"] == expected)
    #expect(bench.server.now.cards["one"]?["a"] == expected)
    #expect(try bench.outbox.entries().isEmpty)
  }

  @Test func onlyTheNamedEntriesAreSent() async throws {
    let bench = try await bench()
    bench.server.change { $0.refused = ["bad"] }
    try await bench.edit("three", ["a": "bad"], entry: "e-three")
    #expect(try await bench.engine.flush(only: nil).refused == 1)
    for card in ["one", "two"] { try await bench.edit(card, ["a": "1"], entry: "e-\(card)") }
    let counts = try await bench.engine.flush(only: ["e-two"])
    #expect(counts.sent == 1 && counts.pending == 0 && counts.refused == 0)
    #expect(bench.server.now.cards["two"]?["a"] == "1")
    #expect(bench.server.now.cards["one"]?["a"] == "0")
  }

  @Test func anEditMadeWhileOneIsUnderWayFollowsIt() async throws {
    let server = FakeSourceServer(coder: JSONRecordCoder())
    server.set("one", ["a": "0", "b": "0"])
    let slow = SlowTransport(server)
    let bench = Bench(server: server, transport: slow)
    _ = try await bench.sync("fake/card/one")
    try await bench.edit("one", ["a": "1"], entry: "e1")
    let engine = bench.engine
    slow.holdNextAnswer()
    async let flush = engine.flush(only: nil)
    await slow.waitUntilHeld()
    bench.time.advance(by: .seconds(1))
    try await bench.edit("one", ["a": "2", "b": "3"], entry: "e2")
    slow.release()
    #expect(try await flush.sent == 2)
    #expect(server.now.values["one/a"] == ["0", "1", "2"])
    #expect(server.now.cards["one"] == ["id": "one", "a": "2", "b": "3"])
    #expect(try bench.card("one") == server.now.cards["one"])
  }

  @Test func aRecordThatIsGoneAtTheServerKeepsItsEdit() async throws {
    let bench = Bench()
    for text in ["a", "b", "c"] { bench.server.change { $0.addNote(text) } }
    _ = try await bench.sync("fake/notes")
    let entry = OutboxEntry(
      id: "e1", target: "notes/r-n1", kind: .put, edit: ["text": "mine"], base: ["text": "a"], createdAt: bench.time.now
    )
    try await bench.put(.outbox, entry.fields)
    try await bench.put(FakeSource.notes, ["id": "r-n1", "text": "mine", "remoteID": "n1"])
    bench.server.change { $0.notes.removeFirst() }
    let report = try await bench.sync("fake/notes", options: SyncOptions(sendsEdits: false))
    #expect(report.totals.removed == 0 && report.outbox.conflict == 1)
    #expect(try bench.record(FakeSource.notes, "r-n1")?["text"] == "mine")
    _ = try await bench.outbox.resolve("e1", take: .theirs)
    #expect(try bench.record(FakeSource.notes, "r-n1") == nil)
  }

  @Test func notesAreMadeOnce() async throws {
    let posts = Mutex(0)
    let server = FakeSourceServer(coder: JSONRecordCoder(), honoursKeys: false) { request in
      guard request.method == .post else { return .none }
      return posts.withLock { count in
        count += 1
        return [.lostAnswer, .lostRequest, .failureAfter, .failure][count % 4]
      }
    }
    let bench = Bench(server: server)
    for number in 0..<8 { try await bench.add(note: "note \(number)", entry: "e\(number)") }
    for _ in 0..<12 { _ = try await bench.engine.flush(only: nil) }
    #expect(server.now.notes.map(\.text).sorted() == (0..<8).map { "note \($0)" })
    #expect(try bench.outbox.entries().isEmpty)
    let report = try await bench.sync("fake/notes")
    #expect(report.totals.added == 0 && report.totals.unchanged == 8)
  }
}

/// Entries that are requested while another process is sending them.
@Suite struct SendingElsewhereTests {
  /// A clock whose first sleep runs a closure and returns when the closure has finished.
  private final class Interlude: TimeSource {
    private let time: ManualTime
    private let event: Mutex<(@Sendable () async -> Void)?>

    init(_ time: ManualTime, _ event: @escaping @Sendable () async -> Void) {
      self.time = time
      self.event = Mutex(event)
    }

    var now: Timestamp { time.now }
    var uptime: Duration { time.uptime }

    func sleep(for duration: Duration) async throws(CancellationError) {
      try await time.sleep(for: duration)
      let event = event.withLock { event in
        defer { event = nil }
        return event
      }
      await event?()
    }
  }

  private func engine(
    _ name: String, _ bench: Bench, _ transport: any HTTPTransport, time: (any TimeSource)? = nil
  ) -> SyncEngine {
    SyncEngine(
      store: bench.store, sources: bench.sources, transport: transport, coder: bench.coder,
      time: time ?? bench.time, random: SeededRandom(), events: bench.events,
      process: ProcessIdentity(name: name) { $0 != "dead" })
  }

  /// A new note that another process is sending: the server has not answered yet.
  private func beginElsewhere() async throws -> (Bench, SlowTransport, Task<OutboxCounts, any Error>) {
    let server = FakeSourceServer(coder: Bench().coder, honoursKeys: false)
    let slow = SlowTransport(server)
    let bench = Bench(server: server, transport: slow)
    try await bench.add(note: "hello", entry: "e1")
    slow.holdNextAnswer()
    let other = engine("a", bench, slow)
    let sending = Task { try await other.flush(only: nil) }
    await slow.waitUntilHeld()
    return (bench, slow, sending)
  }

  @Test("edits that the other process sends are not sent again", arguments: [true, false])
  func isWaitedFor(otherSucceeds: Bool) async throws {
    let (bench, slow, sending) = try await beginElsewhere()
    let time = Interlude(bench.time) {
      // The other process finishes, or dies with its lease released and the outcome unknown.
      if otherSucceeds {
        slow.release()
        _ = try? await sending.value
      } else {
        try? await bench.put(.state, ["id": "sending/notes/l-e1", "process": "dead", "until": "2000-01-01T00:00:00Z"])
      }
    }
    let counts = try await engine("b", bench, bench.server, time: time).flush(only: ["e1"])
    #expect(counts.sent == (otherSucceeds ? 0 : 1) && counts.pending == 0)
    #expect(try bench.outbox.entries().isEmpty)
    #expect(bench.server.now.notes.count == 1)
    if !otherSucceeds {
      slow.release()
      _ = try? await sending.value
    }
  }

  @Test("an edit says which process it waits for, and until when; one that has lost the lead withdraws its mark")
  func hold() async throws {
    let server = FakeSourceServer(coder: Bench().coder, honoursKeys: false)
    let slow = SlowTransport(server)
    let bench = Bench(server: server, transport: slow)
    try await bench.add(note: "hello", entry: "e1")
    slow.holdNextAnswer()
    let (lead, name) = (Lead(), "4711-1@1/boot/db1/id")
    lead.holder = name
    let alive: @Sendable (String) -> Bool = { _ in true }
    let paused = SyncEngine(
      store: bench.store, outbox: LeadingStore(base: bench.store, lead: lead, name: name), sources: bench.sources,
      transport: slow, coder: bench.coder, time: bench.time, random: SeededRandom(), events: bench.events,
      process: ProcessIdentity(name: name, isAlive: alive))
    let sending = Task { try await paused.flush(only: nil) }
    await slow.waitUntilHeld()
    var outbox = bench.outbox
    outbox.process = ProcessIdentity(name: "b", isAlive: alive)
    let hold = EditHold(process: "4711 on db1", until: bench.time.now + 900)
    #expect(try outbox.holds() == ["notes/l-e1": hold])
    let entry = try #require(try outbox.entries().first)
    let waitsFor: JSONValue = ["process": "4711 on db1", "until": .string(hold.until.description)]
    #expect(try entry.printed(heldBy: outbox.holds())["waitsFor"] == waitsFor)
    #expect(try await engine("b", bench, server).flush(only: nil).pending == 1)
    lead.holder = "b"
    slow.release()
    #expect(try await sending.value.unsent?.code == .store(.leaseLost))
    #expect(try outbox.holds().isEmpty)
    #expect(try await engine("b", bench, server).flush(only: nil).sent == 1)
    #expect(server.now.notes.count == 1)
  }

  @Test("a mark is withdrawn as soon as the store can be reached again")
  func withdrawnLater() async throws {
    let server = FakeSourceServer(coder: Bench().coder, honoursKeys: false)
    let slow = SlowTransport(server)
    let bench = Bench(server: server, transport: slow)
    try await bench.add(note: "hello", entry: "e1")
    slow.holdNextAnswer()
    let store = UnreachableStore(inner: bench.store)
    let paused = SyncEngine(
      store: store, sources: bench.sources, transport: slow, coder: bench.coder, time: bench.time,
      random: SeededRandom(), events: bench.events, process: ProcessIdentity(name: "a") { _ in true })
    let sending = Task { try await paused.flush(only: nil) }
    await slow.waitUntilHeld()
    // The answer cannot be stored, and neither can the end of the mark, three times.
    store.left = 4
    slow.release()
    #expect(try await sending.value.unsent?.code == .store(.unreachable))
    var outbox = bench.outbox
    outbox.process = ProcessIdentity(name: "b") { _ in true }
    while try !outbox.holds().isEmpty { await Task.yield() }
    #expect(store.left == 0)
    #expect(try await engine("b", bench, server).flush(only: nil).sent == 1)
    #expect(server.now.notes.count == 1)
  }

  @Test("an error reports that the other process takes too long, and nothing is sent")
  func isNotWaitedForEver() async throws {
    let (bench, slow, sending) = try await beginElsewhere()
    let mine = engine("b", bench, bench.server)
    let failure = await #expect(throws: Failure.self) { _ = try await mine.flush(only: ["e1"]) }
    #expect(failure?.reason == .tryLater && failure?.retryable == true)
    // A flush of all entries does not wait.
    #expect(try await mine.flush(only: nil).pending == 1)
    slow.release()
    #expect(try await sending.value.sent == 1)
    #expect(bench.server.now.notes.count == 1)
  }
}
