import AlmanacTesting
import Declared
import Models
import Parsing
import Ports
import Synchronization
import Testing

/// A server whose refresh tokens are valid once, as RFC 9700 section 4.14.2 advises.
private final class TokenServer: HTTPTransport {
  struct State {
    var generation = 0
    var requests: [String] = []
    /// Access tokens that were used before their refresh token was stored.
    var early = 0
    var ends = 3600
    var message = "no"
    var isEndedEarly = false
  }

  let state = Mutex(State())
  let keeper: MemoryKeeper

  init(_ keeper: MemoryKeeper) { self.keeper = keeper }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let stored = keeper.stored
    return state.withLock { state in
      let body = String(decoding: request.body ?? [], as: UTF8.self)
      state.requests.append("\(request.url.split(separator: "/").last ?? "") \(body)")
      guard request.url.hasSuffix("/token") else {
        let isValid = request.headers["Authorization"] == "Bearer access-\(state.generation)" && !state.isEndedEarly
        if stored?.refresh != "refresh-\(state.generation)", state.generation > 0 { state.early += 1 }
        state.isEndedEarly = false
        return answer(isValid ? 200 : 401, isValid ? #"{"items": []}"# : #"{"message": "\#(state.message)"}"#)
      }
      guard
        body.contains("refresh_token=refresh-\(state.generation)&") || body.hasSuffix("=refresh-\(state.generation)")
      else { return answer(400, #"{"error": "invalid_grant", "error_description": "refresh-0 was used"}"#) }
      state.generation += 1
      let n = state.generation
      return answer(
        200, #"{"access_token": "access-\#(n)", "refresh_token": "refresh-\#(n)", "expires_in": \#(state.ends)}"#)
    }
  }

  private func answer(_ status: Int, _ body: String) -> HTTPResponse {
    HTTPResponse(body, status: status)
  }
}

/// Tokens in memory. A process that is killed stores nothing more.
final class MemoryKeeper: TokenKeeper {
  private let state = Mutex<(tokens: StoredTokens?, isClaimed: Bool)>((nil, false))
  var stored: StoredTokens? { state.withLock { $0.tokens } }

  func claim(_ source: SourceName) async throws(Failure) -> any ClaimedTokens { await claim(Kill(after: nil)) }

  func claim(_ kill: Kill) async -> any ClaimedTokens {
    while !state.withLock({ state in
      defer { state.isClaimed = true }
      return !state.isClaimed
    }) { await Task.yield() }
    return Claim(keeper: self, kill: kill)
  }

  struct Claim: ClaimedTokens {
    let keeper: MemoryKeeper
    let kill: Kill
    var tokens: StoredTokens? { keeper.stored }

    func replace(_ tokens: StoredTokens) throws(Failure) {
      guard kill.step() else { throw Failure(.config, .cannotCreate, "the process was killed") }
      keeper.state.withLock { $0.tokens = tokens }
      guard kill.step() else { throw Failure(.config, .cannotCreate, "the process was killed") }
    }

    func release() { keeper.state.withLock { $0.isClaimed = false } }
  }

  struct Killed: TokenKeeper {
    let keeper: MemoryKeeper
    let kill: Kill
    func claim(_ source: SourceName) async throws(Failure) -> any ClaimedTokens { await keeper.claim(kill) }
  }
}

@Suite("Declared sources: refresh tokens")
struct RefreshTokenTests {
  private let keeper = MemoryKeeper()
  private let server: TokenServer

  init() { server = TokenServer(keeper) }

  private func source(_ keeper: (any TokenKeeper)? = nil, key: String = "app:s3cret:refresh-0") throws -> DeclaredSource
  {
    let auth = #""auth": {"kind": "oauth2", "grant": "refresh", "token": "https://shop.example/token"},"#
    return try .shop(auth, key: key, keeper: keeper ?? self.keeper)
  }

  private func pull(
    _ source: DeclaredSource, _ transport: (any HTTPTransport)? = nil, at seconds: Int = 0
  ) async throws -> SourceError? {
    try await source.failure(over: transport ?? server, at: Timestamp(secondsSinceEpoch: seconds))
  }

  @Test("the refresh token is sent once, and later processes use the stored one")
  func rotation() async throws {
    #expect(try await pull(source()) == nil)
    #expect(try await pull(source()) == nil)
    #expect(
      server.state.withLock { $0.requests } == [
        "token grant_type=refresh_token&refresh_token=refresh-0", "items ", "items ",
      ])
    #expect(try await pull(source(), at: 4000) == nil)
    #expect(server.state.withLock { $0.generation } == 2)
    #expect(keeper.stored?.refresh == "refresh-2")
    #expect(server.state.withLock { $0.early } == 0)
  }

  @Test("a token that ends early is replaced once, and the request is sent again")
  func endedEarly() async throws {
    let shop = try source()
    #expect(try await pull(shop) == nil)
    server.state.withLock { $0.isEndedEarly = true }
    #expect(try await pull(shop) == nil)
    #expect(server.state.withLock { $0.generation } == 2)
  }

  @Test("several tasks ask for one token")
  func concurrent() async throws {
    let sources = [try source(), try source()]
    let errors = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<10 {
        group.addTask { (try? await pull(sources[index % 2])) ?? nil != nil }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(errors == 0)
    #expect(server.state.withLock { $0.generation } == 1)
  }

  @Test("killed at any step: no access token is used before its refresh token is stored")
  func kills() async throws {
    var lost: [Int] = []
    for steps in 1...8 {
      let keeper = MemoryKeeper()
      let server = TokenServer(keeper)
      let kill = Kill(after: steps)
      _ = try await pull(
        source(MemoryKeeper.Killed(keeper: keeper, kill: kill)), KilledTransport(inner: server, kill: kill))
      let error = try await pull(source(keeper), server)
      #expect(server.state.withLock { $0.early } == 0, "killed after \(steps)")
      if error != nil {
        #expect(error?.failure.hint?.hasPrefix("authorize again") == true, "\(String(describing: error))")
        lost.append(steps)
      }
    }
    // The server had replaced the token, and its answer was not stored.
    #expect(lost == [2, 3])
  }

  @Test("another key in the settings takes the place of what was stored")
  func otherKey() async throws {
    #expect(try await pull(source()) == nil)
    server.state.withLock { $0.generation = 7 }
    #expect(try await pull(source(key: "app::refresh-7")) == nil)
    #expect(server.state.withLock { $0.requests.last { $0.hasPrefix("token") } }?.hasSuffix("client_id=app") == true)
    #expect(keeper.stored?.refresh == "refresh-8")
  }

  @Test("errors name neither tokens nor the client's secret")
  func errors() async throws {
    let shop = try source()
    #expect(try await pull(shop) == nil)
    server.state.withLock {
      $0.generation = 9
      $0.message = "access-1, access-2, refresh-1 and s3cret are wrong"
    }
    let refused = try await pull(shop)
    #expect(refused?.failure.message.contains("the server does not accept the refresh token") == true)
    #expect(refused?.failure.message.contains("refresh-0") == false, "\(refused?.failure.message ?? "")")
    let short = try await pull(source(key: "app:refresh-0"))
    #expect(short?.failure.message.contains("the key is not ID:SECRET:REFRESHTOKEN") == true)
  }
}
