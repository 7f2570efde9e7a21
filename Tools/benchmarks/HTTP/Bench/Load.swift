import AsyncHTTPClient
import AsyncHTTPTransport
import HTTPBenchKit
import NIOCore
import NIOHTTP1
import Networking
import Ports

/// So many requests, so many at a time.
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
      // The header keeps equal requests from being joined: each of them is to be made.
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

/// Takes events and does nothing with them.
struct Quiet: EventSink {
  func report(_ event: Event) {}
}
