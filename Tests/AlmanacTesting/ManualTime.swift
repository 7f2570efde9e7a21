import Foundation
public import Models
public import Ports
import Synchronization

/// A clock that only tests advance. `sleep` returns immediately and advances the clock.
public final class ManualTime: TimeSource {
  private struct State {
    var now: Timestamp
    var uptime: Duration = .zero
    var step = 0
    var sleeps: [Duration] = []
  }

  private let state: Mutex<State>

  public init(now: Timestamp = Timestamp(secondsSinceEpoch: 1_780_000_000)) { state = Mutex(State(now: now)) }

  public var now: Timestamp { state.withLock { $0.now + Int($0.uptime.components.seconds) + $0.step } }

  /// The total time by which the clock was advanced.
  public var uptime: Duration { state.withLock { $0.uptime } }

  /// All requested sleeps, in order.
  public var sleeps: [Duration] { state.withLock { $0.sleeps } }

  public func advance(by duration: Duration) { state.withLock { $0.uptime += duration } }

  /// Moves the wall clock forwards or backwards; the uptime does not change.
  public func set(by seconds: Int) { state.withLock { $0.step += seconds } }

  /// Advances the clock and returns.
  public func sleep(for duration: Duration) async throws(CancellationError) {
    if Task.isCancelled { throw CancellationError() }
    state.withLock {
      $0.uptime += duration
      $0.sleeps.append(duration)
    }
    await Task.yield()
  }
}

/// Reproducible random numbers: SplitMix64.
public final class SeededRandom: RandomSource {
  private let state: Mutex<UInt64>

  public init(seed: UInt64 = 1) { state = Mutex(seed) }

  public func next() -> UInt64 {
    state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = state
      word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
      return word ^ (word >> 31)
    }
  }
}

public final class RecordedEvents: EventSink {
  private let state = Mutex<[Event]>([])

  public init() {}

  public var events: [Event] { state.withLock { $0 } }

  public func report(_ event: Event) { state.withLock { $0.append(event) } }
}

/// The upper bound of a duration in a test.
///
/// Tests run in parallel and share the processors, so a measured duration says little about the program. The documented
/// duration is enforced only with `ALMANAC_STRICT_TIMES=1`, for suites that run alone. Otherwise the bound only detects
/// a hang.
public enum PromisedTime {
  private static let isStrict = ProcessInfo.processInfo.environment["ALMANAC_STRICT_TIMES"] == "1"

  /// The bound for a documented duration.
  public static func bound(_ promised: Duration) -> Duration { isStrict ? promised : .seconds(600) }
}
