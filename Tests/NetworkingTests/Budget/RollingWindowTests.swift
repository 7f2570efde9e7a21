import AlmanacTesting
import Models
import Ports
import Testing

@testable import Networking

@Suite struct RollingWindowTests {
  /// Makes calls at random times for a simulated week, and counts the calls of the last hour after each one.
  @Test func neverPassesItsBudget() {
    let budget = RateBudget(name: "b", calls: 400, window: Interval(seconds: 3600))
    let random = SeededRandom(seed: 7)
    var window = RollingWindow()
    var now = 1_000_000
    var granted: [Int] = []
    var refused = 0
    for _ in 0..<40_000 {
      now += Int(random.next() % 12)
      switch window.take(budget, at: Timestamp(secondsSinceEpoch: now)) {
      case .granted: granted.append(now)
      case .wait(let seconds):
        refused += 1
        #expect(seconds > 0 && seconds <= 3601)
      }
      #expect(window.buckets.count <= 130)
    }
    var start = 0
    for end in granted.indices {
      while granted[end] - granted[start] >= 3600 { start += 1 }
      #expect(end - start + 1 <= 400)
    }
    #expect(refused > 0)
    // Merging buckets reduces the allowed calls by a few percent at most.
    #expect(granted.count > (now - 1_000_000) / 3600 * 380)
  }

  @Test func freesAPlaceExactlyWhileThereAreFewCalls() {
    let budget = RateBudget(name: "b", calls: 2, window: Interval(seconds: 10))
    var window = RollingWindow()
    let start = Timestamp(secondsSinceEpoch: 100)
    #expect(window.take(budget, at: start) == .granted(remaining: 1))
    #expect(window.take(budget, at: start + 4) == .granted(remaining: 0))
    #expect(window.take(budget, at: start + 5) == .wait(seconds: 6))
    #expect(window.take(budget, at: start + 10) == .wait(seconds: 1))
    #expect(window.take(budget, at: start + 11) == .granted(remaining: 0))
    #expect(window.take(budget, at: start + 12) == .wait(seconds: 3))
  }

  @Test func survivesAClockThatIsSetBack() {
    let budget = RateBudget(name: "b", calls: 1, window: Interval(seconds: 10))
    var window = RollingWindow()
    #expect(window.take(budget, at: Timestamp(secondsSinceEpoch: 10_000)) == .granted(remaining: 0))
    #expect(window.take(budget, at: Timestamp(secondsSinceEpoch: 50)) == .wait(seconds: 11))
    #expect(window.take(budget, at: Timestamp(secondsSinceEpoch: 61)) == .granted(remaining: 0))
  }
}
