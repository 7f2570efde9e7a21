import AlmanacTesting
import Ports
import Testing
import URLSessionTransport

@Suite struct URLSessionTransportTests {
  static let transport = URLSessionTransport(callTimeout: .seconds(120))

  @Test(.timeLimit(.minutes(10)), arguments: HTTPTransportContract.checks(for: transport.limitations))
  func keepsTheContract(_ check: HTTPTransportContract.Check) async throws {
    try await check(on: Self.transport)
  }

  @Test func namesItsLimits() {
    #if os(Linux)
      #expect(
        Self.transport.limitations
          == [.abandonsOnCancel, .unboundedDecompression, .acceptsBrokenFraming, .noUnixSockets, .noHTTP2])
    #endif
  }
}
