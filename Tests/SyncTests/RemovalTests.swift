import AlmanacTesting
import Models
import Ports
import Sync
import Testing

@Suite struct RemovalTests {
  private func bench(notes count: Int) async throws -> Bench {
    let bench = Bench()
    for number in 0..<count { bench.server.change { $0.addNote("note \(number)") } }
    _ = try await bench.sync("fake/notes")
    return bench
  }

  @Test func whatIsGoneFromTheListGoes() async throws {
    let bench = try await bench(notes: 6)
    bench.server.change { $0.notes.removeFirst(3) }
    let report = try await bench.sync("fake/notes")
    #expect(report.totals.removed == 3)
    #expect(report.totals.unchanged == 3)
    #expect(try bench.ids(FakeSource.notes) == ["r-n4", "r-n5", "r-n6"])
    #expect(try bench.ids(.state).filter { $0.hasPrefix("remote/notes/") }.count == 3)
  }

  @Test(arguments: [(6, 4), (3, 2), (3, 3), (100, 51)])
  func aListThatLosesMostOfItsRecordsIsNotApplied(had: Int, lost: Int) async throws {
    let bench = try await bench(notes: had)
    bench.server.change { state in
      state.notes.removeFirst(lost)
      state.addNote("new")
    }
    let place = try bench.place()
    let report = try await bench.sync("fake/notes")
    #expect(report.follows.map(\.status) == [.failed])
    let error = try #require(report.follows.first?.error)
    #expect(error.code == .own(.massRemoval))
    #expect(error.kind == .api)
    #expect(error.hint?.contains("SyncOptions.force") == true)
    #expect(error.message.contains("\(lost) of \(had)"))
    #expect(try bench.store.recordChanges(since: place).isEmpty)
    let forced = try await bench.sync("fake/notes", options: SyncOptions(force: true))
    #expect(forced.totals.removed == lost)
    #expect(forced.totals.added == 1)
  }

  @Test(arguments: [(1, 1), (2, 2), (4, 2)])
  func shortListsAndHalvesAreApplied(had: Int, lost: Int) async throws {
    let bench = try await bench(notes: had)
    bench.server.change { $0.notes.removeFirst(lost) }
    #expect(try await bench.sync("fake/notes").totals.removed == lost)
  }

  @Test func whatWasChangedHereSinceStays() async throws {
    let bench = try await bench(notes: 4)
    try await bench.put(FakeSource.notes, ["id": "r-n1", "text": "my own words", "remoteID": "n1"])
    bench.server.change { $0.notes.removeFirst(2) }
    let report = try await bench.sync("fake/notes")
    #expect(report.totals.removed == 1)
    #expect(try bench.record(FakeSource.notes, "r-n1")?["text"] == "my own words")
  }
}

/// Records that are removed on one side while the other side keeps, changes or removes them.
@Suite struct DeletionTests {
  private func bench() async throws -> Bench { try await Bench.synced(["a": "0", "b": "0"]) }

  @Test func aRemovedRecordIsRemovedThere() async throws {
    let bench = try await bench()
    let entry = try #require(try await bench.remove(FakeSource.cards, "one", entry: "e1"))
    #expect(entry.kind == .delete && entry.edit.isEmpty && entry.base == ["id": "one", "a": "0", "b": "0"])
    #expect(try bench.card("one") == nil)
    // A pull does not restore it.
    let pulled = try await bench.sync("fake/card/one", options: SyncOptions(full: true, sendsEdits: false))
    #expect(pulled.totals.added == 0 && pulled.outbox.pending == 1)
    #expect(try await bench.engine.flush(only: nil).sent == 1)
    #expect(bench.server.now.cards["one"] == nil && bench.server.now.removals.map(\.entry) == ["e1"])
    #expect(try bench.outbox.entries().isEmpty)
    #expect(try bench.ids(.state).allSatisfy { !$0.hasPrefix("remote/") })
  }

