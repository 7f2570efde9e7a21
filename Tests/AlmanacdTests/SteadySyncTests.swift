import AlmanacTesting
import Models
import Ports
import Testing

@testable import almanacd

/// The ages of follows while the wall clock is set.
@Suite struct SteadySyncTests {
  private static let follow = Follow(path: "users/ada", every: Interval("1h"))

  /// A sync whose follow succeeded so many seconds ago by the wall clock, as the engine reports it.
  private static func steady(_ time: ManualTime, ago: Int) -> (SteadySync, (Timestamp) -> Void) {
    let fake = FakeSync(time: time)
    func remember(_ success: Timestamp) {
      fake.remember([FollowStatus(follow: "users/ada", lastSuccess: success, isStale: false)])
    }
    remember(time.now + -ago)
    return (SteadySync(sync: fake, moments: FollowMoments(), time: time), remember)
  }

  private static func state(_ sync: SteadySync, _ time: ManualTime) throws -> (isStale: Bool, age: Int) {
    let status = try sync.status([follow]).follows[0]
    let success = try #require(status.lastSuccess)
    // The fake does not look at the clock.
    return (follow.isStale(lastSuccess: success, now: time.now), time.now - success)
  }

  @Test(
    "after a step of the clock a follow is as old as it was", arguments: [3 * 3600, -86_400, 86_400, -3600, 60, -60])
  func step(seconds: Int) throws {
    let time = ManualTime()
    let (sync, remember) = Self.steady(time, ago: 600)
    #expect(try Self.state(sync, time) == (false, 600))
    time.set(by: seconds)
    #expect(try Self.state(sync, time) == (false, 600))
    time.advance(by: .seconds(3 * 3600))
    #expect(try Self.state(sync, time) == (true, 3 * 3600 + 600))
    // The next success has a time of the new clock.
    remember(time.now)
    #expect(try Self.state(sync, time) == (false, 0))
    time.set(by: -seconds)
    #expect(try Self.state(sync, time) == (false, 0))
  }

  @Test(
    "a success that ends before its time was read is known, whatever the clock says then", arguments: [7200, -7200])
  func unread(seconds: Int) async throws {
    let time = ManualTime()
    let (sync, remember) = Self.steady(time, ago: 100_000)
    #expect(try Self.state(sync, time).isStale)
    remember(time.now)
    async let report = sync.sync([Self.follow], SyncOptions())
    _ = try await report
    time.set(by: seconds)
    time.advance(by: .seconds(30))
    #expect(try Self.state(sync, time) == (false, 30))
  }

  @Test("without a step, times are those of the store, also where a sync went on after a success")
  func exact() async throws {
    let time = ManualTime()
    let (sync, remember) = Self.steady(time, ago: 40)
    remember(time.now)
    time.advance(by: .seconds(20))
    _ = try await sync.sync([Self.follow], SyncOptions())
    #expect(try Self.state(sync, time) == (false, 20))
    // Nothing is known about a success of the future that another process noted: it is not shown.
    remember(time.now + 500)
    #expect(try sync.status([Self.follow]).follows[0].lastSuccess == nil)
    // Once the clock is set as the other process had it, it counts.
    time.set(by: 600)
    #expect(try Self.state(sync, time) == (false, 100))
  }

  @Test(
    "a try and the pause that it met are as old as they were, and no time of the future is shown",
    arguments: [-7200, 7200])
  func tries(seconds: Int) async throws {
    let time = ManualTime()
    let fake = FakeSync(time: time)
    let sync = SteadySync(sync: fake, moments: FollowMoments(), time: time)
    fake.fail(["users/ada"])
    _ = try await sync.sync([Self.follow], SyncOptions())
    let pause = Failure(.http, .tryLater, "too many requests", code: .status(429), retryAfter: 600)
    let stored = time.now
    time.set(by: seconds)
    time.advance(by: .seconds(100))
    fake.remember([
      FollowStatus(
        follow: "users/ada", lastTry: stored, next: min(stored, time.now) + 600, isStale: true, failures: 2,
        failingSince: stored + -60, error: pause)
    ])
    let status = try sync.status([Self.follow]).follows[0]
    #expect(status.next == time.now + 500)
    let begun = try #require(status.lastTry)
    #expect(time.now - begun == 100)
    #expect(try #require(status.failingSince) <= begun)
    #expect(status.pausedUntil == time.now + 500 && status.state == .failing)
    fake.remember([FollowStatus(follow: "users/bob", lastTry: time.now + 9, isStale: true, failingSince: time.now + 5)])
    let unknown = try sync.status([Follow(path: "users/bob")]).follows[0]
    #expect(unknown.lastTry == nil && unknown.failingSince == nil)
  }
}
