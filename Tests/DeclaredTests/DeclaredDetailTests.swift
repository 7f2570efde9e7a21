import AlmanacTesting
import Models
import Parsing
import Ports
import Synchronization
import Testing

@testable import Declared

@Suite("Declared sources: points, child requests, errors and keys")
struct DeclaredSourceDetailTests {
  @Test("the highest value of a field is the next point, sent in its form, with an overlap")
  func since() async throws {
    let shop = try Shop(
      items: 4,
      follow:
        #""get": "/items?size=2{&since,cursor}", "pages": {"cursor": {"cursor": "$.cursor"}}, "since": {"field": "at", "form": "epoch", "overlap": "1s"}, "complete": "7d""#
    )
    try await shop.sync()
    #expect(shop.requests == ["/items?size=2", "/items?size=2&cursor=2"])
    shop.change { $0.items.append(.init(id: 9, name: "n9", at: 2000, maker: "m")) }
    shop.change { _ = $0.items.removeFirst() }
    let second = try await shop.sync()
    #expect(shop.requests == ["/items?size=2&since=1002", "/items?size=2&since=1002&cursor=2"])
    #expect(second.counts.added == 1)
    #expect(try shop.ids() == ["0", "1", "2", "3", "9"])
    shop.time.advance(by: .seconds(8 * 86_400))
    let third = try await shop.sync()
    #expect(shop.requests.first == "/items?size=2")
    #expect(third.counts.removed == 1)
    try await shop.sync()
    #expect(shop.requests.first == "/items?size=2&since=1999")
  }

  @Test("a list that has its newest record first ends at the point")
  func newestFirst() async throws {
    let shop = try Shop(
      items: 9,
      follow:
        #""get": "/items?order=newest&size=2{&cursor}", "pages": {"cursor": {"cursor": "$.cursor"}}, "since": {"field": "at", "newestFirst": true}"#
    )
    try await shop.sync()
    #expect(try shop.ids().count == 9)
    shop.change { $0.items.append(.init(id: 9, name: "n9", at: 2000, maker: "m")) }
    #expect(try await shop.sync().counts.added == 1)
    #expect(shop.requests.count == 2)
  }

  @Test("an old record that stands before the newest ones does not end the list")
  func pinned() async throws {
    let shop = try Shop(
      items: 9,
      follow:
        #""get": "/items?order=newest&size=2{&cursor}", "pages": {"cursor": {"cursor": "$.cursor"}}, "since": {"field": "at", "newestFirst": true}"#
    )
    shop.change { $0.items.append(.init(id: 100, name: "pinned", at: 1, maker: "m")) }
    try await shop.sync()
    shop.change { state in
      let pinned = state.items.removeLast()
      for id in 9..<13 { state.items.append(.init(id: id, name: "n", at: 2000 + id, maker: "m")) }
      state.items.append(pinned)
    }
    #expect(try await shop.sync().counts.added == 4)
    #expect(try await shop.sync().status == .unchanged)
    #expect(shop.requests.count == 1)
  }

