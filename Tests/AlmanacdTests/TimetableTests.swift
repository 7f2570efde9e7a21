import Models
import Ports
import Testing

@testable import almanacd

/// When follows are due.
@Suite struct TimetableTests {
  private let now = Timestamp(secondsSinceEpoch: 1_000_000)

  @Test(
    "a success is followed by the interval with a tenth of jitter",
    arguments: [
      (3600, UInt64.min, 3240), (3600, .max, 3960), (60, .min, 54), (60, .max, 66), (1, .min, 1), (1, .max, 1),
    ])
  func success(every: Int, random: UInt64, wait: Int) {
    var table = Timetable()
    table.set([Follow(path: "a", every: Interval(seconds: every))], status: [], now: now)
    let isStarted1 = table.start("a")
    #expect(isStarted1)
    table.finish("a", failed: false, now: now, random: random)
    let found = (table.nextDue ?? now) - now
    #expect(abs(found - wait) <= 1)
  }

  @Test(
    "failures wait 30 s, doubling up to an hour, never less than half of it",
    arguments: [(1, 15...30), (2, 30...60), (3, 60...120), (8, 1800...3600), (30, 1800...3600)])
  func failures(count: Int, range: ClosedRange<Int>) {
    for random in [UInt64.min, .max, 1 << 63] {
      var table = Timetable()
      table.set([Follow(path: "a", every: Interval(seconds: 3600))], status: [], now: now)
      for _ in 0..<count {
        _ = table.start("a")
        table.finish("a", failed: true, now: now, random: random)
      }
      #expect(range.contains((table.nextDue ?? now) - now))
    }
  }

  @Test("a follow with a short interval waits no longer than its interval at the first failure")
  func shortInterval() {
    var table = Timetable()
    table.set([Follow(path: "a", every: Interval(seconds: 5))], status: [], now: now)
    _ = table.start("a")
    table.finish("a", failed: true, now: now, random: .max)
    #expect((table.nextDue ?? now) - now <= 5)
  }

  @Test("what runs is not due, and cannot be started again")
  func running() {
    var table = Timetable()
    table.set([Follow(path: "a"), Follow(path: "b")], status: [], now: now)
    #expect(table.due(at: now).map(\.path) == ["a", "b"])
    let isStarted2 = table.start("a")
    #expect(isStarted2)
    let isStarted3 = table.start("a")
    #expect(!isStarted3)
    let isStarted4 = table.start("none")
    #expect(!isStarted4)
    #expect(table.due(at: now).map(\.path) == ["b"])
  }

  @Test("a follow that the config drops while it runs leaves when it has ended, unless it is back by then")
  func dropped() {
    for failed in [false, true] {
      var table = Timetable()
      let both = [Follow(path: "a"), Follow(path: "b")]
      table.set(both, status: [], now: now)
      _ = table.start("a")
      _ = table.start("b")
      table.set([], status: [], now: now)
      #expect(table.entries.count == 2 && table.due(at: now + 86_400).isEmpty)
      table.finish("a", failed: failed, now: now, random: 0)
      table.set([both[1]], status: [], now: now)
      table.finish("b", failed: failed, now: now, random: 0)
      #expect(table.due(at: now + 86_400).map(\.path) == ["b"])
    }
  }

  @Test("a new config keeps the places of what it still names; a shorter interval counts at once")
  func reload() {
    var table = Timetable()
    table.set([Follow(path: "a"), Follow(path: "b")], status: [], now: now)
    for path in ["a", "b"] {
      _ = table.start(path)
      table.finish(path, failed: false, now: now, random: 1 << 63)
    }
    table.set(
      [Follow(path: "a", every: Interval(seconds: 60)), Follow(path: "b"), Follow(path: "c")], status: [], now: now + 10
    )
    #expect(table.entries["a"]?.due == now + 70)
    #expect(table.entries["b"].map { $0.due > now + 3000 } == true)
    #expect(table.entries["c"]?.due == now + 10)
    _ = table.start("c")
    table.set([Follow(path: "a")], status: [], now: now + 20)
    #expect(table.entries.keys.sorted() == ["a", "c"])
    table.finish("c", failed: false, now: now + 20, random: 0)
    table.set([Follow(path: "a")], status: [], now: now + 20)
    #expect(table.entries.keys.sorted() == ["a"])
  }
}
