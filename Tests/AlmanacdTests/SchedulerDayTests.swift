import AlmanacTesting
import Foundation
import Models
import Ports
import Synchronization
import Testing

@testable import almanacd

/// The scheduler under a clock that the test moves.
@Suite struct SchedulerDayTests {
  private struct Day {
    let time = ManualTime()
    let store = InMemoryRecordStore()
    let sync: FakeSync
    let scheduler: Scheduler
    let events = RecordedEvents()

    init(seconds: Int, seed: UInt64 = 1, outbox: @escaping @Sendable () -> [OutboxEntry] = { [] }) {
      sync = FakeSync(time: time, seconds: seconds, outbox: outbox)
      scheduler = Scheduler(
        services: Scheduler.Services(
          sync: sync, store: QuietStore(store: store), outbox: FakeOutbox(list: outbox), time: time,
          random: SeededRandom(seed: seed), events: events))
    }

    /// One step of the clock: what is over ends, what is due begins.
    func step(_ seconds: Int) async {
      time.advance(by: .seconds(seconds))
      sync.release()
      // Until everything that is being pulled waits for the clock: pulls have threads of their own, which may have to wait
      // for a processor.
      let end = ContinuousClock.now + .seconds(600)
      repeat {
        await scheduler.tick()
        await Task.yield()
        if await scheduler.underWay == sync.waiting { return }
      } while ContinuousClock.now < end
      Issue.record("a pull neither began nor ended within 600 s")
    }
  }

  @Test("a day with every kind of interval: each follow as often as it should, never twice at once")
  func day() async {
    let day = Day(seconds: 3)
    let intervals = [120, 300, 900, 3600, 7200, 21_600]
    let follows = (0..<24).map { Follow(path: "people/\($0)", every: Interval(seconds: intervals[$0 % 6])) }
    await day.scheduler.configure(follows)
    for _ in 0..<17_280 { await day.step(5) }
    let pulls = Dictionary(grouping: day.sync.pulls, by: \.follow)
    for follow in follows {
      let every = follow.every?.seconds ?? 0
      let count = pulls[follow.path]?.count ?? 0
      // A tenth of jitter either way, the pull itself, and up to two steps until it is seen.
      let least = Int(86_400 / (Double(every) * 1.1 + 20)) - 1
      let most = Int((86_400 / (Double(every) * 0.9)).rounded(.up)) + 1
      #expect((least...most).contains(count), "\(follow.path) every \(every) s: \(count) of \(least)...\(most)")
    }
    #expect(day.sync.overlaps == 0)
    #expect(day.sync.mostAtOnce <= 4)
    print("day: \(day.sync.pulls.count) pulls of 24 follows, \(day.sync.overlaps) overlaps")
  }

  @Test("after a night's sleep everything is caught up once, four at a time")
  func sleep() async {
    let day = Day(seconds: 3)
    let follows = (0..<50).map { Follow(path: "people/\($0)", every: Interval(seconds: 3600)) }
    await day.scheduler.configure(follows)
    for _ in 0..<100 { await day.step(2) }
    let before = day.sync.pulls.count
    day.time.advance(by: .seconds(8 * 3600))
    for _ in 0..<100 { await day.step(2) }
    let caughtUp = day.sync.pulls.dropFirst(before)
    #expect(caughtUp.count == 50)
    #expect(Set(caughtUp.map(\.follow)).count == 50)
    #expect(day.sync.mostAtOnce <= 4)
  }

  @Test(
    "a server that answers one follow again is asked for its others, and gets its edits, which have waited for up to an hour"
  )
  func serverIsBack() async {
    let entry = OutboxEntry(
      id: "e", target: "people/1", kind: .put, source: SourceName(rawValue: "one"), edit: ["a": "b"], base: [:],
      createdAt: Timestamp(secondsSinceEpoch: 0))
    let day = Day(seconds: 0, outbox: { [entry] })
    let follows = ["one/a", "one/b", "one/c", "two/a"].map { Follow(path: $0, every: Interval(seconds: 3600)) }
    let paths = Set(follows.map(\.path))
    day.sync.fail(paths)
    day.sync.leave(1, unsent: Failure(.transport, .unavailable, "no answer"))
    await day.scheduler.configure(follows)
    func hour() async {
      for _ in 0..<360 {
        await day.step(10)
        await day.scheduler.idle()
      }
    }
    for _ in 0..<8 { await hour() }
    // Only one of them is due, because a person asks for it.
    day.sync.fail([])
    let (pulls, flushes) = (day.sync.pulls.count, day.sync.flushes)
    #expect(await day.scheduler.request([follows[0]], run: "r"))
    for _ in 0..<3 {
      await day.scheduler.idle()
      await day.step(1)
    }
    await day.scheduler.idle()
    #expect(day.sync.pulls.dropFirst(pulls).map(\.follow).sorted() == ["one/a", "one/b", "one/c"])
    #expect(day.sync.flushes == flushes + 1)
    // One that fails by itself has no advantage of the others' success.
    day.sync.fail(["one/c"])
    for _ in 0..<8 { await hour() }
    let before = day.sync.pulls.count { $0.follow == "one/c" }
    await hour()
    #expect(day.sync.pulls.count { $0.follow == "one/c" } - before <= 2)
  }

