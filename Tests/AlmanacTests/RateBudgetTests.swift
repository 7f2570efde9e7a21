import AlmanacTesting
import Foundation
import Glibc
import Models
import Networking
import Parsing
import Persistence
import Ports
import Testing
import UpstreamKit

/// Flickr's 3,600 calls in any hour, kept by programs that share a store: two at the same time, one of them killed in
/// the middle of it, and one that is started afterwards. The server counts.
@Suite struct RateBudgetTests {
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
    var almanac = try Program("almanac")
    defer { almanac.clean() }
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
