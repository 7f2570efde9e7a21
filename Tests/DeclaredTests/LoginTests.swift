import AlmanacTesting
import Declared
import Foundation
import Models
import Parsing
import Ports
import Synchronization
import Testing

/// An authorization server in memory, and the browser of a person who uses it.
private final class AuthorizationServer: HTTPTransport, RedirectReceiver {
  struct State {
    /// What each request for tokens of a device is answered with, in order: an error, or nothing for tokens.
    var errors: [String?] = []
    /// The parameters of the page that the person saw.
    var page: [String: String] = [:]
    /// What the browser comes back with.
    var redirects: [String]?
    var requests: [[String: String]] = []
    var basic: [String?] = []
    /// How often a client asks whether the code was entered, and how long.
    var device = #""interval": 2, "expires_in": 60"#
    /// Members of the answer besides the access token.
    var members = #", "refresh_token": "refresh-secret-1", "expires_in": 3600"#
    /// Whether errors have status 200, as those of GitHub do.
    var isPolite = false
  }

  let state = Mutex(State())
  let address = "http://127.0.0.1:7/callback"

  func query(where isMeant: @Sendable (String) -> Bool) async throws(Failure) -> String {
    let page = state.withLock(\.page)
    let redirects =
      state.withLock(\.redirects) ?? [
        "code=code-of-once&state=other", "code=code-of-once&state=\(page["state"] ?? "")",
      ]
    for query in redirects where isMeant(query) { return query }
    throw Failure(.config, .tryLater, "nobody logged in")
  }

