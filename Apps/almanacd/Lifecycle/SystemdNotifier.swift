import Dispatch
import Glibc

/// Tells systemd how the daemon is, by one datagram at a time (sd_notify(3)).
struct SystemdNotifier: Sendable {
  private let path: String?
  /// How often the watchdog wants to hear something, in microseconds.
  let watchdogMicroseconds: Int?

  /// A notifier for the socket that the environment names; it does nothing where there is none.
  init(environment: [String: String]) {
    path = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    let isOurs = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
    watchdogMicroseconds = isOurs ? environment["WATCHDOG_USEC"].flatMap { Int($0) } : nil
  }

  /// Whether anybody listens.
  var isHeard: Bool { path != nil }

  /// What can be told.
  enum State: Sendable {
    /// Started.
    case ready
    /// Reads its config again.
    case reloading
    /// Ends.
    case stopping
    /// A line for people.
    case status(String)
    /// Still alive.
    case watchdog
  }

  /// Sends one state.
  func send(_ state: State) {
    guard let path else { return }
    let text: String =
      switch state {
      case .ready: "READY=1"
      case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(Self.monotonicMicroseconds())"
      case .stopping: "STOPPING=1"
      case .status(let line): "STATUS=\(line)"
      case .watchdog: "WATCHDOG=1"
      }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(path.utf8)
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    // A leading @ means a name in the abstract namespace, which begins with a zero byte.
    if name.first == UInt8(ascii: "@") { name[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count + (name.first == 0 ? 0 : 1))
    let message = Array(text.utf8)
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, length)
      }
    }
  }

  /// CLOCK_MONOTONIC, by which systemd tells which reload it was.
  private static func monotonicMicroseconds() -> UInt64 { DispatchTime.now().uptimeNanoseconds / 1000 }
}
