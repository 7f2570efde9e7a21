import AlmanacTesting
import Assembly
import Foundation
import Frontend
import Logging
import Models
import Ports
import Synchronization
import Testing

@testable import almanacd

/// Who may call: every route of the router, against everything that must be refused.
@Suite struct AccessTests {
  /// Every route as a request: the table that the router is made of, with something in place of `{…}` and `**`.
  static func requests(_ routes: [Route]) -> [(method: String, path: String, route: Route)] {
    routes.map { route in
      let path = route.path.split(separator: "/").map { piece -> String in
        piece == "**" ? "ada" : piece == "{name}" ? "people" : piece.hasPrefix("{") ? "x" : String(piece)
      }
      return (route.methodName, "/" + path.joined(separator: "/"), route)
    }
  }

  /// Makes every request of a route that must be refused; returns their number.
  private static func refusals(
    _ path: String, _ method: String, _ route: Route, _ client: WebClient
  ) async throws -> Int {
    var checked = 0
    let name = "\(method) \(path)"
    let isOpen = route.access == .open
    func check(_ what: String, _ client: WebClient, _ headers: [String: String], _ status: Int, body: String? = nil)
      async throws
    {
      let reply = try await client.send(method, path, headers: headers, body: body)
      #expect(reply.status == status, "\(name), \(what): \(reply.status), not \(status)")
      checked += 1
      if path == "/", status == 401 { return }
      #expect(reply.headers["content-type"] == "application/problem+json", "\(name), \(what)")
      let problem = try reply.object()
      #expect(problem["status"] as? Int == status && problem["title"] is String, "\(name), \(what)")
    }
    if !isOpen {
      try await check("no token", client.anonymous, [:], 401)
      for bad in ["Basic abc", "Bearer \(client.token!)0"] {
        try await check("bad token", client.anonymous, ["Authorization": bad], 401)
      }
      try await check("bad session", client.anonymous, ["Cookie": "almanac-session=00"], 401)
    }
    // `ListenAddressTests` has more of them.
    for host in ["evil.example", "127.0.0.1:1"] {
      // What a probe asks is answered by any name.
      if ["/healthz", "/readyz"].contains(path) {
        #expect(try await client.anonymous.send(method, path, headers: ["Host": host]).status != 421, "\(name)")
      } else if path == "/metrics" {
        #expect(try await client.send(method, path, headers: ["Host": host]).status == 200, "\(name)")
        try await check("foreign Host", client.anonymous, ["Host": host], 421)
      } else {
        try await check("foreign Host", client, ["Host": host], 421)
      }
    }
    for site in ["cross-site", "same-site"] {
      try await check("another page", client, ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"], 403)
      let link = ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"]
      if method != "GET" { try await check("another page's form", client, link, 403) }
      try await check("a frame", client, link.merging(["Sec-Fetch-Dest": "iframe"]) { $1 }, 403)
    }
    try await check("foreign Origin", client, ["Origin": "https://evil.example"], 403)
    try await check("other scheme", client, ["Origin": "https://\(client.host)"], 403)
    try await check("null Origin", client, ["Origin": "null"], 403)
    let isForAssistants = route.access == .assistant
    try await check("text/plain", client, ["Content-Type": "text/plain"], isForAssistants ? 403 : 415, body: "x")
    return checked
  }

  @Test("every route, with no token, a bad token, foreign Host, foreign and null Origin, and text/plain")
  func matrix() async throws {
    let client = try await Daemon().client
    let requests = Self.requests(try Routes.all())
    #expect(requests.count >= 20)
    // Side by side, because answers to wrong secrets wait.
    let checked = try await withThrowingTaskGroup(of: Int.self) { group in
      for request in requests {
        group.addTask { try await Self.refusals(request.path, request.method, request.route, client) }
      }
      return try await group.reduce(0, +)
    }
    print("access: \(checked) refusals over \(requests.count) routes")
  }

  @Test("a target in absolute form is for the host that it names, whatever the Host header says")
  func absoluteForm() async throws {
    let (daemon, client) = try await Daemon(follows: []).withClient
    for target in [
      "http://evil.example/openapi.json", "http://evil.example:\(daemon.port)/api/v1/status", "HTTP://evil.example/",
      "https://\(client.host)/api/v1/status", "http://user@\(client.host)/api/v1/status", "ftp://evil.example/",
    ] {
      let reply = try await client.send("GET", target)
      #expect(reply.status == 421, "\(target): \(reply.status)")
      #expect(try reply.object()["code"] as? String == "foreign-host", "\(target)")
    }
    #expect(try await client.get("http://\(client.host)/api/v1/status").status == 200)
    // RFC 9112 section 3.2.2: the Host beside it is ignored.
    let other = ["Host": "evil.example"]
    #expect(try await client.get("http://\(client.host)/api/v1/status", headers: other).status == 200)
    #expect(try await client.get("http://evil.example/api/v1/status", headers: ["Host": client.host]).status == 421)
    // A probe may call the daemon by any name, in this form as well.
    #expect(try await client.anonymous.get("http://evil.example/healthz").status == 200)
  }

  @Test("one Host is named: two are refused, and the loopback has three names, with and without the port")
  func hosts() async throws {
    let (daemon, client) = try await Daemon(follows: []).withClient
    for other in ["evil.example", client.host] {
      for target in ["/api/v1/status", "http://\(client.host)/api/v1/status"] {
        let reply = try await client.get(target, headers: ["Host": "\(client.host)\r\nHost: \(other)"])
        #expect(try reply.status == 400 && reply.object()["code"] as? String == "two-hosts", "\(reply)")
      }
    }
    let none = try await client.get("/api/v1/status", headers: ["Host": ""])
    #expect(try none.status == 400 && none.object()["code"] as? String == "no-host", "\(none)")
    for host in ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"] {
      for port in ["", ":\(daemon.port)"] {
        let reply = try await client.get("/api/v1/status", headers: ["Host": host + port])
        #expect(reply.status == 200, "\(host)\(port): \(reply.body)")
      }
      #expect(try await client.get("/api/v1/status", headers: ["Host": host + ":1"]).status == 421)
    }
  }

