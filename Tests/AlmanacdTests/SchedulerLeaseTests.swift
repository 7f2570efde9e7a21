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

  private final class Edits: Sendable {
    private let list = Mutex<[OutboxEntry]>([])
    private let holds = Mutex<[ExactString: EditHold]>([:])

    var entries: [OutboxEntry] { list.withLock { $0 } }
    var held: [ExactString: EditHold] { holds.withLock { $0 } }

    func add(_ target: String, of source: SourceName?, at now: Timestamp, retryAt: Timestamp?) {
      list.withLock {
        var entry = OutboxEntry(
          id: "e\($0.count)", target: target, kind: .put, source: source, edit: [:], base: [:], createdAt: now)
        entry.retryAt = retryAt
        $0.append(entry)
      }
    }
    func hold(_ held: [ExactString: EditHold]) { holds.withLock { $0 = held } }
  }

  private struct Fixture {
    let time = ManualTime()
    let leases = FakeLeases()
    let sync: FakeSync
    let store = QuietStore(store: InMemoryRecordStore())
    let outbox = Edits()
    let scheduler: Scheduler

    init() {
      let outbox = outbox
      sync = FakeSync(time: time) { outbox.entries }
      scheduler = Scheduler(
        services: Scheduler.Services(
          sync: sync, store: store, leases: leases,
          outbox: FakeOutbox(list: { outbox.entries }, held: { outbox.held }), time: time,
          random: SeededRandom(seed: 1), events: RecordedEvents()))
    }

    /// Commits something, with a pending edit of a record.
    func edit(_ record: String, of source: SourceName? = nil, retryAt: Timestamp? = nil) async throws {
      outbox.add("people/\(record)", of: source, at: time.now, retryAt: retryAt)
      try await commit()
    }

    func commit() async throws {
      let count = time.uptime.components.seconds
      _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
        try transaction.put(Array(#"{"id":"a\#(count)"}"#.utf8), id: "a\(count)", in: .people)
        return true
      }
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
    let fixture = Fixture()
    fixture.leases.set("a", 7, holder: "other 1")
    await fixture.scheduler.configure(Self.hourly)
    await fixture.step()
    #expect(fixture.sync.pulls.map(\.follow) == ["b"])
    #expect(fixture.sync.pulls.first?.turn == .next(after: 0))
    let success = fixture.time.now
    fixture.leases.set("a", 7)
    fixture.leases.set("b", 1)
    fixture.sync.remember([FollowStatus(follow: "a", lastSuccess: success, next: success + 3600, isStale: false)])
    for _ in 0..<50 { await fixture.step(60) }
    #expect(fixture.sync.pulls.count == 1)
    for _ in 0..<10 { await fixture.step(60) }
    #expect(fixture.sync.pulls.map(\.follow).sorted() == ["a", "b", "b"])
    #expect(fixture.sync.pulls.filter { $0.follow == "a" }.map(\.turn) == [.next(after: 7)])
    // Nobody else has pulled it since.
    #expect(fixture.sync.pulls.filter { $0.follow == "b" }.map(\.turn) == [.next(after: 0), .next(after: 1)])
  }

  @Test("the follow of a program that died in its first pull is due at once")
  func takeover() async {
    let fixture = Fixture()
    fixture.leases.set("a", 1, holder: "other 1")
    await fixture.scheduler.configure([Self.hourly[0]])
    for _ in 0..<3 { await fixture.step() }
    #expect(fixture.sync.pulls.isEmpty)
    fixture.leases.set("a", 1)
    fixture.sync.remember([
      FollowStatus(follow: "a", lastTry: fixture.time.now, next: fixture.time.now + 3600, isStale: true)
    ])
    await fixture.step()
    #expect(fixture.sync.pulls.map(\.turn) == [.next(after: 1)])
  }

  @Test("a follow whose lease another program was faster to claim has not failed, and is looked at again")
  func refused() async {
    let fixture = Fixture()
    fixture.sync.refuse(["a"])
    await fixture.scheduler.configure(Self.hourly)
    await fixture.step()
    #expect(fixture.sync.pulls.map(\.follow) == ["b"])
    fixture.leases.set("a", 1, holder: "other 1")
    let looks = fixture.leases.count
    for _ in 0..<10 { await fixture.step() }
    #expect(fixture.leases.count == looks + 10)
    fixture.sync.refuse([])
    fixture.leases.set("a", 1)
    await fixture.step()
    #expect(fixture.sync.pulls.filter { $0.follow == "a" }.map(\.turn) == [.next(after: 1)])
  }

  @Test("a daemon that does not lead pulls, and sends no edits and runs nothing that was asked for")
  func member() async {
    let fixture = Fixture()
    await fixture.scheduler.setLeader(false)
    await fixture.scheduler.configure(Self.hourly)
    #expect(await fixture.scheduler.request([Follow(path: "c")], run: "r"))
    await fixture.step()
    #expect(Set(fixture.sync.pulls.map(\.follow)) == ["a", "b"])
    await fixture.scheduler.setLeader(true)
    await fixture.step()
    #expect(Set(fixture.sync.pulls.map(\.follow)) == ["a", "b", "c"])
  }

  @Test("an edit that is made while a flush ends is sent by the next one, without another commit")
  func editWhileFlushing()
    async throws
  {
    let fixture = Fixture()
    try await fixture.edit("ada")
    fixture.sync.leave(0) { _ in
      // The flush has counted what is left.
      guard fixture.sync.flushes == 1 else { return }
      try? await fixture.edit("bo")
      await fixture.scheduler.tick()
    }
    await fixture.step()
    #expect(fixture.sync.flushes == 1)
    await fixture.step()
    #expect(fixture.sync.flushes == 2)
  }

  @Test("while one server hangs, others get their edits at once; a later edit for it is sent when it has ended")
  func hangingServer() async throws {
    let fixture = Fixture()
    let (end, hang) = AsyncStream.makeStream(of: Void.self)
    fixture.sync.leave(0) { server in if server == "slow" { for await _ in end {} } }
    let (slow, fast) = (SourceName(rawValue: "slow"), SourceName(rawValue: "fast"))
    func tick(until server: ExactString) async {
      for _ in 0..<3 {
        fixture.time.advance(by: .seconds(1))
        await fixture.scheduler.tick()
      }
      while !fixture.sync.flushedServers.contains(server) { await Task.yield() }
      #expect(fixture.sync.flushedServers.count { $0 == "slow" } == 1)
    }
    try await fixture.edit("ada", of: slow)
    await tick(until: "slow")
    try await fixture.edit("bo", of: fast)
    await tick(until: "fast")
    try await fixture.edit("cy", of: slow)
    await tick(until: "fast")
    #expect(await fixture.scheduler.sendPlans["e0"]?.isSending == true)
    #expect(await fixture.scheduler.sendPlans["e2"] == nil)
    hang.finish()
    await fixture.scheduler.idle()
    await fixture.step()
    #expect(fixture.sync.flushedServers.filter { $0 == "slow" }.count == 2)
  }

  @Test("what a person asks to send is sent by name, whatever it waits for") func sendNow() async throws {
    let fixture = Fixture()
    fixture.sync.leave(1)
    try await fixture.edit("ada")
    await fixture.step()
    #expect(fixture.sync.flushes == 1 && fixture.sync.flushedNames == nil)
    await fixture.scheduler.sendNow()
    await fixture.step()
    #expect(fixture.sync.flushes == 2 && fixture.sync.flushedNames?.count == 1)
  }

  @Test("an edit that another program holds is sent when that one withdraws, or when its time is over") func heldEdit()
    async throws
  {
    let fixture = Fixture()
    let hold = EditHold(process: "4711 on db1", until: fixture.time.now + 600)
    fixture.outbox.hold(["people/ada": hold])
    fixture.sync.leave(1)
    try await fixture.edit("ada")
    for _ in 0..<100 { await fixture.step() }
    let flushes = fixture.sync.flushes
    #expect((2...5).contains(flushes))
    await fixture.step()
    #expect(fixture.sync.flushes == flushes)
    fixture.outbox.hold([:])
    try await fixture.commit()
    await fixture.step()
    #expect(fixture.sync.flushes == flushes + 1)
    fixture.outbox.hold(["people/ada": EditHold(process: "4711 on db1", until: fixture.time.now + 1200)])
    for _ in 0..<1190 { await fixture.step() }
    let before = fixture.sync.flushes
    for _ in 0..<15 { await fixture.step() }
    #expect(fixture.sync.flushes > before)
  }

  @Test("an edit is tried when the time is over that its server asked to wait for") func pausedEdit() async throws {
    let fixture = Fixture()
    fixture.sync.leave(1)
    try await fixture.edit("ada", retryAt: fixture.time.now + 2000)
    for _ in 0..<1995 { await fixture.step() }
    let before = fixture.sync.flushes
    #expect(before < 12)
    for _ in 0..<10 { await fixture.step() }
    #expect(fixture.sync.flushes == before + 1)
  }

  @Test("an edit is tried when the pause of the circuit is over") func pausedCircuit() async throws {
    let fixture = Fixture()
    fixture.sync.leave(1)
    try await fixture.edit("ada")
    for _ in 0..<300 { await fixture.step() }
    let before = fixture.sync.flushes
    fixture.sync.leave(1, unsent: TransportError(.circuitOpen, "paused", retryAfter: 30, requests: 0).failure)
    await fixture.scheduler.sendNow()
    for _ in 0..<30 { await fixture.step() }
    #expect(fixture.sync.flushes == before + 1)
    for _ in 0..<5 { await fixture.step() }
    #expect(fixture.sync.flushes == before + 2)
  }

  @Test("the page says what an edit waits for") func page() {
    let now = Timestamp(rfc3339: "2026-12-03T09:00:00Z")!
    var entry = OutboxEntry(id: "e1", target: "people/ada", kind: .put, edit: [:], base: [:], createdAt: now)
    let hold = EditHold(process: "4711 on <db1>", until: now + 900)
    let text = OutboxItem(entry: entry, tag: "", hold: hold).html.text
    #expect(text.contains("4711 on &lt;db1&gt;") && text.contains("2026-12-03T09:15:00Z"), "\(text)")
    entry.state = .refused
    #expect(!OutboxItem(entry: entry, tag: "", hold: hold).html.text.contains("4711"))
  }

  @Test("a daemon that leads again sends what waits at once, whatever failed while it led before") func leadsAgain()
    async throws
  {
    let fixture = Fixture()
    fixture.sync.leave(1)
    try await fixture.edit("ada")
    for _ in 0..<200 { await fixture.step() }
    let flushes = fixture.sync.flushes
    await fixture.scheduler.setLeader(false)
    await fixture.step()
    await fixture.scheduler.setLeader(true)
    await fixture.step()
    #expect(fixture.sync.flushes == flushes + 1)
  }
}
