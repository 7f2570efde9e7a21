import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

@testable import almanacd

/// What changed: by sources, and by the people here.
@Suite struct ChangesPageTests {
  @Test("the first page tells the difference between then and now: a change that was taken back is none")
  func difference() async throws {
    let client = try await Daemon(follows: []).client
    func add(_ name: String) async throws -> String {
      let added = try await client.submit("/do/people/add", [("firstName", name)])
      return try #require(added.nextPage, "\(added)")
    }
    func change(_ page: String, _ fields: String) async throws {
      let reply = try await client.send(
        "PATCH", "/api/v1\(page)", headers: ["Content-Type": "application/json"], body: fields)
      #expect(reply.status == 200, "\(reply)")
    }
    func remove(_ page: String) async throws {
      #expect(try await client.send("DELETE", "/api/v1\(page)").status == 204)
    }
    func news(_ path: String = "/") async throws -> String {
      let page = try await client.get(path, headers: path == "/" ? visit : [:]).body
      return try #require(page.components(separatedBy: path == "/" ? "id=\"changes\"" : "id=\"here\"").last)
        .components(separatedBy: "</section>")[0]
    }
    let (ada, bo) = (try await add("Ada"), try await add("Bo"))
    try await change(bo, #"{"nickname": "B"}"#)
    try await Task.sleep(for: .seconds(2))
    let now = Int(Date().timeIntervalSince1970) - 1
    let visit = ["Cookie": "almanac_seen=\(now).\(now)"]
    let cy = try await add("Cy")
    try await change(cy, #"{"nickname": "C"}"#)
    try await change(ada, #"{"nickname": "Countess"}"#)
    try await change(bo, #"{"nickname": null}"#)
    let before = try await news()
    #expect(
      before.contains("Cy <span class=\"soft\">is new") && !before.contains("Cy <span class=\"soft\">was changed"),
      "\(before)")
    #expect(
      before.contains("Ada <span class=\"soft\">was changed") && before.contains("Bo <span class=\"soft\">was changed"),
      "\(before)")
    // Each of them is what it was; the log of what was done has all of it.
    try await remove(cy)
    try await change(ada, #"{"nickname": null}"#)
    try await change(bo, #"{"nickname": "B"}"#)
    let after = try await news()
    #expect(after.contains("Nothing has changed."), "\(after)")
    let log = try await news("/activity")
    #expect(log.contains("Cy is new") && log.contains("Cy was removed") && log.contains("Ada was changed"), "\(log)")
    // One that is new, was removed and came back is said once, as new by what added it.
    let di = try await add("Di")
    let undo = try await client.submit("/do/people/remove", client.get("\(di)?edit").form("/do/people/remove"))
    let form = try await client.get(try #require(undo.headers["location"])).form("/do/restore")
    #expect(try await client.submit("/do/restore", form).status == 303)
    let back = try await news()
    #expect(back.components(separatedBy: "Di <span class=\"soft\">is new").count == 2, "\(back)")
    let changes = try await client.get("/activity/changes?by=here").body
    #expect(changes.components(separatedBy: "good\">back<").count == 2, "\(changes)")
    #expect(try await client.get(di).body.contains("Added again"))
    try await remove(di)
    // One that was there before is gone.
    try await change(bo, #"{"nickname": "Other"}"#)
    try await remove(bo)
    let gone = try await news()
    #expect(gone.contains("Bo <span class=\"soft\">was removed") && !gone.contains("was changed"), "\(gone)")
  }

  @Test("what a source brought and took back is not told on the first page")
  func sources() async throws {
    let (daemon, client) = try await Daemon(follows: ["users/ada"]).withClient
    let name = try #require(
      try await daemon.eventually("/api/v1/collections/profiles/ada") { $0.status == 200 }.object()["name"] as? String)
    try await Task.sleep(for: .seconds(2))
    let now = Int(Date().timeIntervalSince1970) - 1
    func sync(_ name: String) async throws {
      daemon.upstream?.changeUser("ada", name: name)
      let run = try await client.post("/api/v1/sync", "{}").object()["run"] as? String ?? ""
      _ = try await daemon.eventually("/api/v1/runs/\(run)") {
        $0.status == 200 && !$0.body.contains("\"queued\"") && !$0.body.contains("\"running\"")
      }
    }
    func news() async throws -> String {
      let page = try await client.get("/", headers: ["Cookie": "almanac_seen=\(now).\(now)"]).body
      return try #require(page.components(separatedBy: "id=\"changes\"").last).components(separatedBy: "</section>")[0]
    }
    try await sync("Another")
    let other = try await news()
    #expect(other.contains("1 changed profile"), "\(other)")
    try await sync(name)
    let same = try await news()
    #expect(same.contains("Nothing has changed."), "\(same)")
  }

  @Test("news lead to the records that changed, also those of an import and of edits here")
  func news() async throws {
    let daemon = try await Daemon(follows: ["people"])
    let client = daemon.client
    try await daemon.log(holds: "synced")
    func links(_ page: String, _ path: String) -> [String] {
      page.matches(of: try! Regex("href=\"(\(path)[^\"]*)\"", as: (Substring, Substring).self)).map {
        String($0.1).replacing("&amp;", with: "&")
      }
    }
    let home = try await client.get("/").body
    let people = try #require(links(home, "/activity/changes").first { $0.contains("by=people") }, "\(home)")
    #expect(people.contains("in=people&since="))
    let all = try await client.get("/api/v1/collections/people?limit=1000").list("items")
    let names = all.compactMap { $0["fullName"] as? String }
    func listed(_ address: String) async throws -> [String] {
      let page = try await client.get(address)
      #expect(page.status == 200, "\(page)")
      return page.body.matches(of: #/class="cut"><a href="[^"]+">([^<]+)<\/a>/#).map { String($0.1) }
    }
    // Page by page, each record once, also where one commit has many.
    var (found, next) = ([String](), Optional(people))
    while let page = next {
      found += try await listed(page)
      next = try await client.get(page).body.firstMatch(of: #/href="([^"]+)" rel="next"/#).map {
        String($0.1).replacing("&amp;", with: "&")
      }
    }
    #expect(found.sorted() == names.sorted() && !found.isEmpty)
    #expect(try await listed("/activity/changes?by=here").isEmpty)

    let cards = ["Iris Kettle", "Dario Ferrant"].map {
      "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:\($0)\r\nN:\($0.split(separator: " ")[1]);\($0.split(separator: " ")[0]);;;\r\nEND:VCARD\r\n"
    }
    func imported() async throws -> WebClient.Reply {
      let reply = try await client.upload("/do/people/import", "cards", "two.vcf", cards.joined())
      return try await client.get(try #require(reply.headers["location"], "\(reply)"))
    }
    // An import leads to whom it added, and is taken back.
    let first = try await imported()
    let whom = try #require(links(first.body, "/activity/changes").first, "\(first)")
    #expect(try await listed(whom).sorted() == ["Dario Ferrant", "Iris Kettle"])
    let undone = try await client.submit("/do/undo", first.form("/do/undo"))
    #expect(undone.nextPage == "/collections/people", "\(undone)")
    #expect(try await client.get(undone.headers["location"] ?? "").body.contains("All of it is as it was."))
    #expect(try await client.get("/api/v1/collections/people?limit=1000").list("items").count == names.count)
    _ = try await imported()
    let added = try await client.submit("/do/people/add", [("firstName", "Ada"), ("lastName", "King")])
    #expect(added.status == 303)
    for page in ["/", "/activity"] {
      let body = try await client.get(page).body
      let new = page == "/" ? "Ada King <span class=\"soft\">is new" : "Ada King is new"
      #expect(body.contains("Changed here") && body.contains(new), "\(body)")
      #expect(body.contains("2 new people, imported") && body.contains("href=\"\(added.nextPage ?? "?")\""), "\(body)")
      let own = try #require(links(body, "/activity/changes").first { $0.contains("by=here&since=commit") }, "\(body)")
      #expect(try await listed(own).sorted() == ["Dario Ferrant", "Iris Kettle"])
    }
    #expect(try await client.get("/activity").body.contains("Import, on this page"))
    let here = ["Ada King", "Dario Ferrant", "Iris Kettle"]
    #expect(try await Set(listed("/activity/changes?by=here")) == Set(here))
    for (query, status) in [("since=soon", 400), ("until=soon", 400), ("since=commit:999999", 404)] {
      #expect(try await client.get("/activity/changes?\(query)").status == status, "\(query)")
    }
    // The page of a run says what it did, and leads to the records.
    let run = try #require(
      try await client.get("/api/v1/collections/runs?limit=1").list("items").first?["id"] as? String)
    let page = try await client.get("/collections/runs/\(run)").body
    #expect(page.contains("\(names.count) added") && page.contains("href=\"/activity/changes?by=\(run)\""), "\(page)")
    #expect(try await !listed("/activity/changes?by=\(run)").isEmpty)
  }
}
