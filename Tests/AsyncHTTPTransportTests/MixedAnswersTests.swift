import AlmanacTesting
import AsyncHTTPTransport
import Foundation
import Ports
import Testing
import UpstreamKit

/// Responses of all kinds in sequence on one connection with long reads.
@Suite struct MixedAnswersTests {
  @Test(.timeLimit(.minutes(10))) func comeWhole() async throws {
    let body = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }
    let packed = Reply(headers: ["Content-Encoding": "gzip"], body: Gzip.compress(body))
    let server = try LocalServer(limits: .init(recorded: 0)) { request in
      switch request.path {
      case "/packed": packed
      case "/chunked": Reply(body: body, framing: .chunked(70_000))
      case "/short": Reply(body: Array(body.prefix(100)))
      default: Reply(body: body)
      }
    }
    let transport = AsyncHTTPTransportTests.transport { $0.connectionsPerHost = 1 }
    let begun = ContinuousClock.now
    for path in ["/plain", "/packed", "/chunked", "/short", "/packed", "/plain", "/short", "/chunked", "/packed"] {
      let answer = try await transport.send(HTTPRequest(.get, server.url + path))
      #expect(answer.body == (path == "/short" ? Array(body.prefix(100)) : body), "\(path)")
    }
    // The pool closes a connection after 15 idle seconds, which may pass between two responses on a busy machine.
    if ContinuousClock.now - begun < .seconds(15) { #expect(server.connectionCount == 1) }
    await transport.shutdown()
    server.stop()
  }

  /// In a process of its own, for its peak of memory: as much as may be kept, and 24 MiB more.
  @Test(.timeLimit(.minutes(10))) func aBombBehindALargeAnswerIsBounded() async {
    await #expect(processExitsWith: .success) {
      let body = [UInt8](repeating: 0x61, count: 4 << 20)
      let bomb = Reply.gzipBomb(inflatesTo: 1_000_000_000)
      let server = try LocalServer(limits: .init(recorded: 0)) { $0.path == "/bomb" ? bomb : Reply(body: body) }
      let transport = AsyncHTTPTransportTests.transport { $0.connectionsPerHost = 1 }
      for _ in 0..<3 { _ = try await transport.send(HTTPRequest(.get, server.url + "/")) }
      let before = ProcessUse().peakKilobytes
      do throws(TransportError) {
        _ = try await transport.send(HTTPRequest(.get, server.url + "/bomb", bodyLimit: 32 << 20))
        throw TransportError(.malformed, "the bomb was taken")
      } catch { try #require(error.code == .tooLarge) }
      let rise = ProcessUse().peakKilobytes - before
      try #require(rise < 56 << 10, "+\(rise) KiB")
      await transport.shutdown()
      server.stop()
    }
  }
}
