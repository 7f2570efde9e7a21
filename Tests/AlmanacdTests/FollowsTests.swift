import AlmanacTesting
import Assembly
import Foundation
import Models
import Ports
import Testing

@testable import almanacd

/// Follows that are managed through the API, and the pages of records.
@Suite struct FollowsTests {
  @Test("the page of a follow that was not synced yet says so") func first() async throws {
    let client = try await Daemon(follows: []).client
    let made = try await client.post("/api/v1/follows", #"{"follow": "users/ada", "paused": true}"#)
    #expect(made.status == 201, "\(made)")
    let page = try await client.get("/follows/users/ada").body
    #expect(page.contains("It is paused, and was not synced yet."), "\(page)")
  }

  @Test("a follow is added, changed and removed through the API, in the config file and at once")
  func follows() async throws {
    let (daemon, client) = try await Daemon(follows: ["users/ada"]).withClient
    func followed() async throws -> [String] {
      try await client.get("/api/v1/follows").list("items").compactMap { $0["follow"] as? String }
    }
    func file() throws -> String { try String(contentsOfFile: daemon.program.folder + "/config.json", encoding: .utf8) }
    let made = try await client.post(
      "/api/v1/follows", #"{"follow": "app-store/US/top-paid", "limit": 3, "every": "2h"}"#)
    #expect(made.status == 201, "\(made.body)")
    #expect(made.headers["location"] == "/api/v1/follows/app-store/us/top-paid")
    #expect(try await followed() == ["users/ada", "app-store/us/top-paid"])
    #expect(try file().contains("app-store/us/top-paid"))
    _ = try await daemon.eventually("/api/v1/collections/charts") { try !$0.list("items").isEmpty }
    // What is not named stays.
    let changed = try await client.post("/api/v1/follows", #"{"follow": "app-store/us/top-paid", "every": "1d"}"#)
    let fields = try changed.object()
    #expect(changed.status == 200 && fields["limit"] as? Int == 3 && fields["every"] as? String == "1d")
    // A larger limit is fetched at once, not after a day.
    func top() async throws -> WebClient.Reply {
      try await client.get("/api/v1/charts/top?chart=app-store/us/top-paid")
    }
    #expect(try await top().list("items").count == 3)
    #expect(try await client.post("/api/v1/follows", #"{"follow": "app-store/us/top-paid", "limit": 5}"#).status == 200)
    _ = try await daemon.eventually("/api/v1/charts/top?chart=app-store/us/top-paid") {
      try $0.list("items").count == 5
    }
    let state = try await daemon.eventually("/api/v1/status") { !$0.body.contains("\"changed\"") }
    #expect(try state.list("follows").map { $0["state"] as? String } == ["fresh", "fresh"], "\(state.body)")
    for (bad, status) in [
      (#"{"follow": "app-store/xx/top-paid"}"#, 422), (#"{"follow": "nothing/at/all"}"#, 422), ("{}", 422),
      (#"{"follow": "users/ada", "every": "soon"}"#, 422), (#"{"follow": "users/ada", "limit": "3"}"#, 422),
      (#"{"follow": "users/ada", "wrong": 1}"#, 422), (#"{"follow": "users/ada", "wrong": null}"#, 422), ("[]", 400),
    ] { #expect(try await client.post("/api/v1/follows", bad).status == status, "\(bad)") }
    // null takes away what was set, and so does an empty field of the page.
    let less = try await client.post(
      "/api/v1/follows", #"{"follow": "app-store/us/top-paid", "limit": null, "every": "2d"}"#)
    #expect(try less.status == 200 && less.object()["limit"] == nil && less.object()["every"] as? String == "2d")
    #expect(try !file().contains("limit"), "\(less.body)")
    for (limit, every) in [("7", "3h"), ("", "")] {
      let form = [("follow", "app-store/us/top-paid"), ("limit", limit), ("every", every)]
      #expect(try await client.submit("/do/change", form).status == 303)
      let now = try await client.get("/api/v1/follows").list("items").last
      #expect(now?["limit"] as? Int == Int(limit) && now?["every"] as? String ?? "" == every, "\(now ?? [:])")
    }
    #expect(try await client.send("DELETE", "/api/v1/follows/app-store/us/top-paid").status == 204)
    #expect(try await client.send("DELETE", "/api/v1/follows/app-store/us/top-paid").status == 404)
    #expect(try await followed() == ["users/ada"])
    #expect(try !file().contains("top-paid"))
    // A page that shows a follow which was removed meanwhile.
    for button in ["sync", "pause", "change", "unfollow"] {
      let late = try await client.submit("/do/\(button)", [("follow", "app-store/us/top-paid")])
      #expect(late.status == 404 && late.body.contains("is not followed"), "\(button): \(late.status) \(late.body)")
    }
    #expect(try await followed() == ["users/ada"])
    let page = try await client.get("/follows/users/ada").body
    #expect(page.contains("<summary aria-label=\"Remove users/ada\">"), "it does not ask first")
    let sources = try await client.get("/api/v1/sources").list("items").compactMap { $0["name"] as? String }
    #expect(Set(sources).isSuperset(of: ["app-store", "flickr", "users", "people"]))
  }

  @Test(
    "the CLI says that the running daemon fetches what is followed, if it reads the same config",
    .enabled(if: Daemon.hasCLI, "almanac is not built beside the tests"))
  func hint() async throws {
    let daemon = try await Daemon(follows: [])
    let (program, config) = (daemon.program, daemon.program.folder + "/config.json")
    let other = try program.file("other.json", "{}")
    func follow(_ path: String, _ config: String) async throws -> String {
      try await program.shell("'\(program.beside("almanac"))' follow \(path) --config '\(config)'").err
    }
    #expect(try await follow("users/bo", config).contains("the daemon fetches it now"))
    #expect(try await follow("users/bo", other).contains("'almanac sync --config \(other)' fetches it"))
    _ = try await daemon.eventually("/api/v1/status") { $0.body.contains("lastSuccess") || $0.body.contains("error") }
    daemon.running.signal(SIGKILL)
    _ = try await daemon.running.result()
    #expect(try await follow("users/cy", config).contains("'almanac sync --config \(config)' fetches it"))
  }

  @Test(
    "a book that the account does not have is refused, with those that it has; a server that cannot say is no reason")
  func accountCheck() async throws {
    let home = SourceAccount(name: "home", url: "http://dav", user: "ada")
    func check(_ path: String, _ outcome: Result<[AccountOffer], Failure>) async throws(Failure) -> Failure? {
      var source = SourceDescriptor(name: .cardDAV, summary: "", forms: [], collections: [])
      source.hasAccounts = true
      return try await AccountCheck.problem(following: path, among: [source], Settings(), accounts: [.cardDAV: [home]])
      {
        (_, _) throws(Failure) in try outcome.get()
      }
    }
    let offers = [("book", "Friends"), ("work", nil)].map {
      AccountOffer(path: "carddav/home/\($0.0)", title: $0.1, isReadOnly: false)
    }
    for path in ["carddav/home/book", "carddav/home/Friends", "carddav/home/work", "users/home/none"] {
      #expect(try await check(path, .success(offers)) == nil, "\(path)")
    }
    let missing = await #expect(throws: Failure.self) { _ = try await check("carddav/home/none", .success(offers)) }
    #expect(missing?.code == .own(.noBook) && missing?.hint == "it has carddav/home/book, carddav/home/work")
    let silent = Failure(.transport, .unavailable, "silent")
    #expect(try await check("carddav/home/none", .failure(silent)) == silent)
  }

  @Test("many edits at once: none is lost")
  func manyAtOnce() async throws {
    let client = try await Daemon(follows: []).client
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<8 {
        group.addTask { try await client.post("/api/v1/follows", #"{"follow": "users/u\#(number)"}"#).status }
      }
      for try await status in group { #expect(status == 201) }
    }
    #expect(try await client.get("/api/v1/follows").list("items").count == 8)
  }

  @Test("open pages learn that a follow of the config file was added, changed or removed")
  func heard() async throws {
    let client = try await Daemon(follows: []).client
    for (method, path, body) in [
      ("POST", "/api/v1/follows", #"{"follow": "users/ada", "paused": true}"#),
      ("POST", "/api/v1/follows", #"{"follow": "users/ada", "every": "2h"}"#),
      ("DELETE", "/api/v1/follows/users/ada", nil),
    ] as [(String, String, String?)] {
      let heard = try await client.stream("/api/v1/events") {
        let headers = body == nil ? [:] : ["Content-Type": "application/json"]
        let reply = try await client.send(method, path, headers: headers, body: body)
        #expect(reply.status < 300, "\(reply.body)")
      } until: {
        $0.contains(#""kind":"follows""#)
      }
      #expect(heard.contains(#""kind":"follows""#), "\(method) \(heard)")
    }
  }

  @Test(
    "every collection has a page: a table that is searched, narrowed, sorted and turned over, and each record its own")
  func records() async throws {
    let (daemon, client) = try await Daemon(follows: ["people", "app-store/us/top-paid"]).withClient
    try await daemon.log(holds: "synced", times: 2)
    let all = try await client.get("/collections").body
    for name in ["apps", "charts", "people", "outbox", "runs"] {
      #expect(all.contains("/collections/\(name)\""), "\(name)")
    }
    let people = try await client.get("/api/v1/collections/people").list("items")
    let (first, last) = (try #require(people.first), try #require(people.last))
    let name = try #require(last["lastName"] as? String), id = try #require(last["id"] as? String)
    func rows(_ query: String, of mark: String = "<li><label class=\"tick\"", in name: String = "people") async throws
      -> Int
    {
      let page = try await client.get("/collections/\(name)\(query)")
      #expect(page.status == 200, "\(query): \(page.body)")
      return page.body.components(separatedBy: mark).count - 1
    }
    let word = try #require(name.uppercased().addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    #expect(try await rows("") == min(50, people.count))
    #expect(try await rows("?search=\(word)") >= 1)
    #expect(try await rows("?search=in-no-record") == 0)
    #expect(try await rows("?where=id%20%3D%20\(id)") == 1)
    #expect(try await rows("?sort=-lastName") == min(50, people.count))
    let apps = try await client.get("/api/v1/collections/apps?limit=1000").list("items")
    #expect(try await rows("", of: "<th scope=\"row\">", in: "apps") == min(50, apps.count))
    let record = try await client.get("/collections/people/\(id)").body
    let (fullName, other) = (try #require(last["fullName"] as? String), try #require(first["id"] as? String))
    #expect(record.contains(name) && record.contains(fullName) && !record.contains(other))
    for (path, status) in [
      ("/collections/none", 404), ("/collections/people/none", 404), ("/collections/people?where=x", 400),
      ("/collections/people?where=none%20%3D%201", 400), ("/collections/people?sort=none", 400),
    ] { #expect(try await client.get(path).status == status, "\(path)") }
    let word2 = "/search?words=\(word)"
    #expect(try await client.get("\(word2)&in=people").body.contains("In People."))
    #expect(try await client.get("\(word2)&in=apps").body.contains("No record contains these words."))
    for address in ["\(word2)&in=peopl", "/api/v1\(word2)&in=peopl"] {
      let wrong = try await client.send("GET", address, headers: ["Accept": "text/html"])
      #expect(wrong.status == 404 && wrong.body.contains("people"), "\(address): \(wrong.body)")
    }
  }

  @Test("the address of a form that is opened without the form is a page that says so")
  func openedForm() async throws {
    let daemon = try await Daemon(follows: [])
    for path in ["/do/follow", "/do/change", "/do/people/add", "/do/outbox/x/retry"] {
      let page = try await daemon.client.send("GET", path, headers: ["Accept": "text/html"])
      #expect(page.status == 405 && page.headers["allow"] == "POST", "\(path): \(page.status)")
      #expect(page.headers["content-type"]?.hasPrefix("text/html") == true, "\(path): \(page.body)")
      #expect(page.body.contains("takes a form") && page.body.contains("othing was changed"), "\(path): \(page.body)")
      let program = try await daemon.client.send("GET", path, headers: ["Accept": "application/json"])
      #expect(program.status == 405 && program.headers["content-type"] == "application/problem+json", "\(path)")
    }
  }

  @Test("pictures of new records are fetched by the daemon itself, and the activity page says what changed")
  func pictures() async throws {
    let (daemon, client) = try await Daemon(follows: ["app-store/us/top-paid"]).withClient
    try await daemon.log(holds: "synced")
    let app = try #require(try await client.get("/api/v1/collections/apps?limit=1").list("items").first)
    let url = try #require(app["thumbnailURL"] as? String)
    // An address that a proxy does not change, and that of earlier versions.
    let address = Shown.media(url)
    #expect(
      !address.contains("%") && !address.contains("//") && Shown.address(ofMedia: String(address.dropFirst(7))) == url)
    let former = "/media/" + (url.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    let picture = try await daemon.eventually(address) { $0.headers["content-type"] != "image/svg+xml" }
    #expect(picture.headers["content-type"]?.hasPrefix("image/") == true)
    #expect(try await client.get(former).headers["content-type"] == picture.headers["content-type"])
    // A damaged one is as good as missing, and is fetched again.
    let folder = daemon.program.store + "/media/"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".ref") {
      try Data("{".utf8).write(to: URL(fileURLWithPath: folder + name))
    }
    let damaged = try await client.get("/api/v1/media?url=\(url)")
    #expect(damaged.status == 404 && damaged.body.contains("is damaged"), "\(damaged)")
    #expect(try await client.get(address).headers["content-type"] == "image/svg+xml")
    let events = try await client.stream(
      "/api/v1/events", opened: { _ = try await client.post("/api/v1/media/fetch", "{}") },
      until: { $0.contains(#""kind":"pictures","state":"done""#) })
    #expect(events.contains(#""kind":"pictures","state":"running""#), "\(events)")
    let last = try await daemon.eventually("/api/v1/media/fetch") { try $0.object()["state"] as? String == "done" }
    #expect(try last.object()["failed"] as? Int == 0 && last.object()["at"] is String, "\(last.body)")
    _ = try await daemon.eventually(address) { $0.headers["content-type"] != "image/svg+xml" }
    let activity = try await client.get("/activity").body
    #expect(activity.contains("Top paid · US") && activity.contains(" added") && activity.contains("id=\"summary\""))
  }

  @Test("a follow whose path has the address of a feed has a page")
  func addressInPath() async throws {
    let path = "rss/feed/https://feed.invalid/a.xml"
    let daemon = try await Daemon(
      config:
        #"{"servers": {"rss": {"url": "https://feed.invalid"}}, "follows": [{"follow": "\#(path)", "paused": true}]}"#)
    let list = try await daemon.client.get("/follows").body
    let address = try #require(list.firstMatch(of: /href="(\/follows\/rss[^"]*)"/)?.1)
    let page = try await daemon.client.get(String(address))
    #expect(page.status == 200 && page.body.contains(path), "\(address): \(page.status)")
  }

  @Test("1,000 follows are folded by source; a search finds any, and what is ticked or found is changed at once")
  func manyFollows() async throws {
    let paths =
      (0..<990).map { "users/u\($0)" }
      + ["us", "fr", "de", "gb", "jp", "es", "it", "nl", "se", "no"].map {
        "app-store/\($0)/top-paid"
      }
    let list = paths.map { #"{"follow": "\#($0)", "paused": true}"# }.joined(separator: ",")
    let client = try await Daemon(config: #"{"follows": [\#(list)]}"#).client
    func rows(_ page: String) -> Int { page.components(separatedBy: "name=\"follow\"").count - 1 }
    let folded = try await client.get("/follows").body
    #expect(
      rows(folded) == 20 && folded.contains("All 990 of Users") && folded.utf8.count < 60_000, "\(folded.utf8.count)")
    var (address, seen) = ("/follows?state=paused", 0)
    for _ in 0..<21 {
      let page = try await client.get(address).body
      #expect(page.utf8.count < 60_000, "\(address): \(page.utf8.count)")
      seen += rows(page)
      guard let next = page.firstMatch(of: /href="([^"]+)" rel="next"/)?.1 else { break }
      address = String(next).replacing("&amp;", with: "&")
    }
    #expect(seen == 1000)
    let found = try await client.get("/follows?search=U98").body
    #expect(rows(found) == 11 && found.contains("Sync users/u981"))
    #expect(try await client.get("/follows?search=%3Cb%3E").body.contains("value=\"&lt;b&gt;\""))
    func set(_ fields: [(String, String)]) async throws -> [[String: Any]] {
      let reply = try await client.submit("/do/follows", fields)
      #expect(reply.status == 303, "\(fields): \(reply.body)")
      return try await client.get("/api/v1/follows").list("items")
    }
    let two = [("follow", "users/u1"), ("follow", "users/u10")]
    let some = try await set(two + [("do", "every"), ("every", "3h")])
    #expect(some.filter { $0["every"] as? String == "3h" }.compactMap { $0["follow"] as? String } == two.map(\.1))
    let charts = [("all", "10"), ("source", "app-store"), ("do", "every"), ("every", "5h")]
    #expect(try await set(charts).count { $0["every"] as? String == "5h" } == 10)
    #expect(try await set([("all", "11"), ("search", "U98"), ("do", "remove")]).count == 989)
    for (fields, says) in [
      ([("do", "pause")], "No follow is ticked"),
      (two + [("search", "u1"), ("do", "every"), ("every", "soon")], "is not an interval"),
      (two + [("search", "u1"), ("do", "dance")], "Do takes"),
    ] {
      let refused = try await client.submit("/do/follows", fields)
      #expect(refused.status == 422 && refused.body.contains(says), "\(fields): \(refused.body)")
      // The list comes again, with what was ticked and typed.
      let page = refused.body
      #expect(page.contains("role=\"alert\"") && page.contains("id=\"follows\""), "\(fields)")
      #expect(page.components(separatedBy: "\" checked").count == fields.count { $0.0 == "follow" } + 1, "\(fields)")
      #expect(page.contains("value=\"soon\"") == fields.contains { $0.1 == "soon" })
    }
    #expect(try await client.get("/charts").body.contains("/charts/app-store/no/top-paid"))
  }

  @Test("a collection of more than a page is turned over page by page, in any order")
  func paging() async throws {
    let client = try await Daemon(follows: []).client
    for number in 0..<55 {
      _ = try await client.post("/api/v1/collections/people", #"{"firstName": "P", "lastName": "N\#(number)"}"#)
    }
    for query in ["", "?sort=lastName", "?sort=-lastName", "?search=n"] {
      var address = "/collections/people\(query)"
      var ids: [String] = []
      for _ in 0..<3 {
        let page = try await client.get(address).body
        ids += page.matches(of: /href="\/collections\/people\/([^"]+)"/).map { String($0.1) }
        guard let next = page.firstMatch(of: /href="([^"]+)" rel="next"/)?.1 else { break }
        address = String(next).replacing("&amp;", with: "&")
      }
      #expect(ids.count == 55 && Set(ids).count == 55, "\(query): \(ids.count) of \(Set(ids).count)")
    }
  }
}
