import AlmanacTesting
import Declared
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

/// A server that gives access tokens and notes, and keeps the methods of its requests.
private final class PlanServer: HTTPTransport {
  let sent = Mutex<[HTTPRequest]>([])

  var methods: [HTTPRequest.Method] { sent.withLock { $0.map(\.method) } }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    sent.withLock { $0.append(request) }
    let isToken = request.url.hasSuffix("/token")
    let note = #"{"id": 1, "text": "Milk"}"#
    let body =
      isToken ? #"{"access_token": "abcd", "expires_in": 600}"# : request.url.hasSuffix("/1") ? note : "[\(note)]"
    return HTTPResponse(status: 200, body: Array(body.utf8), url: request.url)
  }
}

@Suite("Declared sources: plans")
struct DeclaredPlanTests {
  private static let oauth = #""auth": {"kind": "oauth2", "token": "https://pad.example/token"},"#

  private func source(_ auth: String, _ follow: String) throws -> DeclaredSource {
    let text = """
      {
        "almanac": 1, "source": "pad", "url": "https://pad.example", \(auth)
        "collections": {"notes": {"id": "$.id", "fields": {"text": "text $.text"}}},
        "follows": {"all": {\(follow), "take": {"into": "notes"}}},
        "edits": {"notes": {"read": "/notes/{id}", "update": {"patch": "/notes/{id}", "send": {"text": "text"}}}}
      }
      """
    return DeclaredSource(
      try JSONDefinitionFormat().read(Array(text.utf8), named: nil), compiler: JSONAnswerReaderCompiler(),
      coder: JSONRecordCoder(), apiKey: .given("app:s3cret", from: "a test"))
  }

  private func sync(
    _ source: DeclaredSource, _ server: PlanServer, _ store: InMemoryRecordStore, _ options: SyncOptions
  ) async throws -> SyncReport {
    let engine = SyncEngine(
      store: store, sources: [source], transport: server, coder: JSONRecordCoder(), time: ManualTime(),
      random: SeededRandom(), events: RecordedEvents())
    return try await engine.sync([Follow(path: "pad/all")], options)
  }

  @Test(
    "a plan sends only GET and HEAD, and says what it did not send; with posts it does",
    arguments: [
      (oauth, #""get": "/notes""#, "access token"), ("", #""post": "/notes", "body": {"q": "all"}"#, "POST"),
    ])
  func onlyReads(_ auth: String, _ follow: String, _ word: String) async throws {
    let (server, store) = (PlanServer(), InMemoryRecordStore(time: ManualTime()))
    let source = try source(auth, follow)
    let planned = try await sync(source, server, store, SyncOptions(dryRun: true))
    #expect(server.methods.isEmpty)
    let error = try #require(planned.follows[0].error)
    #expect(error.code == .transport(.notPlanned) && error.reason == .unavailable, "\(error)")
    #expect(error.message.contains(word) && error.hint?.contains("pad/all") == true, "\(error)")
    let tried = try await sync(source, server, store, SyncOptions(dryRun: true, plansWithPosts: true))
    #expect(tried.follows[0].error == nil && tried.plan?.count == 1)
    #expect(server.methods.contains(.post))
  }

  @Test("the plan of an edit has no request for an access token, and sends none")
  func edits() async throws {
    let (server, store) = (PlanServer(), InMemoryRecordStore(time: ManualTime()))
    let first = try source(Self.oauth, #""get": "/notes""#)
    _ = try await sync(first, server, store, SyncOptions())
    let (coder, collection) = (JSONRecordCoder(), CollectionName(rawValue: "notes"))
    let edits = OutboxEdits(
      coder: coder, catalog: CollectionCatalog([first.descriptor]), time: ManualTime(), random: SeededRandom())
    _ = try await store.write { (transaction) throws(StoreError) -> Bool in
      let before: JSONObject = ["id": "1", "text": "Milk"]
      let after: JSONObject = ["id": "1", "text": "Tea"]
      try transaction.put(coder.encode(after), id: "1", in: collection)
      try edits.queueChange(of: collection, "1", from: before, to: after, in: &transaction)
      return true
    }
    server.sent.withLock { $0 = [] }
    let planned = try await sync(
      try source(Self.oauth, #""get": "/notes""#), server, store, SyncOptions(dryRun: true))
    #expect(server.methods.isEmpty)
    #expect(planned.outgoing?.map(\.url) == [nil])
    // With a token that is still valid, the plan has the request of the edit.
    let again = try await sync(first, server, store, SyncOptions(dryRun: true))
    #expect(server.methods.allSatisfy { $0 == .get } && !server.methods.isEmpty)
    #expect(again.outgoing?.map(\.url) == ["https://pad.example/notes/1"])
  }
}
