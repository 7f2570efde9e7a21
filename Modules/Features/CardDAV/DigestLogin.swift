import Models
import Ports
import Synchronization

/// A challenge of HTTP Digest authentication (RFC 7616), and the answers to it.
package struct DigestChallenge: Hashable, Sendable {
  private var realm = ""
  private var nonce = ""
  private var opaque: String?
  private var algorithm: String?
  private var isMD5 = true
  private var isSession = false
  private var hasQuality = false
  private var hidesUser = false

  /// The strongest challenge that can be answered in the values of `WWW-Authenticate`; `nil` if there is none.
  package init?(_ values: [String]) {
    let known = values.flatMap(Self.challenges).compactMap { Self(parameters: $0) }
    guard let best = known.first(where: { !$0.isMD5 }) ?? known.first else { return nil }
    self = best
  }

  private init?(parameters: [(name: String, value: String)]) {
    func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
    guard let realm = value("realm"), let nonce = value("nonce") else { return nil }
    (self.realm, self.nonce, opaque, algorithm) = (realm, nonce, value("opaque"), value("algorithm"))
    switch algorithm?.lowercased() {
    case nil, "md5": break
    case "md5-sess": isSession = true
    case "sha-256": isMD5 = false
    case "sha-256-sess": (isMD5, isSession) = (false, true)
    default: return nil
    }
    if let offered = value("qop") {
      guard offered.split(separator: ",").contains(where: { $0.filter { $0 != " " }.lowercased() == "auth" }) else {
        return nil
      }
      hasQuality = true
    }
    hidesUser = value("userhash")?.lowercased() == "true"
  }

  /// The parameters of each `Digest` challenge of a header field (RFC 9110 section 11.6.1).
  private static func challenges(_ text: String) -> [[(name: String, value: String)]] {
    var challenges: [[(name: String, value: String)]] = []
    var isDigest = false
    for piece in pieces(text) {
      let words = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0).trimmed }
      var name = words[0]
      if let space = name.firstIndex(of: " ") {
        isDigest = name[..<space].lowercased() == "digest"
        name = String(name[space...]).trimmed
        if isDigest { challenges.append([]) }
      } else if words.count == 1 {
        isDigest = false
      }
      guard isDigest, words.count == 2, !challenges.isEmpty else { continue }
      let value = words[1].hasPrefix("\"") ? unquoted(words[1]) : words[1]
      challenges[challenges.count - 1].append((name.lowercased(), value))
    }
    return challenges
  }

  /// The text between commas that are not in quotes.
  private static func pieces(_ text: String) -> [String] {
    var (pieces, isQuoted, isEscaped) = ([""], false, false)
    for character in text {
      if character == ",", !isQuoted {
        pieces.append("")
        continue
      }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && !isEscaped
      pieces[pieces.count - 1].append(character)
    }
    return pieces.map(\.trimmed).filter { !$0.isEmpty }
  }

  private static func unquoted(_ text: String) -> String {
    var (value, isEscaped) = ("", false)
    for character in text.dropFirst().dropLast() {
      isEscaped = character == "\\" && !isEscaped
      if !isEscaped { value.append(character) }
    }
    return value
  }

  private static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  private func hash(_ text: String) -> String { isMD5 ? MD5.digest(text.utf8) : SHA256.digest(text.utf8) }

  /// The value of `Authorization` (RFC 7616 section 3.4).
  ///
  /// - Parameters:
  ///   - target: the path and the query of the request.
  ///   - count: how many requests were answered with the nonce, this one included.
  ///   - clientNonce: what the server cannot foresee.
  package func answer(
    _ method: String, _ target: String, user: String, password: String, count: Int, clientNonce: String
  ) -> String {
    let times = padded(count, 8, radix: 16)
    var secret = hash("\(user):\(realm):\(password)")
    if isSession { secret = hash("\(secret):\(nonce):\(clientNonce)") }
    let quality = hasQuality ? ":\(times):\(clientNonce):auth" : ""
    let response = hash("\(secret):\(nonce)\(quality):\(hash("\(method):\(target)"))")
    var fields = [
      "username=\(Self.quoted(hidesUser ? hash("\(user):\(realm)") : user))", "realm=\(Self.quoted(realm))",
      "nonce=\(Self.quoted(nonce))", "uri=\(Self.quoted(target))", "response=\"\(response)\"",
    ]
    if let algorithm { fields.append("algorithm=\(algorithm)") }
    if hasQuality { fields += ["qop=auth", "nc=\(times)", "cnonce=\"\(clientNonce)\""] }
    if let opaque { fields.append("opaque=\(Self.quoted(opaque))") }
    if hidesUser { fields.append("userhash=true") }
    return "Digest " + fields.joined(separator: ", ")
  }

  /// What nobody who does not know the password can foresee.
  fileprivate func clientNonce(_ password: String, _ count: Int) -> String {
    String(SHA256.digest("\(password)\n\(nonce)\n\(count)".utf8).prefix(32))
  }
}

/// Remembers the challenges of servers, so that a request need not be refused first.
final class DigestLogins: Sendable {
  private struct Known {
    var challenge: DigestChallenge
    var count = 0
  }

  private let known = Mutex<[ExactString: Known]>([:])

  /// What a request says about who sends it; `nil` where the server has to ask first, or nobody logs in.
  func authorization(_ method: HTTPRequest.Method, _ target: String, _ account: SourceAccount, _ origin: String)
    -> String?
  {
    guard let password = account.password.value else { return nil }
    if account.login == .bearer { return "Bearer \(password)" }
    let count = known.withLock { known -> (DigestChallenge, Int)? in
      guard var one = known[Self.key(account, origin)] else { return nil }
      one.count += 1
      known[Self.key(account, origin)] = one
      return (one.challenge, one.count)
    }
    if let (challenge, count) = count, let user = account.user {
      return challenge.answer(
        method.rawValue, target, user: user, password: password, count: count,
        clientNonce: challenge.clientNonce(password, count))
    }
    return account.login == .basic ? account.basicCredentials.map { "Basic \($0)" } : nil
  }

  /// Takes the challenge of a refusal.
  ///
  /// - Returns: whether the request can be sent again with an answer to it.
  func learn(from response: HTTPResponse, _ account: SourceAccount, _ origin: String) -> Bool {
    guard response.status.meaning == .unauthorized, account.login != .bearer, account.basicCredentials != nil,
      let challenge = DigestChallenge(
        response.headers.fields.filter { $0.name.lowercased() == "www-authenticate" }.map(\.value))
    else { return false }
    return known.withLock { known in
      // The same nonce again: the user or the password is wrong.
      if known[Self.key(account, origin)]?.challenge == challenge { return false }
      known[Self.key(account, origin)] = Known(challenge: challenge)
      return true
    }
  }

  private static func key(_ account: SourceAccount, _ origin: String) -> ExactString {
    "\(origin) \(account.user ?? "")".exact
  }
}
