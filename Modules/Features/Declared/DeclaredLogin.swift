import Models
public import Ports

/// Logs a person in to a source, whose tokens are kept for later pulls.
///
/// Nothing is stored before the server has given the tokens; then they take the place of the old ones at once.
public struct DeclaredLogin: Sendable {
  private let source: DeclaredSource
  private let transport: any HTTPTransport
  private let time: any TimeSource
  private let random: any RandomSource
  private let oauth: SourceDefinition.Authentication.OAuth2
  private let client: OAuthClient
  private let secret: String
  private let keeper: any TokenKeeper

  /// A login.
  ///
  /// - Throws: `SourceError` if the source has no login, or the key does not name the client.
  public init(
    to source: DeclaredSource, transport: any HTTPTransport, time: any TimeSource, random: any RandomSource
  ) throws(SourceError) {
    guard let oauth = source.definition.auth?.oauth2, oauth.hasLogin, let keeper = source.keeper else {
      throw .configuration(
        message: "\(source.name) has no login",
        hint: "a login needs \"authorize\" or \"device\" in \"oauth2\" of its definition")
    }
    guard case .given(let secret, _) = source.key else { throw .noKey(source.key, of: source.descriptor) }
    client = try OAuthClient(oauth, secret, of: source.name, hiding: source.tokens)
    (self.source, self.transport, self.time, self.random) = (source, transport, time, random)
    (self.oauth, self.secret, self.keeper) = (oauth, secret, keeper)
  }

  /// Whether the server has a page for a browser on this machine.
  public var hasPage: Bool { oauth.authorize != nil }

  /// The longest pause between two questions whether the code was entered, in seconds.
  private static let longestPause = 600

  /// Logs in with a browser on this machine: RFC 6749 section 4.1, with a proof (RFC 7636) and a redirect to this machine
  /// (RFC 8252).
  ///
  /// - Parameter show: shows or opens the address.
  public func inBrowser(_ receiver: any RedirectReceiver, show: (LoginPrompt) async -> Void) async throws(SourceError) {
    guard let page = oauth.authorize else { throw noWay("authorize") }
    let (state, verifier) = (secretText(), secretText())
    let challenge = Self.webSafe(SHA256.bytes(verifier.utf8))
    var form = [
      ("response_type", "code"), ("client_id", client.id), ("redirect_uri", receiver.address), ("state", state),
      ("code_challenge", challenge), ("code_challenge_method", "S256"),
    ]
    if let scope = oauth.scope { form.append(("scope", scope)) }
    let declared = try DeclaredClient(source, transport, now: time.now)
    let address = declared.rewritten(page)
    let query = String(decoding: DeclaredClient.form(form), as: UTF8.self)
    await show(.open("\(address)\(address.contains("?") ? "&" : "?")\(query)"))
    let answer: String
    do throws(Failure) {
      answer = try await receiver.query { Self.parameter("state", of: $0)?.exact == state.exact }
    } catch {
      throw .missingKey(source: source.name, problem: error.message, hint: error.hint ?? "try again")
    }
    if let refusal = Self.parameter("error", of: answer) {
      throw refused(refusal, Self.parameter("error_description", of: answer))
    }
    guard let code = Self.parameter("code", of: answer), !code.isEmpty else { throw refused("it gives no code", nil) }
    source.tokens.hide(code)
    try await keep(
      [
        ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", receiver.address),
        ("code_verifier", verifier),
      ])
  }

