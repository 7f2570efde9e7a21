import AsyncHTTPTransport
import HTTPBenchKit
import Networking
import Ports
import UpstreamKit

/// Measures the transports: `http-bench TRANSPORT URL REQUESTS CONCURRENCY`, one line of tab-separated figures.
///
/// TRANSPORT is `ahc` (AsyncHTTPClient without us), `plug` (our transport around it), `stack` (the daemon's whole stack
/// around the plug). Instead, `bombs` measures the memory that hostile answers cost, `cancels` what
/// racing cancels leave behind, `layers` what each middleware costs; `serve` starts a server for the peers and prints
/// its address.
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

  /// 2 KB of JSON under `/small`, 10 MB under `/large`, until the input ends.
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
