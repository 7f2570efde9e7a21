import AlmanacTesting
import Models
import Ports
import Testing

@testable import almanacd

@Suite struct TimetableTests {
  private let now = moment(0)

  /// Both clocks so many seconds after the beginning, with a wall clock that was set by `step`.
  private static func moment(_ seconds: Int, step: Int = 0) -> Timetable.Moment {
    let time = ManualTime(now: Timestamp(secondsSinceEpoch: 1_000_000))
    time.advance(by: .seconds(50_000 + seconds))
    time.set(by: step)
    return Timetable.Moment(time)
  }

  @Test(
    "a success is followed by the interval, or up to a tenth less",
    arguments: [
      (3600, UInt64.min, 3240), (3600, .max, 3600), (60, .min, 54), (60, .max, 60), (1, .min, 1), (1, .max, 1),
    ])
  func success(every: Int, random: UInt64, wait: Int) {
    var table = Timetable()
    table.set([Follow(path: "a", every: Interval(seconds: every))], status: [], at: now)
    let started = table.start("a")
    #expect(started != nil)
    table.finish("a", failed: false, at: now, random: random)
    let found = (table.nextDue ?? now.uptime) - now.uptime
    #expect(abs(found - wait) <= 1)
  }

  @Test(
    "failures wait 30 s, doubling up to an hour, never less than half of it",
    arguments: [(1, 15...30), (2, 30...60), (3, 60...120), (8, 1800...3600), (30, 1800...3600)])
  func failures(count: Int, range: ClosedRange<Int>) {
    for random in [UInt64.min, .max, 1 << 63] {
      var table = Timetable()
      table.set([Follow(path: "a", every: Interval(seconds: 3600))], status: [], at: now)
      for _ in 0..<count {
        _ = table.start("a")
        table.finish("a", failed: true, at: now, random: random)
      }
      #expect(range.contains((table.nextDue ?? now.uptime) - now.uptime))
    }
  }

  @Test("a failure whose server says when to come back waits as long, up to a day")
  func retryAfter() {
    for (asked, least, most) in [(1, 15, 30), (300, 300, 300), (9_000_000, 86_400, 86_400)] {
      var table = Timetable()
      table.set([Follow(path: "a", every: Interval(seconds: 3600))], status: [], at: now)
      _ = table.start("a")
      table.finish("a", failed: true, retryAfter: asked, at: now, random: 0)
      let wait = (table.nextDue ?? now.uptime) - now.uptime
      #expect((least...most).contains(wait), "\(asked): \(wait)")
    }
  }

  @Test("attempts that a person asks for leave the wait as it is; a server that says when to come back is asked then")
  func asked() {
    var table = Timetable()
    table.set([Follow(path: "a", every: Interval(seconds: 3600))], status: [], at: now)
    func wait() -> Int { (table.nextDue ?? now.uptime) - now.uptime }
    for _ in 0..<2 {
      _ = table.start("a")
      table.finish("a", failed: true, at: now, random: .max)
    }
    #expect(wait() == 60)
    let later = Self.moment(20)
    for _ in 0..<5 { table.finish("a", failed: true, isAsked: true, at: later, random: .max) }
    #expect(wait() == 60 && table.entries["a"]?.failures == 2)
    table.finish("a", failed: true, retryAfter: 90, isAsked: true, at: later, random: .max)
    #expect(wait() == 110)
    for _ in 0..<8 { table.finish("a", failed: true, retryAfter: 40, at: now, random: .max) }
    #expect(wait() == 40)
    table.finish("a", failed: false, isAsked: true, at: now, random: .max)
    #expect(wait() == 3600)
  }

  @Test("a pause of the host is no failure: the follow waits for its end, and comes back before its back-off")
  func pause() {
    for (random, wait) in [(UInt64.min, 20), (.max, 29)] {
      var table = Timetable()
      table.set([Follow(path: "a", every: Interval(seconds: 3600))], status: [], at: now)
      for _ in 0..<9 {
        _ = table.start("a")
        table.finish("a", failed: true, retryAfter: 20, isPause: true, at: now, random: random)
      }
      #expect(table.entries["a"]?.failures == 0)
      #expect(abs((table.nextDue ?? 0) - now.uptime - wait) <= 1)
    }
  }

