import AlmanacTesting
import Foundation
import Models
import Networking
import Ports
import Testing

@testable import PostgreSQLStore

/// Leases, and the commits that require them.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed; .ci/install-tools installs it"))
struct LeaseTests {
  /// Two programs on one store.
  private struct Pair {
    let server: PostgreSQLServer
    let address: StoreAddress
    let first: PostgreSQLStore
    let second: PostgreSQLStore

    init() async throws {
      server = try await PostgreSQLServer.shared()
      address = try StoreAddress(server.newAddress())
      first = try PostgreSQLStore(address, time: SystemTimeSource())
      second = try PostgreSQLStore(address, time: SystemTimeSource())
    }

    /// Lets all leases lapse.
    func lapse() throws { _ = try server.query("update \(address.schema).lease set until = now() - interval '1 s'") }
  }

  @Test("a program whose lease was taken over commits nothing", arguments: [LeaseName.daemon, .follow("users/\\'ä")])
  func takeover(_ name: LeaseName) async throws {
    let pair = try await Pair()
    let (first, second) = (LeasedStore(pair.first, requiring: name), LeasedStore(pair.second, requiring: name))
    await expectError(.leaseLost) { try await first.store.put("a", "0") }
    let lease = try await first.claim(holder: "one 1")
    try await first.store.put("a", "1")
    await #expect { try await second.claim(holder: "two 2") } throws: {
      ($0 as? StoreError)?.code == .busy && "\($0)".contains("one 1") && !"\($0)".contains("+")
    }
    #expect(try pair.first.renew([lease]).isEmpty)
    // Commands of a person need no lease, also over the same connections.
    try await pair.first.put("b", "1")
    try await pair.second.put("b", "2")
    try pair.lapse()
    // Nobody has taken it.
    try await first.store.put("a", "2")
    let other = try await second.claim(holder: "two 2")
    #expect(other.number == lease.number + 1)
    await expectError(.leaseLost) { try await first.store.put("a", "3") }
    #expect(try pair.first.renew([lease]).map(\.error.code) == [.leaseLost])
    try pair.first.release([lease])
    await expectError(.busy) { _ = try await first.claim(holder: "one 1") }
    try await second.store.put("a", "4")
    try pair.second.release([other])
    _ = try await first.claim(holder: "one 1")
    try await first.store.put("a", "5")
    #expect(try pair.first.snapshot().sequence == 6)
  }

  @Test("a lease is for one follow, and all leases of a program are renewed and ended at once") func several()
    async throws
  {
    let pair = try await Pair()
    let names = [LeaseName.daemon, .follow("users/ada"), .follow("users/bo")]
    var leases: [StoreLease] = []
    for name in names { leases.append(try await LeasedStore(pair.first, requiring: name).claim(holder: "one 1")) }
    let other = try await LeasedStore(pair.second, requiring: .follow("users/cy")).claim(holder: "two 2")
    #expect(try Set(pair.second.leases(names).compactMap(\.holder)) == ["one 1"])
    try pair.lapse()
    #expect(try pair.second.leases(names + [other.name]).allSatisfy { $0.holder == nil && $0.number == 1 })
    #expect(try pair.first.renew(leases).isEmpty)
    #expect(try pair.second.leases(names + [other.name]).filter { $0.holder == "one 1" }.count == 3)
    try pair.lapse()
    let taken = try await LeasedStore(pair.second, requiring: names[1]).claim(holder: "two 2")
    #expect(try pair.first.renew(leases).map(\.lease) == [leases[1]])
    try pair.first.release(leases)
    #expect(try pair.second.leases(names).filter { $0.holder != nil }.map(\.name) == [names[1]])
    #expect(try pair.second.renew([taken, other]).isEmpty)
  }

  @Test("a lease is not claimed if another program had it since it was looked at") func number() async throws {
    let pair = try await Pair()
    let name = LeaseName.follow("users/ada")
    let (first, second) = (LeasedStore(pair.first, requiring: name), LeasedStore(pair.second, requiring: name))
    #expect(try pair.second.leases([name]).isEmpty)
    try pair.first.release([await first.claim(holder: "one 1", after: 0)])
    await #expect { try await second.claim(holder: "two 2", after: 0) } throws: {
      ($0 as? StoreError)?.code == .busy && "\($0)".contains("has just pulled users/ada")
    }
    let number = try #require(try pair.second.leases([name]).first?.number)
    #expect(try await second.claim(holder: "two 2", after: number).number == number + 1)
  }

  @Test("a commit that waits for the lock is refused if its lease is taken over meanwhile", .timeLimit(.minutes(10)))
  func lateWaiter() async throws {
    let pair = try await Pair()
    let leased = LeasedStore(pair.first, requiring: .daemon)
    _ = try await leased.claim(holder: "one 1")
    try await leased.store.put("a", "1")
    let schema = pair.address.schema
    // Another program claims the lease as soon as a commit of the first one waits for the lock.
    let end = try pair.server.start(
      "psql", "-d", "postgres", "-Xqc",
      """
      do $$ begin
        perform seq from \(schema).store for update;
        update \(schema).lease set fence = fence + 1;
        while not exists (select 1 from pg_locks where not granted and transactionid = pg_current_xact_id()::xid) loop
          perform pg_sleep(0.01);
        end loop;
      end $$
      """)
    defer { end() }
    let isUpdated =
      "select count(*) from pg_locks where relation = '\(schema).lease'::regclass and mode = 'RowExclusiveLock'"
    while try pair.server.query(isUpdated) == "0" {}
    await expectError(.leaseLost) { try await leased.store.put("a", "2") }
  }

  @Test("no follow is pulled beside a daemon of an earlier version, which knows only one lease") func earlier()
    async throws
  {
    let pair = try await Pair()
    let follow = LeasedStore(pair.first, requiring: .follow("users/ada"))
    _ = try await LeasedStore(pair.second, requiring: .daemon).claim(holder: "two 2")
    let lease = try await follow.claim(holder: "one 1")
    try await follow.store.put("a", "1")
    // As a daemon claims it that does not know the leases of follows.
    _ = try pair.server.query(
      "update \(pair.address.schema).lease set holder = 'old 3', fence = fence + 1 where name = 'daemon'")
    await #expect { try await follow.store.put("a", "2") } throws: {
      ($0 as? StoreError)?.code == .busy && "\($0)".contains("old 3")
    }
    try pair.first.release([lease])
    await expectError(.busy) { _ = try await follow.claim(holder: "one 1") }
    try pair.lapse()
    _ = try await follow.claim(holder: "one 1")
    try await follow.store.put("a", "3")
  }

  @Test("a connection that waits for the lock does not get it from another one of its program that is paused")
  func pausedConnections() async throws {
    let pair = try await Pair()
    try await pair.first.put("a", "1")
    // Both are of one program, which is paused: nobody reads what the server answers.
    let holder = try Connection(pair.address, pause: 4)
    let waiter = try Connection(pair.address, pause: 4)
    try holder.run(pair.first.schema.lock)
    let lock = pair.first.schema.lock
    let outcome: StoreError.Code? = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        do throws(StoreError) {
          try waiter.run(lock, timeout: Connection.longTimeout)
          continuation.resume(returning: nil)
        } catch { continuation.resume(returning: error.code) }
      }
    }
    #expect(outcome == .busy)
    try await pair.second.put("a", "2")
    withExtendedLifetime((holder, waiter)) {}
  }
}
