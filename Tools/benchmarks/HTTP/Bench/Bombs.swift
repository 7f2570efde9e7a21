import AsyncHTTPTransport
import HTTPBenchKit
import Networking
import Ports
import UpstreamKit

/// What hostile answers cost in memory: how far the peak rises above the start for each of them.
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
      } catch { outcome = error.code.rawValue }
      await client.shutdown()
      server.stop()
      let rise = Standard.peakMegabytes - before
      let verdict = rise <= (limit >> 20) + 32 ? "within" : "OVER"
      print("\(name)\t\(outcome)\t+\(rise) MB\t\(verdict) the limit of 64 MB plus 32 MB")
    }
  }
}
