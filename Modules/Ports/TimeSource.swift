public import Models

/// The clocks and timers, which are injected so that tests do not wait.
public protocol TimeSource: Sendable {
  /// The wall clock.
  var now: Timestamp { get }
  /// A monotonic clock for measuring durations. Its origin is arbitrary.
  var uptime: Duration { get }
  /// Waits.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func sleep(for duration: Duration) async throws(CancellationError)
}

/// A source of random numbers, which is injected so that runs are reproducible.
public protocol RandomSource: Sendable {
  /// 64 uniformly distributed random bits.
  func next() -> UInt64
}
