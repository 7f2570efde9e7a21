import AlmanacTesting
import CLibrary
import Foundation
import Testing
import UpstreamKit

@testable import almanacd

/// Several daemons on one store on a server.
@Suite(
  .serialized,
  .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed; .ci/install-tools installs it"))
struct SharedStoreTests {
  private static let lease = ["--lease", "3"]

  private static func person(_ name: String) -> String {
    #"{"firstName": "\#(name)", "lastName": "Hopper", "birthday": "1906-12-09"}"#
  }

  private static func role(_ reply: WebClient.Reply) throws -> String? {
    (try reply.object()["daemon"] as? [String: Any])?["role"] as? String
  }

  /// A daemon that leads, and another one with the same config.
  private static func two(_ address: String, _ follows: [String] = ["users/ada"]) async throws -> (Daemon, Daemon) {
    let first = try await Daemon(follows: follows, store: address, arguments: lease)
    try await first.log(holds: "leads the daemons of this store")
    let config = Daemon.config(follows, url: first.upstream?.url ?? "")
    let second = try await Daemon(config: config, store: address, arguments: lease)
    try await second.log(holds: "another daemon leads leader=")
    return (first, second)
  }

  @Test("one daemon leads, the other answers, and takes over when the first is killed")
  func takeover() async throws {
    let (first, second) = try await Self.two(PostgreSQLServer.shared().newAddress())
    _ = try await first.eventually("/api/v1/collections/profiles/ada") { $0.status == 200 }
    for name in ["token", "daemon.sock", "daemon.json"] {
      let file = try FileManager.default.attributesOfItem(atPath: "\(first.program.store)/\(name)")
      #expect(file[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    #expect(try await Self.role(first.client.get("/api/v1/status")) == "leader")
    let standby = try await second.client.get("/api/v1/status")
    #expect(try Self.role(standby) == "member" && standby.body.contains("\(first.running.pid)"), "\(standby.body)")
    #expect(try await second.client.get("/readyz").status == 200)
    #expect(try await second.client.get("/metrics").body.contains("almanac_working 0"))
    #expect(try await second.client.get("/").body.contains("leads: it also sends"))
    #expect(try await second.client.get("/api/v1/collections/profiles/ada").status == 200)
    let asked = try await second.client.post("/api/v1/sync", "{}").object()["run"] as? String ?? ""
    _ = try await second.eventually("/api/v1/runs/\(asked)") { try $0.object()["state"] as? String == "done" }
    // The daemon that leads takes the wish out of the store, and fetches.
    let fetch = try await second.client.post("/api/v1/media/fetch", "{}")
    #expect(fetch.status == 202, "\(fetch.body)")
    _ = try await second.eventually("/api/v1/media/fetch") { try $0.object()["state"] as? String != "waiting" }
    _ = try await first.eventually("/api/v1/media/fetch") { try $0.object()["state"] as? String == "done" }
    // An edit that is made at one is sent by the other, and heard at each.
    let heard = try await first.client.stream("/api/v1/events") {
      let change = try await second.client.send(
        "PATCH", "/api/v1/collections/profiles/ada", headers: ["Content-Type": "application/merge-patch+json"],
        body: #"{"name": "Ada L"}"#)
      #expect(change.status == 200, "\(change.body)")
    } until: {
      $0.contains("event: commit") && $0.contains("\"profiles\"")
    }
    #expect(heard.contains("\"ada\""))
    _ = try await first.eventually("/api/v1/outbox") { try $0.list("items").isEmpty }
    #expect(first.upstream?.user("ada")?.name == "Ada L")
    first.running.signal(SIGKILL)
    _ = try await first.running.result()
    try await second.log(holds: "leads the daemons of this store")
    let run = try await second.client.post("/api/v1/sync", "{}").object()["run"] as? String ?? ""
    _ = try await second.eventually("/api/v1/runs/\(run)") { try $0.object()["state"] as? String == "done" }
    #expect(first.upstream?.userVersion("ada") == 2)
    #expect(try await second.stop().status == 0)
  }

  @Test("every daemon shows the pictures that the one that leads has fetched") func pictures() async throws {
    let address = try await PostgreSQLServer.shared().newAddress()
    let (leader, other) = try await Self.two(address, ["app-store/us/top-paid"])
    _ = try await other.eventually("/api/v1/collections/apps?limit=1") { try $0.list("items").count == 1 }
    let app = try await other.client.get("/api/v1/collections/apps?limit=1").list("items").first
    let url = try #require(app?["thumbnailURL"] as? String)
    let path = "/media/" + (url.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    let shown = try await other.eventually(path) { $0.headers["content-type"] != "image/svg+xml" }
    #expect(shown.status == 200 && shown.headers["content-type"]?.hasPrefix("image/") == true)
    try await other.stop()
    let again = try await leader.client.get(path)
    #expect(again.body == shown.body)
    // The folder of a daemon contains none.
    #expect(!FileManager.default.fileExists(atPath: leader.program.store + "/media"))
    try await leader.stop()
  }

  @Test("of daemons that start at the same moment on a new store, one says that it made it")
  func oneIsTheFirst() async throws {
    let address = try await PostgreSQLServer.shared().newAddress()
    let daemons = try await withThrowingTaskGroup(of: Daemon.self) { group in
      for _ in 0..<4 { group.addTask { try await Daemon(follows: [], store: address) } }
      return try await group.reduce(into: [Daemon]()) { $0.append($1) }
    }
    var made = 0
    for daemon in daemons {
      let log = try await daemon.log(holds: "listening")
      made += log.components(separatedBy: "created a new store").count - 1
      #expect(try await daemon.stop().status == 0)
    }
    #expect(made == 1)
  }

  @Test("a daemon that ends gives the lease away at once; one that was paused too long does not lead")
  func handover() async throws {
    let address = try await PostgreSQLServer.shared().newAddress()
    let (first, second) = try await Self.two(address)
    first.running.signal(SIGSTOP)
    try await second.log(holds: "leads the daemons of this store")
    first.running.signal(SIGCONT)
    try await first.log(holds: "another daemon has taken over")
    try await first.log(holds: "another daemon leads leader=")
    #expect(try await Self.role(first.client.get("/api/v1/status")) == "member")
    _ = try await PostgreSQLServer.shared().query(
      "update \(address.split(separator: "=").last ?? "").lease set until = now() + interval '1 hour'")
    #expect(try await second.stop().status == 0)
    // Its lease would not have lapsed for an hour.
    try await first.log(holds: "leads the daemons of this store", times: 2)
    try await first.stop()
  }

  @Test("a silent server holds up neither the health nor the end, and is used again once it answers")
  func silence() async throws {
    let server = try await PostgreSQLServer()
    defer { server.end() }
    let (daemon, client) = try await Daemon(follows: ["users/ada"], store: server.newAddress(), arguments: Self.lease)
      .withClient
    try await daemon.log(holds: "synced")
    #expect(try await client.get("/readyz").status == 200)
    try server.pause()
    let paused = Date()
    let answers = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<24 { group.addTask { (try? await client.get("/api/v1/status").status) ?? 0 } }
      for name in ["Ada", "Bo"] {
        group.addTask { (try? await client.post("/api/v1/collections/people", Self.person(name)).status) ?? 0 }
      }
      var slowest = 0.0
      // Until the answers that wait for the server have come, and it is known to be silent.
      while (try? await client.get("/readyz").status) != 503 || Date().timeIntervalSince(paused) < 1 {
        let begun = Date()
        #expect((try? await client.get("/healthz").status) == 200)
        slowest = max(slowest, Date().timeIntervalSince(begun))
      }
      if ProcessInfo.processInfo.environment["ALMANAC_STRICT_TIMES"] == "1" { #expect(slowest < 0.05) }
      print("silent server: /healthz within \(Int(slowest * 1000)) ms")
      var answers: [Int] = []
      for await status in group { answers.append(status) }
      print("silent server: the last edit was refused after \(Int(Date().timeIntervalSince(paused) * 1000)) ms")
      return answers
    }
    // The status says what is known without the store, and edits are refused.
    #expect(answers.sorted() == Array(repeating: 200, count: 24) + [503, 503], "\(answers)")
    try await Self.checkOutage(client)
    #expect(try await client.get("/metrics").body.contains("almanac_store_up 0"))
    // Its lease lapses: another daemon may lead by now.
    _ = try await daemon.eventually("/metrics") { $0.body.contains("almanac_working 0") }
    #expect(try await client.get("/").body.contains("It is not known which daemon leads"))
    try server.resume()
    let resumed = Date()
    _ = try await daemon.eventually("/readyz") { $0.status == 200 }
    _ = try await daemon.eventually("/metrics") { $0.body.contains("almanac_working 1") }
    print("ready after \(Int(Date().timeIntervalSince(resumed) * 1000)) ms")
    _ = try await daemon.eventually("/api/v1/status") { $0.status == 200 }
    // A listener hears what is committed after a restart.
    let heard = try await client.stream("/api/v1/events") {
      try server.crash()
      _ = try await daemon.eventually("/readyz") { $0.status == 200 }
      #expect(try await client.post("/api/v1/collections/people", Self.person("Grace")).status == 201)
    } until: {
      $0.contains("event: commit") && $0.contains("\"people\"")
    }
    #expect(heard.contains("event: commit"))
    #expect(try await daemon.stop().status == 0)
  }

  /// Checks what a daemon says without its store.
  private static func checkOutage(_ client: WebClient) async throws {
    let status = try await client.get("/api/v1/status")
    let fields = try status.object()
    #expect(status.status == 200 && fields["version"] is String && fields["follows"] == nil, "\(status.body)")
    let problem = try #require((fields["problems"] as? [[String: Any]])?.first, "\(status.body)")
    #expect(problem["part"] as? String == "store" && problem["code"] as? String == "unreachable", "\(problem)")
    #expect(problem["since"] is String && problem["message"] is String, "\(problem)")
    for path in ["/", "/healthz", "/metrics"] { #expect(try await client.get(path).status == 200, "\(path)") }
    for path in ["/api/v1/collections/people", "/readyz"] {
      #expect(try await client.get(path).status == 503, "\(path)")
    }
  }

  @Test("a server that can be read and not written is not ready, and says so once; a daemon does not start on it")
  func readOnly() async throws {
    let server = try await PostgreSQLServer()
    defer { server.end() }
    let owned = server.newAddress()
    let schema = String(owned.split(separator: "=").last ?? "")
    _ = try server.query("create role reader login")
    let address = owned.replacingOccurrences(of: "user=postgres", with: "user=reader")
    try await Daemon(follows: [], store: owned, arguments: Self.lease).stop()
    let tables = "on all tables in schema \(schema)"
    _ = try server.query("grant usage on schema \(schema) to reader; grant select \(tables) to reader")
    let program = try Program("almanacd")
    defer { program.clean() }
    let arguments = ["--listen", "127.0.0.1:0", "--state", program.folder + "/state", "--store"]
    try await program.run(arguments + [address], exits: 77, err: "lacks a privilege: collection delete, ")
    let grant = "grant insert, update, delete \(tables) to reader"
    _ = try server.query(grant)
    let daemon = try await Daemon(
      follows: ["users/ada"], store: address, arguments: Self.lease + ["--log-format", "json"], every: "1s")
    try await daemon.log(holds: "\"synced\"")
    let setting = "alter system set default_transaction_read_only = "
    for (stop, go) in [
      ("revoke insert, update, delete \(tables) from reader", grant), (setting + "on", setting + "off"),
    ] {
      _ = try server.query(stop)
      _ = try server.query("select pg_reload_conf()")
      _ = try await daemon.eventually("/readyz") { $0.status == 503 && $0.body.contains("(denied)") }
      let sync = try await daemon.client.post("/api/v1/sync", "{}")
      #expect(sync.status == 503 && sync.body.contains("\"hint\""), "\(sync.body)")
      #expect(try await daemon.client.post("/api/v1/people", Self.person("Ada")).status == 503)
      #expect(try await daemon.client.get("/api/v1/collections/profiles/ada").status == 200)
      #expect(try await daemon.client.get("/api/v1/status").body.contains("\"code\":\"denied\""))
      _ = try server.query(go)
      _ = try server.query("select pg_reload_conf()")
      _ = try await daemon.eventually("/readyz") { $0.status == 200 }
    }
    let log = try await daemon.log(holds: "\"problem solved\"", times: 2)
    let lines = log.split(separator: "\n").filter {
      $0.contains("\"level\":\"warning\"") || $0.contains("\"level\":\"error\"")
    }
    #expect(lines.count == 2 && lines.allSatisfy { $0.contains("\"part\":\"store\"") }, "\(lines)")
    #expect(try await daemon.stop().status == 0)
  }

  @Test("a daemon whose schema is removed is not ready, makes no new one, and goes on with a restored dump")
  func removedSchema() async throws {
    let server = try await PostgreSQLServer.shared()
    let address = server.newAddress()
    let schema = String(address.split(separator: "=").last ?? "")
    let (daemon, client) = try await Daemon(follows: [], store: address, arguments: Self.lease).withClient
    try await daemon.log(holds: "leads the daemons of this store")
    let file = FileManager.default.temporaryDirectory.path + "/\(schema).sql"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try server.run("pg_dump", "-d", "postgres", "--schema=\(schema)", "-f", file)
    _ = try server.query("drop schema \(schema) cascade")
    _ = try await daemon.eventually("/readyz") { $0.status == 503 && $0.body.contains("moved") }
    #expect(try await client.post("/api/v1/collections/people", Self.person("Ada")).status == 503)
    try await daemon.log(holds: "was removed, or is being restored")
    try server.run("psql", "-d", "postgres", "-1", "-q", "-v", "ON_ERROR_STOP=1", "-o", "/dev/null", "-f", file)
    _ = try await daemon.eventually("/readyz") { $0.status == 200 }
    #expect(try await client.post("/api/v1/collections/people", Self.person("Ada")).status == 201)
  }

  @Test("the dashboard of a daemon is found by the folder of its state", .enabled(if: Daemon.hasCLI))
  func dashboard() async throws {
    let address = try await PostgreSQLServer.shared().newAddress()
    let daemon = try await Daemon(follows: [], store: address)
    var almanac = try Program("almanac")
    defer { almanac.clean() }
    let empty = try await almanac.run("doctor", "--store", PostgreSQLServer.shared().newAddress())
    #expect("\(empty)".contains("psql restores a dump") && !"\(empty)".contains("almanac restore"), "\(empty)")
    let none = try await almanac.run("dashboard", "--store", address)
    #expect(none.status != 0 && none.err.contains("ALMANAC_STATE"), "\(none)")
    // The daemon names its --state in what it advises.
    try await daemon.log(holds: "--state")
    try await almanac.run(
      "dashboard", "--store", address, "--state", daemon.program.store, exits: 0, out: "/login?code=")
    try await almanac.run(
      "dashboard", "--state", daemon.program.store, exits: 64, err: "--state is for a store on a server")
    almanac.environment["ALMANAC_STATE"] = daemon.program.store
    try await almanac.run("dashboard", "--store", address, exits: 0, out: "/login?code=")
    try await almanac.run(
      "dashboard", "--store", PostgreSQLServer.shared().newAddress(), exits: 66, err: "works on another store")
    try await daemon.stop()
  }

  @Test("--state is for a server, and --lease has limits") func options() async throws {
    let program = try Program("almanacd")
    defer { program.clean() }
    try await program.run(
      "--state", program.folder + "/state", exits: 64, err: "--state is for a store on a server")
    try await program.run("--lease", "1", exits: 64, err: "3 to 3600")
    try await program.run("--listen", "192.0.2.1:7423", exits: 69, err: "this machine does not have that address")
    try await program.run(
      "--store", "postgres://127.0.0.1:1/db", "--state", program.folder + "/state", exits: 75, err: "127.0.0.1:1")
  }
}
