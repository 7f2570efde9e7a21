import AsyncHTTPTransport
import HTTPBenchKit
import Networking
import Ports
import UpstreamKit

/// Measures the transports: `http-bench TRANSPORT URL REQUESTS CONCURRENCY` prints one line of tab-separated figures.
///
/// TRANSPORT is `ahc` (AsyncHTTPClient alone), `plug` (our transport with it) or `stack` (the middlewares of the daemon
/// around that). Other commands: `bombs` measures the memory for hostile responses, `cancels` measures what remains
/// after racing cancellations, `layers` measures the cost of each middleware, and `serve` starts a server for the peers
/// and prints its URL.
@main
struct HTTPBench {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "serve": try serve()
    case "bombs": try await Bombs.run()
    case "cancels": try await Cancels.run(arguments.dropFirst().first.flatMap(Int.init) ?? 12_000)
    case "layers": try await Layers.run(arguments.dropFirst().first.flatMap(Int.init) ?? 20_000)
    case let name? where arguments.count == 4:
      let words = Array(arguments)
      guard let requests = Int(words[2]), let concurrency = Int(words[3]) else { fallthrough }
      try await Load(name: name, url: words[1], requests: requests, concurrency: concurrency).run()
    default:
      print(
        """
        usage: http-bench ahc|plug|stack URL REQUESTS CONCURRENCY
               http-bench bombs | cancels [COUNT] | layers [COUNT] | serve
        """)
    }
  }

  /// Serves 2 KB of JSON under `/small` and 10 MB under `/large` until standard input ends.
  private static func serve() throws {
    let small = Reply.json(#"{"data":""# + String(repeating: "x", count: 2000) + #""}"#)
    let large = Reply(body: Array(repeating: 0x61, count: 10_000_000))
    let server = try LocalServer(limits: .init(recorded: 0)) { $0.path == "/large" ? large : small }
    print(server.url)
    Standard.flush()
    while readLine() != nil {}
    server.stop()
  }
}

/// Measures the peak memory for hostile responses.
enum Bombs {
  static func run() async throws {
    let bombs: [(String, Reply)] = [
      ("endless body", .endless()), ("endless gzip", .endlessGzip()),
      ("gzip bomb of 1 GB", .gzipBomb(inflatesTo: 1_000_000_000)),
      ("gzip bomb in a gzip bomb", .gzipBomb(inflatesTo: 1_000_000_000, layers: 2)),
      (
        "endless headers",
        .script([.text("HTTP/1.1 200 OK\r\n"), .writeRepeatedly(Array("X-A: aaaaaaaa\r\n".utf8), times: nil)])
      ),
      (
        "endless header",
        .script([.text("HTTP/1.1 200 OK\r\nX: "), .writeRepeatedly(Array(repeating: 0x61, count: 4096), times: nil)])
      ),
      (
        "endless chunk size",
        .script([
          .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
          .writeRepeatedly(Array(repeating: 0x30, count: 4096), times: nil),
        ])
      ),
    ]
    let limit = 64 << 20
    for (name, reply) in bombs {
      let server = try LocalServer(limits: .init(recorded: 0)) { _ in reply }
      let client = AsyncHTTPTransport(.init(userAgent: "http-bench"))
      var stack = StandardStack(time: SystemTimeSource(), random: SystemRandomSource())
      stack.retry = nil
      let before = Standard.peakMegabytes
      var outcome = "accepted"
      do {
        let answer = try await stack.transport(over: client).send(HTTPRequest(.get, server.url + "/"))
        outcome = "accepted \(answer.body.count) bytes"
      } catch { outcome = "\(error.code)" }
      await client.shutdown()
      server.stop()
      let rise = Standard.peakMegabytes - before
      let verdict = rise <= (limit >> 20) + 32 ? "within" : "OVER"
      print("\(name)\t\(outcome)\t+\(rise) MB\t\(verdict) the limit of 64 MB plus 32 MB")
    }
  }
}

/// Measures the connections, files and memory that remain after cancellations at the end of exchanges.
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
      case .failure(let error): outcomes[(error as? TransportError).map { "\($0.code)" } ?? "\(error)", default: 0] += 1
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
