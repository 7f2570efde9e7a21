import AsyncHTTPTransport
import HTTPBenchKit
import Networking
import Ports
import UpstreamKit

/// Cancels that race with the end of the exchange, and what they leave behind: connections, files, memory.
enum Cancels {
  static func run(_ count: Int) async throws {
    let body = Array(repeating: UInt8(0x61), count: 20_000)
    let server = try LocalServer(limits: .init(recorded: 0)) { _ in Reply(body: body) }
    let client = AsyncHTTPTransport(.init(userAgent: "http-bench"))
    let stack = StandardStack(time: SystemTimeSource(), random: SystemRandomSource()).transport(over: client)
    let clock = ContinuousClock()
    var exchange = Duration.seconds(1)
    for _ in 0..<50 {
      let start = clock.now
      _ = try await stack.send(HTTPRequest(.get, server.url + "/"))
      exchange = min(exchange, clock.now - start)
    }
    let (files, memory) = (Standard.openFiles, Standard.peakMegabytes)
    var outcomes: [String: Int] = [:]
    for number in 0..<count {
      let target: any HTTPTransport = number % 2 == 0 ? client : stack
      let task = Task { try await target.send(HTTPRequest(.get, server.url + "/")) }
      try await Task.sleep(for: exchange * Double.random(in: 0..<1.7))
      task.cancel()
      switch await task.result {
      case .success(let answer): outcomes[answer.body == body ? "answered" : "WRONG", default: 0] += 1
      case .failure(let error): outcomes[(error as? TransportError)?.code.rawValue ?? "\(error)", default: 0] += 1
      }
    }
    await client.shutdown()
    await server.waitForNoConnections()
    print(
      "\(count) racing cancels: \(outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" });",
      "open files \(files) before, \(Standard.openFiles) after;", "connections \(server.openConnectionCount);",
      "peak \(memory) MB before, \(Standard.peakMegabytes) MB after")
    server.stop()
  }
}
