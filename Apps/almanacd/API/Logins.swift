import Models
import Ports
import Synchronization

/// One-time codes that open the dashboard, and the browsers that came in with one.
final class Logins: Sendable {
  private struct State {
    var codes: [(code: String, until: Duration)] = []
    var sessions: [(id: String, until: Duration)] = []
  }

  /// How long a code can be used.
  static let codeLife = Duration.seconds(300)
  /// How long a browser stays in.
  static let sessionLife = Duration.seconds(30 * 86_400)
  /// How many of each are remembered; the oldest are forgotten.
  static let most = 64

  private let time: any TimeSource
  private let state = Mutex(State())

  /// Nobody is in.
  init(time: any TimeSource) { self.time = time }

  /// A new code.
  func makeCode() -> String {
    let code = DaemonToken.fresh()
    let until = time.uptime + Self.codeLife
    state.withLock { state in
      state.codes.append((code, until))
      state.codes = state.codes.suffix(Self.most)
    }
    return code
  }

  /// Uses up a code and gives a session for it; `nil` where it is none, too old or was used.
  func enter(_ code: String) -> String? {
    let now = time.uptime
    return state.withLock { state in
      state.codes.removeAll { $0.until <= now }
      guard let index = state.codes.firstIndex(where: { DaemonToken.equal($0.code, code) }) else { return nil }
      state.codes.remove(at: index)
      let session = DaemonToken.fresh()
      state.sessions.append((session, now + Self.sessionLife))
      state.sessions = state.sessions.suffix(Self.most)
      return session
    }
  }

  /// Whether the session is one of ours and not too old.
  func isIn(_ session: some StringProtocol) -> Bool {
    let now = time.uptime
    return state.withLock { state in
      state.sessions.contains { $0.until > now && DaemonToken.equal($0.id, session) }
    }
  }
}
