import AlmanacTesting
import Foundation
import Testing

@testable import almanacd

/// What changed: by sources, and by the people here.
@Suite struct ChangesPageTests {
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
    #expect(try await client.upload("/do/people/import", "cards", "two.vcf", cards.joined()).status == 303)
    let added = try await client.submit("/do/people/add", [("firstName", "Ada"), ("lastName", "King")])
    #expect(added.status == 303)
    for page in ["/", "/activity"] {
      let body = try await client.get(page).body
      let new = page == "/" ? "Ada King</a> <span>is new" : "Ada King is new"
      #expect(body.contains("Changed here") && body.contains(new), "\(body)")
      #expect(body.contains("2 new people, imported") && body.contains("href=\"\(added.nextPage ?? "?")\""), "\(body)")
      let own = try #require(links(body, "/activity/changes").first { $0.contains("by=here&since=commit") }, "\(body)")
      #expect(try await listed(own).sorted() == ["Dario Ferrant", "Iris Kettle"])
    }
    #expect(try await client.get("/activity").body.contains("Import, on this page"))
    #expect(try await listed("/activity/changes?by=here").sorted() == ["Ada King", "Dario Ferrant", "Iris Kettle"])
    for (query, status) in [("since=soon", 400), ("until=soon", 400), ("since=commit:999999", 404)] {
      #expect(try await client.get("/activity/changes?\(query)").status == status, "\(query)")
    }
    // The page of a run says what it did, and leads to the records.
    let run = try #require(
      try await client.get("/api/v1/collections/runs?limit=1").list("items").first?["id"] as? String)
    let page = try await client.get("/collections/runs/\(run)").body
    #expect(page.contains("\(names.count) added") && page.contains("href=\"/activity/changes?by=\(run)\""), "\(page)")
    #expect(try await !listed("/activity/changes?by=\(run)").isEmpty)
    try await daemon.stop()
  }
}
