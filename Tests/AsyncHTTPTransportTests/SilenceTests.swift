import AlmanacTesting
import AsyncHTTPTransport
import Ports
import Testing
import UpstreamKit

/// What counts as silence, and what does not.
@Suite struct SilenceTests {
  @Test(.timeLimit(.minutes(10)), arguments: [HTTPRequest.Method.get, .put])
  func silenceWithinTheBodyEndsTheCall(_ method: HTTPRequest.Method) async throws {
    let server = try LocalServer { _ in .script([.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .hang]) }
    let transport = AsyncHTTPTransportTests.transport { $0.idleTimeout = .milliseconds(200) }
    do {
      _ = try await transport.send(HTTPRequest(method, server.url + "/", body: method == .put ? [1, 2] : nil))
      Issue.record("answered")
    } catch { #expect(error.code == .timeout && error.mayHaveArrived) }
    await server.waitForNoConnections()
    await transport.shutdown()
    server.stop()
  }

  /// A response in pieces that takes longer than the idle limit, and a request that waits for its connection.
  @Test(.timeLimit(.minutes(10))) func whatMovesOrWaitsForItsTurnIsNotSilent() async throws {
    let body = Array(repeating: UInt8(0x61), count: 30)
    let server = try LocalServer { _ in
      .script([
        .text("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n"),
        .drip(body, piece: 1, milliseconds: 80),
      ])
    }
    let transport = AsyncHTTPTransportTests.transport {
      $0.idleTimeout = .seconds(2)
      $0.connectionsPerHost = 1
    }
    let url = server.url
    async let first = transport.send(HTTPRequest(.get, url + "/1"))
    async let second = transport.send(HTTPRequest(.get, url + "/2"))
    let bodies = try await (first.body, second.body)
    #expect(bodies.0 == body && bodies.1 == body)
    await transport.shutdown()
    server.stop()
  }

  /// The timer is one for all calls, and stops when there are none: the next one must start it again.
  @Test(.timeLimit(.minutes(10))) func everyCallIsWatched() async throws {
    let server = try LocalServer { request in request.path == "/hang" ? .hang : .text("ok") }
    let transport = AsyncHTTPTransportTests.transport { $0.idleTimeout = .milliseconds(100) }
    for number in 0..<3 {
      let url = server.url
      // It may well be late on a busy machine; it only has the timer begin and stop.
      _ = try? await transport.send(HTTPRequest(.get, url + "/"))
      await withTaskGroup(of: TransportError.Code?.self) { group in
        for _ in 0...number {
          group.addTask {
            do throws(TransportError) { _ = try await transport.send(HTTPRequest(.get, url + "/hang")) } catch {
              return error.code
            }
            return nil
          }
        }
        for await code in group { #expect(code == .timeout) }
      }
    }
    await transport.shutdown()
    server.stop()
  }
}
