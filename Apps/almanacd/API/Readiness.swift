import Synchronization

/// Whether the daemon has begun to work and has not been asked to stop.
final class Readiness: Sendable {
  private let state = Mutex(false)

  /// Not ready yet.
  init() {}

  /// Whether it is.
  var isReady: Bool { state.withLock { $0 } }

  /// Sets it.
  func set(_ isReady: Bool) { state.withLock { $0 = isReady } }
}
