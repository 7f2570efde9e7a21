import AlmanacTesting
import Foundation
import Testing

@testable import almanacd

/// Forms that are refused: they come again as they were sent, with the reason beside the field.
@Suite struct FormTests {
  private static func send(
    _ client: WebClient, _ path: String, _ fields: [(String, String)], headers: [String: String] = [:]
  ) async throws -> WebClient.Reply {
    var allowed = CharacterSet.alphanumerics
    allowed.insert(charactersIn: "-._~")
    let body = fields.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")" }
    let all = ["Content-Type": Route.Content.form.rawValue, "Accept": "text/html"].merging(headers) { $1 }
    return try await client.send("POST", path, headers: all, body: body.joined(separator: "&"))
  }

  /// The tag of the field with a name, and what follows it up to the end of its label.
  private static func field(_ name: String, in page: String) -> String {
    guard let place = page.range(of: "name=\"\(name)\""), let end = page[place.upperBound...].range(of: "</label>")
    else { return "" }
    return String(page[place.lowerBound..<end.lowerBound])
  }

  @Test(
    "a follow that is refused: the form has what was typed, and the message stands beside the field",
    arguments: [
      ("app-store/xx/top-free", "7", "2h", "follow", "storefront"),
      ("users/ada", "many", "2h", "limit", "whole number"),
      ("users/ada", "7", "soon", "every", "is not an interval"),
      ("app-store/us/top-free", "999", "2h", "limit", "out of range"),
      ("users/ada", "7", "2h", "limit", "takes no limit"),
      ("carddav/none/book", "7", "2h", "follow", "account"),
    ])
  func follow(path: String, limit: String, every: String, wrong: String, says: String) async throws {
    let daemon = try await Daemon(follows: [])
    let sent = [("follow", path), ("limit", limit), ("every", every)]
    let reply = try await Self.send(daemon.client, "/do/follow", sent)
    #expect(reply.status == 422 && reply.headers["content-type"]?.hasPrefix("text/html") == true, "\(reply.body)")
    for (name, value) in sent {
      let field = Self.field(name, in: reply.body)
      #expect(field.contains("value=\"\(value)\""), "\(name): \(field)")
      #expect(field.contains("aria-invalid=\"true\"") == (name == wrong), "\(name): \(field)")
      #expect(
        field.contains("class=\"error\"") == (name == wrong) && (name != wrong || field.contains(says)), "\(field)")
    }
    // The page renews itself from its own address.
    #expect(reply.body.contains("data-page=\"/\"") && reply.body.contains("id=\"follows\""))
    #expect(try await daemon.client.get("/api/v1/follows").list("items").isEmpty)
    try await daemon.stop()
  }

  @Test("a change of a follow that is refused: the message stands beside its field in the row")
  func change() async throws {
    let daemon = try await Daemon(follows: ["app-store/us/top-free", "users/ada"])
    for (path, limit, every, wrong, says) in [
      ("app-store/us/top-free", "999", "2h", "limit", "out of range"),
      ("users/ada", "7", "", "limit", "takes no limit"),
      ("app-store/us/top-free", "7", "soon", "every", "is not an interval"),
    ] {
      let reply = try await Self.send(
        daemon.client, "/do/change", [("follow", path), ("limit", limit), ("every", every)])
      #expect(reply.status == 422, "\(reply.body)")
      let details = try #require(reply.body.range(of: "<details class=\"asks\" open>"))
      let row = String(reply.body[details.upperBound...].prefix { $0 != "\u{1}" }.prefix(2000))
      #expect(row.contains("value=\"\(path)\""), "\(row)")
      for (name, value) in [("limit", limit), ("every", every)] {
        let field = Self.field(name, in: row)
        #expect(field.contains("value=\"\(value)\""), "\(name): \(field)")
        #expect(field.contains("class=\"error\"") == (name == wrong), "\(name): \(field)")
        #expect(name != wrong || field.contains(says), "\(name): \(field)")
      }
    }
    try await daemon.stop()
  }

  @Test("a person who is refused: every field has what was typed, also where the record was changed meanwhile")
  func people() async throws {
    let daemon = try await Daemon(follows: [])
    let client = daemon.client
    let typed = [
      ("firstName", "Ada \"A\""), ("lastName", "King"), ("birthday", "tomorrow"), ("nickname", "Countess"),
      ("emails", "work: a@example.org"), ("note", "One <b>"),
    ]
    func check(_ reply: WebClient.Reply, _ status: Int, wrong: String?, _ says: String) {
      #expect(reply.status == status && reply.body.contains(says), "\(reply.status) \(reply.body)")
      for (name, value) in typed {
        let field = Self.field(name, in: reply.body)
        let escaped = value.replacing("\"", with: "&quot;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        #expect(
          field.contains(escaped) || field.contains(escaped.replacing("&quot;", with: "&#34;")), "\(name): \(field)")
        #expect(field.contains("aria-invalid") == (name == wrong), "\(name): \(field)")
      }
    }
    check(try await Self.send(client, "/do/people/add", typed), 422, wrong: "birthday", "is not a birthday")
    for (fields, wrong, says) in [
      ([("firstName", ""), ("lastName", "")], "firstName", "needs a name"),
      ([("firstName", "Ada"), ("to", "carddav/none/book")], "to", "not a followed address book"),
      ([("firstName", "Ada"), ("phones", "none")], "phones", "cannot be read"),
    ] {
      let reply = try await Self.send(client, "/do/people/add", fields)
      let field = Self.field(wrong, in: reply.body)
      #expect(reply.status == 422 && field.contains("class=\"error\"") && field.contains(says), "\(wrong): \(field)")
      #expect(reply.body.components(separatedBy: "role=\"alert\"").count == 2, "\(reply.body)")
    }
    let plain = try await client.get("/collections/people").body
    #expect(!plain.contains("Address book"))
    let added = try await Self.send(client, "/do/people/add", [("firstName", "Ada"), ("lastName", "Lovelace")])
    let page = try #require(added.headers["location"])
    let id = String(page.dropFirst("/collections/people/".count))
    let old = try await client.get(page).body
    let tag = try #require(old.firstMatch(of: /name="tag" value="([^"]*)"/)?.1)
      .replacing("&quot;", with: "\"").replacing("&#34;", with: "\"")
    let hidden = [("id", id), ("tag", String(tag))]
    check(try await Self.send(client, "/do/people/edit", hidden + typed), 422, wrong: "birthday", "is not a birthday")
    let lines = try await Self.send(
      client, "/do/people/edit", hidden + [("addresses", "a;b;c;d;e;f"), ("nickname", "C")])
    #expect(lines.status == 422 && Self.field("addresses", in: lines.body).contains("cannot be read"), "\(lines.body)")
    #expect(Self.field("addresses", in: lines.body).contains("a;b;c;d;e;f") && lines.body.contains("<details open>"))
    // Browsers send line breaks as CR LF.
    let breaks = try await Self.send(client, "/do/people/edit", hidden + [("note", "a\r\nb"), ("birthday", "x")])
    #expect(breaks.status == 422 && breaks.body.contains(">a\nb</textarea>") && !breaks.body.contains("\u{FFFD}"))
    #expect(breaks.body.contains("<details open>"))
    // Somebody else edits the person: what was typed is there, for the state as it is now.
    let other = try await client.send(
      "PATCH", "/api/v1/people/\(id)", headers: ["Content-Type": "application/json"], body: #"{"lastName": "Byron"}"#)
    #expect(other.status == 200)
    let late = try await Self.send(client, "/do/people/edit", hidden + typed.filter { $0.0 != "birthday" })
    #expect(late.status == 412 && late.body.contains("was changed since"), "\(late.status) \(late.body)")
    #expect(Self.field("lastName", in: late.body).contains("King") && !late.body.contains(String(tag)))
    let again = try #require(late.body.firstMatch(of: /name="tag" value="([^"]*)"/)?.1)
      .replacing("&quot;", with: "\"").replacing("&#34;", with: "\"")
    let saved = try await Self.send(
      client, "/do/people/edit", [("id", id), ("tag", String(again))] + typed.filter { $0.0 != "birthday" })
    #expect(saved.status == 303, "\(saved.status) \(saved.body)")
    let gone = try await Self.send(client, "/do/people/edit", [("id", "nobody"), ("tag", "x")])
    #expect(gone.status == 404)
    try await daemon.stop()
  }

  @Test("a condition that cannot be read stays in its field; other refusals lead back to the page before")
  func others() async throws {
    let daemon = try await Daemon(follows: [])
    let client = daemon.client
    let list = try await client.get(
      "/collections/people?where=name%20%3F%3F&search=ada", headers: ["Accept": "text/html"])
    #expect(list.status == 400 && Self.field("where", in: list.body).contains("value=\"name ??\""), "\(list.body)")
    #expect(Self.field("where", in: list.body).contains("class=\"error\"") && list.body.contains("value=\"ada\""))
    for (referer, link) in [
      ("http://\(client.host)/collections/outbox/x?a=b", "href=\"/collections/outbox/x?a=b\""),
      ("https://evil.example/x", ""),
      ("http://\(client.host)//evil.example/", ""), ("", ""),
    ] {
      let refused = try await Self.send(
        client, "/do/outbox/x/retry", [], headers: referer.isEmpty ? [:] : ["Referer": referer])
      #expect(refused.status == 404, "\(refused.body)")
      #expect(refused.body.contains("Back to the page before") == !link.isEmpty, "\(referer)")
      #expect(
        (link.isEmpty || refused.body.contains(link)) && !refused.body.contains("evil"), "\(referer): \(refused.body)")
    }
    try await daemon.stop()
  }
}