  @Test func editsThatWereNotSentGoWithTheRecord() async throws {
    let bench = try await bench()
    try await bench.edit("one", ["a": "mine"], entry: "e1")
    let entry = try #require(try await bench.remove(FakeSource.cards, "one", entry: "e2"))
    #expect(entry.base["a"] == "0")
    #expect(try bench.outbox.entries().map(\.id) == ["e2"])
    _ = try await bench.engine.flush(only: nil)
    #expect(bench.server.now.seen.map(\.method) == [.get, .delete])
  }

  @Test func removingARecordInConflictIsAConflict() async throws {
    let bench = try await bench()
    try await bench.edit("one", ["a": "mine"], entry: "e1")
    bench.server.set("one", ["a": "theirs"])
    #expect(try await bench.engine.flush(only: nil).conflict == 1)
    let entry = try #require(try await bench.remove(FakeSource.cards, "one", entry: "e2"))
    #expect(entry.state == .conflict && entry.base["a"] == "0" && entry.theirs?["a"] == "theirs")
    #expect(try await bench.engine.flush(only: nil).conflict == 1)
    #expect(bench.server.now.cards["one"]?["a"] == "theirs")
  }

  @Test func whatWasNeverSentNeedsNoRemoval() async throws {
    let bench = Bench()
    try await bench.add(note: "hello", entry: "e1")
    #expect(try await bench.remove(FakeSource.notes, "l-e1", entry: "e2") == nil)
    #expect(try bench.outbox.entries().isEmpty)
    #expect(try await bench.remove(FakeSource.notes, "l-e1", entry: "e3") == nil)
  }

  @Test func aNewRecordThatMayHaveArrivedIsSettledFirst() async throws {
    let lost = FaultOnce(.post, .lostAnswer)
    let bench = Bench(server: FakeSourceServer(coder: Bench().coder, honoursKeys: false) { lost.next($0) })
    try await bench.add(note: "hello", entry: "e1")
    _ = try await bench.engine.flush(only: nil)
    try await bench.remove(FakeSource.notes, "l-e1", entry: "e2")
    #expect(try bench.outbox.entries().map(\.kind) == [.post, .delete])
    #expect(try await bench.engine.flush(only: nil).sent == 2)
    #expect(bench.server.now.notes.isEmpty)
    #expect(bench.server.now.seen.filter { $0.method == .post }.count == 1)
    #expect(try bench.ids(FakeSource.notes).isEmpty && bench.outbox.entries().isEmpty)
  }

  @Test(arguments: [FakeSourceServer.Fault.lostAnswer, .lostRequest, .failureAfter])
  func aLostAnswerIsLookedForBeforeItIsSentAgain(fault: FakeSourceServer.Fault) async throws {
    let lost = FaultOnce(.delete, fault)
    let bench = try await Bench.synced(["a": "0"], server: FakeSourceServer(coder: Bench().coder) { lost.next($0) })
    try await bench.remove(FakeSource.cards, "one", entry: "e1")
    _ = try await bench.engine.flush(only: nil)
    #expect(try bench.outbox.entries().map(\.outcomeUnknown) == [true])
    bench.time.advance(by: .seconds(60))
    #expect(try await bench.engine.flush(only: nil).sent == 1)
    #expect(bench.server.now.removals.count == 1)
    #expect(try bench.outbox.entries().isEmpty)
  }

  /// A push or a pull reads the remote's record.
  @Test(arguments: ConflictSide.allCases, [true, false])
  func editedThereWhileRemovedHereIsAConflict(side: ConflictSide, isPulled: Bool) async throws {
    let bench = try await bench()
    try await bench.remove(FakeSource.cards, "one", entry: "e1")
    bench.server.set("one", ["b": "theirs"])
    if isPulled {
      let report = try await bench.sync("fake/card/one", options: SyncOptions(sendsEdits: false))
      #expect(report.outbox.conflict == 1 && report.totals.added == 0)
    } else {
      #expect(try await bench.engine.flush(only: nil).conflict == 1)
    }
    let conflict = try #require(try bench.outbox.entries().first)
    #expect(conflict.theirs == ["id": "one", "a": "0", "b": "theirs"])
    #expect(try bench.card("one") == nil)
    // It stays a conflict after further pulls.
    #expect(try await bench.sync("fake/card/one", options: SyncOptions(full: true)).outbox.conflict == 1)
    _ = try await bench.outbox.resolve("e1", take: side)
    _ = try await bench.sync("fake/card/one")
    #expect(try bench.outbox.entries().isEmpty)
    let expected: JSONObject? = side == .mine ? nil : ["id": "one", "a": "0", "b": "theirs"]
    #expect(bench.server.now.cards["one"] == expected)
    #expect(try bench.card("one") == expected)
  }

