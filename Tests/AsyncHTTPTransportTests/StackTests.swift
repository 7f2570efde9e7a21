import AlmanacTesting
import AsyncHTTPTransport
import Dispatch
import Foundation
import Models
import Networking
import Parsing
import Ports
import Synchronization
import Testing
import UpstreamKit

/// The standard stacks around the real transport, against real servers.
@Suite struct StackTests {
  static let stacks: [String: StandardStack] = [
    "CLI": StandardStack(time: ManualTime(), random: SeededRandom()),
    "daemon": StandardStack.service(time: ManualTime(), random: SeededRandom()),
  ]

  @Test(.timeLimit(.minutes(10)), arguments: ["CLI", "daemon"])
  func callerHeadersStayWithTheFirstOrigin(_ name: String) async throws {
    let first = Mutex("")
    let second = try LocalServer { request in
      request.path == "/0" ? .redirect(to: first.withLock { $0 } + "/back", status: 307) : .text("there")
    }
    let server = try LocalServer { request in
      request.path == "/back" ? .text("back") : .redirect(to: second.url + request.path, status: 302)
    }
    first.withLock { $0 = server.url }
    let client = AsyncHTTPTransportTests.transport()
    var settings = try #require(Self.stacks[name])
    // Redirects lead to inner addresses only where the settings name the server.
    settings.servers = [server.url, second.url]
    let stack = settings.transport(over: client)
    let secrets: Ports.HTTPHeaders = ["Authorization": "Bearer t", "Cookie": "a=1", "X-Api-Key": "k"]
    for path in ["/0", "/1"] {
      let answer = try await stack.send(
        HTTPRequest(.get, server.url + path, headers: secrets, validator: HTTPValidator(etag: "\"mine\"")))
      #expect(answer.status == 200 && answer.requests == (path == "/0" ? 3 : 2))
    }
    let leaked = second.requests + server.requests.filter { $0.path == "/back" }
    #expect(leaked.count == 3)
    for request in leaked {
      for name in ["authorization", "cookie", "x-api-key", "if-none-match"] { #expect(request.headers[name] == nil) }
      #expect(request.headers["user-agent"] == "almanac")
    }
    for request in server.requests where request.path != "/back" {
      #expect(request.headers["authorization"] == "Bearer t" && request.headers["if-none-match"] == "\"mine\"")
    }
    await #expect(throws: TransportError.self) {
      try await stack.send(HTTPRequest(.put, server.url + "/1", headers: secrets, body: [1]))
    }
    #expect(second.requestCount == 2)
    await client.shutdown()
    server.stop()
    second.stop()
  }

  @Test(.timeLimit(.minutes(10))) func ofThousandEqualRequestsOneReachesTheServer() async throws {
    let arrived = Mutex(0)
    let gate = DispatchSemaphore(value: 0)
    // The server answers after all requests have started.
    let server = try LocalServer { _ in
      gate.wait()
      return .text("shared")
    }
    let client = AsyncHTTPTransportTests.transport()
    let stack = TransportStack(
      StandardStack(time: SystemTimeSource(), random: SeededRandom()).transport(over: client),
      [Arrivals { arrived.withLock { $0 += 1 } }])
    let answers = try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
      for _ in 0..<1000 { group.addTask { try await stack.send(HTTPRequest(.get, server.url + "/")) } }
      while arrived.withLock({ $0 }) < 1000 { await Task.yield() }
      await server.waitForRequests(1)
      gate.signal()
      return try await group.reduce(into: [HTTPResponse]()) { $0.append($1) }
    }
    #expect(answers.count == 1000 && answers.allSatisfy { $0.body == Array("shared".utf8) })
    #expect(server.requestCount == 1 && answers.reduce(0) { $0 + $1.requests } == 1)
    await client.shutdown()
    server.stop()
  }

  @Test(
    "the transport goes by the address that it connected to", arguments: ["127.0.0.1", "localhost", "127.1", "[::1]"])
  func connected(host: String) async throws {
    let server = try Upstream(UpstreamOptions())
    defer { server.stop() }
    let transport = AsyncHTTPTransport(.init(userAgent: "test"))
    let port = server.url.split(separator: ":").last ?? ""
    let url = "http://\(host):\(port)/people"
    if host != "[::1]" { #expect(try await transport.send(HTTPRequest(.get, url)).status == 200) }
    var request = HTTPRequest(.get, url)
    request.isFromData = true
    let before = server.server.requests.count
    let error = try await #require(throws: TransportError.self) { try await transport.send(request) }
    // Nothing listens at the IPv6 address.
    #expect(error.code == .forbiddenAddress || (host == "[::1]" && error.code == .cannotConnect), "\(error)")
    #expect(!error.mayHaveArrived && error.url == url)
    #expect(server.server.requests.count == before)
    await transport.shutdown()
  }
}

