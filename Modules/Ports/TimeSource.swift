public import Models

/// The clocks and timers, which are injected so that tests do not wait.
public protocol TimeSource: Sendable {
  var now: Timestamp { get }
  /// The wall clock in milliseconds after the epoch, for ids that sort by creation time.
  var milliseconds: Int { get }
  /// A monotonic clock for measuring durations. Its origin is arbitrary.
  var uptime: Duration { get }
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func sleep(for duration: Duration) async throws(CancellationError)
}

extension TimeSource {
  /// The beginning of the second.
  public var milliseconds: Int { now.secondsSinceEpoch * 1000 }
}

/// A source of random numbers, which is injected so that runs are reproducible.
public protocol RandomSource: Sendable {
  /// 64 uniformly distributed random bits.
  func next() -> UInt64
}
