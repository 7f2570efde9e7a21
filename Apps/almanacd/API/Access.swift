import Hummingbird
import Models
import Ports
import Synchronization

/// Authenticates callers, and reads bodies within limits of size and time.
struct Access: Sendable {
  /// How long a client may take to send a body, in seconds.
  static let bodySeconds: Int64 = 15

  /// The secret that may do everything.
  let token: DaemonToken
  let logins: Logins
  /// Sessions, and named tokens.
  let list: AccessList
  let wrong: WrongSecrets

  init(token: DaemonToken, list: AccessList, time: any TimeSource) {
    (self.token, self.list) = (token, list)
    (logins, wrong) = (Logins(time: time), WrongSecrets(time: time))
  }

  /// The beginning of the names of sessions' cookies. A port may follow: browsers send a cookie to each port of a host (RFC 6265
  /// section 8.5), and daemons on two of them must not take each other's place.
  static let cookie = "almanac-session"

  /// Why a request may not pass: 401 where neither token nor session is there; 403 where the token may only read, or where
  /// a session is used to change something and the browser does not say that the page is ours. `nil` where it may.
  func refusal(_ request: Request, _ route: Route.Access, openMetrics: Bool) -> Problem? {
    switch route {
    case .open: return nil
    case .metrics where openMetrics: return nil
    case .metrics, .token, .page, .owner, .assistant: break
    }
    let isChange = request.method != .get && request.method != .head
    // A proxy that asks for a password of its own passes it on; the browser's session decides then.
    if request.bearer != nil || request.headers[.authorization] != nil && !request.bringsSession {
      guard let rights = rights(of: request) else { return Self.refused("bad-token") }
      // Not even the daemon's own opens it: whoever gives that to an assistant gives away everything else.
      if (rights == .assistant) != (route == .assistant) {
        let what = rights == .assistant ? "this token is for assistants alone" : "this needs a token for assistants"
        return Problem(.forbidden, what, code: "other-rights")
      }
      if route == .assistant { return nil }
      if rights == .calendar {
        return Problem(.forbidden, "this token may only fetch the calendar", code: "calendar-only")
      }
      guard rights == .full || (!isChange && route != .owner) else {
        return Problem(.forbidden, "this token may only read", code: "read-only")
      }
      return nil
    }
    if route == .assistant { return Self.refused("no-credentials") }
    guard request.bringsSession else { return Self.refused("no-credentials") }
    guard list.session(of: request) != nil else { return Self.refused("bad-session") }
    // The Origin itself was looked at before; it is the proof, beside the cookie's SameSite, that no other page asks.
    if isChange, request.headers[.origin] == nil, request.fetchSite != "same-origin" {
      return Problem(.forbidden, "a change from a page needs its Origin", code: "no-origin")
    }
    return nil
  }

  /// What the token that the request brings along may do; `nil` where it brings none, or an unknown one.
  func rights(of request: Request) -> Rights? {
    guard let secret = request.bearer else { return nil }
    return token.isSame(as: secret) ? .full : list.token(secret)?.rights
  }

  /// Who asks, by the credentials that are known here: the daemon's token, `token NAME` or `session ID`; `nil` for others.
  func caller(of request: Request) -> String? {
    if let secret = request.bearer ?? request.uri.queryParameters["token"].map({ Substring($0) }) {
      return token.isSame(as: secret) ? "the daemon's token" : list.token(secret).map { "token \($0.name)" }
    }
    return list.session(of: request).map { "session \($0.id)" }
  }

  /// The body, whole.
  ///
  /// - Throws: `Problem` with 415 where it is of another kind than the route takes, with 413 where it is too large, with
  ///   408 where it did not come.
  func body(of request: Request, _ content: Route.Content, _ context: APIContext) async throws(Problem) -> [UInt8] {
    guard request.hasBody || request.headers[.contentType] != nil else { return [] }
    let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
    if request.hasBody || request.method == .post || request.method == .patch {
      guard content.takes(type?.filter { $0 != " " }) else {
        throw Problem(
          .unsupportedMediaType, "the body must be \(content.rawValue)", headers: [.accept: content.rawValue])
      }
    }
    guard request.hasBody else { return [] }
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > content.largest {
      throw Self.tooLarge(content)
    }
    let timer = context.close(after: Self.bodySeconds)
    defer { timer.cancel() }
    do {
      return Array(try await request.body.collect(upTo: content.largest).readableBytesView)
    } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
      throw Self.tooLarge(content)
    } catch { throw Problem(.requestTimeout, "the body did not come whole") }
  }

  private static func refused(_ code: String) -> Problem {
    let place: Advice =
      "the daemon's is in the file 'token' of the store's folder, or of --state: Authorization: Bearer TOKEN; for a browser, run \(command: "dashboard")"
    let isWrong = code == "bad-token"
    return Problem(
      .unauthorized, isWrong ? "this token is not known here" : "this needs a token of the daemon",
      hint: isWrong ? "it was revoked or replaced, or is that of another daemon; \(place)" : place,
      code: code, headers: [.wwwAuthenticate: "Bearer realm=\"almanac\""])
  }

  private static func tooLarge(_ content: Route.Content) -> Problem {
    if content == .fileForm {
      return Problem(
        .contentTooLarge, "a file has at most \(content.largest >> 20) MB",
        hint: "\(command: "people", "import") takes larger ones")
    }
    return Problem(.contentTooLarge, "a body has at most \(content.largest) bytes")
  }
}

extension Request {
  /// Whether it brings a secret along: a token, a session, or a code or token of its address.
  var bringsSecret: Bool {
    headers[.authorization] != nil || bringsSession || uri.queryParameters["code"] != nil
      || uri.queryParameters["token"] != nil
  }

  /// The token that it brings along (RFC 6750, section 2.1).
  var bearer: Substring? {
    guard let value = headers[.authorization], let space = value.utf8.firstIndex(of: 0x20),
      value[..<space].lowercased() == "bearer"
    else { return nil }
    return value[value.utf8.index(after: space)...]
  }

  var wantsPage: Bool { headers[.accept]?.contains("text/html") ?? false }

  /// The sessions of the browser's cookies: those of other daemons on the host, too.
  var sessions: [Substring] {
    cookies.filter { $0.name == Access.cookie || $0.name.hasPrefix(Access.cookie + "-") }.map(\.value)
  }

  /// The name of a session's cookie.
  var sessionName: String {
    let port = (head.authority ?? "").split(separator: ":").last.flatMap { Int($0) }
    return Access.cookie + (port.map { "-\($0)" } ?? "")
  }

  var bringsSession: Bool { !sessions.isEmpty }

  func cookie(_ name: String) -> Substring? { cookies.first { $0.name == name }?.value }

  private var cookies: [(name: Substring, value: Substring)] {
    headers[values: .cookie].flatMap { header in
      header.split(separator: ";").compactMap { pair in
        let sides = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
        return sides.count == 2 ? (sides[0], sides[1]) : nil
      }
    }
  }
}

extension AccessList {
  /// The session of the browser that sends a request; `nil` where none of its sessions is one of this daemon.
  func session(of request: Request) -> Session? { request.sessions.lazy.compactMap { self.session($0) }.first }
}

/// One-time codes that open the dashboard.
final class Logins: Sendable {
  static let codeLife = Duration.seconds(300)
  /// How many are remembered; the oldest are forgotten.
  static let most = 64

  private let time: any TimeSource
  private let codes = Mutex<[(code: String, until: Duration)]>([])

  init(time: any TimeSource) { self.time = time }

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