  @Test("what a follow failed for was changed: it is due at once, also where it runs with the old config")
  func mended() {
    var table = Timetable()
    table.set(["a", "b", "c"].map { Follow(path: $0, every: Interval(seconds: 3600)) }, status: [], at: now)
    for path in ["a", "b", "c"] {
      _ = table.start(path)
      for _ in 0..<5 { table.finish(path, failed: true, at: now, random: 0) }
    }
    _ = table.start("b")
    table.retry(["a", "b", "none"], at: now)
    #expect(table.due(at: now).map(\.path) == ["a"])
    table.finish("b", failed: true, at: now, random: 0)
    #expect(table.due(at: now).map(\.path) == ["a", "b"])
    // From then on it waits as after a first failure.
    _ = table.start("b")
    table.finish("b", failed: true, at: now, random: .max)
    #expect(table.entries["b"].map { $0.due - now.uptime == 30 } == true)
  }

  @Test("a follow whose limit or options were changed is due at once, also after a pull with the old ones")
  func changed() {
    let hour = Interval(seconds: 3600)
    let old = ["a", "b", "c", "d"].map { Follow(path: $0, limit: 10, every: hour) }
    var table = Timetable()
    table.set(old, status: [], at: now)
    for follow in old {
      _ = table.start(follow.path)
      if follow.path != "b" { table.finish(follow.path, failed: follow.path == "d", at: now, random: 0) }
    }
    #expect(table.due(at: now).isEmpty)
    var new = old
    for index in [0, 1, 3] { new[index].limit = 50 }
    new[2].options.append("feed", "marketing")
    table.set(new, status: [], at: now)
    #expect(table.due(at: now).map(\.path) == ["a", "c", "d"])
    table.finish("b", failed: false, at: now, random: 0)
    #expect(table.due(at: now).map(\.path) == ["a", "b", "c", "d"])
    // The pull with the new ones is followed by the interval.
    for follow in new {
      _ = table.start(follow.path)
      table.finish(follow.path, failed: false, at: now, random: 0)
    }
    #expect(table.due(at: now).isEmpty)
    // A pause and an interval are no such change.
    new[0].every = Interval(seconds: 7200)
    table.set(new, status: [], at: now)
    #expect(table.due(at: now).isEmpty)
  }

  @Test("a follow that was changed while no daemon ran is due at the start")
  func changedBefore() {
    var table = Timetable()
    table.set(
      ["a", "b"].map { Follow(path: $0) },
      status: ["a", "b"].map {
        FollowStatus(follow: $0, lastSuccess: now.now + -60, isStale: false, isChanged: $0 == "b")
      }, at: now)
    #expect(table.due(at: now).map(\.path) == ["b"])
  }

  @Test("a follow with a short interval waits no longer than its interval at the first failure")
  func shortInterval() {
    var table = Timetable()
    table.set([Follow(path: "a", every: Interval(seconds: 5))], status: [], at: now)
    _ = table.start("a")
    table.finish("a", failed: true, at: now, random: .max)
    #expect((table.nextDue ?? now.uptime) - now.uptime <= 5)
  }

  @Test("what runs is not due, and cannot be started again")
  func running() {
    var table = Timetable()
    table.set([Follow(path: "a"), Follow(path: "b")], status: [], at: now)
    #expect(table.due(at: now).map(\.path) == ["a", "b"])
    let isStarted2 = table.start("a") != nil
    #expect(isStarted2)
    let isStarted3 = table.start("a") != nil
    #expect(!isStarted3)
    let isStarted4 = table.start("none") != nil
    #expect(!isStarted4)
    #expect(table.due(at: now).map(\.path) == ["b"])
  }

  @Test("a follow that the config drops while it runs leaves when it has ended, unless it is back by then")
  func dropped() {
    for failed in [false, true] {
      var table = Timetable()
      let both = [Follow(path: "a"), Follow(path: "b")]
      table.set(both, status: [], at: now)
      _ = table.start("a")
      _ = table.start("b")
      table.set([], status: [], at: now)
      #expect(table.entries.count == 2 && table.due(at: Self.moment(86_400)).isEmpty)
      table.finish("a", failed: failed, at: now, random: 0)
      table.set([both[1]], status: [], at: now)
      table.finish("b", failed: failed, at: now, random: 0)
      #expect(table.due(at: Self.moment(86_400)).map(\.path) == ["b"])
    }
  }

  @Test("a new config keeps the places of what it still names; a shorter interval counts at once")
  func reload() {
    var table = Timetable()
    table.set([Follow(path: "a"), Follow(path: "b")], status: [], at: now)
    for path in ["a", "b"] {
      _ = table.start(path)
      table.finish(path, failed: false, at: now, random: 1 << 63)
    }
    table.set(
      [Follow(path: "a", every: Interval(seconds: 60)), Follow(path: "b"), Follow(path: "c")], status: [],
      at: Self.moment(10))
    #expect(table.entries["a"]?.due == now.uptime + 60)
    #expect(table.entries["b"].map { $0.due > now.uptime + 3000 } == true)
    #expect(table.entries["c"]?.due == now.uptime + 10)
    _ = table.start("c")
    table.set([Follow(path: "a")], status: [], at: Self.moment(20))
    #expect(table.entries.keys.sorted() == ["a", "c"])
    table.finish("c", failed: false, at: Self.moment(20), random: 0)
    table.set([Follow(path: "a")], status: [], at: Self.moment(20))
    #expect(table.entries.keys.sorted() == ["a"])
  }

