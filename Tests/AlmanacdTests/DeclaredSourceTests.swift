import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

@testable import almanacd

/// Sources that a file describes, while the daemon runs.
@Suite("Declared sources in the daemon") struct DeclaredSourceTests {
  private static func definition(_ url: String, more: String = "") -> String {
    """
    {
      "almanac": 1, "source": "desk", "url": "\(url)",
      "collections": {"accounts": {"id": "$.userId", "fields": {"name": "text $.name", "email": "text $.email"\(more)}}},
      "follows": {"account/{id}": {"get": "/user/{id}", "take": {"records": "$.data", "into": "accounts"}}},
      "edits": {
        "accounts": {
          "read": "/user/{id}", "record": "$.data", "update": {"put": "/user/{id}", "send": {"name": "name", "email": "email"}},
          "delete": "/user/{id}",
          "create": {"post": "/user", "send": {"name": "name", "email": "email"}, "key": "Idempotency-Key"}
        }
      }
    }
    """
  }

  private func write(_ daemon: Daemon, _ text: String) throws {
    let folder = daemon.program.folder + "/sources"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try daemon.program.file("sources/desk.json", text)
  }

  private func source(_ reply: WebClient.Reply) throws -> [String: Any]? {
    try reply.list("items").first { $0["name"] as? String == "desk" }
  }

