import AlmanacTesting
import Foundation
import Models
import Parsing
import Ports
import Synchronization
import Testing

@testable import almanacd

/// Named tokens, sessions, a new token, and what is said about those who are refused.
@Suite struct AccessListTests {
  private static func enter(_ client: WebClient) async throws -> [String: String] {
    let code = try await client.post("/api/v1/login-codes", "{}").headers["x-login-code"] ?? ""
    let entered = try await client.anonymous.get("/login?code=\(code)", headers: ["User-Agent": "Browser/1"])
    return ["Cookie": String((entered.headers["set-cookie"] ?? "").prefix { $0 != ";" })]
  }

  @Test("a token that may only read reads; it changes nothing and does not see who has access")
  func readOnly() async throws {
    let client = try await Daemon(follows: ["people"]).client
    let made = try await client.post("/api/v1/tokens", #"{"name": "grafana", "rights": "read"}"#)
    #expect(made.status == 201 && made.headers["location"] == "/api/v1/tokens/grafana")
    var reader = client
    reader.token = try made.object()["token"] as? String
    for (method, path, route) in AccessTests.requests(try Routes.all()) where route.access != .open {
      let isRead = method == "GET" && route.access != .owner
      let headers = ["Content-Type": route.content.rawValue]
      // The stream has no end.
      if path == "/api/v1/events" { continue }
      let reply = try await reader.send(method, path, headers: headers, body: method == "GET" ? nil : "{}")
      #expect((reply.status != 403) == isRead, "\(method) \(path): \(reply.status)")
      let code = path == API.assistantPath ? "other-rights" : "read-only"
      if reply.status == 403 { #expect(try reply.object()["code"] as? String == code, "\(path)") }
    }
    #expect(try await client.post("/api/v1/tokens", #"{"name": "grafana", "rights": "full"}"#).status == 409)
    for bad in [#"{"name": "a/b", "rights": "read"}"#, #"{"name": "a", "rights": "all"}"#, #"{"rights": "read"}"#] {
      #expect(try await client.post("/api/v1/tokens", bad).status == 422, "\(bad)")
    }
    let list = try await client.get("/api/v1/tokens")
    #expect(try list.list("items").map { $0["name"] as? String } == ["grafana"])
    #expect(!list.body.contains(reader.token ?? "-") && list.body.contains("lastUsed"))
    #expect(try await client.send("DELETE", "/api/v1/tokens/grafana").status == 204)
    #expect(try await client.send("DELETE", "/api/v1/tokens/grafana").status == 404)
    #expect(try await reader.get("/api/v1/status").status == 401)
  }

  @Test("when a token or a session was used is kept once a minute, off the thread of the request")
  func use() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/almanac-use-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (time, coder) = (ManualTime(now: Timestamp(rfc3339: "2026-11-26T12:00:00Z")!), JSONRecordCoder())
    let writes = Mutex(0)
    let list = try AccessList(folder: folder, time: time, coder: coder) { work in
      writes.withLock { $0 += 1 }
      work()
    }
    let (token, session) = (try list.makeToken("a", .read), list.enter(browser: "b").secret)
    /// What a daemon reads that starts after a kill.
    func kept() throws -> [Timestamp?] {
      let other = try AccessList(folder: folder, time: time, coder: coder) { _ in }
      return [other.tokens.first?.lastUsed, other.sessions.first?.lastSeen]
    }
    let start = time.now
    #expect(try kept() == [nil, start])
    for step in 0...240 {
      if step % 2 == 0 { _ = list.token(token) } else { _ = list.session(session) }
      #expect(list.token("unknown") == nil)
      time.advance(by: .seconds(1))
    }
    #expect(writes.withLock { $0 } == 5)
    #expect(try kept() == [start + 240, start + 239])
    // The list of another store that came to the path stays.
    try Data("{}".utf8).write(to: URL(filePath: folder + "/other"))
    #expect(rename(folder + "/other", folder + "/access.json") == 0)
    time.advance(by: .seconds(60))
    _ = list.token(token)
    #expect(try kept() == [nil, nil] && writes.withLock { $0 } == 6)
  }

  @Test("sessions and named tokens outlive a restart, are listed and revoked; the token is rotated")
  func restart() async throws {
    let program = try Program("almanacd")
    defer { program.clean() }
    func start() async throws -> (Running, WebClient) {
      let running = try program.start(["--listen", "127.0.0.1:0"])
      return (running, try await Daemon.started(in: program, errorPath: running.errorPath).client)
    }
    let (first, client) = try await start()
    let cookie = try await Self.enter(client)
    let other = try await Self.enter(client)
    let made = try await client.post("/api/v1/tokens", #"{"name": "backup", "rights": "full"}"#)
    let named = try made.object()["token"] as? String
    let rotated = try await client.post("/api/v1/token-rotations", "{}").object()["token"] as? String
    #expect(try await client.get("/api/v1/status").status == 401)
    first.signal(SIGTERM)
    #expect(try await first.result().status == 0)

    let (second, again) = try await start()
    #expect(again.token == rotated && rotated?.count == 64)
    #expect(try await again.get("/api/v1/status").status == 200)
    #expect(try await again.anonymous.get("/", headers: cookie).status == 200)
    var holder = again
    holder.token = named
    #expect(try await holder.get("/api/v1/sessions").status == 200)
    let sessions = try await again.anonymous.get("/api/v1/sessions", headers: cookie).list("items")
    #expect(sessions.count == 2 && sessions.allSatisfy { $0["browser"] as? String == "Browser/1" })
    let own = try #require(sessions.first { $0["current"] as? Bool == true }?["id"] as? String)
    #expect(try await again.send("DELETE", "/api/v1/sessions/\(own)").status == 204)
    #expect(try await again.anonymous.get("/api/v1/status", headers: cookie).status == 401)
    #expect(try await again.anonymous.get("/", headers: other).status == 200)
    #expect(try await again.send("DELETE", "/api/v1/sessions").status == 204)
    #expect(try await again.anonymous.get("/api/v1/status", headers: other).status == 401)
    let attributes = try FileManager.default.attributesOfItem(atPath: program.store + "/access.json")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    second.signal(SIGTERM)
    _ = try await second.result()
  }

  @Test("a session ends after 30 days, a login code after 5 minutes and after its use, a kept answer after a day")
  func lives() throws {
    let folder = NSTemporaryDirectory() + "almanac-lives-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let time = ManualTime()
    let list = try AccessList(folder: folder, time: time, coder: JSONRecordCoder())
    let secret = list.enter(browser: "Browser/1").secret
    time.advance(by: .seconds(30 * 86_400 - 1))
    #expect(list.session(secret) != nil && list.sessions.count == 1 && list.session(secret + "0") == nil)
    time.advance(by: .seconds(1))
    #expect(list.session(secret) == nil && list.sessions.isEmpty)
    let new = list.enter(browser: "Browser/2").secret
    // A clock that was set back ends nothing.
    time.set(by: -86_400)
    #expect(list.session(new) != nil)
    let kept = try String(contentsOfFile: folder + "/access.json", encoding: .utf8)
    #expect(!kept.contains(new) && kept.contains(SHA256.digest(Array(new.utf8))))

    let logins = Logins(time: time)
    let codes = (0..<3).map { _ in logins.makeCode() }
    #expect(logins.use(codes[0]) && !logins.use(codes[0]) && !logins.use("0"))
    time.advance(by: .seconds(299))
    #expect(logins.use(codes[1]))
    time.advance(by: .seconds(1))
    #expect(!logins.use(codes[2]))

    let answer: JSONObject = ["at": .string(time.now.description)]
    for (seconds, lives) in [(0, true), (86_399, true), (86_400, false), (-1, false)] {
      #expect(IdempotencyKeys.lives(answer, time.now + seconds) == lives, "\(seconds)")
    }
    #expect(!IdempotencyKeys.lives([:], time.now))
  }

  @Test("a list with secrets, as earlier versions wrote it, is read, and has only their digests from then on")
  func formerList() throws {
    let folder = NSTemporaryDirectory() + "almanac-former-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (time, path) = (ManualTime(), folder + "/access.json")
    let (session, token) = (String(repeating: "5", count: 64), String(repeating: "7", count: 64))
    let since = time.now.description
    let former = """
      {"sessions":[{"id":"s1","secret":"\(session)","since":"\(since)","lastSeen":"\(since)","browser":"Browser/1"}],
      "tokens":[{"name":"grafana","rights":"read","secret":"\(token)","since":"\(since)"}]}
      """
    try former.write(toFile: path, atomically: false, encoding: .utf8)
    for _ in 0..<2 {
      let list = try AccessList(folder: folder, time: time, coder: JSONRecordCoder())
      #expect(list.session(session)?.id == "s1" && list.token(token)?.rights == .read)
      #expect(list.session(token) == nil && list.token(session) == nil)
      let kept = try String(contentsOfFile: path, encoding: .utf8)
      #expect(!kept.contains(session) && !kept.contains(token) && !kept.contains("secret"))
      // What is kept opens nothing.
      #expect(list.token(SHA256.digest(Array(token.utf8))) == nil)
    }
  }

  @Test("the page lists browsers and tokens, signs a browser out and revokes a token")
  func page() async throws {
    let client = try await Daemon(follows: []).client
    let (cookie, other) = (try await Self.enter(client), try await Self.enter(client))
    let made = try await client.post("/api/v1/tokens", #"{"name": "grafana", "rights": "read"}"#)
    var reader = client
    reader.token = try made.object()["token"] as? String
    #expect(try await reader.get("/access").status == 403)
    #expect(try await client.anonymous.get("/access", headers: ["Accept": "text/html"]).status == 401)
    #expect(try await client.anonymous.get("/", headers: cookie).body.contains("href=\"/access\""))
    func press(_ action: String) async throws -> WebClient.Reply {
      let own = cookie.merging([
        "Origin": "http://\(client.host)", "Content-Type": "application/x-www-form-urlencoded",
      ]) { $1 }
      return try await client.anonymous.send("POST", action, headers: own, body: "")
    }
    func actions(_ kind: String) async throws -> [String] {
      try await client.anonymous.get("/access", headers: cookie).body.components(separatedBy: "action=\"")
        .map { String($0.prefix { $0 != "\"" }) }.filter { $0.hasPrefix("/do/access/\(kind)/") }
    }
    #expect(try await actions("tokens") == ["/do/access/tokens/grafana"])
    #expect(try await press("/do/access/tokens/grafana").status == 303)
    #expect(try await reader.get("/api/v1/status").status == 401)
    let sessions = try await actions("sessions")
    #expect(sessions.count == 3 && sessions[2] == "/do/access/sessions/others")
    // The newest is the other one.
    #expect(try await press(sessions[0]).status == 303)
    #expect(try await client.anonymous.get("/api/v1/status", headers: other).status == 401)
    #expect(try await actions("sessions").count == 1)
    let third = try await Self.enter(client)
    #expect(try await press(sessions[2]).status == 303)
    #expect(try await client.anonymous.get("/api/v1/status", headers: third).status == 401)
    // A session of another daemon on the host comes first, and does not matter.
    let both = ["Cookie": "almanac-session-1=00; \(cookie["Cookie"] ?? "")"]
    #expect(try await client.anonymous.get("/api/v1/status", headers: both).status == 200)
    #expect(cookie["Cookie"]?.hasPrefix("almanac-session-\(client.host.split(separator: ":").last ?? "")=") == true)
    let out = try await press(sessions[1])
    #expect(out.status == 200 && out.body.contains("signed out"))
    #expect(out.headers["set-cookie"]?.contains("Max-Age=0") == true)
    #expect(try await client.anonymous.get("/api/v1/status", headers: cookie).status == 401)
  }

  @Test("without a proxy in the config, nobody can write another address into the log")
  func noProxy() async throws {
    let daemon = try await Daemon(follows: [])
    _ = try await daemon.client.anonymous.get("/api/v1/status", headers: ["X-Forwarded-For": "203.0.113.9"])
    let log = try await daemon.log(holds: "refused")
    #expect(log.contains("client=127.0.0.1 ") && !log.contains("203.0.113.9"), "\(log)")
  }

  @Test("the login link works while the list cannot be written, and the log says that the session is not saved")
  func unwritable() async throws {
    let daemon = try await Daemon(follows: [])
    let made = try await daemon.client.post("/api/v1/tokens", #"{"name": "old", "rights": "read"}"#)
    var holder = daemon.client
    holder.token = try made.object()["token"] as? String
    #expect(try await holder.get("/api/v1/status").status == 200)
    // The list is written beside its place first. A folder there fails the write as a full disk does.
    let place = daemon.program.store + "/access.json.new"
    // The daemon may be writing when the token was used last.
    while (try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)) == nil {
      await Task.yield()
    }
    let cookie = try await Self.enter(daemon.client)
    #expect(try await daemon.client.anonymous.get("/", headers: cookie).status == 200)
    try await daemon.log(holds: "is not saved")
    // What must outlive the daemon is refused.
    #expect(try await daemon.client.post("/api/v1/tokens", #"{"name": "a", "rights": "read"}"#).status == 503)
    // A revocation holds at once.
    let revoked = try await daemon.client.send("DELETE", "/api/v1/tokens/old")
    #expect(revoked.status == 503 && revoked.body.contains("until the daemon ends"), "\(revoked)")
    #expect(try await holder.get("/api/v1/status").status == 401)
  }

  @Test(
    "each 401 and 403 is one line with the caller's address and a reason, and is counted", arguments: ["text", "json"])
  func refusals(format: String) async throws {
    let daemon = try await Daemon(
      config: #"{"daemon": {"publicURL": "https://home.example"}}"#, arguments: ["--log-format", format])
    let client = daemon.client
    var bad = client
    bad.token = String(repeating: "0", count: 64)
    let from = ["X-Forwarded-For": "198.51.100.1, 203.0.113.9"]
    _ = try await bad.get("/api/v1/status", headers: from)
    _ = try await client.anonymous.get("/api/v1/x%0Ay%22status=401", headers: ["X-Forwarded-For": "evil"])
    _ = try await client.anonymous.get("/login?code=1", headers: ["Accept": "text/html"].merging(from) { $1 })
    _ = try await client.get("/api/v1/status", headers: ["Origin": "https://evil.example"])
    let metrics = try await client.get("/metrics").body
    for series in [
      #"{status="401",why="bad-token"} 1"#, #"{status="401",why="no-credentials"} 1"#,
      #"{status="403",why="bad-code"} 1"#, #"{status="403",why="foreign-origin"} 1"#,
      #"{status="401",why="bad-session"} 0"#,
    ] { #expect(metrics.contains("almanac_requests_refused_total" + series), "\(series)") }
    // Some proxies add the port.
    let places = [
      ("198.51.100.1, 203.0.113.7:5678", "203.0.113.7"), ("[2001:db8::7]:443", "2001:db8::7"),
      ("[2001:db8::8]", "2001:db8::8"), ("2001:db8::9", "2001:db8::9"), ("203.0.113.8:99999", "127.0.0.1"),
      ("203.0.113", "127.0.0.1"), ("[2001:db8::7", "127.0.0.1"), ("203.0.113.7,", "127.0.0.1"),
    ]
    for (sent, _) in places { _ = try await bad.get("/api/v1/status", headers: ["X-Forwarded-For": sent]) }
    let log = try await daemon.log(holds: "refused", times: 4 + places.count)
    let lines = log.split(separator: "\n").filter { $0.contains("refused") }
    #expect(lines.count == 4 + places.count)
    for ((sent, client), line) in zip(places, lines.dropFirst(4)) {
      #expect(line.contains(format == "json" ? "\"client\":\"\(client)\"" : "client=\(client) "), "\(sent): \(line)")
    }
    #expect(lines[0].contains(format == "json" ? #""client":"203.0.113.9""# : "client=203.0.113.9 "), "\(lines)")
    #expect(lines[1].contains("127.0.0.1"), "\(lines)")
    try await daemon.stop()
    guard let program = PageTests.program("fail2ban-regex") else { return }
    let filter = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Apps/almanacd/deploy/fail2ban/almanacd.conf").standardized.path
    let file = NSTemporaryDirectory() + "almanac-refused-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try log.write(toFile: file, atomically: true, encoding: .utf8)
    let text = try Tool.run(program, [file, filter]).output
    // The wrong tokens and the spent code; not the browser that has not come in, nor the page from elsewhere.
    #expect(text.contains("Failregex: \(2 + places.count) total"), "\(text)")
  }
}
