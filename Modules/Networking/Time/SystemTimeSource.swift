import CLibrary
public import Models
public import Ports

public struct SystemTimeSource: TimeSource {
  public init() {}

  public var now: Timestamp { Timestamp(secondsSinceEpoch: Int(Self.time(CLOCK_REALTIME).tv_sec)) }

  /// The wall clock, truncated to whole milliseconds.
  public var milliseconds: Int {
    let time = Self.time(CLOCK_REALTIME)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }

  /// The time since the system started, including sleep. Setting the clock does not affect it.
  public var uptime: Duration {
    #if os(Linux)
      let time = Self.time(CLOCK_BOOTTIME)
    #else
      // This clock counts sleep on Darwin (clock_gettime(3)), but not on Linux.
      let time = Self.time(CLOCK_MONOTONIC)
    #endif
    return .seconds(Int(time.tv_sec)) + .nanoseconds(Int(time.tv_nsec))
  }

  private static func time(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }

  /// Waits, at most 100 years. Returns immediately if the duration is not above zero.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(for duration: Duration) async throws(CancellationError) {
    if Task.isCancelled { throw CancellationError() }
    guard duration > .zero else { return }
    do { try await Task.sleep(for: min(duration, Duration.seconds(Interval.longest)), clock: .continuous) } catch {
      throw CancellationError()
    }
  }
}
