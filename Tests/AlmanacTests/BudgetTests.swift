import AlmanacTesting
import CLibrary
import Foundation
import Models
import Networking
import Parsing
import Persistence
import Ports
import Synchronization
import Testing
import UpstreamKit

/// 500 photos of 120 owners through the shipped program.
@Suite final class OwnerBudgetTests: ProgramTests {
  private let follow = ["sync", "flickr/interestingness", "--format", "json"]

  private func upstream(observer: (@Sendable (LogEntry) -> Void)? = nil) throws -> Upstream {
    var options = UpstreamOptions()
    options.photos = 500
    options.owners = 120
    return try Upstream(options, observer: observer)
  }

  private func asked(_ upstream: Upstream) -> [String] {
    upstream.log.compactMap { entry in
      guard entry.target.contains("flickr.people.getInfo") else { return nil }
      return entry.target.firstRange(of: "user_id=").map { String(entry.target[$0.upperBound...].prefix { $0 != "&" }) }
    }
  }

  @Test func killedHalfWayAndStartedAgainRepeatsNoCommittedCall() async throws {
    let running = Mutex<Running?>(nil)
    let count = Mutex(0)
    let upstream = try upstream { entry in
      guard entry.target.contains("flickr.people.getInfo") else { return }
      let isHalf = count.withLock { count in
        count += 1
        return count == 60
      }
      if isHalf { running.withLock { $0?.signal(SIGKILL) } }
    }
    defer { upstream.stop() }
    almanac.environment["ALMANAC_FLICKR_KEY"] = "key"
    let arguments = follow + ["--server", "flickr=\(upstream.url)"]
    let first = try running.withLock { running in
      let process = try almanac.start(arguments)
      running = process
      return process
    }
    #expect(try await first.result().status == 128 + SIGKILL)
    let before = asked(upstream)
    let known = try await almanac.records("list", "owners")
    let committed = Set(known.compactMap { $0["id"] as? String })
    #expect(!committed.isEmpty && committed.count < 120)
    try await almanac.run(arguments, exits: 0)
    let after = asked(upstream).dropFirst(before.count)
    #expect(committed.isDisjoint(with: after.map { $0.replacing("%40", with: "@") }))
    #expect(Set(after).count == after.count, "none twice within a run")
    #expect(try await almanac.records("list", "owners").count == 120)
    let third = try await almanac.run(arguments).object()
    #expect((third["totals"] as? [String: Int])?["requests"] == 1)
    print(
      "500 photos of 120 owners: killed after \(before.count) calls of getInfo with \(committed.count) committed, "
        + "\(after.count) calls in the second run")
  }
}

/// Flickr's 3,600 calls in any hour, kept by programs that share a store: two at the same time, one of them killed in
/// the middle of it, and one that is started afterwards. The server counts.
@Suite final class RateBudgetTests: ProgramTests {
  @Test(.timeLimit(.minutes(10))) func holdsBetweenProcessesAndAcrossACrash() async throws {
    // What the hour still allows; the rest was used before. One follow asks for 500 photos at most, so that it makes
    // more than 250 calls, but not all of an hour.
    let allowed = min(250, ProcessInfo.processInfo.environment["ALMANAC_BUDGET_CALLS"].flatMap(Int.init) ?? 90)
    var options = UpstreamOptions()
    options.photos = allowed * 3
    options.owners = allowed * 3
    options.deletedOwners = 0
    options.drift = false
    let upstream = try Upstream(options)
    defer { upstream.stop() }
    almanac.environment["ALMANAC_FLICKR_KEY"] = "anykey"
    try await use(3600 - allowed, in: almanac.store)

    func start(_ follow: String) throws -> Running {
      try almanac.start(["sync", follow, "--format", "json", "--server", "flickr=\(upstream.url)"])
    }
    let first = try start("flickr/interestingness")
    let second = try start("flickr/search/cats")
    await upstream.server.waitForRequests(allowed / 3)
    second.signal(SIGKILL)
    // On a busy machine it may have ended before the signal came, with all that it needs or with the budget.
    #expect([128 + SIGKILL, 75, 0].contains(try await second.result().status))
    let third = try start("flickr/search/birds")
    let results = [try await first.result(), try await third.result()]
    let calls = upstream.server.requestCount
    print("rate budget: \(calls) calls of \(allowed) by three programs, one of them killed")
    #expect(results[0].status == 75, "\(results[0].status) \(results[0].out) \(results[0].err)")
    #expect(results[0].out.contains("budgetExhausted"), "\(results[0].out)")
    // The third one may find what it needs before the hour is used up.
    #expect([0, 75].contains(results[1].status), "\(results[1].status) \(results[1].out) \(results[1].err)")
    #expect(calls <= allowed)
    // A killed program loses what it had counted ahead, which is a quarter of a second's calls at most.
    #expect(calls >= allowed / 2)
    // Nobody is let through later either.
    #expect(try await start("flickr/interestingness").result().status == 75)
    #expect(upstream.server.requestCount <= allowed)
  }

