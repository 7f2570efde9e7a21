public import Models

/// The time of day, and waiting. Injected, so that tests wait for nothing.
public protocol TimeSource: Sendable {
  /// The wall clock.
  var now: Timestamp { get }
  /// A clock that never goes back, for measuring; its zero means nothing.
  var uptime: Duration { get }
  /// Waits.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func sleep(for duration: Duration) async throws(CancellationError)
}

/// Chance. Injected, so that runs can be replayed.
public protocol RandomSource: Sendable {
  /// 64 bits, each as likely as the other.
  func next() -> UInt64
}
