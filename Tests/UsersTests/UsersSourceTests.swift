import AlmanacTesting
import Models
import Parsing
import Ports
import Testing
import Users

struct UsersSourceTests {
  private let source = UsersSource(
    user: UserEnvelopeParser(), coder: JSONRecordCoder(), settings: Settings.Server(url: "https://users.example/"))
  private let store = InMemoryRecordStore()

  private func pull(
    _ transport: any HTTPTransport, _ path: String = "users/ada", sourceState: JSONObject = [:]
  ) async throws -> PullPage {
    try await source.pull(Follow(path: path), over: transport, in: store, sourceState: sourceState)
  }

  @Test(arguments: ["users/ada", "users/ada lovelace", "users/ada@example.org", "users/2"])
  func followIsTaken(path: String) throws { try source.check(Follow(path: path)) }

  @Test(arguments: ["users", "users/", "users/a/b", "users/..", "users/.", "user/ada", "users/a\u{1}"])
  func followIsRefused(path: String) {
    let error = #expect(throws: FollowError.self) { try source.check(Follow(path: path)) }
    #expect(error?.allowed.contains("users/ID") == true)
  }

  @Test(arguments: [true, false]) func pullsTheUser(wraps: Bool) async throws {
    let users = FakeUsers(wraps: wraps)
    let page = try await pull(users.transport)
    #expect(users.requests.map(\.url) == ["https://users.example/user/ada"])
    let change = try #require(page.changes.first)
    #expect(
      try Profile(fields: change.fields)
        == Profile(id: "ada", name: "Ada", email: "ada@example.org", description: "first"))
    #expect(change.rule == .replace)
    #expect(change.sourceState == ["etag": "\"1\""] && change.base == change.fields)
    #expect(page.sourceState == ["url": "https://users.example/user/ada", "etag": "\"1\""])
    #expect(page.next == nil)
  }

  @Test func anUnchangedUserIsNotSentAgain() async throws {
    let users = FakeUsers()
    let first = try await pull(users.transport)
    try await store.put(first.changes[0].fields, in: .profiles, JSONRecordCoder())
    let second = try await pull(users.transport, sourceState: first.sourceState ?? [:])
    #expect(second.changes.isEmpty)
    #expect(second.sourceState == nil)
    users.change(["name": "Ada L."])
    let third = try await pull(users.transport, sourceState: first.sourceState ?? [:])
    #expect(third.changes.first?.fields["name"] == "Ada L.")
  }

  /// Earlier versions did not remember the address.
  @Test(
    arguments: [
      (nil, "\"1\""), ("https://users.example/user/ada", "\"1\""), ("https://other.example/user/ada", nil),
    ] as [(String?, String?)])
  func aTagHoldsForItsAddressOnly(url: String?, sent: String?) async throws {
    let users = FakeUsers()
    let first = try await pull(users.transport)
    try await store.put(first.changes[0].fields, in: .profiles, JSONRecordCoder())
    var sourceState: JSONObject = ["etag": "\"1\""]
    sourceState.append("url", url)
    _ = try await pull(users.transport, sourceState: sourceState)
    #expect(users.requests.last?.validator?.etag == sent)
  }

  @Test func withoutTheCopyTheValidatorIsNotUsed() async throws {
    let users = FakeUsers()
    let page = try await pull(users.transport, sourceState: ["etag": "\"1\""])
    #expect(users.requests.first?.validator == nil)
    #expect(page.changes.count == 1)
  }

  @Test(arguments: [
    ("{\"error\":{\"code\":404,\"message\":\"no\"}}", Failure.Reason.notFound),
    ("{\"error\":{\"code\":\"not_found\",\"message\":\"no\"}}", .notFound),
    ("{\"error\":{\"code\":\"FORBIDDEN\",\"message\":\"no\"}}", .denied),
    ("{\"error\":{\"code\":\"429\",\"message\":\"later\"}}", .tryLater),
    ("{\"error\":{\"code\":\"E17\",\"message\":\"no\"}}", .unavailable), ("{\"error\":\"no\"}", .unavailable),
  ])
  func anErrorUnder200IsAnError(body: String, reason: Failure.Reason) async throws {
    let users = FakeUsers()
    users.prepare([.answer(body)])
    let error = await #expect(throws: SourceError.self) { try await pull(users.transport) }
    #expect(error?.failure.kind == .api)
    #expect(error?.failure.reason == reason)
  }

  @Test func anErrorStatusCarriesTheServersWords() async throws {
    let error = await #expect(throws: SourceError.self) { try await pull(FakeUsers().transport, "users/bob") }
    #expect(error?.failure.reason == .notFound)
    #expect(error?.failure.message.contains("no such user") == true)
    #expect(error?.failure.url == "https://users.example/user/bob")
  }

  @Test func idsAreEscaped() async throws {
    let users = FakeUsers()
    _ = try? await pull(users.transport, "users/a b?c#d%2F")
    #expect(users.requests.first?.url == "https://users.example/user/a%20b%3Fc%23d%252F")
  }

  @Test(arguments: ["<html>502</html>", "", "{\"data\":", "[]", "{}"])
  func whatIsNoUserIsAParsingError(body: String) async throws {
    let users = FakeUsers()
    users.prepare([.answer(body)])
    let error = await #expect(throws: SourceError.self) { try await pull(users.transport) }
    #expect(error?.failure.kind == .parsing)
    #expect(error?.failure.url == "https://users.example/user/ada")
  }

  @Test func withoutAnAddressNothingIsAsked() async throws {
    let source = UsersSource(user: UserEnvelopeParser(), coder: JSONRecordCoder())
    let error = await #expect(throws: SourceError.self) {
      try await source.pull(Follow(path: "users/ada"), over: FakeUsers().transport)
    }
    #expect(error?.failure.reason == .config)
    #expect(error?.failure.hint?.contains("servers.users.url") == true)
    #expect(error?.disposition == .retry)
  }
}
