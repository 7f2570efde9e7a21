import AlmanacTesting
import Declared
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

/// What the user chooses for a whole source, and keys of several parts.
@Suite("Settings of sources, and keys of several parts") struct SettingTests {
  private static func market(
    _ members: String, with: [ExactString: String] = [:], key: String? = nil,
    answer: @escaping AnsweringServer.Answer = { _ in (200, #"[{"id":"1","at":"x"}]"#) }
  ) throws -> AnsweringServer {
    var server = Settings.Server()
    server.with = with
    let bench = try DeclaredBench(
      #"{"almanac": 1, "source": "shop", \#(members)}"#, settings: server,
      key: key.map { .given($0, from: "a test") } ?? .absent)
    return AnsweringServer(bench, following: "shop/items", answer: answer)
  }

  private static let items =
    #""collections": {"items": {"id": "$.id", "fields": {"at": "text? $.at", "region": "text {region}"}}}"#

  private static func shop(_ with: [ExactString: String]) throws -> AnsweringServer {
    try Self.market(
      #"""
      "url": "https://{host}.shop.example/{region}", "headers": {"X-Region": "r-{region}"},
      "with": {"region": {"values": {"eu": "europe", "us": "america"}, "default": "eu", "about": "the continent"},
        "host": {"about": "the name of the shop"}, "kinds": {"default": "a, b"}, "note": {"optional": true}},
      \#(items),
      "follows": {"items": {"for": {"kind": "{kinds}"}, "post": "/list?k={kind}{&note}", "body": {"r": "{region}", "n": "{note}"},
        "take": {"into": "items", "only": {"$.id": {"not": "{note}"}}}}}
      """#, with: with)
  }

  @Test("settings stand in addresses, header fields, bodies, conditions, lists and fields")
  func everywhere() async throws {
    let shop = try Self.shop(["host": "my-shop", "region": "us", "note": "1 & 2"])
    #expect(try await shop.sync()?.error == nil)
    #expect(
      shop.sent.map(\.url) == [
        "https://my-shop.shop.example/america/list?k=a&note=1%20%26%202",
        "https://my-shop.shop.example/america/list?k=b&note=1%20%26%202",
      ])
    #expect(shop.sent.first?.headers["X-Region"] == "r-america")
    #expect(shop.sent.first.map { String(decoding: $0.body ?? [], as: UTF8.self) } == #"{"r":"america","n":"1 & 2"}"#)
    #expect(try shop.stored("items", "1")?["region"] == "america")
    let other = try Self.shop(["host": "my-shop", "note": "1"])
    #expect(try await other.sync()?.error == nil)
    #expect(other.sent.first?.url == "https://my-shop.shop.example/europe/list?k=a&note=1")
    #expect(try other.stored("items", "1") == nil)
    let without = try Self.shop(["host": "my-shop"])
    #expect(try await without.sync()?.error == nil)
    #expect(without.sent.first?.url == "https://my-shop.shop.example/europe/list?k=a")
    #expect(without.sent.first.map { String(decoding: $0.body ?? [], as: UTF8.self) } == #"{"r":"europe"}"#)
  }

  @Test(
    "a setting that is missing or of no use sends nothing",
    arguments: [
      ([:], "the setting host of shop is missing"), (["host": "evil.example/"], "part of a host"),
      (["host": "a@b"], "part of a host"), (["host": "a", "region": "asia"], "allowed are eu, us"),
      (["host": "a", "note": "{key}"], "braces"), (["host": "a", "note": "a\nb"], "control characters"),
    ] as [([ExactString: String], String)])
  func useless(with: [ExactString: String], words: String) async throws {
    let shop = try Self.shop(with)
    let error = try #require(try await shop.sync()?.error)
    #expect(error.reason == .config && error.message.contains(words), "\(error)")
    #expect(error.hint?.description.contains("servers.shop.with.") == true)
    #expect(shop.sent.isEmpty)
  }

  @Test("a setting that is to be a time and is none sends nothing", arguments: ["first", "last"])
  func noTime(member: String) async throws {
    func shop(_ text: String) throws -> AnsweringServer {
      let times = member == "first" ? #""first": "{start}""# : #""first": "2026-01-01", "last": "{start}""#
      return try Self.market(
        #"""
        "url": "https://shop.example", "with": {"start": {"about": "the first day"}}, \#(Self.plain),
        "follows": {"items": {"get": "/list?from={since}&to={until}", "take": {"into": "items"}, "since": {\#(times)}}}
        """#, with: ["start": text])
    }
    for text in ["01/02/2026", "1767225600", "soon"] {
      let shop = try shop(text)
      let error = try #require(try await shop.sync()?.error)
      #expect(error.reason == .config && error.message.contains("the setting start of shop cannot be '\(text)'"))
      #expect(error.message.contains("2020-01-01T00:00:00Z") && shop.sent.isEmpty)
      #expect(error.hint?.description == "set servers.shop.with.start: the first day")
    }
    for text in ["2026-01-02", "now-1d"] { #expect(try await shop(text).sync()?.error == nil) }
  }

  private static let plain = #""collections": {"items": {"id": "$.id", "fields": {"at": "text? $.at"}}}"#

  @Test("the parts of a key go into header fields, the query, the body and the address, and are stored nowhere")
  func parts() async throws {
    let shop = try Self.market(
      #"""
      "url": "https://shop.example", "auth": {"key": ["app", "token"], "headers": {"X-App": "App {app}"},
        "query": {"t": "{token}"}, "body": {"secret": "{token}"}, "address": ["app"]}, \#(Self.plain),
      "follows": {"items": {"post": "/{app}/items", "body": {"a": 1}, "take": {"into": "items"}}}
      """#, key: "first:sec:ond")
    #expect(try await shop.sync()?.error == nil)
    let request = try #require(shop.sent.first)
    #expect(request.url == "https://shop.example/first/items?t=sec%3Aond" && request.headers["X-App"] == "App first")
    #expect(String(decoding: request.body ?? [], as: UTF8.self) == #"{"a":1,"secret":"sec:ond"}"#)
    let snapshot = try shop.store.snapshot()
    let stored = try (snapshot.all(.state) + snapshot.all(CollectionName(rawValue: "items"))).joined()
    #expect(stored.contains("items") && !stored.contains("first") && !stored.contains("sec"), "\(stored)")
    let wrong = try Self.market(
      #""url": "https://shop.example", "auth": {"key": ["a", "b"], "basic": "{a}:{b}"}, \#(Self.plain), "follows": {"items": {"get": "/", "take": {"into": "items"}}}"#,
      key: "onlyone")
    #expect(try await wrong.sync()?.error?.message.contains("the key is not a:b") == true)
    #expect(wrong.sent.isEmpty)
  }

  @Test("a setting with a default is described, and may begin the address of a login; a key in an address is sent once")
  func defaults() async throws {
    let shop = try Self.market(
      #"""
      "url": "{host}/api", "with": {"host": {"default": "https://shop.example/"}},
      "auth": {"key": ["user", "password"],
        "login": {"post": "{host}/session", "form": {"p": "{password}"}, "take": "$.token"}, "query": {"k": "{token}"}},
      \#(Self.plain), "follows": {"items": {"get": "/items?k=t%2F1", "take": {"into": "items"}}}
      """#, key: "me:secret"
    ) { request in (200, request.url.hasSuffix("/session") ? #"{"token":"t/1"}"# : #"[{"id":"1"}]"#) }
    #expect(shop.bench.source.descriptor.settings.map(\.name) == ["host"])
    #expect(try await shop.sync()?.error == nil)
    #expect(shop.sent.map(\.url) == ["https://shop.example/session", "https://shop.example/api/items?k=t%2F1"])
  }

  @Test("a login's token is used until it is refused, and asked for once more then")
  func login() async throws {
    let tokens = Mutex((asked: 0, valid: "t1"))
    let shop = try Self.market(
      #"""
      "url": "https://shop.example", "auth": {"key": ["user", "password"],
        "login": {"post": "/session", "form": {"u": "{user}", "p": "{password}"}, "take": "$.token", "lasts": "1h"},
        "headers": {"X-Session": "{token}"}}, \#(Self.plain),
      "follows": {"items": {"get": "/items", "take": {"into": "items"}}}
      """#, key: "me:secret"
    ) { request in
      tokens.withLock { state in
        if request.url.hasSuffix("/session") {
          state.asked += 1
          return (200, #"{"token":"t\#(state.asked)"}"#)
        }
        return request.headers["X-Session"] == state.valid ? (200, #"[{"id":"1"}]"#) : (401, "{}")
      }
    }
    #expect(try await shop.sync()?.error == nil)
    #expect(String(decoding: shop.sent.first?.body ?? [], as: UTF8.self) == "u=me&p=secret")
    #expect(try await shop.sync()?.error == nil)
    #expect(shop.sent.count == 1 && tokens.withLock { $0.asked } == 1)
    tokens.withLock { $0.valid = "t2" }
    #expect(try await shop.sync()?.error == nil)
    #expect(shop.sent.count == 3 && tokens.withLock { $0.asked } == 2)
    tokens.withLock { $0.valid = "none" }
    #expect(try await shop.sync()?.error?.reason == .denied)
  }

  @Test("a request may have a key of its own, and records without an id are what they hold")
  func own() async throws {
    let shop = try Self.market(
      #"""
      "url": "https://shop.example", "auth": "bearer",
      "collections": {"items": {"id": "$", "fields": {"at": "text? $.at"}}},
      "follows": {"items": {"get": "/items", "auth": {"query": {"k": "{key}"}}, "take": {"into": "items"}, "complete": true,
        "pages": {"page": 1, "more": {"$[0].last": false}}}}
      """#, key: "abc"
    ) { request in
      request.url.contains("k=abc") && request.headers["Authorization"] == nil
        ? (200, request.url.contains("page") ? "[]" : #"[{"at":"a","last":true},{"at":"b"},{"at":"a","last":true}]"#)
        : (403, "{}")
    }
    let report = try #require(try await shop.sync())
    #expect(report.error == nil && report.counts.added == 2 && shop.sent.count == 1)
    let again = try #require(try await shop.sync())
    #expect(again.counts.added + again.counts.updated + again.counts.removed == 0 && again.counts.unchanged > 1)
  }

  @Test("rules about errors name a text of the answer, and a time to wait")
  func errors() async throws {
    let shop = try Self.market(
      #"""
      "url": "https://shop.example", \#(Self.plain),
      "errors": [{"text": "no such shop", "means": "empty"}, {"status": 503, "means": "tryLater", "after": "90s"}],
      "follows": {"items": {"get": "/items", "take": {"into": "items"}}}
      """#
    ) { _ in (400, "there is no such shop") }
    #expect(try await shop.sync()?.error == nil)
  }
}