  /// The tag is another one, so what no field shows may be another, too.
  @Test func aConflictWithAnotherTagWaitsForADecision() async throws {
    let bench = try await bench()
    try await bench.remove(FakeSource.cards, "one", entry: "e1")
    bench.server.set("one", ["b": "theirs"])
    _ = try await bench.sync("fake/card/one", options: SyncOptions(sendsEdits: false))
    bench.server.set("one", ["b": "0"])
    #expect(try await bench.sync("fake/card/one").outbox.sent == 0)
    #expect(try bench.outbox.entries().map(\.state) == [.conflict] && bench.server.now.cards["one"] != nil)
    _ = try await bench.outbox.resolve("e1", take: .mine)
    #expect(try await bench.sync("fake/card/one").outbox.sent == 1)
    #expect(bench.server.now.cards["one"] == nil)
  }

  /// A program may store a record again while its removal is pending.
  @Test(.timeLimit(.minutes(10))) func aRecordThatIsStoredAgainDoesNotKeepItsRemoval() async throws {
    let bench = try await bench()
    try await bench.remove(FakeSource.cards, "one", entry: "e1")
    try await bench.put(FakeSource.cards, ["id": "one", "a": "again"])
    #expect(try await bench.engine.flush(only: nil).pending == 0)
    #expect(try bench.outbox.entries().isEmpty)
    #expect(try bench.card("one") == ["id": "one", "a": "again"] && bench.server.now.cards["one"] == nil)
  }

  @Test func removedOnBothSidesIsSettled() async throws {
    for isPulled in [true, false] {
      let bench = try await bench()
      try await bench.remove(FakeSource.cards, "one", entry: "e1")
      bench.server.change { $0.remove("one") }
      if isPulled {
        _ = try await bench.sync("fake/card/one", options: SyncOptions(sendsEdits: false))
      } else {
        #expect(try await bench.engine.flush(only: nil).sent == 1)
      }
      #expect(try bench.outbox.entries().isEmpty)
      #expect(try bench.ids(.state).allSatisfy { !$0.hasPrefix("remote/") })
    }
  }

  @Test func discardingBringsTheRecordBack() async throws {
    let bench = try await bench()
    try await bench.edit("one", ["a": "mine"], entry: "e1")
    try await bench.remove(FakeSource.cards, "one", entry: "e2")
    _ = try await bench.outbox.discard("e2")
    #expect(try bench.card("one") == ["id": "one", "a": "0", "b": "0"])
    #expect(try bench.outbox.entries().isEmpty)
    #expect(try await bench.sync("fake/card/one").follows.map(\.status) == [.unchanged])
    #expect(bench.server.now.cards["one"] != nil)
  }

