import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

@testable import almanacd

/// Forms that are refused: they come again as they were sent, with the reason beside the field.
@Suite struct FormTests {
  /// The tag of the field with a name, and what follows it up to the end of its label.
  private static func field(_ name: String, in page: String) -> String {
    let row = page.range(of: " name=\"\(name)[].type\"")
    guard let place = row ?? page.range(of: " name=\"\(name)\""),
      let end = page[place.upperBound...].range(of: row == nil ? "</label>" : "</fieldset>")
    else { return "" }
    return String(page[place.lowerBound..<end.lowerBound])
  }

  @Test("a follow that is refused: the form has what was typed, and the message stands beside the field")
  func follow() async throws {
    let daemon = try await Daemon(follows: [])
    for (path, limit, every, wrong, says) in [
      ("app-store/xx/top-free", "7", "2h", "follow", "storefront"),
      ("users/ada", "many", "2h", "limit", "whole number"),
      ("users/ada", "7", "soon", "every", "is not an interval"),
      ("app-store/us/top-free", "999", "2h", "limit", "out of range"),
      ("users/ada", "7", "2h", "limit", "takes no limit"),
      ("carddav/none/book", "7", "2h", "follow", "account"),
    ] {
      let sent = [("follow", path), ("limit", limit), ("every", every)]
      let reply = try await daemon.client.submit("/do/follow", sent)
      #expect(reply.status == 422 && reply.headers["content-type"]?.hasPrefix("text/html") == true, "\(reply.body)")
      for (name, value) in sent {
        let field = Self.field(name, in: reply.body)
        #expect(field.contains("value=\"\(value)\""), "\(name): \(field)")
        #expect(field.contains("aria-invalid=\"true\"") == (name == wrong), "\(name): \(field)")
        #expect(
          field.contains("class=\"error\"") == (name == wrong) && (name != wrong || field.contains(says)), "\(field)")
      }
      // The page renews itself from its own address.
      #expect(reply.body.contains("data-page=\"/add\"") && reply.body.contains("<h1>Follow something</h1>"))
    }
    #expect(try await daemon.client.get("/api/v1/follows").list("items").isEmpty)
  }

  @Test("a change of a follow that is refused: the message stands beside its field on the page of the follow")
  func change() async throws {
    let daemon = try await Daemon(follows: ["app-store/us/top-free", "users/ada"])
    for (path, limit, every, wrong, says) in [
      ("app-store/us/top-free", "999", "2h", "limit", "out of range"),
      ("users/ada", "7", "", "limit", "takes no limit"),
      ("app-store/us/top-free", "7", "soon", "every", "is not an interval"),
    ] {
      let reply = try await daemon.client.submit("/do/change", [("follow", path), ("limit", limit), ("every", every)])
      #expect(reply.status == 422, "\(reply.body)")
      let settings = try #require(reply.body.range(of: "id=\"settings\""))
      let row = String(reply.body[settings.upperBound...].prefix(2000))
      #expect(reply.body.contains("data-page=\"/follows/\(path)\""))
      #expect(row.contains("value=\"\(path)\""), "\(row)")
      for (name, value) in [("limit", limit), ("every", every)] {
        let field = Self.field(name, in: row)
        #expect(field.contains("value=\"\(value)\""), "\(name): \(field)")
        #expect(field.contains("class=\"error\"") == (name == wrong), "\(name): \(field)")
        #expect(name != wrong || field.contains(says), "\(name): \(field)")
      }
    }
  }

  @Test("a person who is refused: every field has what was typed, also where the record was changed meanwhile")
  func people() async throws {
    let client = try await Daemon(follows: []).client
    let typed = [
      ("firstName", "Ada \"A\""), ("lastName", "King"), ("birthday", "tomorrow"), ("nickname", "Countess"),
      ("groups", "family"), ("note", "One <b>"),
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
    check(try await client.submit("/do/people/add", typed), 422, wrong: "birthday", "is not a birthday")
    for (fields, wrong, says) in [
      ([("firstName", ""), ("lastName", "")], "firstName", "needs a name"),
      ([("firstName", "Ada"), ("to", "carddav/none/book")], "to", "not a followed address book"),
      ([("firstName", "Ada"), ("phones", "none")], "phones", "cannot be read"),
    ] {
      let reply = try await client.submit("/do/people/add", fields)
      let field = Self.field(wrong, in: reply.body)
      #expect(reply.status == 422 && field.contains("class=\"error\"") && field.contains(says), "\(wrong): \(field)")
      #expect(reply.body.components(separatedBy: "role=\"alert\"").count == 2, "\(reply.body)")
    }
    // Several mistakes are told at once, and each leads to its field.
    let nothing = [("firstName", ""), ("birthday", "tomorrow"), ("phones", "none")]
    let several = try await client.submit("/do/people/add", nothing).body
    #expect(
      several.contains("3 fields need correcting") && several.contains("<title>Error: Add a person"), "\(several)")
    for (name, says) in [
      ("firstName", "Give a first or a last name."), ("birthday", "Write a day"), ("phones", "A phone"),
    ] {
      #expect(several.contains("href=\"#field-\(name)\"") && several.contains("id=\"field-\(name)\""), "\(name)")
      #expect(Self.field(name, in: several).contains(says), "\(name): \(several)")
    }
    #expect(several.components(separatedBy: "role=\"alert\"").count == 2, "\(several)")
    let plain = try await client.get("/collections/people?new").body
    #expect(!plain.contains("Keep in"))
    let added = try await client.submit("/do/people/add", [("firstName", "Ada"), ("lastName", "Lovelace")])
    let page = try #require(added.nextPage)
    let id = String(page.dropFirst("/collections/people/".count))
    let old = try await client.get(page + "?edit").body
    let tag = try #require(old.firstMatch(of: /name="tag" value="([^"]*)"/)?.1)
      .replacing("&quot;", with: "\"").replacing("&#34;", with: "\"")
    let hidden = [("id", id), ("tag", String(tag))]
    check(try await client.submit("/do/people/edit", hidden + typed), 422, wrong: "birthday", "is not a birthday")
    let lines = try await client.submit("/do/people/edit", hidden + [("addresses", "a;b;c;d;e;f"), ("nickname", "C")])
    #expect(lines.status == 422 && Self.field("addresses", in: lines.body).contains("cannot be read"), "\(lines.body)")
    #expect(Self.field("addresses", in: lines.body).contains("a;b;c;d;e;f") && lines.body.contains("<details open>"))
    // Browsers send line breaks as CR LF.
    let breaks = try await client.submit("/do/people/edit", hidden + [("note", "a\r\nb"), ("birthday", "x")])
    #expect(breaks.status == 422 && breaks.body.contains(">a\nb</textarea>") && !breaks.body.contains("\u{FFFD}"))
    // Nothing was written into the further fields.
    #expect(!breaks.body.contains("<details open>") && breaks.body.contains("10 December 1815, or 10 December"))
    // Somebody else edits the person: what was typed is there, for the state as it is now.
    let other = try await client.send(
      "PATCH", "/api/v1/collections/people/\(id)", headers: ["Content-Type": "application/json"],
      body: #"{"lastName": "Byron"}"#)
    #expect(other.status == 200)
    let late = try await client.submit("/do/people/edit", hidden + typed.filter { $0.0 != "birthday" })
    #expect(late.status == 412 && late.body.contains("Ada Byron was changed since"), "\(late.status) \(late.body)")
    #expect(Self.field("lastName", in: late.body).contains("King") && !late.body.contains(String(tag)))
    let again = try #require(late.body.firstMatch(of: /name="tag" value="([^"]*)"/)?.1)
      .replacing("&quot;", with: "\"").replacing("&#34;", with: "\"")
    let saved = try await client.submit(
      "/do/people/edit", [("id", id), ("tag", String(again))] + typed.filter { $0.0 != "birthday" })
    #expect(saved.status == 303, "\(saved.status) \(saved.body)")
    // Somebody else has removed the person: what was typed can be added.
    let gone = try await client.submit("/do/people/edit", [("id", "nobody"), ("tag", "x")] + typed)
    check(gone, 404, wrong: nil, "It was removed meanwhile")
    #expect(gone.body.contains("action=\"/do/people/add\"") && !gone.body.contains("action=\"/do/people/edit\""))
    #expect(try await client.submit("/do/people/remove", [("id", "nobody"), ("tag", "x")]).status == 404)
  }

  @Test("a form on an old page keeps another's edit of a person, and shows what both changed with both values")
  func olderPeople() async throws {
    let client = try await Daemon(follows: []).client
    let added = try await client.submit(
      "/do/people/add",
      [("firstName", "Ada"), ("lastName", "Lovelace"), ("note", "\none\n"), ("emails", "a@example.org")])
    let page = try #require(added.nextPage)
    let old = try await client.get(page + "?edit").form("/do/people/edit")
    // The form of a page that is not changed changes nothing, with any line breaks.
    let same = try await client.submit("/do/people/edit", old)
    #expect(try await client.get(try #require(same.headers["location"])).body.contains("Nothing was changed."))
    let other = try await client.send(
      "PATCH", "/api/v1/collections/people/\(try #require(old.first { $0.0 == "id" }).1)",
      headers: ["Content-Type": "application/json"],
      body: #"{"lastName": "Byron", "nickname": "Countess", "note": "of another\nhand", "emails": null}"#)
    #expect(other.status == 200, "\(other.body)")
    let mine = ["firstName": "Augusta", "lastName": "King", "organization": "Engines", "nickname": "Countess"]
    let late = try await client.submit("/do/people/edit", old.map { ($0.0, mine[$0.0] ?? $0.1) })
    #expect(late.status == 412 && late.body.contains("was changed since"), "\(late.status) \(late.body)")
    let again = late.form("/do/people/edit")
    let shown = Dictionary(again) { $1 }
    #expect(mine.allSatisfy { shown[$0] == $1 }, "\(again)")
    #expect(shown["note"] == "of another\nhand" && shown["emails[].value"]?.isEmpty == true, "\(again)")
    let conflict = Self.field("lastName", in: late.body)
    #expect(
      conflict.contains("aria-invalid") && conflict.contains("Byron") && conflict.contains("Lovelace"), "\(conflict)")
    #expect(late.body.components(separatedBy: "id=\"conflict-").count == 2, "\(late.body)")
    let said = ["Nothing is saved yet", "Saving again replaces it."]
    #expect(said.allSatisfy { late.body.contains($0) }, "\(late.body)")
    // Refused for another reason, it shows the same again.
    let wrong = try await client.submit(
      "/do/people/edit", again.map { ($0.0, $0.0 == "birthday" ? "tomorrow" : $0.1) })
    #expect(wrong.status == 422, "\(wrong.body)")
    let last = wrong.form("/do/people/edit").map { ($0.0, $0.0.hasPrefix("birthday") ? "" : $0.1) }
    #expect(try await client.submit("/do/people/edit", last).status == 303)
    let person = try await client.get("/api/v1/collections/people").list("items")[0]
    for (name, value) in mine { #expect(person[name] as? String == value, "\(name): \(person)") }
    #expect(person["note"] as? String == "of another\nhand" && person["emails"] == nil, "\(person)")
  }

  @Test("a form on an old page keeps another's settings of a follow, and shows what both changed with both values")
  func olderFollows() async throws {
    let daemon = try await Daemon(follows: [])
    let (client, path) = (daemon.client, "app-store/us/top-free")
    func follow() async throws -> [String: Any]? { try await client.get("/api/v1/follows").list("items").first }
    func form(_ reply: WebClient.Reply, _ mine: [String: String] = [:]) -> [(String, String)] {
      reply.form("/do/change", with: ("follow", path)).map { ($0.0, mine[$0.0] ?? $0.1) }
    }
    _ = try await client.post("/api/v1/follows", #"{"follow": "\#(path)", "limit": 5, "every": "2h"}"#)
    let old = try await client.get("/follows/\(path)")
    _ = try await client.post("/api/v1/follows", #"{"follow": "\#(path)", "every": "5h"}"#)
    #expect(try await client.submit("/do/change", form(old, ["limit": "7"])).status == 303)
    let both = try await follow()
    #expect(both?["limit"] as? Int == 7 && both?["every"] as? String == "5h", "\(both ?? [:])")
    let late = try await client.submit("/do/change", form(old, ["every": "3h"]))
    #expect(late.status == 412 && late.body.contains("was changed since"), "\(late.status) \(late.body)")
    #expect(try await follow()?["every"] as? String == "5h")
    let shown = Dictionary(form(late)) { $1 }
    #expect(shown["every"] == "3h" && shown["limit"] == "7", "\(shown)")
    let field = Self.field("every", in: late.body)
    #expect(field.contains("aria-invalid") && field.contains("5h") && field.contains("2h"), "\(field)")
    _ = try await client.post("/api/v1/follows", #"{"follow": "\#(path)", "limit": null}"#)
    #expect(try await client.submit("/do/change", form(late)).status == 303)
    let last = try await follow()
    #expect(last?["limit"] == nil && last?["every"] as? String == "3h", "\(last ?? [:])")
  }

  @Test(
    "edits that need a person are on top of the page, in the status and in the metrics; a conflict is decided by field")
  func decisions() async throws {
    var options = UpstreamOptions()
    options.userIDs = ["u0", "u1"]
    options.faults = [FaultRule(.status(422, retryAfter: nil), method: "PUT", path: "/user/u1", times: nil)]
    let (daemon, client) = try await Daemon(follows: ["users/u0", "users/u1"], options: options).withClient
    for user in options.userIDs {
      _ = try await daemon.eventually("/api/v1/collections/profiles/\(user)") { $0.status == 200 }
    }
    func edit(_ user: String, _ body: String) async throws {
      let reply = try await client.send(
        "PATCH", "/api/v1/collections/profiles/\(user)", headers: ["Content-Type": "application/json"], body: body)
      #expect(reply.status == 200, "\(reply.body)")
    }
    func state(_ user: String, _ state: String) async throws -> [String: Any] {
      func item(_ reply: WebClient.Reply) throws -> [String: Any]? {
        try reply.list("items").first {
          $0["target"] as? String == "profiles/\(user)" && $0["state"] as? String == state
        }
      }
      return try item(try await daemon.eventually("/api/v1/outbox") { try item($0) != nil }) ?? [:]
    }
    let well = try await client.get("/api/v1/status").object()
    #expect(well["problems"] == nil, "\(well)")
    #expect(try await client.get("/metrics").body.contains("almanac_problem{part=\"edits\"} 0"))
    try await edit("u1", #"{"name": "Refused"}"#)
    _ = try await state("u1", "refused")
    daemon.upstream?.changeUser("u0", name: "Theirs", email: "theirs@example.org")
    try await edit("u0", #"{"name": "Mine", "email": "mine@example.org"}"#)
    let id = try #require(try await state("u0", "conflict")["id"] as? String)

    let status = try await client.get("/api/v1/status")
    let problem = try status.list("problems").first
    #expect(problem?["part"] as? String == "edits", "\(status.body)")
    #expect(problem?["message"] as? String == "1 edit is in conflict, 1 edit is refused", "\(status.body)")
    #expect(try await client.get("/metrics").body.contains("almanac_problem{part=\"edits\"} 1"))
    let page = try await client.get("/")
    let top = try #require(page.body.range(of: "Needs you"))
    #expect(page.body.contains("2 fields differ from the server"), "\(page.body)")
    let missing = try await client.get("/nothing", headers: ["Accept": "text/html"])
    #expect(missing.status == 404 && missing.body.contains("class=\"count\">2<"), "\(missing.body)")
    #expect(top.lowerBound < page.body.range(of: "id=\"changes\"")?.lowerBound ?? page.body.startIndex)
    let rest = try await client.get("/outbox").body
    #expect(rest.contains("id=\"decisions\"") && !rest.contains("id=\"outbox\""), "\(rest)")
    let form = page.form("/do/outbox/\(id)/fields")
    #expect(Set(form.map(\.0)) == ["tag", "from", "take.name", "take.email"], "\(form)")
    let tag = try #require(form.first { $0.0 == "tag" })
    // Each field needs a side, of the conflict that the page showed.
    let open = try await client.submit("/do/outbox/\(id)/fields", [tag, ("take.name", "mine")])
    #expect(open.status == 422 && open.body.contains("hoose yours or theirs for Email"), "\(open.body)")
    let sides = [("take.name", "mine"), ("take.email", "theirs")]
    let old = try await client.submit("/do/outbox/\(id)/fields", [("tag", "\"x\"")] + sides)
    #expect(old.status == 412 && old.body.contains("was changed since"), "\(old.body)")
    let decided = try await client.submit("/do/outbox/\(id)/fields", [tag] + sides)
    let told = try await client.get(String((decided.headers["location"] ?? "").prefix { $0 != "#" })).body
    let outcome = try #require(told.firstMatch(of: /data-outcome="([^"]*)"/)?.1, "\(told)")
    _ = try await daemon.eventually(String(outcome)) {
      $0.body == "<p class=\"good\" data-more>The server has accepted it.</p>"
    }
    _ = try await daemon.eventually("/api/v1/outbox") { try $0.list("items").count == 1 }
    let user = daemon.upstream?.user("u0")
    #expect(user?.name == "Mine" && user?.email == "theirs@example.org", "\(String(describing: user))")

    daemon.upstream?.changeUser("u0", name: "Theirs again", email: "more@example.org")
    try await edit("u0", #"{"name": "Mine again", "email": "mine@example.org"}"#)
    let second = try #require(try await state("u0", "conflict")["id"] as? String)
    for (body, status) in [
      (#"{}"#, 422), (#"{"mine": "name"}"#, 422), (#"{"mine": ["name"], "take": "mine"}"#, 422),
      (#"{"mine": ["email"]}"#, 200),
    ] {
      #expect(try await client.post("/api/v1/outbox/\(second)/resolve", body).status == status, "\(body)")
    }
    _ = try await daemon.eventually("/api/v1/outbox") { try $0.list("items").count == 1 }
    let last = daemon.upstream?.user("u0")
    #expect(last?.name == "Theirs again" && last?.email == "mine@example.org", "\(String(describing: last))")

    // What was decided is taken back: both sides are there again, and nothing is sent.
    daemon.upstream?.changeUser("u0", name: "Theirs at last", email: "last@example.org")
    try await edit("u0", #"{"name": "Mine at last"}"#)
    let third = try #require(try await state("u0", "conflict")["id"] as? String)
    func undo(_ action: String, between: () async throws -> Void = {}) async throws -> String {
      let decided = try await client.submit("/do/outbox/\(third)/\(action)", [])
      let form = try await client.get(decided.headers["location"] ?? "").form("/do/undo")
      #expect(try await client.get("/api/v1/outbox").list("items").count == 1, "\(decided)")
      try await between()
      let undone = try await client.submit("/do/undo", form)
      return try await client.get(try #require(undone.headers["location"], "\(undone)")).body
    }
    for action in ["theirs", "discard"] {
      let page = try await undo(action)
      #expect(page.contains("The edit of Mine at last is as before."), "\(action): \(page)")
      let entry = try await state("u0", "conflict")
      #expect(entry["id"] as? String == third, "\(action): \(entry)")
      #expect((entry["theirs"] as? [String: Any])?["name"] as? String == "Theirs at last", "\(entry)")
      let profile = try await client.get("/api/v1/collections/profiles/u0").object()
      #expect(profile["name"] as? String == "Mine at last" && profile["email"] as? String == "last@example.org")
      #expect(daemon.upstream?.user("u0")?.name == "Theirs at last")
    }
    // The server's record is another one by now: that is said, and nothing is changed.
    let late = try await undo("theirs") {
      daemon.upstream?.changeUser("u0", name: "Theirs after that", email: "last@example.org")
      _ = try await client.submit("/do/sync", [("follow", "users/u0")])
      _ = try await daemon.eventually("/api/v1/collections/profiles/u0") { $0.body.contains("Theirs after that") }
    }
    #expect(late.contains("This cannot be undone: profiles/u0 was changed since."), "\(late)")
    #expect(try await client.get("/api/v1/outbox").list("items").count == 1)
    // An edit that won and was sent is taken back by another one: the server has its values again.
    daemon.upstream?.changeUser("u0", name: "Theirs once more", email: "last@example.org")
    try await edit("u0", #"{"name": "Mine once more"}"#)
    let fourth = try #require(try await state("u0", "conflict")["id"] as? String)
    let won = try await client.submit("/do/outbox/\(fourth)/mine", [])
    let back = try await client.get(won.headers["location"] ?? "").form("/do/undo")
    _ = try await daemon.eventually("/api/v1/outbox") { try $0.list("items").count == 1 }
    #expect(daemon.upstream?.user("u0")?.name == "Mine once more")
    func takenBack() async throws -> String {
      try await client.get(try await client.submit("/do/undo", back).headers["location"] ?? "").body
    }
    let undone = try await takenBack()
    #expect(undone.contains("Mine once more gets the values of the server back"), "\(undone)")
    _ = try await daemon.eventually("/api/v1/outbox") { try $0.list("items").count == 1 }
    #expect(daemon.upstream?.user("u0")?.name == "Theirs once more")
    try await edit("u0", #"{"name": "Somebody else"}"#)
    _ = try await daemon.eventually("/api/v1/outbox") { try $0.list("items").count == 1 }
    #expect(try await takenBack().contains("Somebody else was changed since"))
    #expect(daemon.upstream?.user("u0")?.name == "Somebody else")
    // While another edit of the record is open, there is no second one.
    daemon.upstream?.changeUser("u0", name: "Theirs beside it", email: "last@example.org")
    try await edit("u0", #"{"name": "Mine beside it"}"#)
    _ = try await state("u0", "conflict")
    #expect(try await takenBack().contains("Another edit of Mine beside it needs a decision now"))
    #expect(try await client.get("/api/v1/outbox").list("items").count == 2)
  }

  @Test("two people who may be one are merged by the page, with the name that was chosen")
  func merge() async throws {
    let client = try await Daemon(follows: []).client
    for last in ["King", "Kings"] {
      let fields = [("firstName", "Ada"), ("lastName", last), ("birthday", "1815-12-10"), ("new", "true")]
      #expect(try await client.submit("/do/people/add", fields).status == 303)
    }
    #expect(try await client.get("/collections/people").body.contains("/collections/people?duplicates"))
    let page = try await client.get("/collections/people?duplicates").body
    let (a, b) = (
      try #require(page.firstMatch(of: /name="a" value="([^"]*)"/)?.1),
      try #require(page.firstMatch(of: /name="b" value="([^"]*)"/)?.1)
    )
    #expect(page.contains("1 pair") && page.contains("same birthday"))
    let chosen = try await client.get("/api/v1/collections/people/\(b)").object()["fullName"] as? String
    // The list leads to the preview of the united person, from which it goes back to the list.
    let way = try #require(page.firstMatch(of: /href="([^"]*merge[^"]*)"/)?.1)
    let preview = try await client.get(String(way).replacing("&amp;", with: "&")).form("/do/people/merge")
    #expect(preview.map(\.0) == ["a", "b", "side.name", "side.name"], "\(preview)")
    let answer = try await client.submit(
      "/do/people/merge", [("a", String(a)), ("b", String(b)), ("side.name", "b")])
    #expect(answer.status == 303, "\(answer.body)")
    let people = try await client.get("/api/v1/collections/people").list("items")
    #expect(people.map { $0["fullName"] as? String } == [chosen] && people.first?["id"] as? String == String(a))
    let merged = try await client.get(String((answer.headers["location"] ?? "").prefix { $0 != "#" }))
    #expect(merged.body.contains("Nobody is found twice."))
    // Both come back as they were.
    #expect(try await client.submit("/do/restore", merged.form("/do/restore")).status == 303)
    let names = try await client.get("/api/v1/collections/people").list("items").compactMap {
      $0["fullName"] as? String
    }
    #expect(names.sorted() == ["Ada King", "Ada Kings"])
    let pair = try await client.get("/collections/people?duplicates").form("/do/people/different")
    let noted = try await client.submit("/do/people/different", pair)
    let gone = try await client.get(noted.headers["location"] ?? "")
    #expect(gone.body.contains("Ada King") && gone.body.contains("are two people."), "\(gone.body)")
    #expect(gone.body.contains("Nobody is found twice."), "\(gone.body)")
    let back = try await client.submit("/do/people/different", gone.form("/do/people/different"))
    #expect(try await client.get(back.headers["location"] ?? "").body.contains("1 pair"), "\(back)")
  }

  @Test("two photos are a choice between pictures; no page shows a value as code")
  func photos() async throws {
    let client = try await Daemon(follows: []).client
    for (last, end) in [("King", "A"), ("Kings", "BB")] {
      let fields = [
        ("firstName", "Ada"), ("lastName", last), ("birthday", "1815-12-10"), ("note", "N"), ("nickname", last),
        ("phones", "home: +49 30 555019\(end == "A" ? 1 : 2)"), ("addresses", "home: Road 1; Berlin"),
        ("dates", "anniversary: 1835-07-08"),
        ("groups", "family"), ("urls", "https://ada.example"), ("new", "true"),
      ]
      #expect(try await client.upload("/do/people/add", "photo", "a.gif", "GIF89a \(end)", fields).status == 303)
    }
    let page = try await client.get("/collections/people?duplicates").body
    let way = try #require(page.firstMatch(of: /href="([^"]*merge[^"]*)"/)?.1)
    let preview = try await client.get(String(way).replacing("&amp;", with: "&")).body
    #expect(preview.matches(of: /<img class="avatar" [^>]*alt="Photo"/).count == 4, "\(preview)")
    let id = try #require(page.firstMatch(of: /name="a" value="([^"]*)"/)?.1)
    _ = try await client.submit("/do/people/merge", [("a", String(id)), ("b", "x")])
    for path in [
      "/", "/collections/people?duplicates", "/collections/people/\(id)", "/collections/people/\(id)?edit",
      "/activity/changes",
      "/activity", "/outbox", "/collections/people?print", "/search?words=ada",
    ] {
      let body = try await client.get(path).body
      #expect(!body.contains("Models.") && !body.contains("JSONObject("), "\(path): \(body)")
    }
  }

  @Test("every form says on the next page what became of it, once")
  func notes() async throws {
    let (daemon, client) = try await Daemon(follows: ["people"]).withClient
    try await daemon.log(holds: "synced")
    func said(_ path: String, _ fields: [(String, String)], _ text: String) async throws -> String {
      let answer = try await client.submit(path, fields)
      let place = try #require(answer.headers["location"], "\(path): \(answer.status) \(answer.body)")
      #expect(answer.status == 303, "\(path)")
      let address = String(place.prefix { $0 != "#" })
      let note = "<div class=\"note\" role=\"status\""
      // A page that is renewed in another tab takes nothing away.
      #expect(try await !client.get(answer.nextPage ?? "").body.contains(note), "\(path)")
      let page = try await client.get(address).body
      #expect(page.contains(note) && page.contains(text), "\(path): \(page)")
      #expect(try await !client.get(address).body.contains(note), "\(path)")
      return place
    }
    let ada = [("follow", "users/ada")]
    let to = try await said("/do/follow", [("follow", " users/ada "), ("every", " 2h ")], " is followed now.")
    #expect(to.hasPrefix("/follows/users/ada?note="))
    _ = try await said("/do/follow", ada, "was followed already")
    // Messages have the name of the profile, once it is here.
    let profile = try await daemon.eventually("/api/v1/collections/profiles/ada") { $0.status == 200 }
    let name = try #require(try profile.object()["name"] as? String)
    _ = try await said("/do/change", ada + [("every", " 3h\t"), ("limit", " ")], "The settings of \(name) are saved.")
    let follow = try await client.get("/api/v1/follows").list("items").first { $0["follow"] as? String == "users/ada" }
    #expect(follow?["every"] as? String == "3h" && follow?["limit"] == nil, "\(follow ?? [:])")
    _ = try await said("/do/pause", ada + [("paused", "true")], "\(name) is paused.")
    _ = try await said("/do/pause", ada + [("paused", "false")], "\(name) is resumed.")
    _ = try await said("/do/sync", ada, "The sync of \(name) begins.")
    _ = try await said("/do/sync", [], "The sync of 2 follows begins.")
    let home = try await said("/do/sync", ada + [("from", "home")], "The sync of \(name) begins.")
    #expect(home.hasPrefix("/?note=") && home.hasSuffix("#problems"), "\(home)")
    let begun = try await client.submit("/do/sync", ada)
    let told = try await client.get(String((begun.headers["location"] ?? "").prefix { $0 != "#" })).body
    let outcome = try #require(told.firstMatch(of: /data-outcome="([^"]*)"/)?.1, "\(told)")
    _ = try await daemon.eventually(String(outcome)) { $0.body == "<p class=\"good\">Synced: nothing new</p>" }
    _ = try await said("/do/media", [], "pictures that are missing are fetched")
    // What was not meant is taken back, with its settings.
    func undo(_ form: String, _ path: String, _ fields: [(String, String)]) async throws {
      let answer = try await client.submit(path, fields)
      let back = try await client.get(String((answer.headers["location"] ?? "").prefix { $0 != "#" })).form(form)
      #expect(!back.isEmpty && back.count < 5, "\(path): \(answer)")
      #expect(try await client.submit(form, back).status == 303, "\(back)")
    }
    func follows() async throws -> [[String: Any]] { try await client.get("/api/v1/follows").list("items") }
    _ = try await said("/do/pause", ada + [("paused", "true")], "\(name) is paused.")
    try await undo("/do/again", "/do/unfollow", ada)
    let again = try await follows().first { $0["follow"] as? String == "users/ada" }
    #expect(again?["every"] as? String == "3h" && again?["paused"] as? Bool == true, "\(again ?? [:])")
    try await undo("/do/again", "/do/follows", ada + [("follow", "people"), ("do", "remove")])
    #expect(try await follows().count == 2)
    #expect(try await client.submit("/do/again", [("entry", "[]")]).status == 422)
    _ = try await said("/do/unfollow", ada, "\(name) is not followed any more")
    _ = try await said("/do/pause", [("follow", "people"), ("paused", "true")], "People is paused.")
    _ = try await said("/do/sync", [], "Nothing is synced")
    let added = try await said(
      "/do/people/add", [("firstName", " <Ada> "), ("lastName", "King"), ("birthday", " 1815-12-10 ")],
      "&lt;Ada&gt; King is added.")
    let page = String(added.prefix { $0 != "?" })
    func hidden() async throws -> [(String, String)] {
      let body = try await client.get(page + "?edit").body
      let tag = try #require(body.firstMatch(of: /name="tag" value="([^"]*)"/)?.1)
      return [
        ("id", String(page.split(separator: "/").last ?? "")),
        ("tag", String(tag).replacing("&quot;", with: "\"").replacing("&#34;", with: "\"")),
      ]
    }
    let saved = "&lt;Ada&gt; King is saved."
    _ = try await said("/do/people/edit", try await hidden() + [("nickname", " Countess ")], saved)
    _ = try await said("/do/people/edit", try await hidden() + [("nickname", "Countess")], "Nothing was changed.")
    let person = try await client.get("/api/v1/collections/people?search=countess").list("items").first
    #expect(person?["nickname"] as? String == "Countess" && person?["birthday"] as? String == "1815-12-10")
    _ = try await said("/do/people/remove", try await hidden(), "&lt;Ada&gt; King is removed.")
  }

  @Test("a browser that may not come in, or may only read, gets a page that says so, also for a form")
  func refusals() async throws {
    let daemon = try await Daemon(follows: ["people"])
    let (client, html) = (daemon.client, ["Accept": "text/html"])
    for path in ["/", "/photos", "/collections/people", "/nothing"] {
      let closed = try await client.anonymous.get(path, headers: html)
      #expect(closed.status == 401 && closed.headers["www-authenticate"] != nil, "\(path)")
      #expect(closed.body.contains("almanac dashboard") && !closed.body.contains("Nothing was changed"), "\(path)")
    }
    let made = try await client.post("/api/v1/tokens", #"{"name": "grafana", "rights": "read"}"#)
    var reader = client
    reader.token = try made.object()["token"] as? String
    let forms = [
      "follow", "change", "pause", "unfollow", "sync", "media", "people/add", "records/edit", "outbox/x/discard",
      "setup/flickr", "books", "again", "definition", "undo",
    ]
    for form in forms {
      let closed = try await client.anonymous.submit("/do/\(form)", [("follow", "people")])
      #expect(closed.status == 401 && closed.body.contains("Nothing was changed"), "\(form): \(closed.body)")
      let refused = try await reader.submit("/do/\(form)", [("follow", "people")])
      #expect(refused.status == 403 && refused.body.contains("his token may only read"), "\(form): \(refused.body)")
      for reply in [closed, refused] {
        #expect(reply.headers["content-type"]?.hasPrefix("text/html") == true, "\(form)")
      }
    }
    let log = try await daemon.log(holds: "read-only", times: forms.count)
    #expect(!log.contains("bad-code"), "\(log)")
    #expect(try await client.get("/api/v1/follows").list("items").count == 1)
    // Programs get what they can read, also where a browser asks for an address of the API.
    for accept in ["*/*", "application/json"] {
      let reply = try await client.anonymous.get("/photos", headers: ["Accept": accept])
      #expect(reply.headers["content-type"] == "application/problem+json", "\(accept)")
    }
    let api = try await client.get("/api/v1/nothing", headers: html)
    #expect(api.status == 404 && api.headers["content-type"] == "application/problem+json")
  }

  @Test("a very long path is not repeated in the message about it") func longPaths() async throws {
    let daemon = try await Daemon(follows: [])
    let name = String(repeating: "x", count: 20_000)
    for (path, says) in [
      (name, "there is no such source"), ("users/" + name, "does not match"), ("", "A path is needed"),
    ] {
      let reply = try await daemon.client.submit("/do/follow", [("follow", path)])
      let message = Self.field("follow", in: reply.body).components(separatedBy: "role=\"alert\">").last ?? ""
      #expect(reply.status == 422 && message.contains(says) && message.utf8.count < 1000, "\(message)")
    }
  }

  @Test("a condition that cannot be read stays in its field; other refusals lead back to the page before")
  func others() async throws {
    let client = try await Daemon(follows: []).client
    let list = try await client.get(
      "/collections/people?where=name%20%3F%3F&search=ada", headers: ["Accept": "text/html"])
    #expect(list.status == 400 && Self.field("where", in: list.body).contains(">name ??</textarea>"), "\(list.body)")
    #expect(Self.field("where", in: list.body).contains("class=\"error\"") && list.body.contains("value=\"ada\""))
    for (referer, place) in [
      ("http://\(client.host)/outbox?a=b&note=x", "/outbox"), ("https://evil.example/x", nil),
      ("http://\(client.host)//evil.example/", nil), ("", nil),
    ] {
      let headers = referer.isEmpty ? [:] : ["Referer": referer]
      let refused = try await client.submit("/do/outbox/x/retry", [], headers: headers)
      #expect(refused.nextPage == place && refused.status == (place == nil ? 404 : 303), "\(referer): \(refused.body)")
      #expect(
        refused.headers["location"]?.hasPrefix("/outbox?a=b&note=") ?? true
          && refused.headers["location"]?.contains("note=x") != true)
      // The page as it is now says why nothing was done, and that this is no success.
      let page = try await place == nil ? refused.body : client.get(refused.headers["location"] ?? "").body
      #expect(page.contains("This edit waits no more"), "\(page)")
      #expect(page.contains("class=\"note bad\"") == (place != nil) && !page.contains("evil"), "\(page)")
    }
    // What is not there any more leads to the list of what is.
    for (path, list) in [("/follows/users/nobody", "/follows"), ("/collections/people/nobody", "/collections/people")] {
      let gone = try await client.get(path, headers: ["Accept": "text/html"])
      #expect(gone.status == 404 && gone.body.contains("class=\"button primary\" href=\"\(list)\""), "\(gone.body)")
    }
  }
}
