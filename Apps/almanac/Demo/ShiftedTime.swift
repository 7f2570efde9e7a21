import Models
import Ports

/// A clock that is some seconds behind or ahead of another.
struct ShiftedTime: TimeSource {
  /// The other clock.
  let base: any TimeSource
  /// How far ahead; negative for behind.
  let seconds: Int

  var now: Timestamp { base.now + seconds }
  var uptime: Duration { base.uptime }

  func sleep(for duration: Duration) async throws(CancellationError) { try await base.sleep(for: duration) }
}
