import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

@testable import almanacd

/// The API as a program uses it.
@Suite struct APITests {
  @Test("a run is asked for, followed, and told in full; its records are there")
  func run() async throws {
    let (daemon, client) = try await Daemon().withClient
    let started = try await client.post("/api/v1/sync", #"{"follows": ["people"]}"#)
    #expect(started.status == 202)
    let run = try #require(started.object()["run"] as? String)
    #expect(started.headers["location"] == "/api/v1/runs/\(run)")
    let done = try await daemon.eventually("/api/v1/runs/\(run)") { reply in
      let state = try reply.object()["state"] as? String ?? ""
      #expect(["queued", "running", "done"].contains(state) && reply.status == 200)
      return state == "done"
    }
    let report = try done.object()
    #expect(report["startedAt"] is String && report["finishedAt"] is String && report["totals"] is [String: Any])
    #expect(try done.list("follows").first?["follow"] as? String == "people")
    let people = try await client.get("/api/v1/collections/people?limit=1000")
    #expect(try people.list("items").count == 20)
    #expect(try people.object()["next"] == nil)
  }

  @Test("a person is added to a followed address book by the API and on the page, and to no other")
  func addressBook() async throws {
    let client = try await Daemon(follows: ["carddav/home/book"]).client
    let book = #""to": "carddav/home/book""#
    let made = try await client.post("/api/v1/collections/people", "{\"firstName\": \"Ada\", \(book)}")
    #expect(made.status == 201, "\(made.body)")
    let origin = try made.object()["origin"] as? String
    #expect(origin == "carddav/home/book")
    for bad in [#"{"firstName": "B", "to": "carddav/home/other"}"#, #"{"firstName": "B", "to": 7}"#] {
      let refused = try await client.post("/api/v1/collections/people", bad)
      #expect(refused.status == 422, "\(bad): \(refused.body)")
    }
    let alone = try await client.post("/api/v1/collections/people", #"{"firstName": "Bo", "to": null}"#)
    let id = try #require(alone.object()["id"] as? String)
    #expect(try await client.post("/api/v1/people/send", "{\"ids\": [\"\(id)\"], \(book)}").status == 202)
    let waiting = try await client.get("/api/v1/outbox").list("items")
    #expect(waiting.count == 2 && waiting.allSatisfy { $0["source"] as? String == "carddav" }, "\(waiting)")
    #expect(try await client.get("/collections/people?new").body.contains("<option value=\"carddav/home/book\""))
    // The warning of the form adds the one who is here to the address book that was chosen.
    let cy = try await client.post("/api/v1/collections/people", #"{"firstName": "Cy", "lastName": "Only"}"#).object()
    let only = try #require(cy["id"] as? String)
    let typed = [("firstName", "Cy"), ("lastName", "Only"), ("to", "carddav/home/book")]
    let warned = try await client.submit("/do/people/add", typed)
    #expect(
      warned.status == 409 && warned.body.contains("value=\"\(only)\">Add Cy Only to Book (home)<"), "\(warned.body)")
    #expect(
      try await client.submit("/do/people/add", typed + [("join", only)]).nextPage == "/collections/people/\(only)")
    #expect(try await client.get("/api/v1/outbox").list("items").count == 3)
    let new = try await client.submit("/do/people/add", [("firstName", "Di")])
    let undo = try await client.get(new.headers["location"] ?? "").form("/do/many/people")
    #expect(try await client.submit("/do/many/people", undo).status == 303)
    #expect(try await !client.get("/api/v1/collections/people").body.contains("\"Di\""))
  }

  @Test("pages of a collection: limit, next and prefix; a record by an id with slashes, escaped or not")
  func collections() async throws {
    let (daemon, client) = try await Daemon(follows: ["app-store/fr/top-paid", "people"]).withClient
    _ = try await daemon.eventually("/api/v1/collections/charts") { try !$0.list("items").isEmpty }
    _ = try await daemon.eventually("/api/v1/collections/people") { try $0.list("items").count == 20 }
    var ids: [String] = []
    var next: String?
    repeat {
      let query = next.map { "&after=\($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" } ?? ""
      let page = try await client.get("/api/v1/collections/people?limit=7\(query)")
      ids += try page.list("items").compactMap { $0["id"] as? String }
      next = try page.object()["next"] as? String
    } while next != nil
    #expect(ids.count == 20 && ids == ids.sorted() && Set(ids).count == 20)
    let charts = try await client.get("/api/v1/collections/charts?prefix=fr/top-paid/")
    let chart = try #require(charts.list("items").first?["id"] as? String)
    for path in [chart, chart.replacing("/", with: "%2F")] {
      #expect(try await client.get("/api/v1/collections/charts/\(path)").object()["id"] as? String == chart)
    }
    #expect(try await client.get("/api/v1/collections/charts?prefix=de/").list("items").isEmpty)
    let apps = try await client.get("/api/v1/collections/apps?prefix=fr/&limit=1")
    let app = try #require(apps.list("items").first)
    let id = try #require(app["id"] as? String)
    #expect(id == "fr/\(app["appID"] ?? "")" && app["storefront"] as? String == "fr")
    for path in [id, id.replacing("/", with: "%2F"), id.replacing("/", with: "%2f")] {
      #expect(try await client.get("/api/v1/collections/apps/\(path)").object()["id"] as? String == id)
      let page = try await client.get("/apps/\(path)")
      #expect(page.status == 200 && page.body.contains("app-store/fr/top-paid"), "\(path)")
    }
    let page = try await client.get("/charts")
    #expect(page.body.contains("href=\"/apps/fr/"))
    let again = try await client.post("/api/v1/sync", #"{"follows": ["app-store/FR/top-paid"]}"#).object()
    let run = try #require(again["run"] as? String)
    let done = try await daemon.eventually("/api/v1/runs/\(run)") { try $0.object()["state"] as? String == "done" }
    #expect(try done.list("follows").first?["follow"] as? String == "app-store/fr/top-paid")
    #expect(try await client.post("/api/v1/sync", #"{"follows": ["app-store/zz/top-paid"]}"#).status == 422)
    #expect(try await client.get("/api/v1/collections").list("items").count == 11)
    #expect(try await client.send("HEAD", "/api/v1/collections").status == 200)
    for path in ["/api/v1/collections/people/none", "/api/v1/collections/state", "/api/v1/runs/none"] {
      #expect(try await client.get(path).status == 404, "\(path)")
    }
    for query in [
      "limit=0", "limit=1001", "limit=x", "limit=", "limit=-1", "limt=5", "where=name", "total=1", "sort=x", "sort=-",
      "where=x%3D1", "where=firstName%20%3D%3D%20a", "sort=lastName&after=p1", "=", "limit=5&x",
    ] {
      #expect(try await client.get("/api/v1/collections/people?\(query)").status == 400, "\(query)")
    }
    let unknown = try await client.get("/api/v1/collections/people?limt=5").object()
    #expect(unknown["detail"] as? String == "unknown parameter 'limt'")
    #expect(
      unknown["hint"] as? String
        == "did you mean 'limit'? there are: after, at, limit, prefix, search, sort, total, where")
    for path in ["collections", "collections/charts/\(chart)", "status", "runs/none"] {
      #expect(try await client.get("/api/v1/\(path)?x=1").status == 400, "\(path)")
    }
  }

  @Test("a list with conditions, words, an order, totals and cursors gives what the whole list gives")
  func queries() async throws {
    let (daemon, client) = try await Daemon(follows: ["people"]).withClient
    _ = try await daemon.eventually("/api/v1/collections/people") { try $0.list("items").count == 20 }
    func page(_ query: String) async throws -> (days: [String], next: String?, total: Int?) {
      let reply = try await client.get("/api/v1/collections/people?total=true&\(query)")
      let fields = try reply.object()
      let days = try reply.list("items").compactMap { $0["birthday"] as? String }
      return (days, fields["next"] as? String, fields["total"] as? Int)
    }
    let whole = try await page("limit=1000&sort=-birthday")
    #expect(whole.days.count > 10 && whole.days == whole.days.sorted(by: >) && whole.total == 20 && whole.next == nil)
    let cut = whole.days[whole.days.count / 2]
    let two = "sort=-birthday&limit=3&where=birthday+%3E%3D+\(cut)&where=lastName+is+present"
    let first = try await page(two)
    let second = try await page("\(two)&after=\(try #require(first.next))")
    let later = whole.days.filter { $0 >= cut }
    #expect(first.days + second.days == Array(later.prefix(6)))
    #expect(first.total == later.count && second.total == later.count)
    #expect(try await page("search=no-such-word").total == 0)
    #expect(try await page("where=birthday+is+absent").total == 20 - whole.days.count)
    let unknown = try await client.get("/api/v1/collections/people?sort=birthdy").object()
    #expect(unknown["code"] as? String == "no-field")
    #expect((unknown["hint"] as? String ?? "").hasPrefix("did you mean 'birthday'?"), "\(unknown)")
  }

  @Test("an edit that its server does not take now holds up no later one of another record")
  func editsBesideAStuckOne() async throws {
    var options = UpstreamOptions()
    options.userIDs = ["u0", "u1"]
    options.faults = [FaultRule(.status(503, retryAfter: "3000"), method: "PUT", path: "/user/u0", times: nil)]
    let daemon = try await Daemon(follows: ["users/u0", "users/u1"], options: options)
    for user in options.userIDs {
      _ = try await daemon.eventually("/api/v1/collections/profiles/\(user)") { $0.status == 200 }
      let patch = try await daemon.client.send(
        "PATCH", "/api/v1/collections/profiles/\(user)", headers: ["Content-Type": "application/json"],
        body: #"{"name": "New \#(user)"}"#)
      #expect(patch.status == 200)
      // The first one was tried, and waits; the second one arrives all the same.
      _ = try await daemon.eventually("/api/v1/collections/outbox") { reply in
        let items = try reply.list("items")
        return items.count == 1 && items[0]["target"] as? String == "profiles/u0"
          && (items[0]["attempts"] as? Int ?? 0) > 0
      }
    }
    #expect(daemon.upstream?.user("u1")?.name == "New u1")
    #expect(daemon.upstream?.log.count { $0.method == "PUT" && $0.target == "/user/u0" } == 1)
    // The first page, that of the record and the outbox say until when it waits.
    for path in ["/", "/collections/profiles/u0", "/outbox"] {
      let page = try await daemon.client.get(path).body
      #expect(page.contains("The server asked to wait. Next attempt: <time"), "\(path): \(page)")
    }
  }

  @Test("edits: a person is added once, a profile is changed and its PUT arrives")
  func edits() async throws {
    let (daemon, client) = try await Daemon(follows: ["users/ada"]).withClient
    let body = #"{"firstName": "Grace", "lastName": "Hopper", "birthday": "1906-12-09"}"#
    let made = try await client.post("/api/v1/collections/people", body)
    #expect(made.status == 201)
    #expect(try made.object()["fullName"] as? String == "Grace Hopper")
    let location = try #require(made.headers["location"])
    #expect(try await client.get(location).status == 200)
    let again = try await client.post("/api/v1/collections/people", body)
    #expect(try again.status == 409 && again.object()["kind"] == nil, "\(again.body)")
    for bad in [
      #"{"birthday": "1906-13-09", "firstName": "A"}"#, #"{"birthday": null, "firstName": "A"}"#,
      #"{"birthday": "--12-09"}"#, #"{"x": 1}"#,
    ] {
      #expect(try await client.post("/api/v1/collections/people", bad).status == 422, "\(bad)")
    }
    for lee in [
      #"{"firstName": "小龙", "lastName": "李", "fullName": "李小龙"}"#, #"{"fullName": "李小龍"}"#,
    ] {
      let made = try await client.post("/api/v1/collections/people", lee)
      #expect(made.status == 201)
      #expect(lee.contains(try made.object()["fullName"] as? String ?? "-"))
      #expect(try made.object()["birthday"] == nil)
    }
    let future = #"{"firstName": "Bo", "birthday": "9000-01-02"}"#
    let stored = try await client.post("/api/v1/collections/people", future)
    let note = "the birthday 9000-01-02 is in the future; it is stored but not sent"
    #expect(stored.status == 201 && stored.headers["almanac-note"] == note, "\(stored)")
    let bo = try #require(stored.headers["location"]?.split(separator: "/").last)
    #expect(try await client.get("/collections/people/\(bo)").body.contains(note.dropFirst()))
    // RFC 8259 section 8.1: a byte order mark may be ignored, and is.
    let marked = "\u{FEFF}" + #"{"firstName": "Mary", "lastName": "Somerville", "birthday": "1780-12-26"}"#
    #expect(try await client.post("/api/v1/collections/people", marked).status == 201)
    for bad in ["{", "[]", "nul", "\u{FEFF}"] {
      #expect(try await client.post("/api/v1/collections/people", bad).status == 400, "\(bad)")
    }
    _ = try await daemon.eventually("/api/v1/collections/profiles/ada") { $0.status == 200 }
    let patch = try await client.send(
      "PATCH", "/api/v1/collections/profiles/ada", headers: ["Content-Type": "application/json; charset=utf-8"],
      body: #"{"name": "Ada King", "description": null}"#)
    #expect(patch.status == 200)
    #expect(try patch.object()["name"] as? String == "Ada King")
    _ = try await daemon.eventually("/api/v1/collections/outbox") { try $0.list("items").isEmpty }
    #expect(daemon.upstream?.user("ada")?.name == "Ada King" && daemon.upstream?.user("ada")?.description == nil)
    #expect(
      try await client.send(
        "PATCH", "/api/v1/collections/profiles/nobody", headers: ["Content-Type": "application/json"], body: "{}"
      ).status == 404)
    #expect(try await client.post("/api/v1/sync", #"{"follows": ["nowhere/x"]}"#).status == 422)
  }

  @Test("a status that is asked for after an edit shows it, however many ask at the same time")
  func freshStatus() async throws {
    var options = UpstreamOptions()
    // Nothing that is added leaves the outbox while this looks.
    options.faults = [FaultRule(.hang, path: "/people", times: nil)]
    let client = try await Daemon(follows: [], options: options).client
    @Sendable func records(_ reply: WebClient.Reply) throws -> Int {
      try (reply.object()["store"] as? [String: Any])?["records"] as? Int ?? -1
    }
    var before = try await records(client.get("/api/v1/status"))
    for number in 1...12 {
      let body = #"{"firstName": "Person \#(number)", "lastName": "X", "birthday": "1906-12-09"}"#
      #expect(try await client.post("/api/v1/collections/people", body).status == 201)
      let counts = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<4 { group.addTask { try await records(client.get("/api/v1/status")) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(counts.allSatisfy { $0 > before }, "\(counts), \(before) before")
      before = counts.max() ?? before
      let metrics = try await client.get("/metrics").body
      #expect(metrics.contains("almanac_store_records \(before)\n"), "\(before)")
    }
  }

  @Test("a body that could not be kept as it was sent is refused, and so is a parameter that is there twice")
  func lossyBodies() async throws {
    let client = try await Daemon(follows: []).client
    let people = "/api/v1/collections/people"
    let made = try await client.post(people, #"{"firstName": "Ada", "nickname": "\ud83d\ude00"}"#)
    #expect(made.status == 201 && made.body.contains("😀"), "\(made.body)")
    let id = try #require(try made.object()["id"] as? String)
    for body in [
      #"{"nickname": "\ud800"}"#, #"{"nickname": "\udc00x"}"#, #"{"nickname": "a", "nickname": "b"}"#,
      #"{"emails": [{"value": "a@example.org", "value": "b@example.org"}]}"#, #"{"nickname": 1e400}"#,
    ] {
      let reply = try await client.send(
        "PATCH", "\(people)/\(id)", headers: ["Content-Type": "application/json"], body: body)
      #expect(reply.status == 422 && reply.body.contains("cannot be taken as it is"), "\(body): \(reply.body)")
    }
    #expect(try await client.get("\(people)/\(id)").object()["nickname"] as? String == "😀")
    for (query, says) in [
      ("collections/people?limit=1&limit=2", "more than once"), ("search?words=", "words is empty"),
      ("search", "words is missing"),
    ] {
      let reply = try await client.get("/api/v1/\(query)")
      #expect(reply.status == 400 && reply.body.contains(says), "\(query): \(reply.body)")
    }
    #expect(try await client.get("/api/v1/search?words=ada&in=people&in=apps").status == 200)
  }

  @Test("bodies, headers and targets are bounded")
  func limits() async throws {
    let client = try await Daemon(follows: []).client
    let large = String(repeating: " ", count: 1 << 20) + "{}"
    #expect(try await client.post("/api/v1/sync", large).status == 413)
    let chunked = client.request(
      "POST", "/api/v1/sync",
      ["Content-Type": "application/json", "Transfer-Encoding": "chunked", "Connection": "close"], nil)
    let chunk = String(1 << 16, radix: 16) + "\r\n" + String(repeating: " ", count: 1 << 16) + "\r\n"
    let bytes = try await client.exchange(chunked + String(repeating: chunk, count: 17) + "0\r\n\r\n") { _ in false }
    #expect(WebClient.Reply(String(decoding: bytes, as: UTF8.self)).status == 413)
    let many = Dictionary(uniqueKeysWithValues: (0..<120).map { ("X-\($0)", "a") })
    for headers in [["X-Large": String(repeating: "a", count: 40_000)], many] {
      let reply = try await client.get("/healthz", headers: headers)
      #expect(reply.status == 431 && reply.headers["content-type"] == "application/problem+json", "\(reply)")
      #expect(try reply.object()["hint"] as? String ?? "" != "" && reply.object()["status"] as? Int == 431)
    }
    // What is not HTTP is answered in words as well, unless an answer is under way.
    let noise = WebClient.Reply(
      String(decoding: try await client.exchange("NOT HTTP\r\n\r\n") { _ in false }, as: UTF8.self))
    #expect(noise.status == 400 && noise.body.contains("cannot be read"), "\(noise)")
  }

  @Test("status, health, metrics, and a description that names every route of the API")
  func system() async throws {
    let (daemon, client) = try await Daemon(follows: ["people"]).withClient
    #expect(try await client.anonymous.get("/healthz").status == 200)
    _ = try await daemon.eventually("/readyz") { $0.status == 200 }
    let status = try await daemon.eventually("/api/v1/status") {
      try $0.list("follows").first?["lastSuccess"] is String
    }
    #expect(try status.list("follows").first?["stale"] as? Bool == false)
    #expect(try (status.object()["store"] as? [String: Any])?["records"] is Int)
    let metrics = try await client.get("/metrics").body
    for name in [
      "almanac_follow_age_seconds{follow=\"people\"}", "almanac_follow_duration_seconds_count{follow=\"people\"} 1",
      "almanac_follow_records_total{follow=\"people\",change=\"added\"} 20",
      "almanac_outbox_entries{state=\"pending\"} 0",
      "almanac_store_bytes", "process_resident_memory_bytes",
    ] { #expect(metrics.contains(name), "\(name)\n\(metrics)") }
    let document = try await client.get("/openapi.json").object()
    #expect(document["openapi"] as? String == "3.1.0")
    let described = Set((document["paths"] as? [String: Any] ?? [:]).keys)
    let pages = ["/login", AccessPage.path, API.assistantPath]
    let routes = try Routes.all().filter {
      $0.access != .page && !$0.content.isForm && !pages.contains($0.path)
    }
    let collections = try await client.get("/api/v1/collections").list("items").compactMap { $0["name"] as? String }
    // The collections are described one by one, each with the type of its records.
    func paths(_ route: Route) -> [String] {
      let path = route.path.replacing("**", with: "{id}")
      return path.contains("{name}") ? collections.map { path.replacing("{name}", with: $0) } : [path]
    }
    #expect(described == Set(routes.flatMap(paths)))
    for (route, path) in routes.flatMap({ route in paths(route).map { (route, $0) } }) where path.hasPrefix("/api/") {
      let item = (document["paths"] as? [String: [String: [String: Any]]])?[path]
      // Only collections whose definition has "edits" are edited here; this daemon has none.
      if route.path.contains("{name}"), route.methodName != "GET" { continue }
      let operation = try #require(item?[route.methodName.lowercased()], "\(path)")
      let parameters = operation["parameters"] as? [[String: Any]] ?? []
      let queried = parameters.filter { $0["in"] as? String == "query" }.compactMap { $0["name"] as? String }
      #expect(queried == route.query?.map(\.name), "\(path)")
      #expect((operation["responses"] as? [String: Any])?["400"] != nil, "\(path)")
    }
  }
}