  @Test("follows of one host that hang leave a place for the others")
  func hangingHost() async {
    let day = Day(seconds: 1000)
    let slow = (0..<6).map { Follow(path: "slow/\($0)", every: Interval(seconds: 60)) }
    await day.scheduler.configure(slow)
    for _ in 0..<5 { await day.step(1) }
    #expect(day.sync.waiting.count == 3)
    await day.scheduler.configure(slow + [Follow(path: "other/0", every: Interval(seconds: 60))])
    await day.step(1)
    #expect(day.sync.waiting.contains("other/0") && day.sync.mostAtOnce == 4)
    day.time.advance(by: .seconds(1000))
    day.sync.release()
  }

  @Test("after a restart only what is due is synced")
  func restart() async {
    let day = Day(seconds: 0)
    let follows = ["fresh", "old", "never"].map { Follow(path: $0, every: Interval(seconds: 3600)) }
    day.sync.remember([
      FollowStatus(follow: "fresh", lastSuccess: day.time.now + -60, isStale: false),
      FollowStatus(follow: "old", lastSuccess: day.time.now + -7200, isStale: false),
    ])
    await day.scheduler.configure(follows)
    await day.step(1)
    await day.scheduler.idle()
    #expect(Set(day.sync.pulls.map(\.follow)) == ["old", "never"])
  }

  @Test("a run that somebody asks for waits for the follow that is being pulled")
  func requests() async {
    let day = Day(seconds: 5)
    let follow = Follow(path: "people", every: Interval(seconds: 60))
    await day.scheduler.configure([follow])
    await day.step(1)
    #expect(await day.scheduler.request([follow], run: "a"))
    #expect(await day.scheduler.run("a")?.state == .queued)
    for _ in 0..<3 { await day.step(2) }
    #expect(await day.scheduler.run("a")?.state == .running)
    for _ in 0..<4 { await day.step(2) }
    #expect(await day.scheduler.run("a") == nil)
    #expect(day.sync.overlaps == 0)
    #expect(day.sync.pulls.count == 2)
  }

  @Test("a commit by anybody makes the outbox be looked at within one tick, and only then")
  func outbox() async throws {
    let entry = OutboxEntry(
      id: "e", target: "profiles/ada", kind: .put, edit: ["name": "Ada"], base: [:],
      createdAt: Timestamp(secondsSinceEpoch: 0))
    let waiting = Mutex(false)
    let day = Day(seconds: 0) { waiting.withLock { $0 } ? [entry] : [] }
    await day.step(1)
    await day.scheduler.idle()
    #expect(day.sync.flushes == 0)
    waiting.withLock { $0 = true }
    _ = try await day.store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
      try transaction.put(Array(#"{"id":"e"}"#.utf8), id: "e", in: .outbox)
      return true
    }
    await day.step(1)
    await day.scheduler.idle()
    #expect(day.sync.flushes == 1)
  }

  /// `ALMANAC_YEARS=100` simulates so many.
  private static let years = ProcessInfo.processInfo.environment["ALMANAC_YEARS"].flatMap { UInt64($0) } ?? 1

  @Test("a year in which the clock is set, leaps and sleeps: no follow later than its interval", arguments: 1...years)
  func year(seed: UInt64) async {
    let day = Day(seconds: 0, seed: seed)
    let chance = SeededRandom(seed: seed)
    let intervals = [3600, 7200, 21_600, 86_400]
    let follows = intervals.map { Follow(path: "host\($0)/a", every: Interval(seconds: $0)) }
    await day.scheduler.configure(follows)
    var (steps, longestSleep) = (0, 0)
    for _ in 0..<17_520 {
      switch chance.next() % 60 {
      case 0: day.time.set(by: -3 * 86_400)
      case 1: day.time.set(by: 3 * 86_400)
      case 2: day.time.set(by: -3600)
      case 3: day.time.set(by: 3600)
      case 4: day.time.set(by: -1)
      case 5: day.time.set(by: 1)
      case 6: day.time.set(by: Int(chance.next() % (6 * 86_400)) - 3 * 86_400)
      case 7, 8:
        // The machine sleeps, and looks when it wakes. Meanwhile its clock may have been set as well.
        let sleep = Int(chance.next() % 120_000)
        longestSleep = max(longestSleep, sleep)
        day.time.advance(by: .seconds(sleep))
        if chance.next() % 2 == 0 { day.time.set(by: Int(chance.next() % 7200) - 3600) }
      default: steps -= 1
      }
      steps += 1
      await day.step(1800)
    }
    for follow in follows {
      let pulls = day.sync.pulls.filter { $0.follow == follow.path }.map(\.uptime)
      let longest = zip(pulls, pulls.dropFirst()).map { $1 - $0 }.max() ?? 0
      #expect(longest <= (follow.every?.seconds ?? 0) + longestSleep + 1800, "\(follow.path): \(longest) s")
    }
    print("year \(seed): \(day.sync.pulls.count) pulls, \(steps) steps of the clock")
  }
}
