import AlmanacTesting
import Models
import Ports
import Testing
import URLSessionTransport

@Suite struct URLSessionTransportTests {
  static let transport = URLSessionTransport(callTimeout: .seconds(120))

  @Test(.timeLimit(.minutes(10)), arguments: HTTPTransportContract.checks(for: transport.limitations))
  func keepsTheContract(_ check: HTTPTransportContract.Check) async throws { try await check(on: Self.transport) }

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
          == [.abandonsOnCancel, .unboundedDecompression, .acceptsBrokenFraming, .noUnixSockets, .noHTTP2])
    #endif
  }
}
