import AlmanacTesting
import Models
import Ports
import Testing
import URLSessionTransport
import UpstreamKit

@Suite struct URLSessionTransportTests {
  static let transport = URLSessionTransport(callTimeout: .seconds(120))

  @Test(.timeLimit(.minutes(10)), arguments: HTTPTransportContract.checks(for: transport.limitations))
  func keepsTheContract(_ check: HTTPTransportContract.Check) async throws { try await check(on: Self.transport) }

  @Test("an exchange that takes too long ends with its connection", arguments: [HTTPRequest.Method.get, .post])
  func timeoutEndsTheExchange(_ method: HTTPRequest.Method) async throws {
    let server = try LocalServer { _ in .endless([0x20]) }
    defer { server.stop() }
    let hasty = URLSessionTransport(callTimeout: .milliseconds(300))
    let error = await #expect(throws: TransportError.self) {
      try await hasty.send(HTTPRequest(method, server.url + "/"))
    }
    #expect(error?.code == .timeout && error?.mayHaveArrived == true)
    await server.waitForNoConnections()
  }

  @Test("exchanges that are cancelled at any moment, and bodies about as long as the limit, leave nothing behind")
  func endingsAtAnyMoment() async throws {
    let body = [UInt8](repeating: 0x20, count: 20_000)
    let server = try LocalServer { request in
      let framing: [Reply.Framing] = [.contentLength, .chunked(5000), .close]
      return Reply(body: body, framing: framing[request.target.utf8.count % 3])
    }
    defer { server.stop() }
    let url = server.url
    for round in 0..<30 {
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask {
            let limit = [nil, 19_999, 16_384, 1][number % 4]
            var request = HTTPRequest(
              number % 5 == 0 ? .post : .get, url + "/" + String(repeating: "a", count: number), bodyLimit: limit)
            request.body = number % 5 == 0 ? [1] : nil
            let task = Task { [request] in try await Self.transport.send(request) }
            try? await Task.sleep(for: .microseconds((round * 20 + number) * 10))
            if limit == nil { task.cancel() }
            switch await task.result {
            case .success(let response): #expect(limit == nil && response.body.count == 20_000)
            case .failure(let error):
              #expect((error as? TransportError)?.code == (limit == nil ? .cancelled : .tooLarge), "\(error)")
            }
          }
        }
      }
    }
  }

  @Test("a check of a transport that never answers ends, and says so")
  func endlessTransport() async throws {
    struct Endless: HTTPTransport {
      func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        throw TransportError(.timeout, "")
      }
    }
    let error = await #expect(throws: ContractViolation.self) {
      try await HTTPTransportContract.checks[0](on: Endless(), within: .milliseconds(1))
    }
    #expect(error?.description.contains("every status is a response") == true)
  }

  @Test func namesItsLimits() {
    #if os(Linux)
      #expect(
        Self.transport.limitations
          == [.acceptsBrokenFraming, .noUnixSockets, .noHTTP2])
    #endif
  }
}
