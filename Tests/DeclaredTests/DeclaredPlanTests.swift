import AlmanacTesting
import Declared
import Models
import Parsing
import Ports
import Sync
import Testing

@Suite("Declared sources: plans")
struct DeclaredPlanTests {
  /// It gives access tokens and notes.
  private let server = ScriptedTransport { request, _ in
    let isToken = request.url.hasSuffix("/token")
    let note = #"{"id": 1, "text": "Milk"}"#
    let body =
      isToken ? #"{"access_token": "abcd", "expires_in": 600}"# : request.url.hasSuffix("/1") ? note : "[\(note)]"
    return HTTPResponse(body, url: request.url)
  }

  private static let oauth = #""auth": {"kind": "oauth2", "token": "https://pad.example/token"},"#

  private func bench(
    _ auth: String, _ follow: String, _ store: InMemoryRecordStore = InMemoryRecordStore(time: ManualTime())
  ) throws -> DeclaredBench {
    try DeclaredBench(
      """
      {
        "almanac": 1, "source": "pad", "url": "https://pad.example", \(auth)
        "collections": {"notes": {"id": "$.id", "fields": {"text": "text $.text"}}},
        "follows": {"all": {\(follow), "take": {"into": "notes"}}},
        "edits": {"notes": {"read": "/notes/{id}", "update": {"patch": "/notes/{id}", "send": {"text": "text"}}}}
      }
      """, key: .given("app:s3cret", from: "a test"), store: store)
  }

  @Test(
    "a plan sends only GET and HEAD, and says what it did not send; with posts it does",
    arguments: [(oauth, #""get": "/notes""#, "access token"), ("", #""post": "/notes", "body": {"q": "all"}"#, "POST")])
  func onlyReads(_ auth: String, _ follow: String, _ word: String) async throws {
    let bench = try bench(auth, follow)
    let planned = try await bench.sync("pad/all", over: server, SyncOptions(dryRun: true))
    #expect(server.requests.isEmpty)
    let error = try #require(planned.follows[0].error)
    #expect(error.code == .transport(.notPlanned) && error.reason == .unavailable, "\(error)")
    #expect(error.message.contains(word) && error.hint?.contains("pad/all") == true, "\(error)")
    let tried = try await bench.sync("pad/all", over: server, SyncOptions(dryRun: true, plansWithPosts: true))
    #expect(tried.follows[0].error == nil && tried.plan?.count == 1)
    #expect(server.requests.contains { $0.method == .post })
  }

  @Test("the plan of an edit has no request for an access token, and sends none")
  func edits() async throws {
    let first = try bench(Self.oauth, #""get": "/notes""#)
    try await first.sync("pad/all", over: server)
    _ = try await first.library.edit(CollectionName(rawValue: "notes"), "1", [.init("text", "Tea")])
    let begun = server.requests.count
    let planned = try await bench(Self.oauth, #""get": "/notes""#, first.store)
      .sync("pad/all", over: server, SyncOptions(dryRun: true))
    #expect(server.requests.count == begun)
    #expect(planned.outgoing?.map(\.url) == [nil])
    // With a token that is still valid, the plan has the request of the edit.
    let again = try await first.sync("pad/all", over: server, SyncOptions(dryRun: true))
    let methods = server.requests.dropFirst(begun).map(\.method)
    #expect(methods.allSatisfy { $0 == .get } && !methods.isEmpty)
    #expect(again.outgoing?.map(\.url) == ["https://pad.example/notes/1"])
  }
}