  static func form(_ text: String) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: text.split(separator: "&").map { pair in
        let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1].removingPercentEncoding ?? "" : "")
      })
  }

  func open(_ prompt: LoginPrompt) {
    guard case .open(let url) = prompt else { return }
    state.withLock { $0.page = Self.form(String(url.split(separator: "?", maxSplits: 1)[1])) }
  }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    state.withLock { state in
      func answer(_ status: Int, _ body: String) -> HTTPResponse {
        HTTPResponse(body, status: status, url: request.url)
      }
      guard request.method == .post else {
        let isValid = request.headers["Authorization"] == "Bearer access-secret-1"
        return answer(isValid ? 200 : 401, #"{"items": []}"#)
      }
      let form = Self.form(String(decoding: request.body ?? [], as: UTF8.self))
      state.requests.append(form)
      state.basic.append(request.headers["Authorization"])
      if request.url.hasSuffix("/device") {
        return answer(
          200,
          """
          {"device_code": "device-secret", "user_code": "WDJB-MJHT", "verification_uri": "https://shop.example/d",
           \(state.device)}
          """)
      }
      if let error = state.errors.isEmpty ? nil : state.errors.removeFirst() {
        return answer(
          state.isPolite ? 200 : 400, #"{"error": "\#(error)", "error_description": "code-of-once is wrong"}"#)
      }
      return answer(200, #"{"access_token": "access-secret-1", "token_type": "bearer"\#(state.members)}"#)
    }
  }
}

@Suite("Declared sources: logins")
struct LoginTests {
  private let server = AuthorizationServer()
  private let keeper = MemoryKeeper()
  private let time = ManualTime()

  private func source(_ keeper: (any TokenKeeper)? = nil, key: String = "app:s3cret/+") throws -> DeclaredSource {
    let auth = #"""
      "auth": {"oauth2": {"token": "https://shop.example/token", "authorize": "https://shop.example/login?prompt=consent",
      "device": "https://shop.example/device", "scope": "read write"}},
      """#
    return try .shop(auth, key: key, keeper: keeper ?? self.keeper)
  }

  private func login(
    _ source: DeclaredSource? = nil, onDevice: Bool = false, over transport: (any HTTPTransport)? = nil
  ) async throws -> SourceError? {
    let source = try source ?? self.source()
    do throws(SourceError) {
      let login = try DeclaredLogin(
        to: source, transport: transport ?? server, time: time, random: SeededRandom(seed: 1))
      if onDevice {
        try await login.onDevice { _ in }
      } else {
        try await login.inBrowser(server) { server.open($0) }
      }
      return nil
    } catch {
      return error
    }
  }

  private func pull(_ source: DeclaredSource, at seconds: Int = 0) async throws -> SourceError? {
    try await source.failure(over: server, at: time.now + seconds)
  }

  @Test("in the browser: the code is exchanged with the proof, and pulls use the tokens")
  func browser() async throws {
    let before = try await pull(source())
    #expect(
      before?.failure.reason == .denied && before?.failure.hint == "log in to shop", "\(String(describing: before))")
    #expect(try await login() == nil)
    let page = server.state.withLock(\.page)
    #expect(page["response_type"] == "code" && page["client_id"] == "app" && page["scope"] == "read write")
    #expect(page["prompt"] == "consent" && page["code_challenge_method"] == "S256")
    let form = try #require(server.state.withLock(\.requests).first)
    #expect(form["code"] == "code-of-once" && form["redirect_uri"] == server.address)
    let verifier = try #require(form["code_verifier"])
    #expect(verifier.count == 43 && verifier != page["state"])
    // RFC 7636 section 4.6.
    let digest = SHA256.bytes(verifier.utf8)
    let challenge = try #require(page["code_challenge"]).replacing("-", with: "+").replacing("_", with: "/") + "="
    #expect(Base64.decoded(challenge) == digest)
    // RFC 6749 section 2.3.1: each part is form-encoded before the pair is made.
    #expect(server.state.withLock(\.basic) == ["Basic \(Base64.encoded(Array("app:s3cret%2F%2B".utf8)))"])
    #expect(keeper.stored?.refresh == "refresh-secret-1")
    #expect(try await pull(source()) == nil)
    #expect(server.state.withLock(\.requests.count) == 1)
    #expect(try await pull(source(), at: 4000) == nil)
    #expect(server.state.withLock { $0.requests.last?["refresh_token"] } == "refresh-secret-1")
    // Tokens of another client are of no use.
    #expect(try await pull(source(key: "other:s3cret"))?.failure.reason == .denied)
  }

  @Test(
    "a redirect with another state, a refusal or no code stores nothing",
    arguments: [
      ["code=code-of-once&state=other", "code=code-of-once"], ["error=access_denied&state=STATE"], ["state=STATE"], [],
    ])
  func refusals(redirects: [String]) async throws {
    let held = AuthorizationServer()
    let source = try source()
    let error: SourceError?
    do throws(SourceError) {
      try await DeclaredLogin(to: source, transport: held, time: time, random: SeededRandom(seed: 1)).inBrowser(held) {
        held.open($0)
        held.state.withLock { state in
          state.redirects = redirects.map { $0.replacing("STATE", with: state.page["state"] ?? "") }
        }
      }
      error = nil
    } catch let failure { error = failure }
    #expect(error?.failure.reason == .denied, "\(String(describing: error))")
    #expect(keeper.stored == nil && held.state.withLock(\.requests).isEmpty)
  }

  @Test("with a code: the server decides how often it is asked, and the client names itself", arguments: [true, false])
  func device(isPolite: Bool) async throws {
    server.state.withLock {
      $0.errors = ["authorization_pending", "slow_down", "authorization_pending"]
      $0.isPolite = isPolite
    }
    #expect(try await login(source(key: "app"), onDevice: true) == nil)
    #expect(time.sleeps == [2, 2, 7, 7].map { .seconds($0) })
    let requests = server.state.withLock(\.requests)
    #expect(requests[0] == ["scope": "read write", "client_id": "app"])
    #expect(requests.dropFirst().allSatisfy { $0["device_code"] == "device-secret" && $0["client_id"] == "app" })
    #expect(server.state.withLock(\.basic).allSatisfy { $0 == nil })
    #expect(try await pull(source(key: "app")) == nil)
  }

  @Test(
    "with a code: a refusal, and a code that nobody entered, end the login",
    arguments: [["access_denied"], ["expired_token"], Array(repeating: "authorization_pending", count: 100)])
  func deviceRefusals(errors: [String]) async throws {
    server.state.withLock { $0.errors = errors }
    let error = try await login(onDevice: true)
    #expect(error?.failure.message.contains(errors[0] == "access_denied" ? errors[0] : "expired_token") == true)
    #expect(keeper.stored == nil)
    #expect(time.sleeps.count <= 30)
  }

  @Test("with a code: any numbers that a server names", arguments: ExtremeNumbers.json)
  func numbers(json: String) async throws {
    let server = server
    server.state.withLock {
      $0.device = #""interval": \#(json), "expires_in": \#(json)"#
      $0.errors = ["authorization_pending", "slow_down", "slow_down"]
    }
    _ = try await login(onDevice: true)
    let lost = ScriptedTransport { (request, _) throws(TransportError) in
      guard request.url.hasSuffix("/device") else { throw TransportError(.connectionLost, "lost", url: request.url) }
      return try await server.send(request)
    }
    #expect(try await login(onDevice: true, over: lost) != nil)
    #expect(time.sleeps.allSatisfy { $0 >= .seconds(1) && $0 <= .seconds(600) })
    server.state.withLock {
      $0.members = #", "refresh_token": "refresh-secret-1", "expires_in": \#(json)"#
      $0.errors = []
    }
    #expect(try await login() == nil)
    _ = try await pull(source())
  }

  @Test("a server that gives neither a refresh token nor an end: the token is used until it is refused")
  func endless() async throws {
    server.state.withLock { $0.members = "" }
    #expect(try await login() == nil)
    #expect(try await pull(source(), at: 1 << 30) == nil)
    let claim = try await keeper.claim(SourceName(rawValue: "shop"))
    try claim.replace(StoredTokens(key: #require(claim.tokens?.key), refresh: "", access: "old", end: time.now + 100))
    claim.release()
    #expect(try await pull(source())?.failure.message.contains("does not accept the access token any more") == true)
  }

  @Test("errors contain neither codes nor tokens")
  func errors() async throws {
    server.state.withLock { $0.errors = ["invalid_grant"] }
    let message = try await login()?.failure.message ?? ""
    #expect(message.contains("invalid_grant") && !message.contains("code-of-once"), "\(message)")
  }

  @Test("a login that is killed at any step leaves the tokens before, or the new ones")
  func kills() async throws {
    let shop = SourceName(rawValue: "shop")
    var outcomes: [String] = []
    for steps in 1...8 {
      let keeper = MemoryKeeper()
      let old = StoredTokens(key: "k", refresh: "old", access: "old", end: time.now)
      let claim = try await keeper.claim(shop)
      try claim.replace(old)
      claim.release()
      let kill = Kill(after: steps)
      let error = try await login(
        source(MemoryKeeper.Killed(keeper: keeper, kill: kill)), over: KilledTransport(inner: server, kill: kill))
      outcomes.append("\(keeper.stored?.refresh ?? "none") \(error == nil)")
    }
    #expect(Set(outcomes) == ["old false", "refresh-secret-1 false", "refresh-secret-1 true"], "\(outcomes)")
  }
}
