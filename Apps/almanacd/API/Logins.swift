import Ports
import Synchronization

/// One-time codes that open the dashboard.
final class Logins: Sendable {
  /// How long a code can be used.
  static let codeLife = Duration.seconds(300)
  /// How many are remembered; the oldest are forgotten.
  static let most = 64

  private let time: any TimeSource
  private let codes = Mutex<[(code: String, until: Duration)]>([])

  /// No code yet.
  init(time: any TimeSource) { self.time = time }

  /// A new code.
  func makeCode() -> String {
    let code = DaemonToken.fresh()
    let until = time.uptime + Self.codeLife
    codes.withLock { $0 = ($0 + [(code, until)]).suffix(Self.most) }
    return code
  }

  /// Uses up a code; `false` where it is unknown, too old or was used.
  func use(_ code: String) -> Bool {
    let now = time.uptime
    return codes.withLock { codes in
      codes.removeAll { $0.until <= now }
      guard let index = codes.firstIndex(where: { DaemonToken.equal($0.code, code) }) else { return false }
      codes.remove(at: index)
      return true
    }
  }
}
