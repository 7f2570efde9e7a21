import AlmanacTesting
import AsyncHTTPTransport
import Dispatch
import Networking
import Ports
import Synchronization
import Testing
import UpstreamKit

/// The standard stacks around the real transport, against real servers.
@Suite struct StackTests {
  static let stacks: [String: StandardStack] = [
    "CLI": StandardStack(time: ManualTime(), random: SeededRandom()),
    "daemon": StandardStack.service(time: ManualTime(), random: SeededRandom()),
  ]

  @Test(.timeLimit(.minutes(10)), arguments: ["CLI", "daemon"])
  func callerHeadersStayWithTheFirstOrigin(_ name: String) async throws {
    let first = Mutex("")
    let second = try LocalServer { request in
      request.path == "/0" ? .redirect(to: first.withLock { $0 } + "/back", status: 307) : .text("there")
    }
    let server = try LocalServer { request in
      request.path == "/back" ? .text("back") : .redirect(to: second.url + request.path, status: 302)
    }
    first.withLock { $0 = server.url }
    let client = AsyncHTTPTransportTests.transport()
    let stack = try #require(Self.stacks[name]).transport(over: client)
    let secrets: Ports.HTTPHeaders = ["Authorization": "Bearer t", "Cookie": "a=1", "X-Api-Key": "k"]
    for path in ["/0", "/1"] {
      let answer = try await stack.send(
        HTTPRequest(.get, server.url + path, headers: secrets, validator: HTTPValidator(etag: "\"mine\"")))
      #expect(answer.status == 200 && answer.requests == (path == "/0" ? 3 : 2))
    }
    let leaked = second.requests + server.requests.filter { $0.path == "/back" }
    #expect(leaked.count == 3)
    for request in leaked {
      for name in ["authorization", "cookie", "x-api-key", "if-none-match"] { #expect(request.headers[name] == nil) }
      #expect(request.headers["user-agent"] == "almanac")
    }
    for request in server.requests where request.path != "/back" {
      #expect(request.headers["authorization"] == "Bearer t" && request.headers["if-none-match"] == "\"mine\"")
    }
    await #expect(throws: TransportError.self) {
      try await stack.send(HTTPRequest(.put, server.url + "/1", headers: secrets, body: [1]))
    }
    #expect(second.requestCount == 2)
    await client.shutdown()
    server.stop()
    second.stop()
  }

  @Test(.timeLimit(.minutes(10))) func ofThousandEqualRequestsOneReachesTheServer() async throws {
    let arrived = Mutex(0)
    let gate = DispatchSemaphore(value: 0)
    // The server answers after all requests have started.
    let server = try LocalServer { _ in
      gate.wait()
      return .text("shared")
    }
    let client = AsyncHTTPTransportTests.transport()
    let stack = TransportStack(
      StandardStack(time: SystemTimeSource(), random: SeededRandom()).transport(over: client),
      [Arrivals { arrived.withLock { $0 += 1 } }])
    let answers = try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
      for _ in 0..<1000 { group.addTask { try await stack.send(HTTPRequest(.get, server.url + "/")) } }
      while arrived.withLock({ $0 }) < 1000 { await Task.yield() }
      await server.waitForRequests(1)
      gate.signal()
      return try await group.reduce(into: [HTTPResponse]()) { $0.append($1) }
    }
    #expect(answers.count == 1000 && answers.allSatisfy { $0.body == Array("shared".utf8) })
    #expect(server.requestCount == 1 && answers.reduce(0) { $0 + $1.requests } == 1)
    await client.shutdown()
    server.stop()
  }

  @Test(.timeLimit(.minutes(10)), arguments: ["CLI", "daemon"])
  func faultsAreRetriedAndLimitsAreKept(_ name: String) async throws {
    let count = Mutex(0)
    let server = try LocalServer { request in
      let number = count.withLock {
        $0 += 1
        return $0
      }
      switch (request.path, number % 3) {
      case ("/flaky", 1): return .reset
      case ("/flaky", 2): return .json("{}", status: 503, headers: ["Retry-After": "1"])
      case ("/bomb", _): return .gzipBomb(inflatesTo: 20_000_000)
      default: return .text("fine")
      }
    }
    let client = AsyncHTTPTransportTests.transport { $0.bodyLimit = 1 << 20 }
    let stack = try #require(Self.stacks[name]).transport(over: client)
    let answer = try await stack.send(HTTPRequest(.get, server.url + "/flaky"))
    #expect(answer.body == Array("fine".utf8) && answer.requests == 3)
    do {
      _ = try await stack.send(HTTPRequest(.get, server.url + "/bomb"))
      Issue.record("taken")
    } catch { #expect(error.code == .tooLarge && error.requests == 1) }
    await client.shutdown()
    server.stop()
  }
}

/// Reports every request.
private struct Arrivals: HTTPMiddleware {
  let tell: @Sendable () -> Void

  func intercept(_ request: HTTPRequest, next: @escaping HTTPNext) async throws(TransportError) -> HTTPResponse {
    tell()
    return try await next(request)
  }
}
