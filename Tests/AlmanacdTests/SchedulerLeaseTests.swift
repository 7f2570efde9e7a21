import AlmanacTesting
import Models
import Ports
import Synchronization
import Testing

@testable import almanacd

/// The scheduler of one of several daemons, beside others that a test plays.
@Suite struct SchedulerLeaseTests {
  /// What the store has of the leases. What is claimed is the business of the sync, which is a fake, too.
  private final class FakeLeases: FollowLeases {
    private let known = Mutex<[FollowLeaseState]>([])
    private let looks = Mutex(0)

    /// How often somebody looked.
    var count: Int { looks.withLock { $0 } }

    func set(_ follow: String, _ number: Int64, holder: String? = nil) {
      known.withLock { known in
        known.removeAll { $0.follow == follow }
        known.append(FollowLeaseState(follow: follow, number: number, holder: holder))
      }
    }

    func states(of follows: [String]) throws(StoreError) -> [FollowLeaseState] {
      looks.withLock { $0 += 1 }
      return known.withLock { $0.filter { follows.contains($0.follow) } }
    }

    func claim(_ follow: String, after last: Int64?) async throws(StoreError) -> any FollowLease {
      throw StoreError(.busy, "not used")
    }
  }

  private struct House {
    let time = ManualTime()
    let leases = FakeLeases()
    let sync: FakeSync
    let scheduler: Scheduler

    init() {
      sync = FakeSync(time: time)
      scheduler = Scheduler(
        services: Scheduler.Services(
          sync: sync, store: QuietStore(store: InMemoryRecordStore()), leases: leases,
          outbox: FakeOutbox(list: { [] }), time: time, random: SeededRandom(seed: 1), events: RecordedEvents()))
    }

    func step(_ seconds: Int = 1) async {
      time.advance(by: .seconds(seconds))
      await scheduler.tick()
      await scheduler.idle()
    }
  }

  private static let hourly = ["a", "b"].map { Follow(path: $0, every: Interval(seconds: 3600)) }

  @Test("a follow that another program pulls is left to it, and what it pulled is not due any more")
  func pulledElsewhere() async {
    let house = House()
    house.leases.set("a", 7, holder: "other 1")
    await house.scheduler.configure(Self.hourly)
    await house.step()
    #expect(house.sync.pulls.map(\.follow) == ["b"])
    #expect(house.sync.pulls.first?.turn == .next(after: 0))
    let success = house.time.now
    house.leases.set("a", 7)
    house.leases.set("b", 1)
    house.sync.remember([FollowStatus(follow: "a", lastSuccess: success, next: success + 3600, isStale: false)])
    for _ in 0..<50 { await house.step(60) }
    #expect(house.sync.pulls.count == 1)
    for _ in 0..<10 { await house.step(60) }
    #expect(house.sync.pulls.map(\.follow).sorted() == ["a", "b", "b"])
    #expect(house.sync.pulls.filter { $0.follow == "a" }.map(\.turn) == [.next(after: 7)])
    // Nobody else has pulled it since.
    #expect(house.sync.pulls.filter { $0.follow == "b" }.map(\.turn) == [.next(after: 0), .next(after: 1)])
  }

  @Test("the follow of a program that died in its first pull is due at once")
  func takeover() async {
    let house = House()
    house.leases.set("a", 1, holder: "other 1")
    await house.scheduler.configure([Self.hourly[0]])
    for _ in 0..<3 { await house.step() }
    #expect(house.sync.pulls.isEmpty)
    house.leases.set("a", 1)
    house.sync.remember([
      FollowStatus(follow: "a", lastTry: house.time.now, next: house.time.now + 3600, isStale: true)
    ])
    await house.step()
    #expect(house.sync.pulls.map(\.turn) == [.next(after: 1)])
  }

  @Test("a follow whose lease another program was faster to claim has not failed, and is looked at again")
  func refused() async {
    let house = House()
    house.sync.refuse(["a"])
    await house.scheduler.configure(Self.hourly)
    await house.step()
    #expect(house.sync.pulls.map(\.follow) == ["b"])
    house.leases.set("a", 1, holder: "other 1")
    let looks = house.leases.count
    for _ in 0..<10 { await house.step() }
    #expect(house.leases.count == looks + 10)
    house.sync.refuse([])
    house.leases.set("a", 1)
    await house.step()
    #expect(house.sync.pulls.filter { $0.follow == "a" }.map(\.turn) == [.next(after: 1)])
  }

  @Test("a daemon that does not lead pulls, and sends no edits and runs nothing that was asked for")
  func member() async {
    let house = House()
    await house.scheduler.lead(false)
    await house.scheduler.configure(Self.hourly)
    #expect(await house.scheduler.request([Follow(path: "c")], run: "r"))
    await house.step()
    #expect(Set(house.sync.pulls.map(\.follow)) == ["a", "b"])
    await house.scheduler.lead(true)
    await house.step()
    #expect(Set(house.sync.pulls.map(\.follow)) == ["a", "b", "c"])
  }
}
