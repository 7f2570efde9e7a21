import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// Follows that a store on a server keeps for all its daemons.
@Suite(
  .serialized,
  .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed; .ci/install-tools installs it"))
struct StoreFollowTests {
  /// A daemon that leads, and another one, without follows in their config files.
  private static func two(_ first: [String] = [], second: [String] = []) async throws -> (Daemon, Daemon) {
    let address = try await PostgreSQLServer.shared().newAddress()
    let one = try await Daemon(follows: first, store: address)
    try await one.log(holds: "leads the daemons of this store")
    let other = try await Daemon(config: Daemon.config(second, url: one.upstream?.url ?? ""), store: address)
    try await other.log(holds: "another daemon leads leader=")
    return (one, other)
  }

  /// The follows of a daemon, with their origins.
  private static func follows(_ reply: WebClient.Reply) throws -> [String: String] {
    let items = try reply.list("items").compactMap { item in
      (item["follow"] as? String).map { ($0, item["origin"] as? String ?? "") }
    }
    return Dictionary(uniqueKeysWithValues: items)
  }

  private static func file(_ daemon: Daemon) throws -> String {
    try String(contentsOfFile: daemon.program.folder + "/config.json", encoding: .utf8)
  }

  private static func form(_ daemon: Daemon, _ place: String, _ body: String) async throws -> WebClient.Reply {
    try await daemon.client.send(
      "POST", "/do/\(place)",
      headers: ["Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"], body: body)
  }

  @Test("a follow that is added at one daemon is pulled by the one that works, shown by all, changed and ended by any")
  func shared() async throws {
    let (leader, member) = try await Self.two()
    let before = try [leader, member].map(Self.file)
    let made = try await member.client.post("/api/v1/follows", #"{"follow": "users/ada", "every": "2h"}"#)
    #expect(try made.status == 201 && made.object()["origin"] as? String == "store", "\(made.body)")
    #expect(try await Self.follows(member.client.get("/api/v1/follows")) == ["users/ada": "store"])
    _ = try await leader.eventually("/api/v1/follows") { try Self.follows($0) == ["users/ada": "store"] }
    for daemon in [leader, member] {
      _ = try await daemon.eventually("/api/v1/status") {
        try $0.list("follows").map { $0["state"] as? String } == ["fresh"]
      }
      #expect(try await daemon.client.get("/api/v1/collections/profiles/ada").status == 200)
    }
    #expect(try await leader.client.get("/add").body.contains("New follows are kept in the store"))
    // A change keeps what it does not name.
    #expect(try await Self.form(leader, "pause", "follow=users/ada&paused=true").status == 303)
    _ = try await member.eventually("/api/v1/follows") { reply in
      let item = try reply.list("items").first
      return item?["paused"] as? Bool == true && item?["every"] as? String == "2h"
    }
    #expect(try await member.client.send("DELETE", "/api/v1/follows/users/ada").status == 204)
    #expect(try await Self.follows(member.client.get("/api/v1/follows")) == [:])
    _ = try await leader.eventually("/api/v1/follows") { try Self.follows($0) == [:] }
    let gone = try await leader.client.send("DELETE", "/api/v1/follows/users/ada")
    #expect(gone.status == 404 && gone.body.contains("another machine's config file"), "\(gone.body)")
    #expect(try await leader.client.get("/api/v1/collections/profiles/ada").status == 200)
    #expect(try [leader, member].map(Self.file) == before)
    try await leader.stop()
    try await member.stop()
  }

  @Test("a config file with a mistake does not hold up the follows of the store, and a reload keeps them")
  func brokenConfig() async throws {
    let (leader, member) = try await Self.two(["users/ada"])
    try leader.write(config: #"{"follows": ["#)
    try await leader.log(holds: "has a mistake")
    #expect(try await member.client.post("/api/v1/follows", #"{"follow": "users/bo"}"#).status == 201)
    _ = try await leader.eventually("/api/v1/follows") {
      try Self.follows($0) == ["users/ada": "config", "users/bo": "store"]
    }
    try leader.write(config: Daemon.config([], url: leader.upstream?.url ?? ""))
    _ = try await leader.eventually("/api/v1/follows") { try Self.follows($0) == ["users/bo": "store"] }
    try await leader.stop()
    // The follows of the store are those of a daemon that begins, too.
    try await member.log(holds: "leads the daemons of this store")
    #expect(try await Self.follows(member.client.get("/api/v1/follows")) == ["users/bo": "store"])
    try await member.stop()
  }

  @Test("a follow of an account, or of a source, that a machine lacks fails on that machine alone")
  func lacking() async throws {
    let address = try await PostgreSQLServer.shared().newAddress()
    let upstream = try Upstream(UpstreamOptions())
    defer { upstream.stop() }
    // One machine has no server of 'users', no account of 'carddav', and no definition of 'notes'.
    let poor = try await Daemon(config: "{}", store: address)
    try await poor.log(holds: "leads the daemons of this store")
    let rich = try await Daemon(config: Daemon.config([], url: upstream.url), store: address)
    try await rich.log(holds: "another daemon leads leader=")
    #expect(try await rich.client.post("/api/v1/follows", #"{"follow": "users/ada"}"#).status == 201)
    let schema = address.split(separator: "=").last ?? ""
    for path in ["carddav/home/contacts", "notes/all"] {
      // As another machine writes it.
      _ = try await PostgreSQLServer.shared().query(
        """
        select seq from \(schema).store for update;
        insert into \(schema).version select 'state', 'follows/\(path)', seq + 1, 0,
          convert_to('{"id":"follows/\(path)","entry":{"follow":"\(path)"}}', 'UTF8') from \(schema).store;
        insert into \(schema).commit select seq + 1, now(), gen_random_uuid()::text, 1 from \(schema).store;
        update \(schema).store set seq = seq + 1, changes = changes + 1
        """)
    }
    let status = try await poor.eventually("/api/v1/status") { try $0.list("follows").count == 3 }
    func errors(_ reply: WebClient.Reply) throws -> [String: String] {
      Dictionary(
        uniqueKeysWithValues: try reply.list("follows").map {
          ($0["follow"] as? String ?? "", ($0["error"] as? [String: Any])?["message"] as? String ?? "")
        })
    }
    let here = try errors(status)
    #expect(here["users/ada"]?.contains("no server is set for users") == true, "\(here)")
    #expect(here["carddav/home/contacts"]?.contains("there is no account 'home' of carddav") == true, "\(here)")
    #expect(
      here["notes/all"]?.contains("there is no definition") == true
        || here["notes/all"]?.contains("notes.json") == true, "\(here)")
    #expect(try await poor.client.get("/readyz").status == 200)
    let there = try errors(await rich.eventually("/api/v1/status") { try $0.list("follows").count == 3 })
    #expect(there["users/ada"] == "", "\(there)")
    // The machine that has the server fetches it, although the other one leads.
    _ = try await rich.eventually("/api/v1/collections/profiles/ada") { $0.status == 200 }
    try await poor.stop()
    try await rich.stop()
  }
}