  @Test("who tries tokens waits, and who has the right one does not")
  func wrongTokens() async throws {
    let client = try await Daemon(follows: []).client
    final class Refused: Sendable {
      let count = Mutex(0)
    }
    let refused = Refused()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<160 {
        group.addTask {
          let token = String(repeating: "0", count: 61) + "\(100 + number)"
          let reply = try await client.anonymous.get("/api/v1/status", headers: ["Authorization": "Bearer \(token)"])
          #expect(reply.status == 401)
          refused.count.withLock { $0 += 1 }
        }
      }
      while refused.count.withLock({ $0 }) < WrongSecrets.burst { await Task.yield() }
      #expect(try await client.get("/api/v1/status").status == 200)
      #expect(refused.count.withLock { $0 } < 160, "the right one waited for the wrong ones")
      try await group.waitForAll()
    }
  }

  @Test("the first hundred wrong secrets are refused at once, then ten each second; none waits longer than 5 s")
  func slowness() {
    let time = ManualTime()
    let wrong = WrongSecrets(time: time)
    time.advance(by: .seconds(60))
    let waits = (0..<400).map { _ in wrong.wait() }
    #expect(waits.prefix(100).allSatisfy { $0 == .zero })
    #expect(waits[100] == .milliseconds(100) && waits[149] == .seconds(5) && waits[399] == .seconds(5))
    // One after another.
    time.advance(by: .seconds(60))
    let begun = time.uptime
    for _ in 0..<400 { time.advance(by: wrong.wait()) }
    #expect(time.uptime - begun >= .seconds(29))
    time.advance(by: .seconds(15))
    #expect(wrong.wait() == .zero)
  }

  @Test("what nobody answers: 404, or 401 without a token; a method that an address does not have is always 405")
  func unknown() async throws {
    let daemon = try await Daemon()
    #expect(try await daemon.client.anonymous.get("/nothing").status == 401)
    #expect(try await daemon.client.get("/nothing").status == 404)
    let reply = try await daemon.client.send("DELETE", "/api/v1/changes")
    #expect(reply.status == 405 && reply.headers["allow"] == "GET, HEAD")
    #expect(try await daemon.client.send("TRACE", "/api/v1/sync").status == 405)
    for (method, path) in [("TRACE", "/api/v1/sync"), ("TRACE", "/healthz"), ("DELETE", "/api/v1/status")] {
      let reply = try await daemon.client.anonymous.send(method, path)
      #expect(reply.status == 405 && reply.headers["allow"] != nil, "\(method) \(path): \(reply.status)")
    }
  }

  @Test("the token is made at the start: 64 digits, mode 0600; the socket and daemon.json as well")
  func files() async throws {
    let daemon = try await Daemon()
    #expect(daemon.client.token?.count == 64)
    for name in ["token", "daemon.sock", "daemon.json"] {
      // The socket is opened after the port that the test waits for.
      let end = ContinuousClock.now + .seconds(300)
      var status = stat()
      while stat("\(daemon.program.store)/\(name)", &status) != 0 || status.st_mode & 0o777 != 0o600,
        ContinuousClock.now < end
      { await Task.yield() }
      #expect(status.st_mode & 0o777 == 0o600, "\(name)")
    }
    var client = daemon.client
    client.place = .socket(daemon.program.store + "/daemon.sock")
    client.host = "localhost"
    #expect(try await client.get("/api/v1/status").status == 200)
    #expect(try await client.anonymous.get("/api/v1/status").status == 401)
    // A token that was removed is written again.
    try FileManager.default.removeItem(atPath: daemon.program.store + "/token")
    let end = ContinuousClock.now + .seconds(300)
    var written = ""
    while written.count < 64, ContinuousClock.now < end {
      written = (try? String(contentsOfFile: daemon.program.store + "/token", encoding: .utf8)) ?? ""
      await Task.yield()
    }
    #expect(written == (daemon.client.token ?? "") + "\n")
    try await daemon.program.run(["--listen", "127.0.0.1:0"], exits: 75, err: "another almanacd")
    try await daemon.stop()
    #expect(!FileManager.default.fileExists(atPath: "\(daemon.program.store)/daemon.json"))
  }

  @Test("a code lets a browser in once; with its cookie a change needs the Origin")
  func login() async throws {
    let daemon = try await Daemon()
    let (client, visitor) = (daemon.client, daemon.client.anonymous)
    let made = try await client.post("/api/v1/login-codes", "{}")
    let code = try #require(made.headers["x-login-code"])
    #expect(made.status == 201 && code.count == 64)
    #expect(try made.object()["code"] as? String == code)
    #expect(try await visitor.get("/login?code=wrong").status == 403)
    _ = try await visitor.send("HEAD", "/login?code=\(code)")
    let entered = try await visitor.get("/login?code=\(code)")
    #expect(entered.status == 303 && entered.headers["location"] == "/")
    let cookie = try #require(entered.headers["set-cookie"])
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] { #expect(cookie.contains(part)) }
    #expect(try await visitor.get("/login?code=\(code)").status == 403)
    let session = String(cookie.prefix { $0 != ";" })
    #expect(try await visitor.get("/", headers: ["Cookie": session]).status == 200)
    // A proxy that asks for a password of its own passes it on. A token that is wrong stays wrong.
    for (authorization, status) in [("Basic YTpi", 200), ("Digest a", 200), ("Bearer 0", 401)] {
      let both = ["Cookie": session, "Authorization": authorization]
      for path in ["/", "/api/v1/status"] {
        #expect(try await visitor.get(path, headers: both).status == status, "\(authorization) \(path)")
      }
      let alone = try await visitor.get(
        "/people", headers: ["Authorization": authorization, "Accept": "text/html,*/*;q=0.8"])
      #expect(alone.status == 401 && alone.headers["content-type"]?.hasPrefix("text/html") == true, "\(alone)")
    }
    let post = ["Cookie": session, "Content-Type": "application/x-www-form-urlencoded"]
    #expect(try await visitor.send("POST", "/do/sync", headers: post, body: "").status == 403)
    let own = post.merging(["Origin": "http://\(client.host)"]) { $1 }
    #expect(try await visitor.send("POST", "/do/sync", headers: own, body: "").status == 303)
    // A browser that hides the origin says all the same whether the page is ours.
    let hidden = post.merging(["Origin": "null", "Sec-Fetch-Site": "same-origin"]) { $1 }
    #expect(try await visitor.send("POST", "/do/sync", headers: hidden, body: "").status == 303)
    let foreign = hidden.merging(["Sec-Fetch-Site": "cross-site"]) { $1 }
    #expect(try await visitor.send("POST", "/do/sync", headers: foreign, body: "").status == 403)
    #expect(try await visitor.get("/").body.contains("almanac dashboard"))
    // Who has to sign in comes back to the page, or to that of the form; never to another server.
    let html = ["Accept": "text/html"]
    let form = post.merging(["Referer": "http://\(client.host)/collections/people?new"]) { $1 }
    for (asked, place) in [
      (try await visitor.get("/photos?owner=a%40b", headers: html), "/photos?owner=a%40b"),
      (
        try await visitor.send(
          "POST", "/do/sync", headers: form.merging(html) { $1 }.filter { $0.key != "Cookie" }, body: ""),
        "/collections/people?new"
      ),
    ] {
      let kept = try #require(asked.headers["set-cookie"]).prefix { $0 != ";" }
      let code = try await client.post("/api/v1/login-codes", "{}").headers["x-login-code"] ?? ""
      let back = try await visitor.get("/login?code=\(code)", headers: ["Cookie": String(kept)])
      #expect(asked.status == 401 && back.headers["location"] == place, "\(asked) \(back)")
    }
    for place in ["%2F%2Fevil.example", "%2F%5Cevil.example", "https%3A%2F%2Fevil.example", "%2Fa%0D%0Ab", ""] {
      let code = try await client.post("/api/v1/login-codes", "{}").headers["x-login-code"] ?? ""
      let back = try await visitor.get("/login?code=\(code)", headers: ["Cookie": "almanac_place=\(place)"])
      #expect(back.headers["location"] == "/", "\(place)")
    }
  }

  @Test("names that the config trusts are answered for, with the port that it names or any; others are not")
  func trustedHosts() async throws {
    let daemon = try await Daemon(
      config: #"{"daemon": {"trustedHosts": ["almanac.lan", "nas:81"], "publicURL": "https://home.example/almanac"}}"#)
    let client = daemon.client
    func status(_ host: String, _ headers: [String: String] = [:]) async throws -> Int {
      try await client.get("/api/v1/status", headers: headers.merging(["Host": host]) { $1 }).status
    }
    for host in [
      "almanac.lan", "Almanac.LAN:\(daemon.port)", "nas:81", "home.example", "home.example:443", client.host,
    ] {
      #expect(try await status(host) == 200, "\(host)")
      #expect(try await status(host, ["Origin": "https://home.example"]) == 200, "\(host)")
      // A page of the public address that came without TLS is another origin.
      let plain = host.hasPrefix("home.example") ? 403 : 200
      #expect(try await status(host, ["Origin": "HTTP://\(host)"]) == plain, "\(host)")
      #expect(try await status(host, ["Origin": "https://evil.example"]) == 403, "\(host)")
    }
    #expect(try await status("almanac.lan", ["Origin": "https://almanac.lan"]) == 200)
    #expect(try await status(client.host, ["Origin": "https://\(client.host)"]) == 403)
    for host in ["nas", "nas:80", "home.example:80", "x.almanac.lan", "almanac.lan.evil.example", "evil.example"] {
      #expect(try await status(host) == 421, "\(host)")
    }
    for path in [
      "/almanac/api/v1/status", "/almanac/api/v1/collections/people?limit=1", "/almanac", "/almanac/?x",
      "/api/v1/status",
    ] { #expect(try await client.get(path).status == 200, "\(path)") }
    #expect(try await client.get("/almanacs/api/v1/status").status == 404)
    // A new config counts at once.
    try daemon.write(config: #"{"daemon": {"trustedHosts": ["other.lan"]}}"#)
    try await daemon.log(holds: "config read again")
    #expect(try await status("other.lan") == 200)
    #expect(try await status("almanac.lan") == 421)
  }

  @Test("a public address below a path of the daemon's own is refused at the start")
  func ambiguousPath() async throws {
    #expect(
      Set(try Routes.all().compactMap { $0.path.split(separator: "/").first.map(String.init) })
        == Settings.Daemon.ownPaths)
    let program = try Program("almanacd")
    defer { program.clean() }
    let config = try program.file("config.json", #"{"daemon": {"publicURL": "https://home.example/api/x"}}"#)
    try await program.run(["--config", config, "--listen", "127.0.0.1:0"], exits: 78, err: "/api")
  }

  @Test("the socket's mode and group are those of the config")
  func socket() async throws {
    let group = getegid()
    let daemon = try await Daemon(config: #"{"daemon": {"socketMode": "0620", "socketGroup": "\#(group)"}}"#)
    let end = ContinuousClock.now + .seconds(300)
    var status = stat()
    while stat("\(daemon.program.store)/daemon.sock", &status) != 0 || status.st_mode & 0o777 != 0o620,
      ContinuousClock.now < end
    { await Task.yield() }
    #expect(status.st_mode & 0o777 == 0o620 && status.st_gid == group)
    try await daemon.stop()
    let other = try await Daemon(config: #"{"daemon": {"socketMode": "0660", "socketGroup": "no-such-group"}}"#)
    try await other.log(holds: "there is no group 'no-such-group'")
    _ = stat("\(other.program.store)/daemon.sock", &status)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test("/metrics is open where the config says so")
  func metrics() async throws {
    let daemon = try await Daemon(config: #"{"daemon": {"openMetrics": true}}"#)
    let reply = try await daemon.client.anonymous.get("/metrics")
    #expect(reply.status == 200 && reply.body.contains("process_resident_memory_bytes"))
  }
}

enum Routes {
  /// The collections of the sources that are compiled in.
  static func catalog() throws -> CollectionCatalog {
    let folder = NSTemporaryDirectory() + "almanac-catalog-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let root = CompositionRoot(options: try DaemonOptions.reading(["--store", folder]), environment: [:])
    return try root.services(over: ScriptedTransport([HTTPResponse(status: 503, url: "")])).catalog
  }

  /// Every route; nothing is called.
  static func all() throws -> [Route] { try api().routes }

  /// The API; nothing is called.
  static func api() throws -> API {
    let folder = NSTemporaryDirectory() + "almanac-routes-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let time = ManualTime()
    let root = CompositionRoot(options: try DaemonOptions.reading(["--store", folder]), environment: [:])
    let logger = Logger(label: "test")
    let health = Health(folder: folder, time: time, logger: logger, feed: nil)
    let live = LiveServices(try root.services(over: ScriptedTransport([HTTPResponse(status: 503, url: "")])))
    let feed = EventFeed(coder: live.current.coder)
    let scheduler = Scheduler(services: live.current.scheduling)
    let editor = FollowEditor(follows: NoFollows(), sources: [])
    return API(
      parts: API.Parts(
        live: live, scheduler: scheduler, endpoint: Endpoint(.standard),
        access: Access(
          token: try DaemonToken(folder: folder),
          list: try AccessList(folder: folder, time: time, coder: live.current.coder), time: time), feed: feed,
        reader: CommitReader(live: live, feed: feed),
        metrics: MetricsPage(
          factory: PrometheusFactory(), live: live, begun: time.now, notifier: SystemdNotifier(environment: [:]),
          health: health, scheduler: scheduler, lastBackup: { nil }),
        refusals: Refusals(logger: logger, factory: PrometheusFactory(), endpoint: Endpoint(.standard)),
        health: health, editor: editor,
        setup: SourceSetup(
          definitions: root.invocation.definitions, settings: root.invocation.settingsFile,
          keys: KeyFolder(beside: root.invocation.places.config), editor: editor)))
  }
}

private struct NoFollows: FollowService {
  func follow(_ changes: [FollowChange]) async throws(Failure) -> [(follow: Follow, earlier: Follow?)] {
    changes.map { ($0.follow, nil) }
  }
  func unfollow(_ path: String) async throws(Failure) -> Follow.Origin? { nil }
}
