import AlmanacTesting
import Models
import Parsing
import Ports
import Testing
import Users

struct UsersContractTests {
  @Test(arguments: [true, false]) func holds(wraps: Bool) async throws {
    let body = #"{"userId":"ada","name":"Ada","email":"ada@example.org"}"#
    try await SourceContract(
      source: UsersSource(
        user: UserEnvelopeParser(), coder: JSONRecordCoder(), settings: Settings.Server(url: "https://users.example")),
      follow: Follow(path: "users/ada"),
      badFollows: [
        Follow(path: "people"), Follow(path: "users/ada", limit: 3), Follow(path: "users/ada", options: ["genre": "3"]),
      ],
      answers: [
        HTTPResponse(
          status: 200, headers: ["ETag": "\"1\""], body: Array((wraps ? "{\"data\":\(body)}" : body).utf8), url: "")
      ], store: InMemoryRecordStore()
    ).verify()
  }

  /// Users that others recorded: other envelopes and other names for the same things.
  @Test(.enabled(if: Fixtures.folder != nil, Comment(rawValue: Fixtures.reason))) func recordedUsersGoThrough()
    async throws
  {
    var kept: [String] = []
    for name in Fixtures.names("rest-users") {
      let source = UsersSource(
        user: UserEnvelopeParser(), coder: JSONRecordCoder(), settings: Settings.Server(url: "https://users.example"))
      let transport = ScriptedTransport([
        HTTPResponse(status: 200, body: try Fixtures.bytes("rest-users/\(name)"), url: "")
      ])
      do throws(SourceError) {
        let page = try await source.pull(Follow(path: "users/1"), over: transport)
        for change in page.changes { kept.append("\(name): \(change.id) \(change.fields["name"]?.string ?? "?")") }
      } catch {
        // A list, or a person without a name or a mail address, is no user; the error says what is missing.
        #expect(error.failure.kind == .parsing, "\(name): \(error)")
      }
    }
    print("recorded users: \(kept.joined(separator: "; "))")
    #expect(kept.contains { $0.hasPrefix("jsonplaceholder-user-1") })
  }
}
