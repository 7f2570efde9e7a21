import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Testing
import Users

extension PushOutcome {
  fileprivate var accepted: RemoteRecord? { if case .accepted(let remote) = self { remote } else { nil } }
}

/// The contract of edits of profiles.
struct UsersPushTests {
  private static let source = UsersSource(
    user: UserEnvelopeParser(), coder: JSONRecordCoder(), settings: Settings.Server(url: "https://users.example"))

  /// What a pull keeps of the user as the server has it now.
  private func copy(of users: FakeUsers) async throws -> RemoteCopy {
    let page = try await Self.source.pull(Follow(path: "users/ada"), over: users.transport)
    let change = try #require(page.changes.first)
    return RemoteCopy(base: change.base, sourceState: change.sourceState ?? [:])
  }

  private func entry(_ edit: JSONObject, base: JSONObject, outcomeUnknown: Bool = false) -> OutboxEntry {
    OutboxEntry(
      id: "e", target: "profiles/ada", kind: .put, edit: edit, base: base, outcomeUnknown: outcomeUnknown,
      createdAt: Timestamp(secondsSinceEpoch: 0))
  }

  private func push(
    _ entry: OutboxEntry, _ users: FakeUsers, _ copy: RemoteCopy, record: JSONObject? = nil
  ) async throws -> PushOutcome {
    try await Self.source.push(
      entry,
      PushContext(
        transport: users.transport, record: record ?? copy.base ?? [:], base: copy.base, sourceState: copy.sourceState,
        snapshot: try InMemoryRecordStore().snapshot(), now: Timestamp(secondsSinceEpoch: 0),
        changes: GuardedChanges(.everything))
    )
  }

  @Test(arguments: FakeUsers.Tags.allCases) func sendsTheWholeUser(tags: FakeUsers.Tags) async throws {
    let users = FakeUsers(tags: tags)
    let copy = try await copy(of: users)
    let outcome = try await push(entry(["name": "Ada L."], base: ["name": "Ada"]), users, copy)
    let remote = try #require(outcome.accepted, "\(outcome)")
    #expect(remote.fields["name"] == "Ada L.")
    #expect(remote.base?["name"] == "Ada L.")
    #expect(users.user == ["name": "Ada L.", "email": "ada@example.org", "description": "first"])
    let put = try #require(users.requests.last { $0.method == .put })
    #expect(put.headers["Content-Type"] == "application/json")
    #expect(
      String(decoding: put.body ?? [], as: UTF8.self)
        == "{\"userId\":\"ada\",\"name\":\"Ada L.\",\"email\":\"ada@example.org\",\"description\":\"first\"}")
    #expect(put.isRepeatable == (put.headers["If-Match"] == nil ? false : nil), "only a tag guards a second one")
    if tags == .strong {
      #expect(users.methods == [.get, .put])
      #expect(put.headers["If-Match"] == "\"1\"")
    }
  }

  @Test func aClearedDescriptionIsLeftOut() async throws {
    let users = FakeUsers()
    let copy = try await copy(of: users)
    _ = try await push(entry(["description": .null], base: ["description": "first"]), users, copy)
    #expect(users.user["description"] == nil)
  }

  /// The other side changed something else: the edit must not undo it.
  @Test(arguments: FakeUsers.Tags.allCases) func disjointEditsBothStay(tags: FakeUsers.Tags) async throws {
    let users = FakeUsers(tags: tags)
    var copy = try await copy(of: users)
    users.change(["email": "new@example.org"])
    let edit = entry(["name": "Ada L."], base: ["name": "Ada"])
    // An engine merges what is newer, and sends again.
    for _ in 0..<3 {
      switch try await push(edit, users, copy) {
      case .accepted:
        #expect(users.user == ["name": "Ada L.", "email": "new@example.org", "description": "first"])
        return
      case .remoteIsNewer(let remote):
        #expect(remote.fields["email"] == "new@example.org")
        copy = RemoteCopy(base: remote.base, sourceState: remote.sourceState ?? [:])
      case .removed: Issue.record("the user is there")
      }
    }
    Issue.record("never accepted")
  }

  @Test(arguments: [200, 422]) func anErrorIsARefusalWithItsMessage(status: Int) async throws {
    let users = FakeUsers()
    let copy = try await copy(of: users)
    users.prepare([.status(status, "{\"error\":{\"code\":\"E1\",\"message\":\"bad mail\"}}")])
    let error = await #expect(throws: SourceError.self) {
      try await push(entry(["email": "bad"], base: ["email": "ada@example.org"]), users, copy)
    }
    #expect(error?.disposition == .refused && error?.failure.message.contains("bad mail") == true)
    #expect(users.user["email"] == "ada@example.org")
  }

  @Test(arguments: [200, 204]) func anAnswerWithoutContentIsEnough(status: Int) async throws {
    let users = FakeUsers()
    let copy = try await copy(of: users)
    users.prepare([.status(status, "")])
    let outcome = try await push(entry(["name": "Ada L."], base: ["name": "Ada"]), users, copy)
    let ada = Profile(id: "ada", name: "Ada L.", email: "ada@example.org", description: "first").fields
    #expect(outcome == .accepted(RemoteRecord(ada, base: ada, sourceState: [:])))
  }

  /// Another edit of the same profile stands in the record here, and is not sent before its turn.
  @Test func onlyThisEditIsSent() async throws {
    let users = FakeUsers()
    let copy = try await copy(of: users)
    let here = Profile(id: "ada", name: "Ada L.", email: "refused", description: "first").fields
    _ = try await push(entry(["name": "Ada L."], base: ["name": "Ada"]), users, copy, record: here)
    #expect(users.user["email"] == "ada@example.org")
  }

  @Test func newPeopleAndOtherTargetsAreRefused() async throws {
    let users = FakeUsers()
    for (operation, target) in [(OutboxEntry.Kind.post, "profiles/ada"), (.put, "people/ada")] {
      let entry = OutboxEntry(
        id: "e", target: target, kind: operation, edit: [:], base: [:], createdAt: Timestamp(secondsSinceEpoch: 0))
      let error = await #expect(throws: SourceError.self) { try await push(entry, users, RemoteCopy()) }
      #expect(error?.disposition == .refused)
    }
    #expect(users.requests.isEmpty)
  }
}
