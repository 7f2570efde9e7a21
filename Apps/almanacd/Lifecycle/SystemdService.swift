import Models
import Ports
import ServiceLifecycle

/// Tells systemd that the daemon is ready, alive, and about to stop.
struct SystemdService: Service {
  /// Sends the datagrams.
  let notifier: SystemdNotifier
  /// The clock.
  let time: any TimeSource
  /// What is kept, for the status line.
  let scheduler: Scheduler
  /// Tells clients of the API.
  let readiness: Readiness

  func run() async throws {
    notifier.send(.ready)
    readiness.set(true)
    await cancelWhenGracefulShutdown {
      while notifier.isHeard {
        let follows = await scheduler.follows.count
        let next = await scheduler.nextDue.map { ", next sync at \($0)" } ?? ""
        notifier.send(.status("keeps \(follows) \(follows == 1 ? "follow" : "follows")\(next)"))
        // Asking the scheduler above is the proof of life: a scheduler that hangs lets the watchdog bite.
        notifier.send(.watchdog)
        let calm = notifier.watchdogMicroseconds.map { Swift.min(30_000_000, $0 / 2) } ?? 30_000_000
        let pause = notifier.owesSomething ? Swift.min(1_000_000, calm) : calm
        do throws(CancellationError) { try await time.sleep(for: .microseconds(pause)) } catch { break }
      }
    }
    // Where nobody listens there is nothing to say until the end.
    try? await gracefulShutdown()
    readiness.set(false)
    notifier.send(.stopping)
  }
}
