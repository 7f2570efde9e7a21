import Ports
import Synchronization

/// Slows down who tries secrets: only an answer that refuses one waits, so that nobody can lock out who has the right one.
final class WrongSecrets: Sendable {
  /// How many are refused at once, before others wait for their turn.
  static let burst = 100
  /// The time between two answers after that.
  static let pause = Duration.milliseconds(100)
  /// The longest wait: waiting holds a connection.
  static let longest = Duration.seconds(5)

  private let time: any TimeSource
  /// When the next answer is due, by the clock that never goes back, and as if there was no burst.
  private let next = Mutex(Duration.zero)

  init(time: any TimeSource) { self.time = time }

  /// Waits for a turn.
  func slowDown() async {
    let pause = wait()
    if pause > .zero { try? await time.sleep(for: pause) }
  }

  /// Takes a turn.
  ///
  /// - Returns: how long the answer waits.
  func wait() -> Duration {
    let now = time.uptime
    return next.withLock { next in
      next = min(max(next, now - Self.pause * Self.burst) + Self.pause, now + Self.longest)
      return max(.zero, next - now)
    }
  }
}
