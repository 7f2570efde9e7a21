import CLibrary
import Dispatch
import Models
import Ports
import ServiceLifecycle
import Synchronization

/// Sends the daemon's state to systemd, one datagram at a time (sd_notify(3)). It never blocks: when systemd's queue is full,
/// lasting states are sent again later, and others are dropped and counted.
final class SystemdNotifier: Sendable {
  private let path: String?
  private let owed = Mutex<(states: [String], dropped: Int)>(([], 0))
  /// How often the watchdog wants to hear something, in microseconds.
  let watchdogMicroseconds: Int?

  /// A notifier for the socket that the environment names; it does nothing if there is none.
  init(environment: [String: String]) {
    path = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    let isOurs = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
    watchdogMicroseconds = isOurs ? environment["WATCHDOG_USEC"].flatMap { Int($0) } : nil
  }

  var isHeard: Bool { path != nil }

  enum State: Sendable {
    case ready
    /// Reads its config again.
    case reloading
    case stopping
    /// A line for people.
    case status(String)
    case watchdog
  }

  /// Messages that did not reach systemd at the first try.
  var dropped: Int { owed.withLock { $0.dropped } }

  /// Whether something waits that systemd must know.
  var owesSomething: Bool { owed.withLock { !$0.states.isEmpty } }

  /// Sends one state, after those that are owed.
  func send(_ state: State) {
    guard path != nil else { return }
    let isLasting: Bool
    let text: String
    switch state {
    case .ready: (text, isLasting) = ("READY=1", true)
    case .reloading: (text, isLasting) = ("RELOADING=1\nMONOTONIC_USEC=\(Self.monotonicMicroseconds())", true)
    case .stopping: (text, isLasting) = ("STOPPING=1", true)
    case .status(let line): (text, isLasting) = ("STATUS=\(line)", false)
    case .watchdog: (text, isLasting) = ("WATCHDOG=1", false)
    }
    owed.withLock { owed in
      while let first = owed.states.first, transmit(first) { owed.states.removeFirst() }
      if owed.states.isEmpty, transmit(text) { return }
      owed.dropped += 1
      // A few reloads are enough to remember: the last state is what counts.
      if isLasting { owed.states = owed.states.suffix(7) + [text] }
    }
  }

  /// Whether the message is out, or can never be.
  private func transmit(_ text: String) -> Bool {
    guard let path else { return true }
    let descriptor = socket(AF_UNIX, SocketType.datagram | SocketType.closeOnExec, 0)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(path.utf8)
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return true }
    // A leading @ means a name in the abstract namespace, which begins with a zero byte.
    if name.first == UInt8(ascii: "@") { name[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count + (name.first == 0 ? 0 : 1))
    let message = Array(text.utf8)
    let count = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), $0, length)
      }
    }
    return count >= 0 || (errno != EAGAIN && errno != ENOBUFS)
  }

  /// CLOCK_MONOTONIC, by which systemd tells which reload it was.
  private static func monotonicMicroseconds() -> UInt64 { DispatchTime.now().uptimeNanoseconds / 1000 }
}

/// Tells systemd that the daemon is ready, alive, and about to stop.
struct SystemdService: Service {
  let notifier: SystemdNotifier
  let time: any TimeSource
  let scheduler: Scheduler
  let health: Health

  func run() async throws {
    notifier.send(.ready)
    health.set(isRunning: true)
    await cancelWhenGracefulShutdown {
      while notifier.isHeard {
        let follows = await scheduler.follows.count
        let next = await scheduler.nextDue.map { ", next sync at \($0)" } ?? ""
        let problem = health.problems.first.map { "problem: \($0.failure.message); " } ?? ""
        notifier.send(.status("\(problem)keeps \(follows.counted("follow"))\(next)"))
        // Asking the scheduler above is the proof of life: a scheduler that hangs lets the watchdog bite.
        notifier.send(.watchdog)
        let calm = notifier.watchdogMicroseconds.map { Swift.min(30_000_000, $0 / 2) } ?? 30_000_000
        let pause = notifier.owesSomething ? Swift.min(1_000_000, calm) : calm
        do throws(CancellationError) { try await time.sleep(for: .microseconds(pause)) } catch { break }
      }
    }
    // Without a listener there is nothing to report until the end.
    try? await gracefulShutdown()
    health.set(isRunning: false)
    notifier.send(.stopping)
  }
}
