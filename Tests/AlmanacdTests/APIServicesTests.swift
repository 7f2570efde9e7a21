import AlmanacTesting
import Foundation
import Models
import Persistence
import Ports
import Testing
import UpstreamKit

/// What the API offers beside records: edits with preconditions, the outbox, charts, birthdays, pictures, changes.
@Suite struct APIServicesTests {
  private let json = ["Content-Type": "application/json"]
  private let patch = ["Content-Type": "application/merge-patch+json"]

  @Test("people are changed by a merge patch, queued for sending, and removed; an older state is refused")
  func people() async throws {
    let (daemon, client) = try await Daemon(follows: ["people"]).withClient
    _ = try await daemon.eventually("/api/v1/collections/people") { try $0.list("items").count == 20 }
    let made = try await client.post("/api/v1/collections/people", #"{"firstName": "Mary", "lastName": "Somerville"}"#)
    let id = try #require(made.object()["id"] as? String)
    let path = "/api/v1/collections/people/\(id)"
    let before = try await client.get("/api/v1/collections/people/\(id)")
    let tag = try #require(before.headers["etag"])
    #expect(
      try await client.get("/api/v1/collections/people/\(id)", headers: ["If-None-Match": "\"x\", W/\(tag)"]).status
        == 304)
    let day = try await client.send(
      "PATCH", path, headers: patch.merging(["If-Match": tag]) { $1 }, body: #"{"birthday": "1780-12-26"}"#)
    #expect(day.status == 200, "\(day.body)")
    #expect(try day.object()["birthday"] as? String == "1780-12-26" && day.headers["etag"] != tag)
    let late = try await client.send(
      "PATCH", path, headers: patch.merging(["If-Match": tag]) { $1 }, body: #"{"birthday": null}"#)
    #expect(try late.status == 412 && late.object()["code"] as? String == "changed")
    #expect(try late.object()["kind"] == nil, "\(late.body)")
    #expect(try await client.send("DELETE", path, headers: ["If-Match": tag]).status == 412)
    let named = try await client.send("PATCH", path, headers: json, body: #"{"fullName": "M. Somerville"}"#)
    #expect(try named.object()["fullName"] as? String == "M. Somerville")
    #expect(try named.object()["birthday"] as? String == "1780-12-26")
    let plain = try await client.send("PATCH", path, headers: patch, body: #"{"fullName": null}"#)
    #expect(try plain.object()["fullName"] as? String == "Mary Somerville")
    for (body, status) in [
      (#"{"birthday": "1780-13-26"}"#, 422), (#"{"firstName": null, "lastName": null}"#, 422), (#"{"age": 5}"#, 422),
      ("[]", 400), (#"{"emails": [{"value": "m@example.org", "tpye": "work"}]}"#, 422),
      (#"{"addresses": [{"town": "Naples", "city": "Naples"}]}"#, 422),
    ] {
      let refused = try await client.send("PATCH", path, headers: patch, body: body)
      #expect(refused.status == status, "\(body)")
      if body.contains("tpye") {
        #expect(refused.body.contains("unknown member 'tpye' of 'emails'"), "\(refused.body)")
      }
    }
    #expect(try await client.send("PATCH", path, headers: ["Content-Type": "text/plain"], body: "{}").status == 415)
    let sent = try await client.post("/api/v1/people/send", #"{"ids": ["\#(id)"]}"#)
    #expect(try sent.status == 202 && (sent.object()["entries"] as? [String])?.count == 1, "\(sent.body)")
    _ = try await daemon.eventually("/api/v1/outbox") { try $0.list("items").isEmpty }
    #expect(daemon.upstream?.log.count { $0.method == "POST" && $0.target == "/people" } == 1)
    #expect(try await client.post("/api/v1/people/send", #"{"ids": ["none"]}"#).status == 404)
    #expect(try await client.post("/api/v1/people/send", #"{"ids": []}"#).status == 422)
    #expect(try await client.send("DELETE", path).status == 204)
    #expect(try await client.get("/api/v1/collections/people/\(id)").status == 404)
    #expect(try await client.send("DELETE", path, headers: ["If-Match": "*"]).status == 404)
  }

  @Test("the former addresses of people and profiles answer as those of the records do, and name them")
  func formerAddresses() async throws {
    let (daemon, client) = try await Daemon(follows: ["users/ada"]).withClient
    func check(_ reply: WebClient.Reply, _ status: Int, _ successor: String) {
      #expect(reply.status == status && reply.headers["deprecation"]?.hasPrefix("@") == true, "\(reply)")
      #expect(reply.headers["link"] == "</api/v1/collections/\(successor)>; rel=\"successor-version\"", "\(reply)")
    }
    let made = try await client.post("/api/v1/people", #"{"firstName": "Ada"}"#)
    check(made, 201, "people")
    let id = try #require(made.object()["id"] as? String)
    check(try await client.post("/api/v1/people", #"{"firstName": "Ada"}"#), 409, "people")
    let path = "/api/v1/people/\(id)"
    check(try await client.send("PATCH", path, headers: patch, body: #"{"lastName": "King"}"#), 200, "people/\(id)")
    #expect(try await client.get("/api/v1/collections/people/\(id)").object()["fullName"] as? String == "Ada King")
    check(try await client.send("DELETE", path), 204, "people/\(id)")
    check(try await client.send("DELETE", path), 404, "people/\(id)")
    _ = try await daemon.eventually("/api/v1/collections/profiles/ada") { $0.status == 200 }
    let name = #"{"name": "Countess"}"#
    check(try await client.send("PATCH", "/api/v1/profiles/ada", headers: patch, body: name), 200, "profiles/ada")
    #expect(try await client.get("/api/v1/collections/profiles/ada").headers["deprecation"] == nil)
    // Neither adds nor removes profiles.
    #expect(try await client.post("/api/v1/collections/profiles", name).status == 422)
    #expect(try await client.send("DELETE", "/api/v1/collections/profiles/ada").status == 422)
    #expect(try await client.anonymous.send("DELETE", path).status == 401)
  }

  @Test("an edit that is refused waits in the outbox, is retried and discarded; a conflict is resolved")
  func outbox() async throws {
    var options = UpstreamOptions()
    options.userIDs = ["u0", "u1"]
    options.faults = [FaultRule(.status(422, retryAfter: nil), method: "PUT", path: "/user/u0", times: 2)]
    let (daemon, client) = try await Daemon(follows: ["users/u0"], options: options).withClient
    _ = try await daemon.eventually("/api/v1/collections/profiles/u0") { $0.status == 200 }
    let edit = try await client.send(
      "PATCH", "/api/v1/collections/profiles/u0", headers: patch, body: #"{"name": "New"}"#)
    #expect(edit.status == 200)
    func refused(_ attempts: Int) async throws -> String {
      let reply = try await daemon.eventually("/api/v1/outbox") { reply in
        let items = try reply.list("items")
        return items.first?["state"] as? String == "refused" && items.first?["attempts"] as? Int == attempts
      }
      return try reply.list("items").first?["id"] as? String ?? ""
    }
    let id = try await refused(1)
    #expect(try await client.get("/api/v1/outbox/\(id)").object()["target"] as? String == "profiles/u0")
    #expect(try await client.post("/api/v1/outbox/\(id)/resolve", #"{"take": "mine"}"#).status == 422)
    #expect(try await client.post("/api/v1/outbox/\(id)/resolve", #"{"take": "both"}"#).status == 422)
    #expect(try await client.post("/api/v1/outbox/none/discard", "{}").status == 404)
    let again = try await client.post("/api/v1/outbox/\(id)/retry", "{}")
    #expect(try again.list("items").first?["state"] as? String == "pending", "\(again.body)")
    #expect(try await refused(2) == id)
    let dropped = try await client.post("/api/v1/outbox/\(id)/discard", "")
    #expect(try dropped.object()["id"] as? String == id, "\(dropped.body)")
    #expect(try await client.get("/api/v1/outbox").list("items").isEmpty)
    #expect(try await client.get("/api/v1/collections/profiles/u0").object()["name"] as? String != "New")
    #expect(try await client.post("/api/v1/outbox/retry", "{}").list("items").isEmpty)
  }

  @Test("a POST with an Idempotency-Key is done once, also over a restart, and answered alike")
  func idempotency() async throws {
    let daemon = try await Daemon(follows: [])
    let key = json.merging(["Idempotency-Key": "\"k-1\""]) { $1 }
    let body = #"{"firstName": "Grace", "lastName": "Hopper"}"#
    let store = try JSONFileStore(folder: daemon.program.store)
    let before = try store.snapshot().sequence
    let first = try await daemon.client.send("POST", "/api/v1/collections/people", headers: key, body: body)
    // A kill between the person and the answer cannot leave one of them: they are one commit, and the only one.
    let changes = try store.changes(since: nil, limit: 1000).suffix(2)
    #expect(try store.snapshot().sequence == before + 1)
    #expect(Set(changes.map(\.collection)) == [.people, .state] && changes.allSatisfy { $0.id.count > 10 })
    let second = try await daemon.client.send("POST", "/api/v1/collections/people", headers: key, body: body)
    #expect(first.status == 201 && second.status == 201 && first.body == second.body)
    #expect(first.headers["location"] == second.headers["location"])
    let other = try await daemon.client.send(
      "POST", "/api/v1/collections/people", headers: key, body: #"{"firstName": "Ada", "lastName": "King"}"#)
    #expect(try other.status == 422 && other.object()["code"] as? String == "key-reused")
    let free = json.merging(["Idempotency-Key": "k-2"]) { $1 }
    #expect(try await daemon.client.send("POST", "/api/v1/collections/people", headers: free, body: body).status == 409)
    let more = #"{"firstName": "Ada", "lastName": "King"}"#
    #expect(try await daemon.client.send("POST", "/api/v1/collections/people", headers: free, body: more).status == 201)
    let spaced = json.merging(["Idempotency-Key": "k 3"]) { $1 }
    #expect(
      try await daemon.client.send("POST", "/api/v1/collections/people", headers: spaced, body: more).status == 400)
    let long = json.merging(["Idempotency-Key": String(repeating: "k", count: 256)]) { $1 }
    #expect(try await daemon.client.send("POST", "/api/v1/collections/people", headers: long, body: more).status == 400)
    try await daemon.stop()
    let again = try daemon.program.start(["--listen", "127.0.0.1:\(daemon.port)"])
    defer { again.signal(SIGKILL) }
    _ = try await Daemon.waitFor(again, again.errorPath, "listening")
    let third = try await daemon.client.send("POST", "/api/v1/collections/people", headers: key, body: body)
    #expect(third.status == 201 && third.body == first.body)
    #expect(try await daemon.client.get("/api/v1/collections/people?total=true").object()["total"] as? Int == 2)
  }

  @Test("charts, birthdays and pictures as the CLI has them; a query that makes no sense is 400")
  func answers() async throws {
    let (daemon, client) = try await Daemon(follows: ["app-store/fr/top-paid", "people"]).withClient
    _ = try await daemon.eventually("/api/v1/collections/charts") { try !$0.list("items").isEmpty }
    _ = try await daemon.eventually("/api/v1/collections/people") { try $0.list("items").count == 20 }
    let top = try await client.get("/api/v1/charts/top?chart=app-store/fr/top-paid&limit=3")
    #expect(try top.list("items").compactMap { $0["rank"] as? Int } == [1, 2, 3])
    let app = try #require(top.list("items").first?["id"] as? String)
    let history = try await client.get("/api/v1/charts/history?app=fr/\(app)").object()
    #expect(history["chart"] as? String == "app-store/fr/top-paid" && (history["items"] as? [Any])?.count == 1)
    let movers = try await client.get("/api/v1/charts/movers?chart=app-store/fr/top-paid&since=1d").object()
    #expect(movers["later"] is String && (movers["items"] as? [Any])?.isEmpty ?? false)
    let year = try await client.get("/api/v1/birthdays?days=365&on=2026-01-01").list("items")
    #expect(
      year.count >= 15
        && year.compactMap { $0["date"] as? String } == year.compactMap { $0["date"] as? String }.sorted())
    let apps = try await client.get("/api/v1/collections/apps?limit=1")
    let url = try #require(apps.list("items").first?["thumbnailURL"] as? String)
    #expect(try await client.get("/api/v1/media?url=http://example.test/none.png").status == 404)
    #expect(try await client.post("/api/v1/media/fetch", "{}").status == 202)
    let picture = try await daemon.eventually("/api/v1/media?url=\(url)") { $0.status == 200 }
    #expect(picture.headers["content-type"]?.hasPrefix("image/") ?? false)
    for path in [
      "charts/top", "charts/top?chart=people", "charts/top?chart=app-store/fr/top-paid&limit=0",
      "charts/movers?chart=app-store/fr/top-paid&since=soon", "charts/history", "birthdays?days=-1",
      "birthdays?on=2026-13-01", "birthdays?feb29=mar2", "media",
    ] {
      #expect(try await client.get("/api/v1/\(path)").status == 400, "\(path)")
    }
    #expect(try await client.get("/api/v1/charts/top?chart=app-store/de/top-paid").status == 404)
  }

  @Test("the change feed gives every record once, then what changes, and says when a cursor is gone")
  func changes() async throws {
    let (daemon, client) = try await Daemon(follows: ["people"]).withClient
    _ = try await daemon.eventually("/api/v1/collections/people") { try $0.list("items").count == 20 }
    _ = try await daemon.eventually("/api/v1/collections/runs") { try !$0.list("items").isEmpty }
    var (ids, next): (Set<String>, String?) = ([], nil)
    while true {
      let since = next.map { "&since=\($0)" } ?? ""
      let page = try await client.get("/api/v1/changes?limit=7\(since)")
      for item in try page.list("items") where item["collection"] as? String == "people" {
        #expect(
          item["op"] as? String == "put"
            && (item["record"] as? [String: Any])?["id"] as? String == item["id"] as? String)
        ids.insert(item["id"] as? String ?? "")
      }
      next = try page.object()["next"] as? String
      if try page.object()["more"] as? Bool == false { break }
    }
    #expect(ids.count == 20)
    let cursor = try #require(next)
    let id = try #require(ids.first)
    #expect(try await client.send("DELETE", "/api/v1/collections/people/\(id)").status == 204)
    let after = try await client.get("/api/v1/changes?since=\(cursor)").list("items")
    let removal = try #require(after.first { $0["collection"] as? String == "people" })
    #expect(removal["op"] as? String == "delete" && removal["id"] as? String == id && removal["record"] == nil)
    // What is no cursor at all is a mistake of the request; that of another store may have been right once.
    for text in ["nonsense", "", "1-2", "0000000z-1-1-0"] {
      let reply = try await client.get("/api/v1/changes?since=\(text)")
      #expect(try reply.status == 400 && reply.object()["code"] as? String == "invalidCursor", "\(text): \(reply.body)")
    }
    #expect(try await client.get("/api/v1/changes?since=00000000-1-1-0").status == 410)
    #expect(try await client.get("/api/v1/changes?after=1").status == 400)
    // A client may wait for a change: the answer comes with it, or after the time.
    let last = try #require(try await client.get("/api/v1/changes?since=\(cursor)").object()["next"] as? String)
    let begin = ContinuousClock.now
    #expect(try await client.get("/api/v1/changes?since=\(last)&wait=1").list("items").isEmpty)
    #expect(ContinuousClock.now - begin >= .seconds(1))
    async let waiting = client.get("/api/v1/changes?since=\(last)&wait=60")
    _ = try await client.post("/api/v1/collections/people", #"{"firstName": "Late"}"#)
    let change = try await waiting.list("items").first
    #expect((change?["record"] as? [String: Any])?["firstName"] as? String == "Late", "\(change ?? [:])")
    #expect(try await client.get("/api/v1/changes?wait=61").status == 400)
  }

  @Test("a calendar is fetched with the token in its address, which opens nothing else and can be revoked")
  func calendar() async throws {
    let client = try await Daemon(follows: []).client
    _ = try await client.post(
      "/api/v1/collections/people", #"{"firstName": "Ada", "lastName": "King", "birthday": "1815-12-10"}"#)
    let made = try await client.post("/api/v1/tokens", #"{"name": "phone", "rights": "calendar"}"#)
    let url = try #require(made.object()["url"] as? String)
    let path = try #require(url.range(of: "/calendars/").map { String(url[$0.lowerBound...]) })
    #expect(url.hasPrefix("http://\(client.host)/calendars/birthdays.ics?token="))
    let calendar = try await client.anonymous.get(path)
    #expect(calendar.status == 200 && calendar.headers["content-type"] == "text/calendar; charset=utf-8")
    #expect(calendar.body.contains("SUMMARY:Ada King") && calendar.body.hasSuffix("END:VCALENDAR\r\n"))
    let tag = try #require(calendar.headers["etag"])
    #expect(try await client.anonymous.get(path, headers: ["If-None-Match": tag]).status == 304)
    let alarm = try await client.anonymous.get(path + "&alarm=9h")
    #expect(alarm.body.contains("BEGIN:VALARM") && alarm.headers["etag"] != tag)
    #expect(try await client.anonymous.get(path + "&alarm=soon").status == 400)
    _ = try await client.post(
      "/api/v1/collections/people", #"{"firstName": "Bo", "lastName": "Ek", "birthday": "--05-06"}"#)
    #expect(try await client.anonymous.get(path, headers: ["If-None-Match": tag]).status == 200)
    var bearer = client
    bearer.token = try #require(made.object()["token"] as? String)
    for path in ["/api/v1/status", "/api/v1/collections/people", "/metrics", "/api/v1/tokens", "/"] {
      #expect(try await bearer.get(path).status == 403, "\(path)")
    }
    #expect(try await bearer.post("/api/v1/collections/people", "{}").status == 403)
    for token in ["", client.token ?? "", "0"] {
      #expect(try await client.get("/calendars/birthdays.ics?token=\(token)").status == 401)
    }
    #expect(try await client.send("DELETE", "/api/v1/tokens/phone").status == 204)
    #expect(try await client.anonymous.get(path).status == 401)
  }
}
