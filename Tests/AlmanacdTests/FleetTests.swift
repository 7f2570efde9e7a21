import AlmanacTesting
import Foundation
import Glibc
import Testing
import UpstreamKit

@testable import almanacd

/// Daemons on one store that are killed and paused while they work. `ALMANAC_FLEET_FAULTS=100` makes more faults than the
/// default, among `ALMANAC_FLEET=4` daemons.
@Suite(
  .serialized,
  .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed; .ci/install-tools installs it"))
struct FleetTests {
  private static func number(_ variable: String, _ standard: Int) -> Int {
    ProcessInfo.processInfo.environment[variable].flatMap(Int.init) ?? standard
  }
  private static let lease = 3
  private static let leads = "leads the daemons of this store"

  private static func join(_ address: String, _ config: String) async throws -> Daemon {
    try await Daemon(config: config, store: address, arguments: ["--lease", "\(lease)"])
  }

  @Test("what a daemon read before it was paused is not committed after another one took over")
  func lateCommit() async throws {
    var options = UpstreamOptions()
    options.faults = [FaultRule(.delay(milliseconds: 2000), path: "/user/ada", times: 1)]
    let upstream = try Upstream(options)
    defer { upstream.stop() }
    let address = try await PostgreSQLServer.shared().newAddress()
    let config = Daemon.config(["users/ada"], url: upstream.url)
    let first = try await Self.join(address, config)
    // It has asked, and its answer is on the way.
    while upstream.server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    first.running.signal(SIGSTOP)
    let second = try await Self.join(address, config)
    try await second.log(holds: Self.leads)
    upstream.changeUser("ada", name: "Changed")
    let run = try await second.client.post("/api/v1/sync", "{}").object()["run"] as? String ?? ""
    _ = try await second.eventually("/api/v1/runs/\(run)") { try $0.object()["state"] as? String == "done" }
    let stored = try await second.client.get("/api/v1/collections/profiles/ada").body
    #expect(stored.contains("Changed"), "\(stored)")
    first.running.signal(SIGCONT)
    try await first.log(holds: "another daemon")
    try await first.log(holds: "another daemon leads leader=")
    #expect(try await second.client.get("/api/v1/collections/profiles/ada").body == stored)
    try await first.stop()
    try await second.stop()
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

  @Test("the follow that a killed daemon was pulling is taken over, by one that does not lead, too")
  func followTakeover() async throws {
    var options = UpstreamOptions()
    options.faults = [FaultRule(.delay(milliseconds: 600_000), path: "/user/bo", times: 1)]
    let upstream = try Upstream(options)
    defer { upstream.stop() }
    let address = try await PostgreSQLServer.shared().newAddress()
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

  @Test("what a paused daemon has read of a follow is not committed after another one took the follow over")
  func lateFollow() async throws {
    var options = UpstreamOptions()
    options.faults = [FaultRule(.delay(milliseconds: 2000), path: "/user/ada", times: 1)]
    let upstream = try Upstream(options)
    defer { upstream.stop() }
    let address = try await PostgreSQLServer.shared().newAddress()
    let leader = try await Self.join(address, Daemon.config([], url: upstream.url))
    try await leader.log(holds: Self.leads)
    let config = Daemon.config(["users/ada"], url: upstream.url)
    let paused = try await Self.join(address, config)
    while upstream.server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    paused.running.signal(SIGSTOP)
    upstream.changeUser("ada", name: "Changed")
    let other = try await Self.join(address, config)
    _ = try await other.eventually("/api/v1/collections/profiles/ada") { $0.status == 200 }
    let stored = try await other.client.get("/api/v1/collections/profiles/ada").body
    #expect(stored.contains("Changed"), "\(stored)")
    paused.running.signal(SIGCONT)
    // It learns that the follow was pulled, and goes on with others.
    try paused.write(config: Daemon.config(["users/ada", "users/bo"], url: upstream.url))
    _ = try await paused.eventually("/api/v1/collections/profiles/bo") { $0.status == 200 }
    #expect(try await other.client.get("/api/v1/collections/profiles/ada").body == stored)
    #expect(try String(contentsOfFile: paused.errorPath, encoding: .utf8).contains("sync failed") == false)
    for daemon in [paused, other, leader] { try await daemon.stop() }
  }

  @Test("daemons are killed and paused: each person is sent once, and the feed has no gaps")
  func faults() async throws {
    var options = UpstreamOptions()
    options.honoursIdempotencyKeys = false
    options.latencyMilliseconds = 20
    let upstream = try Upstream(options)
    defer { upstream.stop() }
    let server = try await PostgreSQLServer()
    defer { server.end() }
    let address = server.newAddress()
    let config = Daemon.config(["people", "users/ada", "users/bo"], url: upstream.url, every: "1s")
    var daemons: [Daemon] = []
    for _ in 0..<Self.number("ALMANAC_FLEET", 2) { daemons.append(try await Self.join(address, config)) }
    let senders = Senders(daemons)
    let sending = Task { await senders.run() }
    var takeovers: [Double] = []
    var random = SystemRandomNumberGenerator()
    for fault in 0..<Self.number("ALMANAC_FLEET_FAULTS", 2) {
      let worker = try await Self.worker(daemons)
      let others = daemons.filter { $0 !== worker }
      senders.allow(8)
      usleep(UInt32.random(in: 0..<300_000, using: &random))
      let begun = Date()
      worker.running.signal(fault % 2 == 0 ? SIGKILL : SIGSTOP)
      // On a slow machine another one may have taken over before the fault.
      _ = try await Self.worker(others)
      takeovers.append(Date().timeIntervalSince(begun))
      if fault % 2 == 0 {
        daemons = others + [try await Self.join(address, config)]
        senders.replace(daemons)
      } else {
        worker.running.signal(SIGCONT)
      }
    }
    senders.end()
    await sending.value
    let last = try await Self.worker(daemons)
    for daemon in daemons where daemon !== last { try await daemon.stop() }
    _ = try await last.eventually("/api/v1/outbox") { try $0.list("items").isEmpty }
    let names = Dictionary(grouping: upstream.peopleNames) { $0 }.mapValues(\.count)
    let (acknowledged, tried) = senders.names
    let lost = acknowledged.filter { names["\($0) Fleet"] == nil }
    let doubled = tried.filter { names["\($0) Fleet", default: 0] > 1 }
    #expect(lost.isEmpty && doubled.isEmpty, "lost \(lost), doubled \(doubled)")
    let schema = address.split(separator: "=").last ?? ""
    let feed = try server.query(
      "select count(*) = max(seq) and min(seq) = 1 and max(seq) = (select seq from \(schema).store) from \(schema).commit"
    )
    #expect(feed == "t")
    let commits = try server.query("select seq from \(schema).store")
    let slowest = takeovers.max() ?? 0
    if ProcessInfo.processInfo.environment["ALMANAC_STRICT_TIMES"] == "1" {
      #expect(slowest < Double(Self.lease) + 2)
    }
    print(
      """
      \(takeovers.count) faults among \(daemons.count) daemons: \(acknowledged.count) people sent, \(lost.count) lost, \
      \(doubled.count) doubled; \(commits) commits without gaps; taken over after at most \
      \(String(format: "%.2f", slowest)) s with a lease of \(Self.lease) s
      """)
    try await last.stop()
  }

  /// The daemon that leads.
  private static func worker(_ daemons: [Daemon]) async throws -> Daemon {
    let end = Date().addingTimeInterval(120)
    while Date() < end {
      for daemon in daemons {
        let metrics = try? await daemon.client.get("/metrics").body
        if metrics?.contains("\nalmanac_working 1") == true { return daemon }
      }
    }
    throw Daemon.Late(description: "no daemon leads")
  }
}

/// Adds people at daemons that may be dead or paused, and has them sent.
private final class Senders: @unchecked Sendable {
  private let lock = NSLock()
  private var daemons: [Daemon]
  private var isOver = false
  private var allowed = 0
  private var acknowledged: [String] = []
  private var tried: [String] = []

  init(_ daemons: [Daemon]) { self.daemons = daemons }

  func replace(_ daemons: [Daemon]) { lock.withLock { self.daemons = daemons } }
  /// Adds so many more people.
  func allow(_ number: Int) { lock.withLock { allowed += number } }
  func end() { lock.withLock { isOver = true } }
  var names: (acknowledged: [String], tried: [String]) { lock.withLock { (acknowledged, tried) } }

  func run() async {
    await withDiscardingTaskGroup { group in
      for _ in 0..<2 { group.addTask { await self.send() } }
    }
  }

  private func send() async {
    while let client = lock.withLock({ isOver ? nil : daemons.randomElement()?.client }) {
      guard lock.withLock({ tried.count < allowed }) else {
        try? await Task.sleep(for: .milliseconds(5))
        continue
      }
      let name = "P" + UUID().uuidString.filter { $0 != "-" }
      let person = #"{"firstName": "\#(name)", "lastName": "Fleet", "birthday": "1906-12-09"}"#
      guard let made = try? await client.post("/api/v1/people", person), made.status == 201,
        let id = try? made.object()["id"] as? String
      else { continue }
      lock.withLock { tried.append(name) }
      let sent = try? await client.post("/api/v1/people/send", #"{"ids": ["\#(id)"]}"#)
      if sent?.status == 202 { lock.withLock { acknowledged.append(name) } }
    }
  }
}
