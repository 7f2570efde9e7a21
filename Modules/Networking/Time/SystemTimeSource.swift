public import Models
public import Ports

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The machine's clocks.
public struct SystemTimeSource: TimeSource {
  /// Makes a source; it has no state.
  public init() {}

  /// The wall clock, cut to whole seconds.
  public var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(secondsSinceEpoch: Int(time.tv_sec))
  }

  /// The time since the machine started, which no clock change touches; the time for which it slept counts.
  public var uptime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(Int(time.tv_sec)) + .nanoseconds(Int(time.tv_nsec))
  }

  /// Waits; a duration that is not above zero does not wait.
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