private struct Arrivals: HTTPMiddleware {
  let tell: @Sendable () -> Void

  func intercept(_ request: HTTPRequest, next: @escaping HTTPNext) async throws(TransportError) -> HTTPResponse {
    tell()
    return try await next(request)
  }
}

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

/// A run against a server with faults, recorded, and played back with no server.
@Suite struct RecordedRunTests {
  /// A textual log of all responses and errors of a run.
  static func run(_ transport: any HTTPTransport, _ url: String) async -> [String] {
    var report: [String] = []
    for request in [
      HTTPRequest(.get, url + "/flaky?api_key=verysecret"), HTTPRequest(.get, url + "/moved"),
      HTTPRequest(.get, url + "/cut"), HTTPRequest(.get, url + "/page?b=2&a=1"),
      HTTPRequest(.post, url + "/people", body: Array(#"{"firstName":"A"}"#.utf8)),
      HTTPRequest(.post, url + "/people", body: Array(#"{"firstName":"B"}"#.utf8)),
      HTTPRequest(.get, url + "/slow-down"), HTTPRequest(.get, url + "/gone"), HTTPRequest(.get, url + "/flaky"),
      HTTPRequest(.get, url + "/page?a=1&b=2", validator: HTTPValidator(etag: "\"p\"")),
      HTTPRequest(.get, url + "/picture"),
    ] {
      do {
        let answer = try await transport.send(request)
        report.append(
          "\(answer.status) \(answer.requests) \(answer.headers["ETag"] ?? "-") \(answer.body.count) "
            + String(decoding: answer.body.prefix(200), as: UTF8.self))
      } catch { report.append("\(error.code) \(error.requests) \(error.mayHaveArrived) \(error.description)") }
    }
    return report
  }

  @Test(.timeLimit(.minutes(10))) func givesTheSameReport() async throws {
    let counts = Mutex<[String: Int]>([:])
    let server = try LocalServer { request in
      let count = counts.withLock { counts in
        counts[request.path, default: 0] += 1
        return counts[request.path] ?? 0
      }
      switch request.path {
      case "/flaky": return count < 3 ? .reset : .json(#"{"echo":"\#(request.query("api_key") ?? "none")"}"#)
      case "/moved": return .redirect(to: "/page?a=1&b=2")
      case "/cut": return Reply(body: Array("0123456789".utf8)).truncated(afterBodyBytes: count)
      case "/page":
        return request.headers["if-none-match"] == "\"p\""
          ? Reply(status: 304) : Reply(headers: ["ETag": "\"p\""], body: Array("page".utf8), coding: .gzip)
      case "/people": return .json(request.text, status: count == 1 ? 201 : 409)
      case "/slow-down": return .json("{}", status: 429, headers: ["Retry-After": count == 1 ? "2" : "90"])
      case "/picture": return Reply(headers: ["Content-Type": "image/png"], body: [0x89, 0x50, 0xFF, 0x00])
      default: return .html("<h1>no</h1>", status: 404)
      }
    }
    let network = AsyncHTTPTransportTests.transport()
    let coder = JSONRecordCoder()
    let recorder = HARRecorder(creator: .init(name: "almanac", version: "test"), coder: coder, time: ManualTime())
    var stack = StandardStack(time: ManualTime(), random: SeededRandom())
    stack.recorder = recorder
    let recorded = await Self.run(stack.transport(over: network), server.url)
    await network.shutdown()
    server.stop()

    let recording = recorder.recording()
    #expect(!String(decoding: recording, as: UTF8.self).contains("verysecret"))
    let replay = try HARTransport([HARFile(name: "run.har", bytes: recording)], coder: coder, time: ManualTime())
    stack.recorder = nil
    stack.time = ManualTime()
    stack.random = SeededRandom()
    let replayed = await Self.run(stack.transport(over: replay), server.url)
    #expect(replayed.count == 11)
    for (one, other) in zip(recorded, replayed) {
      // Keys that the server repeated are masked by as many letters.
      #expect(one.replacing("verysecret", with: "xxxxxxxxxx") == other)
    }
  }
}
