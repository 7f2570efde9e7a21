import AlmanacTesting
import CLibrary
import Foundation
import Testing
import UpstreamKit

/// Daemons on one store that are killed and paused while they work, and whose server restarts and ends connections.
///
/// `ALMANAC_FLEET` is the number of daemons, `ALMANAC_FLEET_KILLS`, `_PAUSES`, `_RESTARTS` and `_TERMINATIONS` those of
/// the faults; `ALMANAC_FLEET_LEASE` is the lease in seconds; `ALMANAC_FLEET_SEED` determines their order. The faults of a round happen at the same time and share the
/// time in which the leases lapse, so that with more daemons a fault takes less time.
@Suite(
  .serialized,
  .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed; .ci/install-tools installs it"))
struct FleetFaultTests {
  private static func number(_ variable: String, _ standard: Int) -> Int {
    ProcessInfo.processInfo.environment["ALMANAC_FLEET" + variable].flatMap(Int.init) ?? standard
  }

  @Test("daemons are killed and paused, and their server restarts: nothing is lost, sent twice or committed late")
  func faults() async throws {
    let seed = Self.number("_SEED", 1)
    let random = SeededRandom(seed: UInt64(seed))
    let faults = Fleet.Fault.allCases.flatMap { fault in
      (0..<Self.number("_\(fault.rawValue)", 1)).map { _ in (fault, random.next()) }
    }
    var left = faults.sorted { $0.1 < $1.1 }.map(\.0)
    var options = UpstreamOptions()
    options.honoursIdempotencyKeys = false
    options.latencyMilliseconds = 20
    let upstream = try Upstream(options)
    defer { upstream.stop() }
    let server = try await PostgreSQLServer()
    defer { server.end() }
    let config = Daemon.config(["people", "users/ada", "users/bo"], url: upstream.url, every: "1s")
    let fleet = try await Fleet(max(2, Self.number("", 2)), on: server, config: config)
    let senders = FleetSenders(fleet.daemons)
    let sending = Task { await senders.run() }
    let begun = Date()
    while !left.isEmpty {
      // At least one daemon goes on.
      let most = 1 + random.below(fleet.daemons.count - 1)
      var round: [Fleet.Fault] = []
      while let fault = left.last, fault.isOfServer || round.count(where: { !$0.isOfServer }) < most {
        round.append(left.removeLast())
      }
      senders.allow(round.count + 2)
      usleep(UInt32(random.below(300_000)))
      try await fleet.suffer(round, random)
      senders.replace(fleet.daemons)
    }
    let seconds = Date().timeIntervalSince(begun)
    senders.end()
    await sending.value
    let rest = try await fleet.end()
    let names = Dictionary(grouping: upstream.peopleNames) { $0 }.mapValues(\.count)
    let (acknowledged, tried) = senders.names
    let lost = acknowledged.filter { names["\($0) Fleet"] == nil }
    let doubled = tried.filter { names["\($0) Fleet", default: 0] > 1 }
    #expect(lost.isEmpty && doubled.isEmpty, "lost \(lost), doubled \(doubled)")
    let late = try fleet.lateCommits()
    #expect(late.isEmpty, "\(late)")
    #expect(try fleet.hasWholeFeed())
    let slowest = fleet.takeovers.max() ?? 0
    if ProcessInfo.processInfo.environment["ALMANAC_STRICT_TIMES"] == "1" {
      #expect(slowest < Double(Fleet.lease) + 2)
    }
    print(
      """
      seed \(seed), \(fleet.daemons.count) daemons, \(Int(seconds)) s: \(fleet.counts[.kill, default: 0]) kills, \
      \(fleet.counts[.pause, default: 0]) pauses beyond the lease, \(fleet.counts[.restart, default: 0]) restarts of \
      the server, \(fleet.counts[.termination, default: 0]) terminations of \(fleet.connections) connections, \
      \(fleet.failedStarts) starts that failed meanwhile; \(acknowledged.count) people sent, \(lost.count) lost, \
      \(doubled.count) doubled; \(try fleet.commits()) commits, \(late.count) late, \(fleet.lostLeads) leads lost; \
      taken over \(fleet.takeovers.count) times, after at most \(String(format: "%.2f", slowest)) s with a lease of \
      \(Fleet.lease) s; all edits were sent \(Int(rest)) s after the last fault
      """)
  }
}