  /// Logs in with a code that the person enters on any device (RFC 8628).
  ///
  /// - Parameter show: shows the code.
  public func onDevice(show: (LoginPrompt) async -> Void) async throws(SourceError) {
    guard let url = oauth.device else { throw noWay("device") }
    let declared = try DeclaredClient(source, transport, now: time.now)
    let form = [("scope", oauth.scope ?? "")].filter { !$0.1.isEmpty }
    let response = try await declared.post(form, to: url, oauth, client, namesClient: true)
    try check(response, declared)
    // Google calls the address `verification_url`.
    let names = [
      "device_code", "user_code", "verification_uri", "verification_url", "verification_uri_complete", "interval",
      "expires_in",
    ]
    let values = declared.members(names, of: response)
    guard let code = values[0]?.string, let shown = values[1]?.string, let place = (values[2] ?? values[3])?.string
    else {
      throw .parsing(
        ParsingError(
          .shape, path: "$.device_code", expected: "a code (RFC 8628 section 3.2)", found: "something else"), url: url)
    }
    source.tokens.hide(code)
    var interval = Swift.min(max(1, values[5]?.int ?? 5), Self.longestPause)
    let end = time.uptime + .seconds(Swift.min(values[6]?.int ?? 900, 86_400))
    await show(.enter(code: shown, address: place, link: values[4]?.string))
    while time.uptime + .seconds(interval) <= end {
      do throws(CancellationError) { try await time.sleep(for: .seconds(interval)) } catch {
        throw refused("the login was stopped", nil)
      }
      let declared = try DeclaredClient(source, transport, now: time.now)
      let answer: HTTPResponse
      do throws(SourceError) {
        answer = try await declared.post(
          [("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", code)], to: oauth.token,
          oauth, client, namesClient: true)
      } catch {
        // RFC 8628 section 3.5: a lost connection is tried again, more slowly.
        guard case .transport = error else { throw error }
        interval = Swift.min(interval * 2, Self.longestPause)
        continue
      }
      switch declared.members(["error"], of: answer)[0]?.string {
      case "authorization_pending": continue
      case "slow_down": interval = Swift.min(interval + 5, Self.longestPause)
      default:
        try check(answer, declared)
        return try await keep(declared.grant(in: answer, oauth))
      }
    }
    throw refused("expired_token", "nobody entered the code in time")
  }

  private func keep(_ form: [(String, String)]) async throws(SourceError) {
    let declared = try DeclaredClient(source, transport, now: time.now)
    let response = try await declared.post(form, to: oauth.token, oauth, client)
    try check(response, declared)
    try await keep(declared.grant(in: response, oauth))
  }

  private func keep(_ grant: OAuthGrant) async throws(SourceError) {
    do throws(Failure) {
      let claim = try await keeper.claim(source.name)
      defer { claim.release() }
      try claim.replace(grant.stored(for: secret))
    } catch {
      throw .configuration(message: error.message, hint: error.hint ?? "try again")
    }
  }

  /// An answer that is no refusal. Some servers refuse with status 200.
  private func check(_ response: HTTPResponse, _ declared: DeclaredClient) throws(SourceError) {
    let values = declared.members(["error", "error_description"], of: response)
    if let code = values[0]?.string { throw refused(code, values[1]?.string) }
    guard response.isSuccess else { throw declared.error(of: response, response.url) }
  }

  /// The words of RFC 6749 sections 4.1.2.1 and 5.2, and of RFC 8628 section 3.5, as people read them.
  private func refused(_ code: String, _ message: String?) -> SourceError {
    let hint: Advice =
      switch code {
      case "access_denied": "allow it on the page of the server"
      case "invalid_client", "unauthorized_client":
        "check servers.\(source.name).apiKey, the ID:SECRET of the client, and what the server allows it to do"
      case "redirect_uri_mismatch": "allow the client to redirect to http://127.0.0.1/callback"
      default: suggestion
      }
    let said = [code, message].compactMap(\.self).joined(separator: ": ")
    return .missingKey(
      source: source.name, problem: "the login did not work: \(source.tokens.masked(String(said.prefix(300))))",
      hint: hint)
  }

  private var suggestion: Advice { source.suggestions(.logIn(source: source.name.rawValue)) }

  private func noWay(_ member: String) -> SourceError {
    .configuration(
      message: "\(source.name) has no such login", hint: "\"oauth2\" of its definition has no \"\(member)\"")
  }

  /// 256 random bits.
  private func secretText() -> String {
    Self.webSafe((0..<4).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } })
  }

  /// Base64 for addresses, without padding (RFC 7636 appendix A).
  private static func webSafe(_ bytes: [UInt8]) -> String {
    Base64.encoded(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  private static func parameter(_ name: String, of query: String) -> String? {
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts[0] == name else { continue }
      let value = percentDecodedBytes(parts.count > 1 ? parts[1] : "", plusIsSpace: true)
      return String(decoding: value, as: UTF8.self)
    }
    return nil
  }
}
