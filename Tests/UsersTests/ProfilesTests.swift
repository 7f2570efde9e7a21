import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Testing
import Users

struct ProfilesTests {
  private let store = InMemoryRecordStore()
  private let coder = JSONRecordCoder()
  private let ada = Profile(id: "ada", name: "Ada", email: "ada@example.org", description: "first")

  private let profiles: Profiles

  init() {
    profiles = Profiles(
      store: store, coder: coder,
      edits: OutboxEdits(
        coder: coder, catalog: CollectionCatalog([UsersSource.descriptor]), time: ManualTime(),
        random: SeededRandom(seed: 7)))
  }

  private func put(_ records: [any Record]) async throws { try await store.put(records, coder) }

  private func entries() throws -> [OutboxEntry] { try store.snapshot().all(OutboxEntry.self, coder) }

  @Test(arguments: [
    ProfileChange(name: ""), ProfileChange(name: " \u{3000}", email: "a@b.c"), ProfileChange(email: ""),
  ])
  func noNameAndNoAddressAreRefusedHere(_ change: ProfileChange) async throws {
    try await put([ada])
    let error = await #expect(throws: Failure.self) { try await profiles.edit("ada", change) }
    #expect(error?.reason == .usage)
    #expect(try profiles.profile("ada") == ada)
    #expect(try entries().isEmpty)
    // A description may be empty: nobody needs one.
    #expect(try await profiles.edit("ada", ProfileChange(description: .set(""))).description == "")
  }

  @Test(arguments: ["nomail", "@example.org", "ada@", "Ada <ada@example.org>"])
  func whatIsNoMailAddressIsRefused(_ text: String) async throws {
    try await put([ada])
    let error = await #expect(throws: Failure.self) { try await profiles.edit("ada", ProfileChange(email: text)) }
    #expect(error?.reason == .usage && error?.path == "email" && error?.hint?.contains("ada@example.org") == true)
    #expect(try profiles.profile("ada") == ada && entries().isEmpty)
    // What the server has is not judged.
    try await put([Profile(id: "bo", name: "Bo", email: text)])
    #expect(try await profiles.edit("bo", ProfileChange(name: "B", email: text)).name == "B")
  }

  /// Two commands within one second, whose edits have the same time.
  @Test func editsOfOneSecondAreInTheOrderOfTheirCommits() async throws {
    struct Clock: TimeSource {
      let base: ManualTime
      var now: Timestamp { base.now }
      var milliseconds: Int { base.now.secondsSinceEpoch * 1000 + Int(base.uptime / .milliseconds(1)) % 1000 }
      var uptime: Duration { base.uptime }
      func sleep(for duration: Duration) async throws(CancellationError) { try await base.sleep(for: duration) }
    }
    let time = ManualTime()
    let profiles = Profiles(
      store: store, coder: coder,
      edits: OutboxEdits(
        coder: coder, catalog: CollectionCatalog([UsersSource.descriptor]), time: Clock(base: time),
        random: SeededRandom(seed: 7)))
    let names = (0..<9).map { "user\($0)" }
    try await put(names.map { Profile(id: $0, name: "N", email: "n@example.org") })
    for name in names.reversed() {
      _ = try await profiles.edit(name, ProfileChange(name: "M"))
      time.advance(by: .milliseconds(7))
    }
    #expect(try entries().map(\.targetID) == names.reversed())
    #expect(Set(try entries().map(\.createdAt)).count == 1)
  }

  @Test func anUnknownProfileIsNotFound() async throws {
    let shown = #expect(throws: Failure.self) { try profiles.profile("bob") }
    #expect(shown?.reason == .notFound)
    let edited = await #expect(throws: Failure.self) { try await profiles.edit("bob", ProfileChange(name: "B")) }
    #expect(edited?.reason == .notFound)
    #expect(try entries().isEmpty)
  }

  @Test func anEditIsHereAtOnceAndQueuedInTheSameCommit() async throws {
    try await put([ada])
    let before = try store.snapshot().sequence
    let edited = try await profiles.edit("ada", ProfileChange(name: "Ada L.", description: .clear))
    #expect(edited == Profile(id: "ada", name: "Ada L.", email: "ada@example.org"))
    #expect(try profiles.profile("ada") == edited)
    #expect(try store.snapshot().sequence == before + 1)
    let entry = try #require(try entries().first)
    #expect(entry.target == "profiles/ada")
    #expect(entry.kind == .put)
    #expect(entry.edit == ["name": "Ada L.", "description": .null])
    #expect(entry.base == ["name": "Ada", "description": "first"])
    #expect(entry.state == .pending)
  }

