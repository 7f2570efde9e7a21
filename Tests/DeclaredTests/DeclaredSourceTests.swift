import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

@testable import Declared

@Suite("Declared sources: lists")
struct DeclaredSourceTests {
  @Test("the contract of sources")
  func contract() async throws {
    let shop = try Shop(
      follow:
        #""get": "/items?page={page}{&state}", "pages": {"page": 1}, "with": {"state": {"values": ["open"]}}, "limit": 10"#
    )
    try await SourceContract(
      source: shop.source, follow: Follow(path: "shop/all", limit: 5, options: ["state": "open"]),
      badFollows: [
        Follow(path: "shop/none"), Follow(path: "shop/maker/a/b"), Follow(path: "shop/maker/.."),
        Follow(path: "shop/all", limit: 0), Follow(path: "shop/maker/x", limit: 5),
        Follow(path: "shop/all", options: ["state": "closed"]),
        Follow(path: "shop/maker/x", options: ["state": "open"]),
      ],
      answers: [
        HTTPResponse(
          #"{"items": [{"id": 1, "name": "a", "at": 5}, {"id": 2, "at": 5}]}"#, headers: ["ETag": "\"1\""])
      ],
      furtherAnswers: [HTTPResponse(#"{"items": [{"id": 3, "name": "c", "at": 7}]}"#)], store: InMemoryRecordStore()
    ).verify()
  }

  @Test(
    "every kind of paging reads the whole list, once each page, and nothing the second time",
    arguments: [
      (#""get": "/items?size={size}", "pages": {"link": "next", "size": 3}"#, 4),
      (#""get": "/items?size={size}", "pages": {"next": "$.next", "size": 3}"#, 4),
      (#""get": "/items?size={size}{&cursor}", "pages": {"cursor": {"cursor": "$.cursor"}, "size": 3}"#, 4),
      (#""get": "/items?size={size}{&cursor}", "pages": {"cursor": {"cursor": "header X-Cursor"}, "size": 3}"#, 4),
      (#""get": "/items?page={page}&size={size}", "pages": {"page": 1, "size": 3}"#, 5),
      (#""get": "/items?page={page}&size={size}", "pages": {"page": 1, "pages": "$.pages", "size": 3}"#, 4),
      (#""get": "/items?page={page}&size={size}", "pages": {"page": 1, "more": "$.more", "size": 3}"#, 4),
      (#""get": "/items?offset={offset}&size={size}", "pages": {"offset": 0, "count": "$.total", "size": 3}"#, 4),
      (#""get": "/items?size={size}{&after}", "pages": {"last": {"after": "$.id"}, "size": 3}"#, 5),
      (#""get": "/items?size={size}{&after}", "pages": {"last": {"after": "$.id"}, "more": "$.more", "size": 3}"#, 4),
    ])
  func paging(_ request: String, _ pages: Int) async throws {
    let shop = try Shop(items: 10, follow: request)
    let first = try await shop.sync()
    #expect(first.status == .ok && first.counts.added == 10, "\(first)")
    #expect(shop.requests.count == pages && Set(shop.requests.map(\.exact)).count == pages, "\(shop.requests)")
    let second = try await shop.sync()
    #expect(second.status == .unchanged && second.counts.unchanged == 10, "\(second)")
  }

  @Test("a list that names a page again ends with an error, and keeps what came")
  func endless() async throws {
    let shop = try Shop(items: 10, follow: #""get": "/items{?cursor}", "pages": {"cursor": {"cursor": "$.cursor"}}"#)
    for (here, next) in [("2", "4"), ("4", "6"), ("6", "4")] {
      shop.answer("/items?cursor=\(here)", #"{"items": [], "cursor": \#(next)}"#)
    }
    let report = try await shop.sync()
    #expect(report.status == .failed && report.error?.code == .own(.samePage), "\(report)")
    #expect(report.error?.message == "the list does not end: it names a page again that was read already")
    #expect(try shop.ids() == ["0", "1"] && shop.requests.count < 10)
  }

  @Test("an empty page that has the cursor that was sent is the last one")
  func repeatedCursor() async throws {
    let shop = try Shop(
      items: 4, follow: #""get": "/items{?cursor}", "pages": {"cursor": {"cursor": "$.cursor"}}, "complete": true"#)
    for (here, items) in [("2", #"[{"id": 7, "name": "x", "at": 1}]"#), ("9", "[]")] {
      shop.answer("/items?cursor=\(here)", #"{"items": \#(items), "cursor": "9"}"#)
    }
    let report = try await shop.sync(options: SyncOptions(dryRun: true))
    #expect(report.status == .ok && report.notes.contains { $0.contains("page 3 names itself as the next one") })
    #expect(shop.requests == ["/items", "/items?cursor=2", "/items?cursor=9"])
  }

  @Test(
    "a page with records that names itself ends the list, which removes nothing then",
    arguments: [
      (#""get": "/items{?cursor}", "pages": {"cursor": {"cursor": "$.cursor"}}"#, #""cursor": "9""#),
      (#""get": "/items", "pages": {"next": "$.next"}"#, #""next": "?cursor=9""#),
    ])
  func namesItself(request: String, next: String) async throws {
    let shop = try Shop(items: 4, follow: "\(request), \"complete\": true")
    func answer(_ target: String, _ ids: [Int]) {
      let items = ids.map { #"{"id": \#($0), "name": "x", "at": 1}"# }.joined(separator: ",")
      shop.answer(target, "{\"items\": [\(items)], \(next)}")
    }
    answer("/items", [0, 1])
    for (ids, added, removed) in [([2, 3], 4, 0), ([3], 0, 0), ([], 0, 2)] {
      answer("/items?cursor=9", ids)
      let plan = try await shop.sync(options: SyncOptions(dryRun: true))
      let report = try await shop.sync(options: SyncOptions(force: true))
      #expect(report.status != .failed && report.counts.added == added && report.counts.removed == removed, "\(report)")
      #expect(plan.notes.contains("page 2 names itself as the next one: nothing is removed") == !ids.isEmpty, "\(plan)")
      #expect(shop.requests.prefix(2) == ["/items", "/items?cursor=9"])
    }
  }

  @Test("a list of pages without records, each with another name, ends, and removes nothing")
  func emptyPages() async throws {
    let shop = try Shop(
      items: 1, follow: #""get": "/items{?cursor}", "pages": {"cursor": {"cursor": "$.cursor"}}, "complete": true"#)
    for page in 0..<200 {
      shop.answer("/items\(page == 0 ? "" : "?cursor=\(page)")", #"{"items": [], "cursor": \#(page + 1)}"#)
    }
    let report = try await shop.sync(options: SyncOptions(dryRun: true))
    #expect(shop.requests.count == 100 && report.error == nil, "\(report)")
    #expect(report.notes.contains("page 100 is empty, and the list says that there are more: nothing is removed"))
  }

  @Test("a server that ignores the number of a page is noticed", arguments: ["[{\"id\": 1}]", "\"none\""])
  func samePage(items: String) async throws {
    let shop = try Shop(items: 10, follow: #""get": "/items{?page}", "pages": {"page": 1}"#)
    for page in 1..<100 { shop.answer("/items?page=\(page)", #"{"items": \#(items)}"#) }
    let report = try await shop.sync()
    #expect(report.error?.code == .own(.samePage) && report.error?.message.contains("page 2") == true, "\(report)")
    #expect(shop.requests.count == 2)
  }

  @Test("a page on another server is not asked; the definition's own address is the configured one")
  func otherServer() async throws {
    let definition = Shop.definition(#""get": "/items", "pages": {"next": "$.next"}, \#(Shop.take)"#)
    for next in [
      "https://evil.example/items", "//evil.example/x", "http://shop.example/api/items", "https://shop.example:444/",
      "https://shop.example@evil.example/",
    ] {
      let shop = try Shop(definition)
      shop.answer("/items", #"{"items": [{"id": 1, "name": "a", "at": 1}], "next": "\#(next)"}"#)
      let error = try await shop.sync().error
      #expect(error?.code == .own(.otherServer) && error?.message.contains("the API answered") == false, "\(next)")
      #expect(shop.requests == ["/items"])
    }
    let source = try DeclaredBench(
      definition.replacing(Shop.base, with: "https://api.example/v1"),
      settings: Settings.Server(url: "http://127.0.0.1:8080/mirror")
    ).source
    let transport = ScriptedTransport { request, index throws(TransportError) in
      let next = index == 0 ? "https://api.example/v1/items?page=2" : ""
      return HTTPResponse(#"{"items": [], "next": "\#(next)"}"#, url: request.url)
    }
    var context = PullContext(
      transport: transport, snapshot: try InMemoryRecordStore().snapshot(), now: Timestamp(secondsSinceEpoch: 0),
      run: "r")
    context.cursor = try await source.pull(Follow(path: "shop/all"), context).next
    #expect(try await source.pull(Follow(path: "shop/all"), context).next == nil)
    #expect(
      transport.requests.map(\.url) == [
        "http://127.0.0.1:8080/mirror/items", "http://127.0.0.1:8080/mirror/items?page=2",
      ])
  }

  @Test("a limit cuts the list and asks for no more; options go into the request")
  func limitsAndOptions() async throws {
    let shop = try Shop(
      items: 10,
      follow:
        #""get": "/items?size={size}{&cursor,order}", "with": {"order": {"values": ["newest", "oldest"]}}, "pages": {"cursor": {"cursor": "$.cursor"}, "size": 4}, "limit": {"default": 3, "most": 6}"#
    )
    try await shop.sync()
    #expect(try shop.ids() == ["0", "1", "2"])
    #expect(shop.requests == ["/items?size=3"])
    try await shop.sync(limit: 5, ["order": "newest"])
    #expect(shop.requests == ["/items?size=4&order=newest", "/items?size=4&cursor=4&order=newest"])
    #expect(try shop.ids() == ["0", "1", "2", "5", "6", "7", "8", "9"])
  }

  @Test("one bad record is rejected with its path and text, and the others are kept")
  func rejects() async throws {
    let shop = try Shop(items: 5, follow: #""get": "/items?size=9""#)
    shop.change { $0.items[2].name = nil }
    let report = try await shop.sync()
    #expect(report.status == .partial && report.counts.rejected == 1)
    #expect(try shop.ids() == ["0", "1", "3", "4"])
    let reject = try #require(shop.stored("rejects", try shop.ids("rejects")[0]))
    #expect(reject["path"] == "$.items[2].name")
    #expect(reject["raw"] == #"{"id": 2, "at": 1002, "maker": {"login": "m2"}}"#)
  }

  @Test("validators make the second sync ask for nothing new, page by page")
  func validators() async throws {
    let shop = try Shop(
      items: 5,
      follow: #""get": "/items?size={size}{&cursor}", "pages": {"cursor": {"cursor": "$.cursor"}, "size": 2}"#
    )
    shop.change { $0.tags = true }
    try await shop.sync()
    let second = try await shop.sync()
    #expect(second.status == .unchanged && second.counts.unchanged == 0 && shop.requests.count == 3)
    shop.change { $0.items[4].name = "new" }
    let third = try await shop.sync()
    #expect(third.counts.updated == 1 && third.counts.unchanged == 0)
  }

  @Test("another definition reads everything again, from the first page")
  func fingerprint() async throws {
    let text = Shop.definition(#""get": "/items?size=9", \#(Shop.take)"#)
    let fingerprint = try #require(try Shop(text).source.fingerprint)
    #expect(try Shop(text).source.fingerprint == fingerprint && Shop(text + " ").source.fingerprint != fingerprint)
  }

  @Test("a complete list removes what it no longer has, but not half of it, and not what was only rejected")
  func complete() async throws {
    let shop = try Shop(
      items: 6,
      follow:
        #""get": "/items?size={size}{&cursor}", "pages": {"cursor": {"cursor": "$.cursor"}, "size": 2}, "complete": true"#
    )
    try await shop.sync()
    shop.change { state in
      state.items.remove(at: 1)
      state.items[1].name = nil
    }
    #expect(try await shop.sync().counts.removed == 1)
    #expect(try shop.ids() == ["0", "2", "3", "4", "5"])
    shop.change { state in
      state.items.removeLast(3)
      state.items[1].name = "n2"
    }
    for _ in 0..<2 {
      #expect(try await shop.sync().error?.code == .own(.massRemoval))
      #expect(try shop.ids() == ["0", "2", "3", "4", "5"])
    }
    #expect(try await shop.sync(options: SyncOptions(force: true)).counts.removed == 3)
    #expect(try shop.ids() == ["0", "2"])
  }

  @Test("what changed on a page that came before an interruption comes with the sync after the rest of the list")
  func interruptedSince() async throws {
    let shop = try Shop(
      items: 6,
      follow:
        #""get": "/items?size=2{&cursor,since}", "pages": {"cursor": {"cursor": "$.cursor"}}, "since": {"field": "at", "form": "epoch"}"#
    )
    let begun = shop.time.now.secondsSinceEpoch
    shop.answer("/items?size=2&cursor=4", status: 500)
    #expect(try await shop.sync().status == .failed)
    #expect(try shop.ids() == ["0", "1", "2", "3"])
    shop.time.advance(by: .seconds(60))
    shop.change { state in
      state.answers = [:]
      state.items[0].name = "changed"
      state.items[0].at = begun + 20
      state.items[5].at = begun + 40
    }
    #expect(try await shop.sync().counts.added == 2)
    #expect(shop.requests == ["/items?size=2&cursor=4"])
    #expect(try await shop.sync().counts.updated == 1)
    #expect(shop.requests == ["/items?size=2&since=\(begun)"])
    #expect(try shop.stored("items", "0")?["name"] == "changed")
    // A pull of one run ends with the newest point.
    #expect(try await shop.sync().status == .unchanged)
    #expect(shop.requests == ["/items?size=2&since=\(begun + 40)"])
  }

  @Test("a list whose records have other ids says what may have changed; a server that a request was led to is named")
  func otherIDsAndServers() async throws {
    let shop = try Shop(items: 4, follow: #""get": "/items?size=9", "complete": true"#)
    try await shop.sync()
    shop.change { state in for index in 0..<4 { state.items[index].id += 10 } }
    let report = try await shop.sync()
    #expect(report.error?.hint?.contains("it has 4 records with other ids") == true, "\(report)")
    shop.change { $0.answers["/items?size=9"] = HTTPResponse(status: 401, url: "https://files.example/items?size=9") }
    let led = try await shop.sync()
    #expect(led.error?.message.contains("https://shop.example led to https://files.example") == true, "\(led)")
  }

  @Test("an answer without the list removes nothing, unless a rule says that the API leaves out an empty one")
  func missingList() async throws {
    for isRule in [false, true] {
      let rule = #""errors": [{"status": 200, "if": {"$.items": null}, "means": "empty"}],"#
      let shop = try Shop(items: 1, follow: #""get": "/items", "complete": true"#, more: isRule ? rule : "")
      try await shop.sync()
      shop.answer("/items", #"{"message": "down"}"#)
      let report = try await shop.sync(options: SyncOptions(force: true))
      #expect(report.error?.kind == (isRule ? nil : .parsing) && report.counts.removed == (isRule ? 1 : 0))
      let text = "expected the list of records, found nothing, and the message 'down', at $.items"
      #expect(report.error?.message.hasPrefix(text) == (isRule ? nil : true), "\(report)")
      if !isRule { #expect(report.error?.hint?.contains(rule.dropLast()) == true, "\(report)") }
    }
  }

  @Test(
    "204, an empty body and null are what a rule says; without one they remove nothing, and the rule is proposed",
    arguments: [
      (204, "", #""status": 204"#), (200, " \n", #""status": 200, "if": {"$": null}"#),
      (200, "null", #""status": 200, "if": {"$": null}"#),
    ])
  func noContent(_ status: Int, _ body: String, _ rule: String) async throws {
    for isRule in [false, true] {
      let rules = #""errors": [{\#(rule), "means": "empty"}]"#
      let shop = try Shop(items: 1, follow: #""get": "/items", "complete": true"#, more: isRule ? rules + "," : "")
      try await shop.sync()
      shop.answer("/items", body, status: status)
      let report = try await shop.sync(options: SyncOptions(force: true))
      #expect(report.counts.removed == (isRule ? 1 : 0) && (report.error == nil) == isRule, "\(report)")
      if !isRule { #expect(report.error?.hint?.contains(rules) == true, "\(report)") }
    }
  }

  @Test("a page that is no JSON meets no rule about values that are missing")
  func foreignPage() async throws {
    let rule = #""errors": [{"status": 200, "if": {"$.items": null}, "means": "empty"}],"#
    let shop = try Shop(items: 1, follow: #""get": "/items", "complete": true"#, more: rule)
    try await shop.sync()
    shop.answer("/items", "<html>")
    let report = try await shop.sync(options: SyncOptions(force: true))
    #expect(report.error?.kind == .parsing && report.counts.removed == 0, "\(report)")
  }

  @Test("whoever repeats requests knows where the API writes the time of the next one")
  func retryTimes() async throws {
    let rules = #"""
      "errors": [
        {"status": [429], "means": "tryLater", "after": "epoch header X-Reset"},
        {"if": {"$.busy": true}, "means": "tryLater", "after": "header X-Wait"}
      ],
      """#
    let shop = try Shop(items: 1, follow: #""get": "/items""#, more: rules)
    try await shop.sync()
    #expect(shop.lastRequest?.retryTimes == [HTTPRetryTime(statuses: [429], header: "X-Reset", isEpoch: true)])
  }

  @Test("a record that another follow still lists stays")
  func listedTwice() async throws {
    let shop = try Shop(
      items: 4, follow: #""get": "/items?size=9", "complete": true"#,
      and: #""new": {"get": "/items?size=9&order=newest", "complete": true, \#(Shop.take)}"#)
    try await shop.sync()
    try await shop.sync("shop/new")
    shop.change { _ = $0.items.removeLast() }
    #expect(try await shop.sync().counts.removed == 0)
    #expect(try await shop.sync("shop/new").counts.removed == 1)
    #expect(try shop.ids() == ["0", "1", "2"])
  }
}

@Suite("Declared sources: the records of a follow that ends")
struct DeclaredPurgeTests {
  private static let text = """
    {
      "almanac": 1, "source": "shop", "url": "\(Shop.base)",
      "collections": {
        "items": {"id": ["{size}", "$.id"], "fields": {"name": "text $.name"}},
        "makers": {"id": "$.maker.login", "fields": {}}
      },
      "follows": {
        "sized/{size}": {"get": "/items?size={size}", "take": {"records": "$.items", "into": "items"}},
        "makers": {"get": "/items?size=9", "take": {"records": "$.items", "into": "makers"}},
        "newest/{size}": {"get": "/items?size={size}&order=newest", "take": {"records": "$.items", "into": "items"}}
      }
    }
    """

  private func purge(_ shop: Shop, _ path: String, besides others: [String] = []) async throws -> [CollectionName: Int]
  {
    try await FollowPurge(store: shop.store, sources: [shop.source], coder: shop.coder)
      .purge(Follow(path: path), besides: others.map { Follow(path: $0) }).removed
  }

  @Test("records whose ids begin with values of the path, and of a collection that no other follow fills")
  func own() async throws {
    let shop = try Shop(items: 9, Self.text)
    for path in ["shop/sized/2", "shop/sized/3", "shop/makers"] { try await shop.sync(path) }
    #expect(try shop.ids() == ["2/0", "2/1", "3/0", "3/1", "3/2"])
    let removed = try await purge(shop, "shop/sized/3", besides: ["shop/sized/2", "shop/makers"])
    #expect(removed == [CollectionName(rawValue: "items"): 3])
    #expect(try shop.ids() == ["2/0", "2/1"])
    #expect(try await purge(shop, "shop/makers").values.reduce(0, +) == 3)
    #expect(try shop.ids() == ["2/0", "2/1"])
  }

  @Test("not those that another follow may have brought, also one that ended and left its records")
  func shared() async throws {
    let shop = try Shop(items: 9, Self.text)
    for path in ["shop/sized/2", "shop/newest/2"] { try await shop.sync(path) }
    for others in [["shop/newest/2"], []] {
      let error = await #expect(throws: Failure.self) { try await purge(shop, "shop/sized/2", besides: others) }
      #expect(error?.code == .own(.notPurgeable))
    }
    #expect(try shop.ids().count == 4)
  }
}

@Suite("Declared sources: addresses")
struct ServerAddressTests {
  @Test(
    "the header field Link",
    arguments: [
      (#"<https://a/b?x=1,2>; rel="next""#, "https://a/b?x=1,2"),
      (#"<u1>; rel="prev", <u2>; title="a, b; c"; rel=next"#, "u2"), (#"<u1>; rel="last next first""#, "u1"),
      (#"<u1>; REL=Next"#, "u1"), (#"<u1>; rel="nextish""#, nil), ("nonsense", nil), ("", nil), ("<u1", nil),
      (#"<u1>; rel="next"; results="true""#, "u1"), (#"<u1>; rel="next"; results="false""#, nil),
    ])
  func links(_ field: String, _ expected: String?) { #expect(LinkHeader.address("next", in: [field]) == expected) }

  @Test(
    "references on a page",
    arguments: [
      ("https://b/x", "https://b/x"), ("//b/x", "https://b/x"), ("/x?y", "https://a:8/x?y"),
      ("?y", "https://a:8/p/q?y"), ("x", "https://a:8/p/x"), ("", "https://a:8/p/q"),
    ])
  func references(_ reference: String, _ expected: String) {
    #expect(ServerAddress.resolve(reference, against: "https://a:8/p/q?z#f") == expected)
  }

  @Test(
    "origins",
    arguments: [
      ("HTTPS://A.example:443/x", "https://a.example"), ("http://a:8080?x", "http://a:8080"),
      ("https://u@evil/", "https://u@evil"), (#"https://a\@evil/"#, ""), ("x", ""),
    ])
  func origins(_ url: String, _ origin: String) { #expect(ServerAddress.origin(url) == origin) }
}