  @Test("a changed interval counts from the last success; a follow that fails keeps its wait")
  func changedInterval() {
    func set(_ table: inout Timetable, _ every: Int, at seconds: Int, status: [FollowStatus] = []) {
      table.set([Follow(path: "a", every: Interval(seconds: every))], status: status, at: Self.moment(seconds))
    }
    var table = Timetable()
    set(&table, 60, at: 0)
    _ = table.start("a")
    table.finish("a", failed: false, at: now, random: 0)
    // Longer: it is not pulled once more on the old interval.
    set(&table, 3600, at: 30)
    #expect(table.entries["a"]?.due == now.uptime + 3600)
    // Shorter again, and already over.
    set(&table, 20, at: 50)
    #expect(table.due(at: Self.moment(50)).map(\.path) == ["a"])
    _ = table.start("a")
    table.finish("a", failed: true, at: Self.moment(50), random: .max)
    let wait = table.entries["a"]?.due
    set(&table, 3600, at: 51)
    #expect(table.entries["a"]?.due == wait)
    set(&table, 2, at: 52)
    #expect(table.entries["a"]?.due == now.uptime + 54)
    // A success of an earlier process counts as well.
    var next = Timetable()
    let status = FollowStatus(follow: "a", lastSuccess: now.now + -100, isStale: false)
    set(&next, 300, at: 0, status: [status])
    set(&next, 600, at: 0, status: [status])
    #expect(next.entries["a"]?.due == now.uptime + 500)
    // One that was never pulled is due.
    var new = Timetable()
    set(&new, 300, at: 0)
    set(&new, 600, at: 1)
    #expect(new.due(at: Self.moment(1)).map(\.path) == ["a"])
  }

  @Test("a wall clock that is set moves no follow")
  func clockSteps() {
    var table = Timetable()
    table.set([Follow(path: "a", every: Interval(seconds: 3600))], status: [], at: now)
    _ = table.start("a")
    table.finish("a", failed: false, at: now, random: .max)
    for step in [-3 * 86_400, -3600, 1, 3600, 3 * 86_400] {
      let later = Self.moment(1800, step: step)
      #expect(table.due(at: later).isEmpty)
      #expect(table.due(at: Self.moment(3601, step: step)).map(\.path) == ["a"])
    }
  }

  @Test("a success of the future counts as none", arguments: [1, 60, 3600, 3 * 86_400])
  func futureSuccess(seconds: Int) {
    var table = Timetable()
    let status = FollowStatus(follow: "a", lastSuccess: now.now + seconds, isStale: false)
    table.set([Follow(path: "a", every: Interval(seconds: 3600))], status: [status], at: now)
    #expect(table.due(at: now).map(\.path) == ["a"])
  }
}

/// Runs that wait for their turn.
@Suite struct RunQueueTests {
  private let now = Timestamp(secondsSinceEpoch: 0)
  private let a = Follow(path: "a")
  private let b = Follow(path: "b")

  @Test("a run starts when its follows are at rest, and one that waits longer goes first")
  func order() {
    var queue = RunQueue()
    #expect(queue.add([a, b], id: "1", now: now) && queue.add([b], id: "2", now: now))
    #expect(queue.start(besides: ["a"], now: now) == nil)
    #expect(queue.start(besides: [], now: now)?.id == "1")
    #expect(queue.start(besides: [], now: now) == nil)
    queue.finish("1")
    #expect(queue.start(besides: [], now: now)?.id == "2")
    #expect(queue.paths == ["b"])
  }

  @Test("a run that failed without a report is remembered, and keeps no follow busy")
  func failure() {
    var queue = RunQueue()
    _ = queue.add([a], id: "1", now: now)
    _ = queue.start(besides: [], now: now)
    queue.fail("1", Failure(.store, .inputOutput, "no"), now: now + 1)
    #expect(queue["1"]?.state == .failed && queue.paths.isEmpty)
    #expect(queue["1"]?.fields["finishedAt"]?.string == "1970-01-01T00:00:01Z")
  }

  @Test("no more than 64 wait")
  func limit() {
    var queue = RunQueue()
    for number in 0..<64 {
      let isTaken = queue.add([a], id: "\(number)", now: now)
      #expect(isTaken)
    }
    let isOneMoreTaken = queue.add([b], id: "more", now: now)
    #expect(!isOneMoreTaken)
  }
}
