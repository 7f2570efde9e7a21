import Foundation
public import Models
public import Ports
import Synchronization

/// A clock that stands still until a test moves it: `sleep` returns at once and moves it.
public final class ManualTime: TimeSource {
  private struct State {
    var now: Timestamp
    var uptime: Duration = .zero
    var step = 0
    var sleeps: [Duration] = []
  }

  private let state: Mutex<State>

  /// A clock that shows `now`.
  public init(now: Timestamp = Timestamp(secondsSinceEpoch: 1_780_000_000)) {
    state = Mutex(State(now: now))
  }

  /// The time it shows.
  public var now: Timestamp { state.withLock { $0.now + Int($0.uptime.components.seconds) + $0.step } }

  /// How far it was moved.
  public var uptime: Duration { state.withLock { $0.uptime } }

  /// Every sleep that was asked for, in order.
  public var sleeps: [Duration] { state.withLock { $0.sleeps } }

  /// Moves the clock on.
  public func advance(by duration: Duration) { state.withLock { $0.uptime += duration } }

  /// Sets the wall clock on or back by so many seconds; the uptime stays.
  public func set(by seconds: Int) { state.withLock { $0.step += seconds } }

  /// Moves the clock on and returns.
  public func sleep(for duration: Duration) async throws(CancellationError) {
    if Task.isCancelled { throw CancellationError() }
    state.withLock {
      $0.uptime += duration
      $0.sleeps.append(duration)
    }
    await Task.yield()
  }
}

/// Chance that comes out the same every time: SplitMix64.
public final class SeededRandom: RandomSource {
  private let state: Mutex<UInt64>

  /// A row of numbers that follows from the seed.
  public init(seed: UInt64 = 1) { state = Mutex(seed) }

  /// The next number.
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

/// Keeps every event.
public final class RecordedEvents: EventSink {
  private let state = Mutex<[Event]>([])

  /// An empty record.
  public init() {}

  /// What was reported so far.
  public var events: [Event] { state.withLock { $0 } }

  /// Keeps the event.
  public func report(_ event: Event) { state.withLock { $0.append(event) } }
}

/// The bound of a promised time in a test.
///
/// Tests run in parallel and share the processors, so a duration measured there says little about the program. Only
/// with `ALMANAC_STRICT_TIMES=1`, for suites that run alone, does the promise itself count; otherwise the bound only
/// catches a hang.
public enum PromisedTime {
  private static let isStrict = ProcessInfo.processInfo.environment["ALMANAC_STRICT_TIMES"] == "1"

  /// The bound for a promised time.
  public static func bound(_ promised: Duration) -> Duration { isStrict ? promised : .seconds(600) }
}