  /// A push or a pull reads the removal, with an edit of a field that had no value.
  @Test(arguments: ConflictSide.allCases, [true, false])
  func removedThereWhileEditedHereIsAConflict(side: ConflictSide, isPulled: Bool) async throws {
    let bench = try await bench()
    try await bench.edit("one", ["c": "mine"], entry: "e1")
    bench.server.change { $0.remove("one") }
    if isPulled {
      let report = try await bench.sync("fake/card/one", options: SyncOptions(sendsEdits: false))
      #expect(report.outbox.conflict == 1 && report.totals.removed == 0)
    } else {
      #expect(try await bench.engine.flush(only: nil).conflict == 1)
    }
    #expect(try bench.outbox.entries().map(\.theirs) == [["c": .null]])
    _ = try await bench.outbox.resolve("e1", take: side)
    // A pull between the decision and the push does not reopen the conflict.
    #expect(try await bench.sync("fake/card/one", options: SyncOptions(sendsEdits: false)).outbox.conflict == 0)
    _ = try await bench.engine.flush(only: nil)
    let expected: JSONObject? = side == .theirs ? nil : ["id": "one", "a": "0", "b": "0", "c": "mine"]
    #expect(try bench.card("one") == expected)
    #expect(bench.server.now.cards["one"] == expected)
    #expect(try bench.outbox.entries().isEmpty)
  }

  /// An edit of a record whose removal is already known, beside one that is in conflict with the removal.
  @Test(arguments: ConflictSide.allCases)
  func acceptingARemovalAsksForEveryOtherEdit(side: ConflictSide) async throws {
    let bench = try await bench()
    try await bench.edit("one", ["a": "mine"], entry: "e1")
    bench.server.change { $0.remove("one") }
    _ = try await bench.sync("fake/card/one")
    try await bench.edit("one", ["c": "later"], entry: "e2")
    _ = try await bench.outbox.resolve("e1", take: .theirs)
    #expect(try bench.outbox.entries().map(\.state) == [.conflict])
    #expect(try await bench.sync("fake/card/one").outbox.conflict == 1)
    #expect(bench.server.now.cards["one"] == nil)
    _ = try await bench.outbox.resolve("e2", take: side)
    _ = try await bench.sync("fake/card/one")
    let expected: JSONObject? = side == .theirs ? nil : ["id": "one", "a": "0", "b": "0", "c": "later"]
    #expect(try bench.card("one") == expected && bench.server.now.cards["one"] == expected)
    #expect(try bench.outbox.entries().isEmpty)
  }

  /// The pull before the second attempt of the edit reads a value that the user has not seen.
  @Test func anEditThatMayHaveArrivedReplacesNothingUnseenBeforeTheRemoval() async throws {
    let lost = FaultOnce(.put, .lostRequest)
    let bench = try await Bench.synced(
      ["a": "0", "b": "0"], server: FakeSourceServer(coder: Bench().coder) { lost.next($0) })
    try await bench.edit("one", ["a": "mine"], entry: "e1")
    _ = try await bench.engine.flush(only: nil)
    try await bench.remove(FakeSource.cards, "one", entry: "e2")
    bench.server.set("one", ["a": "theirs"])
    bench.time.advance(by: .seconds(60))
    #expect(try await bench.sync("fake/card/one").outbox.conflict == 1)
    #expect(bench.server.now.values["one/a"] == ["0", "theirs"])
    #expect(try bench.outbox.entries().map(\.id) == ["e2"])
  }

  @Test func aRefusedRemovalWaitsForADecision() async throws {
    let bench = try await bench()
    try await bench.remove(FakeSource.cards, "one", entry: "e1")
    var refused = try #require(try bench.outbox.entries().first)
    refused.state = .refused
    try await bench.put(.outbox, refused.fields)
    bench.server.set("one", ["a": "theirs"])
    _ = try await bench.sync("fake/card/one")
    #expect(try bench.card("one") == nil)
    #expect(try bench.outbox.entries().map(\.state) == [.refused])
    #expect(try await bench.outbox.retry("e1").map(\.state) == [.conflict])
  }
}

/// Injects one fault, at the first request with a method.
private final class FaultOnce: Sendable {
  private let method: HTTPRequest.Method
  private let fault: FakeSourceServer.Fault
  private let kill = Kill(after: 1)

  init(_ method: HTTPRequest.Method, _ fault: FakeSourceServer.Fault) { (self.method, self.fault) = (method, fault) }

  func next(_ request: HTTPRequest) -> FakeSourceServer.Fault {
    guard request.method == method, !kill.isDead else { return .none }
    _ = kill.step()
    return fault
  }
}
