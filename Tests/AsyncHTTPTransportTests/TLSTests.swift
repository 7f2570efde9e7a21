import AsyncHTTPTransport
import Ports
import Testing
import URLSessionTransport

@Suite(.enabled(if: TestAuthority.program != nil, "the openssl program is needed to make certificates"))
struct TLSTests {
  @Test(.timeLimit(.minutes(10))) func refusesWhatCannotBeTrusted() async throws {
    let authority = try TestAuthority()
    let other = try TestAuthority()
    try authority.certificate("good", subject: "IP:127.0.0.1", days: 1)
    try authority.certificate("expired", subject: "IP:127.0.0.1", days: -1)
    try authority.certificate("elsewhere", subject: "DNS:elsewhere.example", days: 1)
    try authority.certificate("selfsigned", subject: "IP:127.0.0.1", days: 1, isSelfSigned: true)
    try other.certificate("unknown", subject: "IP:127.0.0.1", days: 1)

    let transport = AsyncHTTPTransportTests.transport { $0.trust = authority.trust }
    let good = try authority.serve("good")
    #expect(try await transport.send(HTTPRequest(.get, "https://127.0.0.1:\(good)/")).status == 200)

    let ports = [
      "expired": try authority.serve("expired"), "wrong host": try authority.serve("elsewhere"),
      "self-signed": try authority.serve("selfsigned"), "unknown authority": try other.serve("unknown"),
    ]
    for (name, port) in ports {
      do {
        let response = try await transport.send(HTTPRequest(.post, "https://127.0.0.1:\(port)/", body: [1]))
        Issue.record("\(name): answered \(response.status)")
      } catch {
        #expect(error.code == .untrusted && !error.mayHaveArrived, "\(name): \(error.code) \(error)")
      }
    }
    await transport.shutdown()

    // With the system's authorities none of them passes, by either transport.
    let plain = AsyncHTTPTransportTests.transport()
    let session = URLSessionTransport(callTimeout: .seconds(20))
    for (name, port) in ports.merging(["good": good], uniquingKeysWith: { $1 }) {
      for transport in [plain, session] as [any HTTPTransport] {
        do {
          let response = try await transport.send(HTTPRequest(.get, "https://127.0.0.1:\(port)/"))
          Issue.record("\(name): answered \(response.status)")
        } catch { #expect(error.code == .untrusted, "\(name): \(error.code) \(error)") }
      }
    }
    await plain.shutdown()
    session.shutdown()
  }

  @Test(.timeLimit(.minutes(10))) func refusesOldProtocolsAndPlainText() async throws {
    let authority = try TestAuthority()
    try authority.certificate("good", subject: "IP:127.0.0.1", days: 1)
    let transport = AsyncHTTPTransportTests.transport { $0.trust = authority.trust }
    let old = try authority.serve("good", ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
    await #expect(throws: TransportError.self) {
      try await transport.send(HTTPRequest(.get, "https://127.0.0.1:\(old)/"))
    }
    await transport.shutdown()
  }
}
