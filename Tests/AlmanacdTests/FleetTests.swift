import AlmanacTesting
import CLibrary
import Foundation
import Testing
import UpstreamKit

@testable import almanacd

/// Daemons that share the work on one store; `FleetFaultTests` makes many faults.
@Suite(
  .serialized,
  .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed; .ci/install-tools installs it"))
struct FleetTests {
  private static let lease = 3
  private static let leads = "leads the daemons of this store"

  private static func join(_ address: String, _ config: String) async throws -> Daemon {
    try await Daemon(config: config, store: address, arguments: ["--lease", "\(lease)"])
  }

  /// A server with a fault, and an empty store.
  private static func setting(_ fault: FaultRule) async throws -> (Upstream, address: String) {
    var options = UpstreamOptions()
    options.faults = [fault]
    return (try Upstream(options), try await PostgreSQLServer.shared().newAddress())
  }

  @Test("daemons side by side pull each follow once")
  func sharedFollows() async throws {
    let users = (0..<12).map { "u\($0)" }
    var options = UpstreamOptions()
    options.userIDs = users
    let upstream = try Upstream(options)
    defer { upstream.stop() }
    let address = try await PostgreSQLServer.shared().newAddress()
    let config = Daemon.config(users.map { "users/\($0)" }, url: upstream.url)
    let daemons = try await [Self.join(address, config), Self.join(address, config), Self.join(address, config)]
    for daemon in daemons {
      _ = try await daemon.eventually("/api/v1/status") { reply in
        try reply.list("follows").allSatisfy { $0["lastSuccess"] != nil && $0["pulledBy"] == nil }
      }
    }
    for daemon in daemons { try await daemon.stop() }
    for user in users {
      let count = upstream.server.requests.filter { $0.target.hasSuffix("/user/\(user)") }.count
      #expect(count == 1, "\(user) was asked for \(count) times")
    }
  }

  @Test("a POST with the same Idempotency-Key to all daemons at once adds one person, and is answered alike")
  func sharedKey() async throws {
    let address = try await PostgreSQLServer.shared().newAddress()
    let config = Daemon.config([], url: "http://127.0.0.1:9")
    let daemons = try await [Self.join(address, config), Self.join(address, config), Self.join(address, config)]
    for number in 0..<10 {
      let headers = ["Idempotency-Key": "k\(number)", "Content-Type": "application/json"]
      let body = #"{"firstName": "P", "lastName": "\#(number)"}"#
      let bodies = try await withThrowingTaskGroup(of: String.self) { group in
        for client in daemons.map(\.client) {
          group.addTask {
            let reply = try await client.send("POST", "/api/v1/collections/people", headers: headers, body: body)
            #expect(reply.status == 201, "\(number): \(reply)")
            return reply.body
          }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(bodies.count == 1, "\(bodies)")
    }
    let people = try await daemons[0].client.get("/api/v1/collections/people?limit=100")
    #expect(try people.list("items").count == 10)
    for daemon in daemons { try await daemon.stop() }
  }

  @Test("a follow that a daemon is pulling is not pulled by another one")
  func pulledFollow() async throws {
    let (upstream, address) = try await Self.setting(
      FaultRule(.delay(milliseconds: 600_000), path: "/user/ada", times: 1))
    defer { upstream.stop() }
    // The lease does not lapse on a slow machine.
    let first = try await Daemon(
      config: Daemon.config(["users/ada"], url: upstream.url), store: address, arguments: ["--lease", "3600"])
    while upstream.server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    // The other one begins with both, and pulls the second one again and again.
    let config = Daemon.config(["users/ada", "users/bo"], url: upstream.url, every: "1s")
    let second = try await Daemon(config: config, store: address, arguments: ["--lease", "3600"])
    func count(_ user: String) -> Int { upstream.server.requests.count { $0.target.hasSuffix("/user/\(user)") } }
    _ = try await second.eventually("/api/v1/status") { _ in count("bo") >= 3 }
    #expect(count("ada") == 1)
    try await second.stop()
    try await first.stop()
  }

  @Test("the follow that a killed daemon was pulling is taken over, by one that does not lead, too")
  func followTakeover() async throws {
    let (upstream, address) = try await Self.setting(
      FaultRule(.delay(milliseconds: 600_000), path: "/user/bo", times: 1))
    defer { upstream.stop() }
    // The first one leads, and follows nothing.
    let leader = try await Self.join(address, Daemon.config([], url: upstream.url))
    try await leader.log(holds: Self.leads)
    let config = Daemon.config(["users/bo"], url: upstream.url)
    let killed = try await Self.join(address, config)
    while upstream.server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    let other = try await Self.join(address, config)
    _ = try await other.eventually("/api/v1/status") { reply in
      let holder = try reply.list("follows").first?["pulledBy"] as? String
      return holder?.hasSuffix(" \(killed.running.pid)") == true
    }
    killed.running.signal(SIGKILL)
    let begun = Date()
    _ = try await other.eventually("/api/v1/collections/profiles/bo") { $0.status == 200 }
    let seconds = Date().timeIntervalSince(begun)
    print("a follow was taken over after \(String(format: "%.2f", seconds)) s with a lease of \(Self.lease) s")
    if ProcessInfo.processInfo.environment["ALMANAC_STRICT_TIMES"] == "1" { #expect(seconds < Double(Self.lease) + 2) }
    try await other.stop()
    try await leader.stop()
  }

  @Test(
    "what a paused daemon has read of a follow is not committed after another one took the follow over",
    arguments: [true, false])
  func lateFollow(isLeader: Bool) async throws {
    let (upstream, address) = try await Self.setting(FaultRule(.delay(milliseconds: 6000), path: "/user/ada", times: 1))
    defer { upstream.stop() }
    let leader = isLeader ? nil : try await Self.join(address, Daemon.config([], url: upstream.url))
    try await leader?.log(holds: Self.leads)
    let config = Daemon.config(["users/ada"], url: upstream.url)
    let paused = try await Self.join(address, config)
    // It has asked, and its answer is on the way.
    while upstream.server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    paused.running.signal(SIGSTOP)
    upstream.changeUser("ada", name: "Changed")
    let other = try await Self.join(address, config)
    _ = try await other.eventually("/api/v1/collections/profiles/ada") { $0.status == 200 }
    let stored = try await other.client.get("/api/v1/collections/profiles/ada").body
    #expect(stored.contains("Changed"), "\(stored)")
    if isLeader { try await other.log(holds: Self.leads) }
    paused.running.signal(SIGCONT)
    if isLeader { try await paused.log(holds: "another daemon leads leader=") }
    // It learns that the follow was pulled, and goes on with others.
    try paused.write(config: Daemon.config(["users/ada", "users/bo"], url: upstream.url))
    _ = try await paused.eventually("/api/v1/collections/profiles/bo") { $0.status == 200 }
    #expect(try await other.client.get("/api/v1/collections/profiles/ada").body == stored)
    #expect(try String(contentsOfFile: paused.errorPath, encoding: .utf8).contains("sync failed") == false)
    for daemon in [paused, other, leader].compactMap(\.self) { try await daemon.stop() }
  }

  /// The lease of an earlier version, which has only one: its name for a holder has no mark. Until the lease is ended, the
  /// server renews it ten times a second.
  private struct EarlierVersion {
    static let holder = "old-host 1"
    let server: PostgreSQLServer
    let table: String

    init(_ server: PostgreSQLServer, _ address: String) {
      self.server = server
      table = "\(address.split(separator: "=").last ?? "").lease"
    }

    /// Whether the lease could be claimed. It lasts until it is ended.
    func claim() throws -> Bool {
      try server.query(
        """
        insert into \(table) as l values ('daemon', '\(Self.holder)', 1, clock_timestamp() + interval '1 hour')
          on conflict (name) do update set holder = excluded.holder, fence = l.fence + 1, until = excluded.until
          where l.until <= clock_timestamp() returning true
        """) == "t"
    }

    func renew() throws -> () -> Void {
      try server.start(
        "psql", "-d", "postgres", "-Xqc",
        """
        do $$ begin
          loop
            update \(table) set until = clock_timestamp() + interval '3 s'
              where name = 'daemon' and holder = '\(Self.holder)';
            exit when not found;
            commit;
            perform pg_sleep(0.1);
          end loop;
        end $$
        """)
    }

    func end() throws {
      _ = try server.query(
        "update \(table) set holder = holder || ' ended', until = clock_timestamp() where name = 'daemon'")
    }
  }

  @Test("a rolling upgrade: daemons stand by while one of an earlier version leads, and it stands by for them")
  func rollingUpgrade() async throws {
    let upstream = try Upstream()
    defer { upstream.stop() }
    let server = try await PostgreSQLServer.shared()
    let address = server.newAddress()
    let config = Daemon.config(["users/ada", "users/bo"], url: upstream.url)
    // The store is there, and the earlier version leads.
    let creator = try await Self.join(address, Daemon.config([], url: upstream.url))
    try await creator.log(holds: Self.leads)
    try await creator.stop()
    let earlier = EarlierVersion(server, address)
    #expect(try earlier.claim())
    let stop = try earlier.renew()
    defer { stop() }
    let daemons = try await [Self.join(address, config), Self.join(address, config)]
    for daemon in daemons {
      try await daemon.log(holds: "another daemon leads")
      _ = try await daemon.eventually("/api/v1/status") { reply in
        try reply.list("follows").allSatisfy { $0["pulledBy"] as? String == EarlierVersion.holder }
      }
    }
    // For longer than a lease lasts.
    let renewed = try server.query(
      """
      do $$ begin perform pg_sleep(\(Self.lease + 1)); end $$;
      select until > clock_timestamp() from \(earlier.table) where holder = '\(EarlierVersion.holder)'
      """)
    #expect(renewed == "t")
    #expect(upstream.server.requests.isEmpty, "\(upstream.server.requests.map(\.target))")
    try earlier.end()
    for daemon in daemons {
      _ = try await daemon.eventually("/api/v1/status") { reply in
        try reply.list("follows").allSatisfy { $0["lastSuccess"] != nil && $0["pulledBy"] == nil }
      }
    }
    for user in ["ada", "bo"] {
      #expect(upstream.server.requests.count { $0.target.hasSuffix("/user/\(user)") } == 1)
    }
    // The other way: while a new one leads, the earlier version does not get the lease; it gets it from one that ends.
    let end = Date().addingTimeInterval(300)
    var leader = ""
    while leader.isEmpty, Date() < end {
      leader = try server.query(
        "select split_part(holder, ' ', 2) from \(earlier.table) where name = 'daemon' and until > clock_timestamp()")
    }
    let first = try #require(daemons.first { "\($0.running.pid)" == leader })
    let second = try #require(daemons.first { $0 !== first })
    #expect(try !earlier.claim())
    second.running.signal(SIGSTOP)
    try await first.stop()
    #expect(try earlier.claim())
    second.running.signal(SIGCONT)
    _ = try await second.eventually("/api/v1/status") { reply in
      try reply.list("follows").allSatisfy { $0["pulledBy"] as? String == EarlierVersion.holder }
    }
    try earlier.end()
    try await second.stop()
  }
}