  @Test("a definition that is added, changed or has mistakes is taken up; mistakes are on page and API")
  func reload() async throws {
    let (daemon, client) = try await Daemon(follows: []).withClient
    #expect(try await source(client.get("/api/v1/sources")) == nil)
    try write(daemon, Self.definition("https://desk.example"))
    let added = try await daemon.eventually("/api/v1/sources") { $0.body.contains("desk/account/") }
    #expect(try source(added)?["mistakes"] == nil)
    _ = try await daemon.eventually("/api/v1/collections") { $0.body.contains("accounts") }
    #expect(try await client.get("/openapi.json").body.contains("editAccountsRecord"))
    try write(daemon, Self.definition("https://desk.example", more: #", "size": "number $.size""#))
    let wrong = try await daemon.eventually("/api/v1/sources") { $0.body.contains("mistakes") }
    let mistakes = try source(wrong)?["mistakes"] as? [[String: Any]]
    #expect(mistakes?.first?["line"] as? Int == 3 && mistakes?.count == 1)
    #expect((mistakes?.first?["message"] as? String)?.contains("unknown kind") == true)
    let log = try await daemon.log(holds: "config mistake")
    #expect(log.contains("desk.json:3:") && log.contains("path=collections.accounts.fields.size"), "\(log)")
    // The definition before stays.
    #expect(try source(wrong)?["forms"].map { "\($0)".contains("account") } == true)
    _ = try await daemon.eventually("/") { $0.body.contains("unknown kind") }
    try write(daemon, Self.definition("https://desk.example", more: #", "size": "int? $.size""#))
    _ = try await daemon.eventually("/api/v1/sources") { !$0.body.contains("mistakes") }
    _ = try await daemon.eventually("/") { !$0.body.contains("unknown kind") }
  }

  @Test("a definition that a follow needs is missed as soon as it is gone")
  func gone() async throws {
    let daemon = try await Daemon(config: #"{"follows": [{"follow": "desk/account/1", "paused": true}]}"#)
    try await daemon.log(holds: "there is no definition")
    try write(daemon, Self.definition("https://desk.example"))
    try await daemon.log(holds: "problem solved")
    try FileManager.default.removeItem(atPath: daemon.program.folder + "/sources/desk.json")
    try await daemon.log(holds: "config mistake", times: 2)
    #expect(try await daemon.client.get("/api/v1/status").list("problems").first?["part"] as? String == "config")
  }

  @Test("records are edited, added and removed through the API and the pages")
  func edits() async throws {
    let (daemon, client) = try await Daemon(follows: []).withClient
    try write(daemon, Self.definition("http://127.0.0.1:1"))
    _ = try await daemon.eventually("/api/v1/collections") { $0.body.contains("accounts") }
    let place = "/api/v1/collections/accounts"
    let made = try await client.post(place, #"{"name": "Ada", "email": "ada@example.org"}"#)
    #expect(made.status == 201, "\(made.body)")
    let record = try #require(made.nextPage)
    let tag = try #require(try await client.get(record).headers["etag"])
    let old = try await client.send(
      "PATCH", record, headers: ["Content-Type": "application/json", "If-Match": "\"x\""], body: #"{"name": "B"}"#)
    #expect(old.status == 412)
    let changed = try await client.send(
      "PATCH", record, headers: ["Content-Type": "application/merge-patch+json", "If-Match": tag],
      body: #"{"name": "Ada King"}"#)
    #expect(changed.status == 200 && changed.body.contains("Ada King"), "\(changed.body)")
    for (body, status) in [(#"{"nam": "x"}"#, 422), (#"{"name": null}"#, 422), ("[1]", 400)] {
      let reply = try await client.send("PATCH", record, headers: ["Content-Type": "application/json"], body: body)
      #expect(reply.status == status, "\(body): \(reply.body)")
    }
    let id = String(record.dropFirst("\(place)/".count))
    #expect(
      try await client.get("/collections/accounts/\(id)").body.contains("href=\"/collections/accounts/\(id)?edit\""))
    let page = try await client.get("/collections/accounts/\(id)?edit").body
    #expect(page.contains("name=\"field.email\"") && page.contains("/do/records/remove"))
    #expect(page.contains("id=\"edit\" data-live"), "an open form that nobody has touched is renewed")
    func form(_ action: String, _ fields: String) async throws -> WebClient.Reply {
      try await client.send(
        "POST", "/do/records/\(action)", headers: ["Content-Type": "application/x-www-form-urlencoded"], body: fields)
    }
    let stale = try await form("edit", "collection=accounts&id=\(id)&tag=%22x%22&field.name=C")
    #expect(stale.status == 412 && stale.body.contains("name=\"field.name\" autocomplete=\"off\" required value=\"C\""))
    let empty = try await form("add", "collection=accounts&field.name=%20&field.email=kept%40example.org")
    #expect(empty.status == 422 && empty.body.contains("value=\"kept@example.org\""), "\(empty.body)")
    let field = empty.body.split(separator: "<label").first { $0.contains("name=\"field.name\"") } ?? ""
    #expect(field.contains("aria-invalid") && field.contains("Expected a text that is not empty"), "\(empty.body)")
    let start = try #require(page.range(of: "name=\"tag\" value=\""))
    let shown = page[start.upperBound...].prefix { $0 != "\"" }.replacingOccurrences(of: "&quot;", with: "%22")
      .replacingOccurrences(of: "&#34;", with: "%22")
    let saved = try await form(
      "edit", "collection=accounts&id=\(id)&tag=\(shown)&field.name=Countess&field.email=ada%40example.org")
    #expect(saved.status == 303, "\(saved.body)")
    #expect(try await client.get(record).body.contains("Countess"))
    // A form on an old page keeps another's edit, and shows what both changed.
    let older = try await client.get("/collections/accounts/\(id)?edit").form("/do/records/edit")
    let patch = ["Content-Type": "application/json"]
    _ = try await client.send("PATCH", record, headers: patch, body: #"{"email": "theirs@example.org"}"#)
    let first = try await client.submit("/do/records/edit", older.map { ($0.0, $0.0 == "field.name" ? "Lady" : $0.1) })
    #expect(first.status == 412 && first.body.contains("value=\"theirs@example.org\""), "\(first.body)")
    #expect(!first.body.contains("id=\"conflict-"), "\(first.body)")
    _ = try await client.send("PATCH", record, headers: patch, body: #"{"name": "Duchess"}"#)
    let second = try await client.submit("/do/records/edit", first.form("/do/records/edit"))
    #expect(second.status == 412 && second.body.contains("id=\"conflict-field.name\""), "\(second.body)")
    #expect(second.body.contains("&#39;Duchess&#39;") || second.body.contains("'Duchess'"), "\(second.body)")
    #expect(try await client.submit("/do/records/edit", second.form("/do/records/edit")).status == 303)
    let both = try await client.get(record).object()
    #expect(both["name"] as? String == "Lady" && both["email"] as? String == "theirs@example.org", "\(both)")
    let added = try await form("add", "collection=accounts&field.name=+Eve%09&field.email=eve%40example.org+")
    #expect(added.status == 303 && added.headers["location"]?.hasPrefix("/collections/accounts/") == true)
    let eve = try await client.get("\(place)?search=eve").list("items").first
    #expect(eve?["name"] as? String == "Eve" && eve?["email"] as? String == "eve@example.org", "\(eve ?? [:])")
    #expect(try await client.get("/collections/accounts").body.contains("Add a record"))
    #expect(try await client.send("DELETE", record).status == 204)
    #expect(try await client.get(record).status == 404)
    // What was typed about a record that was removed meanwhile comes first, with the reason.
    let late = try await form("edit", "collection=accounts&id=\(id)&tag=%22x%22&field.name=Kept")
    let typed = try #require(late.body.range(of: "value=\"Kept\""), "\(late.body)")
    let reason = try #require(late.body.range(of: "It was removed meanwhile"))
    let list = try #require(late.body.range(of: "id=\"records\""))
    #expect(late.status == 404 && reason.lowerBound < typed.lowerBound && typed.lowerBound < list.lowerBound)
    #expect(late.body.components(separatedBy: "/do/records/add").count == 2)
    #expect(try await client.send("DELETE", "/api/v1/collections/runs/x").status == 422)
    #expect(try await client.get(place).list("items").count == 1)
  }
}
