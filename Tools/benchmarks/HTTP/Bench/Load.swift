import AsyncHTTPTransport
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
    let transport: any HTTPTransport =
      switch name {
      case "stack": stack(client)
      case "urlsession": URLSessionTransport()
      default: client
      }
    _ = try await transport.send(HTTPRequest(.get, url))
    let start = ContinuousClock().now
    let processor = Standard.processorTime
    let bytes = try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<concurrency {
        group.addTask {
          var bytes = 0
          for number in stride(from: worker, to: requests, by: concurrency) {
            // The header keeps equal requests from being joined: each of them is to be made.
            let request = HTTPRequest(.get, url, headers: ["X-Number": String(number)])
            bytes += try await transport.send(request).body.count
          }
          return bytes
        }
      }
      return try await group.reduce(0, +)
    }
    let seconds = (ContinuousClock().now - start) / .seconds(1)
    let cost = (Standard.processorTime - processor) / Double(requests) * 1_000_000
    await client.shutdown()
    print(
      [
        name, String(concurrency), String(Int(Double(requests) / seconds)),
        String(Int(Double(bytes) / seconds / 1_000_000)), String(Int(cost)), String(Standard.peakMegabytes),
      ].joined(separator: "\t"))
  }

  private var configuration: AsyncHTTPTransport.Configuration {
    var configuration = AsyncHTTPTransport.Configuration(userAgent: "http-bench")
    configuration.connectionsPerHost = max(8, concurrency)
    return configuration
  }

  private func stack(_ client: AsyncHTTPTransport) -> any HTTPTransport {
    var stack = StandardStack.service(time: SystemTimeSource(), random: SystemRandomSource(), events: Quiet())
    stack.requestsPerHost = max(8, concurrency)
    stack.secrets = ["not-in-any-request"]
    return stack.transport(over: client)
  }
}

/// Takes events and does nothing with them.
private struct Quiet: EventSink {
  func report(_ event: Event) {}
}