  @Test(
    "a record that moves to an earlier page while a complete list is read stays, and one that was removed goes",
    arguments: [
      (#""get": "/items?page={page}&size={size}", "pages": {"page": 1, "size": 2}"#, 2),
      (#""get": "/items?offset={offset}&size={size}", "pages": {"offset": 0, "count": "$.total", "size": 2}"#, 2),
      (#""get": "/items?size={size}", "pages": {"link": "next", "size": 2}"#, 2),
      (#""get": "/items?size={size}", "pages": {"next": "$.next", "size": 2}"#, 2),
      (#""get": "/items?size={size}{&cursor}", "pages": {"cursor": {"cursor": "$.cursor"}, "size": 2}"#, 2),
      (#""get": "/items?size={size}{&after}", "pages": {"last": {"after": "$.id"}, "size": 2}"#, 1),
    ])
  func movedWhileRead(_ request: String, _ readings: Int) async throws {
    let shop = try Shop(items: 8, follow: #"\#(request), "complete": true"#)
    try await shop.sync()
    let pages = shop.requests.count
    let done = Mutex(false)
    shop.change { state in
      state.meanwhile = { target, state in
        let isSecond = ["page=2", "offset=2", "cursor=2", "after=1"].contains { target.contains($0) }
        guard isSecond, !done.withLock({ $0 }) else { return }
        done.withLock { $0 = true }
        state.items.removeFirst()
      }
    }
    let second = try await shop.sync()
    #expect(done.withLock { $0 } && second.error == nil && second.counts.removed == 0, "\(second)")
    #expect(try shop.ids() == (0..<8).map(String.init))
    // It is removed when a pull lists it nowhere: a second reading says so, which only what moves needs.
    let third = try await shop.sync()
    #expect(third.counts.removed == 1 && third.counts.unchanged == 7, "\(third)")
    #expect(try shop.ids() == (1..<8).map(String.init))
    #expect(shop.requests.count == readings * pages, "\(shop.requests)")
    let fourth = try await shop.sync()
    #expect(fourth.status == .unchanged && shop.requests.count == pages, "\(fourth)")
  }

  @Test(
    "an answer with a record on each line is a list; one that is no JSON there is named with its line, blank ones not counted"
  )
  func lines() async throws {
    let shop = try Shop(items: 1, Shop.definition(#""get": "/lines", "take": {"into": "items"}"#))
    func answer(_ body: String, _ type: String) { shop.answer("/lines", body, headers: ["Content-Type": type]) }
    let lines = "{\"id\": 1, \"name\": \"a\", \"at\": 7}\r\n\n{\"id\": 2, \"name\": \"b\", \"at\": 8}\n"
    answer(lines, "application/x-ndjson; charset=utf-8")
    #expect(try await shop.sync().counts.added == 2)
    #expect(try shop.stored("items", "2")?["name"] == "b")
    answer("", "application/jsonl")
    #expect(try await shop.sync().error == nil)
    answer(lines + "{\"id\": x}", "application/x-ndjson")
    #expect(try await shop.sync().error?.message.contains("line 3") == true)
    // Without the type, the body is one text.
    answer(lines, "application/json")
    #expect(try await shop.sync().error?.message.contains("expected the end of the text") == true)
  }

  @Test("the query of a GraphQL API, with its braces doubled, and its pages")
  func graphQL() async throws {
    let shop = try Shop(
      Shop.definition(
        #""post": "/graphql", "body": {"query": "query($n: Int) {{ items(n: $n) {{ id }}}}", "variables": {"n": 2, "after": "{after}"}}, "pages": {"cursor": {"after": "$.data.page.end"}, "more": "$.data.page.more"}, "take": {"records": "$.data.items", "into": "items", "fields": {"name": "text $.id", "at": "time(epoch) $.id"}}"#
      ))
    shop.answer("/graphql", #"{"data": {"items": [{"id": 1}], "page": {"end": "x", "more": false}}}"#)
    #expect(try await shop.sync().counts.added == 1)
    let body = try shop.coder.decode(try #require(shop.lastRequest?.body))
    #expect(body["query"] == "query($n: Int) { items(n: $n) { id }}")
    #expect(body["variables"]?.object?["after"] == nil)
  }

  @Test(
    "each record asks for what is not known yet, each value once, and a missing one does not stop the others",
    arguments: [HTTPResponse(status: 404, url: ""), HTTPResponse("null"), HTTPResponse(#"{"message": "none"}"#)])
  func children(missing: HTTPResponse) async throws {
    let shop = try Shop(
      items: 7,
      follow:
        #""get": "/items?size=3{&cursor}", "pages": {"cursor": {"cursor": "$.cursor"}}, "each": {"for": {"login": "$.maker.login"}, "get": "/makers/{login}", "take": {"into": "makers"}}"#
    )
    shop.change { $0.answers["/makers/m1"] = missing }
    let report = try await shop.sync()
    #expect(shop.requests.filter { $0.hasPrefix("/makers") } == ["/makers/m0", "/makers/m1", "/makers/m2"])
    #expect(try shop.ids("makers") == ["m0", "m2"])
    #expect(try shop.stored("makers", "m0") == ["id": "m0", "name": "Maker m0"])
    #expect(report.status == .partial)
    #expect(report.counts.rejected == 1)
    try await shop.sync()
    #expect(shop.requests.filter { $0.hasPrefix("/makers") } == ["/makers/m1"])
  }

  @Test(
    "error rules, and what a status means without one",
    arguments: [
      (
        #"{"if": {"$.error": true}, "means": "refused", "code": "$.code", "message": "$.error"}"#, 200,
        #"{"error": "broken", "code": 7}"#, "7", Failure.Reason.unavailable
      ),
      (
        #"{"status": 200, "if": {"$.ok": false}, "means": "notFound", "message": "$.why"}"#, 200,
        #"{"ok": false, "why": "gone away"}"#, "http-200", .notFound
      ),
      (
        #"{"status": [403], "header": {"X-Left": "0"}, "means": "tryLater", "after": "epoch header X-Reset"}"#, 403,
        #"{"message": "slow down"}"#, "http-403", .tryLater
      ),
      (#"{"status": 418, "means": "denied"}"#, 403, #"{"error": {"message": "no"}}"#, "http-403", .denied),
    ])
  func errors(_ rule: String, _ status: Int, _ body: String, _ code: String, _ reason: Failure.Reason) async throws {
    let shop = try Shop(follow: #""get": "/items""#, more: #""errors": [\#(rule)],"#)
    let reset = String(shop.time.now.secondsSinceEpoch + 90)
    shop.answer("/items", body, status: status, headers: ["X-Left": "0", "X-Reset": reset])
    let report = try await shop.sync()
    #expect(report.error?.code?.text == code)
    #expect(report.error?.reason == reason)
    if reason == .tryLater { #expect(report.error?.retryAfter == 90) }
    let said = ["broken", "gone away", "slow down", "no"]
    #expect(said.contains { report.error?.message.hasSuffix($0) == true }, "\(report.error?.message ?? "")")
  }

  @Test("an empty list and a removed record, as error rules say")
  func emptyAndGone() async throws {
    let shop = try Shop(
      items: 2,
      follow: #""get": "/items?size=9""#,
      more: #""errors": [{"status": 404, "means": "empty"}, {"status": 410, "means": "gone"}],"#)
    try await shop.sync("shop/maker/x")
    #expect(try shop.ids("makers") == ["x"])
    shop.answer("/items?size=9", status: 404)
    shop.answer("/makers/x", status: 410)
    #expect(try await shop.sync().status == .unchanged)
    #expect(try await shop.sync("shop/maker/x").counts.removed == 1)
    #expect(try shop.ids("makers").isEmpty)
  }

  @Test(
    "keys go where the definition says",
    arguments: [
      (#"{"kind": "bearer"}"#, "Authorization", "Bearer s:cret", "/items?size=1"),
      (#"{"kind": "basic"}"#, "Authorization", "Basic czpjcmV0", "/items?size=1"),
      (#"{"kind": "header", "name": "X-Key", "prefix": "k "}"#, "X-Key", "k s:cret", "/items?size=1"),
      (#"{"kind": "query", "name": "api key"}"#, "X-None", nil, "/items?size=1&api%20key=s%3Acret"),
    ])
  func keys(_ auth: String, _ header: String, _ value: String?, _ request: String) async throws {
    let text = Shop.definition(#""get": "/items?size=1", \#(Shop.take)"#, more: #""auth": \#(auth),"#)
    let shop = try Shop(items: 1, text, key: .given("s:cret", from: "a test"))
    try await shop.sync()
    #expect(shop.requests == [request])
    #expect(shop.lastRequest?.headers[header] == value)

    let without = try Shop(items: 1, text)
    #expect(try await without.sync().error?.code == .own(.missingKey))
    #expect(without.requests.isEmpty)

    let open = try Shop(items: 1, text, url: "http://shop.example/api", key: .given("s:cret", from: "a test"))
    #expect(try await open.sync().error?.code == .own(.missingSetting))
    #expect(open.requests.isEmpty)
  }

  @Test("an access token is asked for once, and anew when it ends or is refused")
  func oauth() async throws {
    let shop = try Shop(
      items: 1,
      follow: #""get": "/items?size=1""#,
      more: #""auth": {"kind": "oauth2", "token": "https://shop.example/api/token", "scope": "a b"},"#,
      key: .given("id:secret", from: "a test"))
    shop.change { $0.answers["/token"] = HTTPResponse(#"{"access_token": "t1", "expires_in": 3600}"#) }
    try await shop.sync()
    #expect(shop.requests == ["/token", "/items?size=1"])
    #expect(shop.lastRequest?.headers["Authorization"] == "Bearer t1")
    try await shop.sync()
    #expect(shop.requests == ["/items?size=1"])
    shop.time.advance(by: .seconds(3600))
    try await shop.sync()
    #expect(shop.requests == ["/token", "/items?size=1"])
  }

  @Test("a definition with mistakes fails its follows with every mistake")
  func invalid() async throws {
    let problem = SettingsProblem(line: 3, column: 4, path: "url", message: "wrong")
    let source = InvalidSource(
      CheckedDefinition(
        path: "/x/sources/shop.json", name: SourceName(rawValue: "shop"), result: .failure(SettingsProblems([problem])))
    )
    try source.check(Follow(path: "shop/a/b"))
    try source.check(Follow(path: "shop"))
    let context = PullContext(
      transport: ScriptedTransport([]), snapshot: try InMemoryRecordStore().snapshot(),
      now: Timestamp(secondsSinceEpoch: 0), run: "r")
    let error = await #expect(throws: SourceError.self) { try await source.pull(Follow(path: "shop/a"), context) }
    #expect(error?.failure.hint == "/x/sources/shop.json:3:4: url: wrong")
  }

  @Test("what came only with an interrupted pull, or beside a record without an id, leaves with the next complete one")
  func arrivedOnly() async throws {
    let definition = Shop.definition(
      #""get": "/items?size=2{&cursor}", "pages": {"cursor": {"cursor": "$.cursor"}}, "complete": true, \#(Shop.take)"#)
    let broken = HTTPResponse(status: 404, url: "")
    // A record is on the first page only while the second one fails.
    let shop = try Shop(items: 4, definition)
    try await shop.sync()
    shop.change { state in
      state.items.insert(.init(id: 9, name: "n9", at: 1, maker: "m"), at: 0)
      state.answers["/items?size=2&cursor=2"] = broken
    }
    #expect(try await shop.sync().status == .failed)
    #expect(try shop.ids() == ["0", "1", "2", "3", "9"])
    shop.change { state in
      state.items.removeFirst()
      state.answers = [:]
    }
    #expect(try await shop.sync().counts.removed == 0)
    #expect(try await shop.sync().counts.removed == 1)
    #expect(try shop.ids() == ["0", "1", "2", "3"])
    // The first pull of all is interrupted.
    let new = try Shop(items: 4, definition)
    new.change { $0.answers["/items?size=2&cursor=2"] = broken }
    #expect(try await new.sync().status == .failed)
    new.change { state in
      state.items.remove(at: 1)
      state.answers = [:]
    }
    try await new.sync()
    #expect(try await new.sync().counts.removed == 1)
    #expect(try new.ids() == ["0", "2", "3"])
    #expect(try await new.sync().status == .unchanged)
    // The first list has a record without an id.
    let odd = try Shop(items: 4, definition)
    odd.change {
      $0.answers["/items?size=2&cursor=2"] = HTTPResponse(
        #"{"items": [{"id": 2, "name": "n2", "at": 1, "maker": {"login": "m"}}, {"name": "x"}]}"#)
    }
    #expect(try await odd.sync().status == .partial)
    odd.change { state in
      state.items.remove(at: 0)
      state.answers = [:]
    }
    #expect(try await odd.sync().counts.removed == 1)
    #expect(try odd.ids() == ["1", "2", "3"])
  }
}
