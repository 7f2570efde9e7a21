import AlmanacTesting
import AsyncHTTPTransport
import Foundation
import Models
import Networking
import Ports
import Testing
import UpstreamKit

@Suite struct CancellationTests {
  /// Cancels that race with the end of the exchange, at every moment of it.
  @Test(.timeLimit(.minutes(10))) func racingCancelsAreClean() async throws {
    let count = ProcessInfo.processInfo.environment["ALMANAC_CANCELS"].flatMap(Int.init) ?? 600
    let body = Array(repeating: UInt8(0x61), count: 20_000)
    let server = try LocalServer(limits: .init(recorded: 0)) { _ in Reply(body: body) }
    let transport = AsyncHTTPTransportTests.transport()
    let stack = StandardStack(time: SystemTimeSource(), random: SeededRandom(seed: 1)).transport(over: transport)
    let random = SeededRandom(seed: 9)
    let clock = ContinuousClock()
    var exchange = Duration.milliseconds(10)
    for _ in 0..<20 {
      let start = clock.now
      _ = try await stack.send(HTTPRequest(.get, server.url + "/"))
      exchange = min(exchange, clock.now - start)
    }
    var outcomes: [String: Int] = [:]
    for number in 0..<count {
      // Half of them through the whole stack, where equal requests are shared.
      let target: any HTTPTransport = number % 2 == 0 ? transport : stack
      let task = Task { try await target.send(HTTPRequest(.get, server.url + "/")) }
      // The delay varies, so that cancellations happen at all stages of an exchange.
      try await Task.sleep(for: exchange * (Double(random.next() % 1000) / 600))
      task.cancel()
      switch await task.result {
      case .success(let response):
        #expect(response.body == body)
        outcomes["answered", default: 0] += 1
      case .failure(let error):
        #expect((error as? TransportError)?.code == .cancelled, "\(error)")
        outcomes["cancelled", default: 0] += 1
      }
    }
    #expect(try await transport.send(HTTPRequest(.get, server.url + "/")).body == body)
    await transport.shutdown()
    await server.waitForNoConnections()
    server.stop()
    print("cancels: \(count), \(outcomes)")
    #expect(outcomes.count == 2)
  }

  /// Calls through the whole stack that are cancelled while they wait for an answer, for a place and for a retry, in a
  /// process of its own: afterwards it holds no connection, no file and no thread more than after a quiet call.
  @Test(.timeLimit(.minutes(10))) func leavesNothingOfTheProcessBehind() async {
    await #expect(processExitsWith: .success) {
      func round(_ calls: Int) async throws {
        let server = try LocalServer { request in
          switch request.path {
          case "/hang": .hang
          case "/busy": .json("{}", status: 503, headers: ["Retry-After": "20"])
          default: .text("ok")
          }
        }
        let client = AsyncHTTPTransportTests.transport()
        let stack = StandardStack(time: SystemTimeSource(), random: SeededRandom(seed: 2)).transport(over: client)
        _ = try await stack.send(HTTPRequest(.get, server.url + "/"))
        for path in ["/hang", "/busy"] {
          let seen = server.requestCount
          let tasks = (0..<calls).map { number in
            Task { try await stack.send(HTTPRequest(.get, server.url + path, headers: ["X-N": String(number)])) }
          }
          await server.waitForRequests(seen + min(calls, 8))
          for task in tasks { task.cancel() }
          for task in tasks {
            switch await task.result {
            // After the retry budget is used up, the response is returned.
            case .success(let answer): try #require(answer.status == 503)
            case .failure(let error): try #require((error as? TransportError)?.code == .cancelled, "\(error)")
            }
          }
        }
        await client.shutdown()
        await server.waitForNoConnections()
        try #require(server.openConnectionCount == 0)
        server.stop()
      }
      // The first round brings the pool's threads and files, which stay.
      try await round(8)
      let before = ProcessUse()
      for _ in 0..<5 { try await round(40) }
      let after = ProcessUse()
      print("cancelled calls: before \(before), after \(after)")
      try #require(after.files <= before.files, "\(before), then \(after)")
      try #require(after.residentKilobytes - before.residentKilobytes < 16 << 10, "\(before), then \(after)")
    }
  }

  @Test(.timeLimit(.minutes(10))) func theCallTimeoutCoversTheBody() async throws {
    let server = try LocalServer { _ in
      .script([
        .text("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"),
        .drip(Array(repeating: 0x61, count: 100_000), piece: 1, milliseconds: 20),
      ])
    }
    let transport = AsyncHTTPTransportTests.transport { $0.callTimeout = .milliseconds(300) }
    let start = ContinuousClock().now
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(HTTPRequest(.get, server.url + "/"))
    }
    #expect(error?.code == .timeout && error?.mayHaveArrived == true)
    #expect(ContinuousClock().now - start < PromisedTime.bound(.seconds(10)))
    await transport.shutdown()
    await server.waitForNoConnections()
    server.stop()
  }
}

@Suite struct SilenceTests {
  @Test(.timeLimit(.minutes(10)), arguments: [HTTPRequest.Method.get, .put], [false, true])
  func silenceEndsTheCall(_ method: HTTPRequest.Method, isWithinTheBody: Bool) async throws {
    let half = Reply.script([.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .hang])
    let server = try LocalServer { _ in isWithinTheBody ? half : .hang }
    let transport = AsyncHTTPTransportTests.transport { $0.idleTimeout = .milliseconds(200) }
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(HTTPRequest(method, server.url + "/", body: method == .put ? [1, 2] : nil))
    }
    #expect(error?.code == .timeout && error?.mayHaveArrived == true)
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

struct ProcessUse: CustomStringConvertible {
  /// Memory that is resident, in KiB.
  let residentKilobytes: Int
  /// The most that was resident at any time, in KiB.
  let peakKilobytes: Int
  let files: Int
  let threads: Int

  init() {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    func number(_ name: String) -> Int {
      status.split(separator: "\n").first { $0.hasPrefix(name) }.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
    residentKilobytes = number("VmRSS:")
    peakKilobytes = number("VmHWM:")
    threads = number("Threads:")
    files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }

  var description: String { "\(residentKilobytes) KiB, \(files) files, \(threads) threads" }
}
