import CLibrary
public import Models
public import Ports

public struct SystemTimeSource: TimeSource {
  public init() {}

  /// The wall clock, truncated to whole seconds.
  public var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(secondsSinceEpoch: Int(time.tv_sec))
  }

  /// The wall clock, truncated to whole milliseconds.
  public var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }

  /// The time since the system started, including sleep. Setting the clock does not affect it.
  public var uptime: Duration {
    var time = timespec()
    #if os(Linux)
      clock_gettime(CLOCK_BOOTTIME, &time)
    #else
      // This clock counts sleep on Darwin (clock_gettime(3)), but not on Linux.
      clock_gettime(CLOCK_MONOTONIC, &time)
    #endif
    return .seconds(Int(time.tv_sec)) + .nanoseconds(Int(time.tv_nsec))
  }

  /// Waits. Returns immediately if the duration is not above zero.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(for duration: Duration) async throws(CancellationError) {
    if Task.isCancelled { throw CancellationError() }
    guard duration > .zero else { return }
    do {
      try await Task.sleep(for: duration, clock: .continuous)
    } catch {
      throw CancellationError()
    }
  }
}
