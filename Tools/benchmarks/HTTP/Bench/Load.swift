import AsyncHTTPClient
import AsyncHTTPTransport
import HTTPBenchKit
import NIOCore
import NIOHTTP1
import Networking
import Ports

/// A number of requests with a given concurrency.
struct Load: Sendable {
  let name: String
  let url: String
  let requests: Int
  let concurrency: Int

  func run() async throws {
    let client = AsyncHTTPTransport(configuration)
    let bare = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: bareConfiguration)
    let transport: any HTTPTransport = name == "stack" ? stack(client) : client
    try await Exchanges(name: name, requests: requests, concurrency: concurrency).measure { number in
      // The header prevents equal requests from being merged, because each one has to be sent.
      guard name == "ahc" else {
        return try await transport.send(Ports.HTTPRequest(.get, url, headers: ["X-Number": String(number)])).body.count
      }
      var request = HTTPClientRequest(url: url)
      request.headers.add(name: "X-Number", value: String(number))
      let response = try await bare.execute(request, timeout: .seconds(120))
      return try await response.body.collect(upTo: 64 << 20).readableBytes
    }
    await client.shutdown()
    try await bare.shutdown()
  }

  private var connections: Int { max(8, concurrency) }

  private var configuration: AsyncHTTPTransport.Configuration {
    var configuration = AsyncHTTPTransport.Configuration(userAgent: "http-bench")
    configuration.connectionsPerHost = connections
    return configuration
  }

  private var bareConfiguration: HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
    return configuration
  }

  private func stack(_ client: AsyncHTTPTransport) -> any HTTPTransport {
    var stack = StandardStack.service(time: SystemTimeSource(), random: SystemRandomSource(), events: Quiet())
    stack.requestsPerHost = connections
    stack.secrets = ["not-in-any-request"]
    return stack.transport(over: client)
  }
}

struct Quiet: EventSink {
  func report(_ event: Event) {}
}

/// Measures the cost of each middleware in the daemon's stack, by adding them one by one, from the innermost, to a
/// transport that responds immediately.
enum Layers {
  static func run(_ count: Int) async throws {
    let time = SystemTimeSource()
    let redaction = Redaction(secrets: ["not-in-any-request"])
    let layers: [(String, any HTTPMiddleware)] = [
      ("EventReporting", EventReporting(to: Quiet(), time: time, redaction: redaction)),
      ("RateBudgetMiddleware", RateBudgetMiddleware(InMemoryBudgetLedger(), time: time, redaction: redaction)),
      ("ConcurrencyLimit", ConcurrencyLimit(perHost: 8)),
      ("CircuitBreaker", CircuitBreaker(time: time, redaction: redaction)),
      ("ExchangeRules", ExchangeRules(userAgent: "http-bench", redaction: redaction)),
      ("Redirects", Redirects(redaction: redaction)),
      ("Retry", Retry(.patient, time: time, random: SystemRandomSource(), redaction: redaction)),
      ("SingleFlight", SingleFlight()),
    ]
    var inside: [any HTTPMiddleware] = []
    var before = try await cost(inside, count)
    print("no middleware\t\(before) ns")
    for (name, layer) in layers {
      inside.insert(layer, at: 0)
      let now = try await cost(inside, count)
      print("\(name)\t+\(now - before) ns")
      before = now
    }
    print("the whole stack\t\(before) ns")
    var standard = StandardStack.service(time: time, random: SystemRandomSource(), events: Quiet())
    standard.secrets = ["not-in-any-request"]
    print("as StandardStack builds it for the daemon\t\(try await cost(standard.transport(over: Instant()), count)) ns")
  }

  /// The processor time of one request in nanoseconds. The minimum of five runs, because interference only adds time.
  @concurrent private static func cost(_ middlewares: [any HTTPMiddleware], _ count: Int) async throws -> Int {
    try await cost(TransportStack(Instant(), middlewares), count)
  }

  @concurrent private static func cost(_ stack: TransportStack, _ count: Int) async throws -> Int {
    var best = Double.infinity
    for _ in 0..<5 {
      let start = Standard.processorTime
      for number in 0..<count {
        _ = try await stack.send(
          HTTPRequest(.get, "http://127.0.0.1:8080/small?page=1", headers: ["X-Number": String(number)]))
      }
      best = min(best, Standard.processorTime - start)
    }
    return Int(best / Double(count) * 1_000_000_000)
  }
}

/// Responds immediately, like a server of JSON.
private struct Instant: HTTPTransport {
  private static let body = [UInt8](repeating: 0x78, count: 2000)

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: [
        "Server": "nginx", "Date": "Sat, 21 Nov 2026 09:00:00 GMT", "Content-Type": "application/json",
        "Content-Length": "2000", "Last-Modified": "Sat, 21 Nov 2026 08:00:00 GMT", "Connection": "keep-alive",
        "ETag": "\"6740\"", "Accept-Ranges": "bytes",
      ],
      body: Self.body, url: request.url)
  }
}
