import AlmanacTesting
import Foundation
import Models
import Testing

@testable import almanacd

/// What the pages do to several records at once, and the files that they give.
@Suite struct ManyFormsTests {
  /// A daemon with people, by their first names.
  private static func people(_ names: [String]) async throws -> (Daemon, WebClient, [String: String]) {
    let daemon = try await Daemon(follows: [])
    var ids: [String: String] = [:]
    for name in names {
      let added = try await daemon.client.post(
        "/api/v1/collections/people", #"{"firstName": "\#(name)", "organization": "Byron, \"Ltd\""}"#)
      ids[name] = try #require(try added.object()["id"] as? String, "\(added)")
    }
    return (daemon, daemon.client, ids)
  }

  /// The page to which a form leads, with what it says.
  private static func page(_ reply: WebClient.Reply, _ client: WebClient) async throws -> String {
    let place = try #require(reply.headers["location"], "\(reply.status) \(reply.body)")
    return try await client.get(String(place.prefix { $0 != "#" })).body
  }

  private static func names(_ client: WebClient, _ query: String = "") async throws -> [String] {
    try await client.get("/api/v1/collections/people\(query)").list("items").compactMap { $0["firstName"] as? String }
      .sorted()
  }

  @Test("people that are ticked get a group, leave it and are removed; each time Undo makes all of it as it was")
  func people() async throws {
    let (daemon, client, ids) = try await Self.people(["Ada", "Bo", "Cy"])
    let (ada, bo) = (try #require(ids["Ada"]), try #require(ids["Bo"]))
    let list = try await client.get("/collections/people").body
    #expect(list.contains("name=\"id\" value=\"\(ada)\" aria-label=\"Select Ada\"") && list.contains("class=\"bulk\""))
    let both = [("id", ada), ("id", bo)]
    func family() async throws -> [String] { try await Self.names(client, "?where=groups+%3D+family") }
    for (fields, says, isTakenBack, members) in [
      (both + [("do", "add"), ("to", " family ")], "2 people are now in the group family.", true, []),
      (both + [("do", "add"), ("to", "family")], "2 people are now in the group family.", false, ["Ada", "Bo"]),
      (
        [("id", bo), ("do", "leave"), ("group", "family")], "1 person is not in the group family any more.", false,
        ["Ada"]
      ),
      // All of the group, of which none is ticked.
      ([("all", "1"), ("group", "family"), ("do", "leave")], "1 person is not in", true, ["Ada"]),
    ] as [([(String, String)], String, Bool, [String])] {
      let answer = try await client.submit("/do/many/people", fields)
      let page = try await client.get(try #require(answer.headers["location"], "\(answer.status) \(answer.body)"))
      #expect(page.body.contains(says), "\(says): \(page)")
      if isTakenBack {
        #expect(try await client.submit("/do/restore", page.form("/do/restore")).status == 303, "\(says)")
      }
      #expect(try await family() == members, "\(says)")
    }
    let removed = try await client.submit("/do/many/people", both + [("do", "remove")])
    #expect(try await Self.names(client) == ["Cy"])
    let after = try await client.get(try #require(removed.headers["location"]))
    #expect(after.body.contains("2 people are removed."), "\(after.body)")
    #expect(try await client.submit("/do/restore", after.form("/do/restore")).status == 303)
    #expect(try await Self.names(client) == ["Ada", "Bo", "Cy"])
    for fields in [[("do", "remove")], both + [("do", "fly")], both + [("do", "add"), ("to", " ")]] {
      #expect(try await client.submit("/do/many/people", fields).status == 422, "\(fields)")
    }
    #expect(try await Self.names(client) == ["Ada", "Bo", "Cy"])
    let merge = try await client.get("/collections/people?merge=ticked&id=\(ada)&id=\(bo)")
    #expect(merge.form("/do/people/merge").contains { $0 == ("a", ada) }, "\(merge.body)")
    #expect(try await client.get("/collections/people?merge=ticked&id=\(ada)").status == 422)
    try await daemon.stop()
  }

  @Test("a group is renamed and removed on its page, which searches in it; its people stay")
  func groups() async throws {
    let (daemon, client, ids) = try await Self.people(["Ada", "Bo", "Cy"])
    for name in ["Ada", "Bo"] {
      let fields = [("id", ids[name] ?? ""), ("do", "add"), ("to", "A & B")]
      #expect(try await client.submit("/do/many/people", fields).status == 303)
    }
    let page = try await client.get("/collections/people?group=A+%26+B&search=ada").body
    #expect(page.contains(">Ada</strong>") && !page.contains(">Bo</strong>") && page.contains("1 found"), "\(page)")
    #expect(page.contains("name=\"group\" value=\"A &amp; B\""), "\(page)")
    let renamed = try await client.submit("/do/groups/rename", [("group", "A & B"), ("name", "family")])
    #expect(try await Self.page(renamed, client).contains("The group is called family now."))
    #expect(try await Self.names(client, "?where=groups+%3D+family") == ["Ada", "Bo"])
    let gone = try await client.submit("/do/groups/delete", [("group", "family")])
    let after = try await client.get(try #require(gone.headers["location"]))
    #expect(after.body.contains("its people stay") && !after.body.contains("?group=family"), "\(after.body)")
    #expect(try await client.submit("/do/restore", after.form("/do/restore")).status == 303)
    #expect(try await Self.names(client, "?where=groups+%3D+family") == ["Ada", "Bo"])
    for (action, fields, status) in [
      ("delete", [("group", "nobody")], 404), ("rename", [("group", "family"), ("name", " ")], 422),
      ("create", [("name", "x"), ("book", "carddav/none/book")], 422), ("fly", [("group", "family")], 404),
    ] { #expect(try await client.submit("/do/groups/\(action)", fields).status == status, "\(action)") }
    #expect(try await client.get("/collections/people?newgroup").body.contains("exists through its people"))
    try await daemon.stop()
  }

  @Test(
    "the files of a list are what almanac export writes", .enabled(if: Daemon.hasCLI, "almanac is not built"))
  func files() async throws {
    let (daemon, client, ids) = try await Self.people(["Ada", "Bo"])
    for format in ["vcf", "csv", "json", "jsonl"] {
      for (query, option) in [("", ""), ("?where=firstName+%3D+Bo", " --where 'firstName = Bo'")] {
        let file = try await client.get("/export/people.\(format)\(query)")
        let exported = try await daemon.program.almanac("export people --to \(format)\(option)")
        #expect(
          file.status == 200 && file.body == exported.out, "\(format)\(query): \(file)")
        #expect(file.headers["content-disposition"] == "attachment; filename=\"people.\(format)\"", "\(file.headers)")
      }
    }
    let card = try await client.get("/export/people.vcf?id=\(ids["Bo"] ?? "")")
    #expect(card.body.contains("FN:Bo") && !card.body.contains("FN:Ada"), "\(card)")
    #expect(try await client.get("/export/calendar/birthdays.ics").body.hasPrefix("BEGIN:VCALENDAR"))
    for name in ["people.doc", "nothing.csv", "profiles.vcf", "people"] {
      #expect(try await client.get("/export/\(name)").status == 404, "\(name)")
    }
    #expect(try await client.anonymous.get("/export/people.csv").status == 401)
    try await daemon.stop()
  }

  @Test("a token, the address of the birthdays and a link for another device are shown once")
  func access() async throws {
    let (daemon, client) = try await Daemon(follows: []).withClient
    for (rights, text) in [("read", "<code>"), ("calendar", "/calendars/birthdays.ics?token=")] {
      let made = try await client.submit("/do/access/tokens", [("name", rights), ("rights", rights)])
      #expect(made.status == 200 && made.body.contains(text) && made.headers["cache-control"] == "no-store", "\(made)")
      let secret = try #require(made.body.firstMatch(of: /data-copy="([^"]*)"/)?.1)
      #expect(try await !client.get("/access").body.contains(secret))
      if rights == "calendar" {
        let path = secret.replacing("&amp;", with: "&").drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }
        #expect(try await client.anonymous.get(String(path)).body.hasPrefix("BEGIN:VCALENDAR"))
      }
    }
    for (name, status, says) in [("read", 409, "already"), ("a b", 422, "letters")] {
      let refused = try await client.submit("/do/access/tokens", [("name", name), ("rights", "read")])
      #expect(
        refused.status == status && refused.body.contains(says) && refused.body.contains("value=\"\(name)\""),
        "\(refused)"
      )
    }
    let link = try await client.submit("/do/access/link", [])
    let address = try #require(link.body.firstMatch(of: /data-copy="http:\/\/[^\/]*(\/login[^"]*)"/)?.1)
    #expect(try await client.anonymous.get(String(address)).status == 303)
    #expect(try await client.anonymous.get(String(address)).status == 403)
    try await daemon.stop()
  }

  @Test("the outbox offers to decide several edits at once: plain proposals of one assistant, and refused edits")
  func outbox() throws {
    let now = try #require(Timestamp(rfc3339: "2026-11-29T12:00:00Z"))
    func buttons(_ items: [(client: String?, kind: OutboxEntry.Kind, state: OutboxEntry.State)]) -> String {
      let items = items.enumerated().map { number, item in
        var entry = OutboxEntry(
          id: "e\(number)", target: "people/ada", kind: item.kind, edit: [:], base: [:], createdAt: now)
        entry.state = item.state
        return OutboxItem(entry: entry, tag: "", client: item.client)
      }
      return OutboxMany.buttons(items)?.text ?? ""
    }
    let proposals = buttons([
      ("a", .put, .pending), ("a", .post, .pending), ("b", .put, .pending), ("a", .delete, .pending),
    ])
    #expect(proposals.contains("Approve all 2 by a") && !proposals.contains("by b") && !proposals.contains("e3"))
    let refused = buttons([(nil, .put, .refused), (nil, .put, .refused), (nil, .put, .conflict)])
    #expect(refused.contains("Discard all 2 refused") && !refused.contains("e2"), "\(refused)")
    #expect(buttons([("a", .put, .pending), (nil, .put, .refused), ("a", .put, .conflict)]).isEmpty)
  }

  @Test("a follow ends with its records, where the page is asked for it")
  func purge() async throws {
    let (daemon, client) = try await Daemon(follows: ["app-store/us/top-free"]).withClient
    try await daemon.log(holds: "synced")
    func count() async throws -> Int? {
      try await client.get("/api/v1/collections/apps?total=true").object()["total"] as? Int
    }
    #expect(try await count() ?? 0 > 0)
    let path = "app-store/us/top-free"
    #expect(try await client.get("/follows/\(path)").body.contains("name=\"purge\""))
    let gone = try await client.submit("/do/unfollow", [("follow", path), ("purge", "true")])
    #expect(try await Self.page(gone, client).contains("removed: "))
    #expect(try await count() == 0)
    try await daemon.stop()
  }
}