  @Test func anEditAfterARefusalStandsOnWhatWasSeen() async throws {
    // The refused name still stands here, so nobody has seen what the remote made of it meanwhile.
    var seen = ada
    seen.name = "Refused"
    let remote: JSONObject = ["id": "ada", "name": "Theirs", "email": "ada@example.org", "description": "first"]
    let sourceState: JSONObject = ["id": "remote/profiles/ada", "memory": .object(["base": .object(remote)])]
    let refused = OutboxEntry(
      id: "e1", target: "profiles/ada", kind: .put, edit: ["name": "Refused"], base: ["name": "Ada"],
      theirs: ["name": "Theirs"], attempts: 1, state: .refused, createdAt: Timestamp(secondsSinceEpoch: 0))
    try await put([seen, refused])
    try await store.put(sourceState, in: .state, coder)
    _ = try await profiles.edit("ada", ProfileChange(name: "Again", email: "new@example.org"))
    let entry = try #require(try entries().first { $0.id != "e1" })
    #expect(entry.base == ["name": "Ada", "email": "ada@example.org"])
  }

  @Test func whatIsTheSameChangesNothing() async throws {
    try await put([ada])
    let before = try store.snapshot().sequence
    _ = try await profiles.edit("ada", ProfileChange(name: "Ada", description: .set("first")))
    _ = try await profiles.edit("ada", ProfileChange())
    #expect(try store.snapshot().sequence == before)
  }

  @Test func anUnsentEntryTakesTheNextEditUp() async throws {
    try await put([ada])
    _ = try await profiles.edit("ada", ProfileChange(name: "A"))
    _ = try await profiles.edit("ada", ProfileChange(name: "B", email: "b@example.org"))
    let entries = try entries()
    #expect(entries.count == 1)
    #expect(entries[0].edit == ["name": "B", "email": "b@example.org"])
    #expect(entries[0].base == ["name": "Ada", "email": "ada@example.org"])
  }

  @Test func backToWhatTheRemoteHasLeavesNothingToSend() async throws {
    try await put([ada])
    _ = try await profiles.edit("ada", ProfileChange(name: "A", email: "b@example.org"))
    _ = try await profiles.edit("ada", ProfileChange(name: "Ada"))
    #expect(try entries().map(\.edit) == [["email": "b@example.org"]])
    _ = try await profiles.edit("ada", ProfileChange(email: "ada@example.org"))
    #expect(try entries().isEmpty)
  }

  @Test func whatWasTriedIsLeftAsItWasSent() async throws {
    try await put([ada])
    _ = try await profiles.edit("ada", ProfileChange(name: "A"))
    var tried = try #require(try entries().first)
    tried.attempts = 1
    tried.outcomeUnknown = true
    try await put([tried])
    // Back to what the remote had: the try that may arrive must still be undone.
    _ = try await profiles.edit("ada", ProfileChange(name: "Ada"))
    let entries = try entries().sorted { $0.attempts > $1.attempts }
    try #require(entries.count == 2)
    #expect(entries[0] == tried)
    #expect(entries[1].edit == ["name": "Ada"])
    #expect(entries[1].createdAt > entries[0].createdAt)
    #expect(entries[1].base == ["name": "Ada"])
  }

  @Test func theBaseIsWhatTheRemoteLastHad() async throws {
    try await put([ada])
    let memory: JSONObject = ["base": .object(Profile(id: "ada", name: "Augusta", email: "a@b").fields)]
    try await store.put(["id": "remote/profiles/ada", "memory": .object(memory)], in: .state, coder)
    _ = try await profiles.edit("ada", ProfileChange(name: "A", description: .set("x")))
    #expect(try entries().first?.base == ["name": "Augusta", "description": .null])
  }

  @Test func membersThatNobodyKnowsStay() async throws {
    var fields = ada.fields
    fields["shoeSize"] = 38
    try await store.put(fields, in: .profiles, coder)
    _ = try await profiles.edit("ada", ProfileChange(description: .clear))
    let bytes = try #require(try store.snapshot().record(.profiles, "ada"))
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "{\"id\":\"ada\",\"name\":\"Ada\",\"email\":\"ada@example.org\",\"shoeSize\":38}")
  }

  @Test func afterAFailedCommitNothingIsChanged() async throws {
    try await put([ada])
    store.failNextCommit(with: StoreError(.busy, "busy"))
    let error = await #expect(throws: Failure.self) { try await profiles.edit("ada", ProfileChange(name: "A")) }
    #expect(error?.reason == .tryLater)
    #expect(try profiles.profile("ada") == ada)
    #expect(try entries().isEmpty)
  }
}