  @Test("the budget belongs to the key: what one store has used, another one lacks", .timeLimit(.minutes(10)))
  func holdsBetweenStores() async throws {
    let allowed = 40
    var options = UpstreamOptions()
    (options.photos, options.owners, options.deletedOwners, options.drift) = (allowed * 3, allowed * 3, 0, false)
    let upstream = try Upstream(options)
    defer { upstream.stop() }
    almanac.environment["ALMANAC_FLICKR_KEY"] = "anykey"
    let state = almanac.folder + "/state"
    almanac.environment["XDG_STATE_HOME"] = state
    // Counted by an earlier version, in the store.
    try await use(3600 - allowed, in: almanac.store)
    func start(_ store: String) throws -> Running {
      try almanac.start(
        [
          "sync", "flickr/interestingness", "--format", "json", "--server", "flickr=\(upstream.url)", "--store",
          almanac.folder + "/" + store,
        ])
    }
    let first = try start("store")
    await upstream.server.waitForRequests(allowed / 4)
    first.signal(SIGKILL)
    _ = try await first.result()
    // What is not synced may be lost in a power cut.
    try Data().write(to: URL(fileURLWithPath: state + "/almanac/budgets/manifest"))
    let both = [try start("other"), try start("third")]
    for running in both {
      let result = try await running.result()
      #expect(result.status == 75 && result.out.contains("budgetExhausted"), "\(result)")
    }
    let calls = upstream.server.requestCount
    #expect(calls <= allowed && calls >= allowed / 2, "\(calls)")
    // A plan asks the server as well.
    let plan = try await almanac.run(
      "sync", "flickr/interestingness", "--dry-run", "--server", "flickr=\(upstream.url)", exits: 75)
    #expect(upstream.server.requestCount == calls, "\(plan)")
    // Neither the key nor anything else that tells it is there.
    try await almanac.shell("grep -r anykey '\(state)'", exits: 1)
    almanac.environment["ALMANAC_FLICKR_KEY"] = "another key"
    #expect(try await start("other").result().status == 0)
    print("rate budget: \(calls) calls of \(allowed) by three stores, one of whose programs was killed")
  }

  /// Takes calls out of the budget as another program would.
  private func use(_ calls: Int, in folder: String) async throws {
    guard calls > 0 else { return }
    let time = SystemTimeSource()
    let store = try JSONFileStore(folder: folder, time: time)
    let ledger = StoredBudgetLedger(store: store, coder: JSONRecordCoder())
    let budget = RateBudget(
      name: "flickr-\(SHA256.digest("anykey".utf8).prefix(16))", calls: 3600, window: Interval(seconds: 3600))
    for _ in 0..<calls {
      guard case .granted = try await ledger.take(budget, at: time.now) else {
        Issue.record("the budget was used up too early")
        return
      }
    }
  }
}
