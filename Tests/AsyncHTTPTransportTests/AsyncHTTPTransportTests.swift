import AlmanacTesting
import AsyncHTTPTransport
import Ports
import Testing

@Suite struct AsyncHTTPTransportTests {
  static func transport(
    _ change: (inout AsyncHTTPTransport.Configuration) -> Void = { _ in }
  ) -> AsyncHTTPTransport {
    var configuration = AsyncHTTPTransport.Configuration(userAgent: "almanac-tests")
    change(&configuration)
    return AsyncHTTPTransport(configuration)
  }

  @Test(.timeLimit(.minutes(10)), arguments: HTTPTransportContract.checks)
  func keepsTheContract(_ check: HTTPTransportContract.Check) async throws {
    let transport = Self.transport()
    do {
      try await check(on: transport)
    } catch {
      await transport.shutdown()
      throw error
    }
    await transport.shutdown()
  }

  @Test func hasNoLimits() async {
    let transport = Self.transport()
    #expect(transport.limitations.isEmpty)
    await transport.shutdown()
  }
}
