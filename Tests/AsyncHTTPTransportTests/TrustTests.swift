import AsyncHTTPTransport
import Foundation
import Models
import Ports
import Testing

/// Authorities of one's own, client certificates, and what errors say of a certificate that is refused.
@Suite(.enabled(if: TestAuthority.program != nil, "the openssl program is needed to make certificates"))
struct TrustTests {
  private func settings(_ port: Int, _ change: (inout Settings.Server) -> Void) -> TrustSettings {
    var server = Settings.Server(url: "https://127.0.0.1:\(port)")
    change(&server)
    return TrustSettings(environment: [:], servers: [.people: server])
  }

  /// The status, or the error.
  private func ask(_ port: Int, _ trust: TrustSettings, host: String = "127.0.0.1") async -> Result<Int, TransportError>
  {
    let transport = AsyncHTTPTransportTests.transport { $0.trust = trust }
    let result: Result<Int, TransportError>
    do throws(TransportError) {
      result = .success(try await transport.send(HTTPRequest(.get, "https://\(host):\(port)/")).status)
    } catch { result = .failure(error) }
    await transport.shutdown()
    return result
  }

  private func expectOK(_ result: Result<Int, TransportError>, _ what: String) {
    guard case .success(200) = result else {
      Issue.record("\(what): \(result)")
      return
    }
  }

  private func expectError(
    _ result: Result<Int, TransportError>, _ code: TransportError.Code, _ words: [String], _ what: String
  ) {
    guard case .failure(let error) = result else {
      Issue.record("\(what): \(result)")
      return
    }
    #expect(error.code == code && !error.mayHaveArrived, "\(what): \(error.code) \(error)")
    let text = "\(error.message)\n\(error.hint ?? "")"
    for word in words { #expect(text.contains(word), "\(what): '\(word)' in: \(text)") }
  }

  @Test(.timeLimit(.minutes(10))) func authoritiesAreAddedByFileFolderAndVariable() async throws {
    let authority = try TestAuthority()
    try authority.certificate("good", subject: "IP:127.0.0.1", days: 1)
    try authority.certificate("alone", subject: "IP:127.0.0.1", days: 1, isSelfSigned: true)
    let (good, alone) = (try authority.serve("good"), try authority.serve("alone"))
    let folder = authority.folder.path
    try FileManager.default.createDirectory(atPath: "\(folder)/roots", withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: authority.authorities, toPath: "\(folder)/roots/mine.pem")
    try Data("no certificate".utf8).write(to: URL(filePath: "\(folder)/roots/README"))

    expectOK(await ask(good, settings(good) { $0.caFile = authority.authorities }), "caFile")
    expectOK(await ask(alone, settings(alone) { $0.caFile = "\(folder)/alone.pem" }), "self-signed, named")
    for environment in [
      ["SSL_CERT_FILE": authority.authorities], ["SSL_CERT_DIR": "\(folder)/roots"],
      ["SSL_CERT_DIR": "/nowhere:\(folder)/roots", "SSL_CERT_FILE": "/nowhere"],
    ] {
      expectOK(await ask(good, TrustSettings(environment: environment)), "\(environment)")
    }
    // Another server's authority counts for that server alone, and an empty or missing one for none.
    expectError(
      await ask(good, settings(alone) { $0.caFile = authority.authorities }), .untrusted, ["'Test-Authority'"], "other")
    for environment in [["SSL_CERT_FILE": ""], ["SSL_CERT_FILE": "/nowhere"], ["SSL_CERT_DIR": "/nowhere"]] {
      expectError(
        await ask(good, TrustSettings(environment: environment)), .untrusted, ["Test-Authority"], "\(environment)")
    }
    // What is set already is not asked for again.
    expectError(
      await ask(good, TrustSettings(environment: ["SSL_CERT_FILE": "/nowhere"])), .untrusted,
      ["SSL_CERT_FILE names /nowhere, which cannot be read"], "a variable that names nothing")
    let others = "\(folder)/alone.pem"
    expectError(
      await ask(good, settings(good) { $0.caFile = others }), .untrusted,
      ["add its certificate (PEM) to \(others), the file that servers.people.caFile names"], "caFile is set")
  }

  @Test(.timeLimit(.minutes(10))) func theErrorSaysWhatIsWrongAndWhatHelps() async throws {
    let authority = try TestAuthority()
    try authority.certificate("good", subject: "IP:127.0.0.1", days: 1)
    try authority.certificate("expired", subject: "IP:127.0.0.1", days: -1)
    try authority.certificate("elsewhere", subject: "DNS:elsewhere.example,DNS:nas.example,IP:192.0.2.1", days: 1)
    try authority.certificate("alone", subject: "IP:127.0.0.1", days: 1, isSelfSigned: true)
    let day = Timestamp(secondsSinceEpoch: Int(Date.now.timeIntervalSince1970) - 86_400).description.prefix(10)

    let good = try authority.serve("good")
    expectError(
      await ask(good, settings(good) { _ in }), .untrusted,
      [
        "issued by 'Test-Authority'", "not trusted", "name its certificate (PEM) in servers.people.caFile",
        "SSL_CERT_FILE",
      ],
      "unknown")
    expectError(
      await ask(good, .system), .untrusted, ["'Test-Authority'", "servers.NAME.caFile"],
      "a server that the settings do not name")
    let alone = try authority.serve("alone")
    expectError(
      await ask(alone, settings(alone) { _ in }), .untrusted, ["self-signed", "'x'", "servers.people.caFile"],
      "self-signed")
    expectError(
      await ask(try authority.serve("expired"), authority.trust), .untrusted, ["expired on \(day)", "clock"], "expired")
    expectError(
      await ask(try authority.serve("elsewhere"), authority.trust), .untrusted,
      ["not for 127.0.0.1", "elsewhere.example, nas.example, 192.0.2.1"], "another name")
    expectError(
      await ask(try authority.serve("good", ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]), authority.trust), .untrusted,
      ["TLS"], "old")
  }

  @Test(.timeLimit(.minutes(10))) func clientCertificatesAreShownToTheirServerAlone() async throws {
    let authority = try TestAuthority()
    try authority.certificate("good", subject: "IP:127.0.0.1", days: 1)
    try authority.certificate("client", subject: "DNS:client.example", days: 1)
    let folder = authority.folder.path
    let text = try ["client.pem", "client.key"].map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
    try Data(text.joined().utf8).write(to: URL(filePath: "\(folder)/both.pem"))
    for version in ["-tls1_2", "-tls1_3"] {
      let port = try authority.serve("good", [version, "-Verify", "1", "-CAfile", "ca.pem", "-verify_return_error"])
      for (certificate, key) in [("client.pem", "client.key" as String?), ("both.pem", nil)] {
        let trust = settings(port) {
          $0.caFile = authority.authorities
          $0.certFile = "\(folder)/\(certificate)"
          $0.keyFile = key.map { "\(folder)/\($0)" }
        }
        expectOK(await ask(port, trust), "\(version) \(certificate)")
      }
      expectError(
        await ask(port, settings(port) { $0.caFile = authority.authorities }), .untrusted,
        ["client certificate", "servers.people.certFile"], "\(version) without")
    }
  }

  @Test func filesThatCannotBeUsedAreNamed() async throws {
    let authority = try TestAuthority()
    try authority.certificate("good", subject: "IP:127.0.0.1", days: 1)
    try authority.certificate("client", subject: "DNS:client.example", days: 1)
    let port = try authority.serve("good")
    let folder = authority.folder.path
    let cases: [((inout Settings.Server) -> Void, [String])] = [
      ({ $0.caFile = "/no/such/ca.pem" }, ["servers.people.caFile: /no/such/ca.pem cannot be read: no such file"]),
      ({ $0.caFile = "\(folder)/client.key" }, ["servers.people.caFile", "does not contain a certificate"]),
      ({ $0.certFile = "\(folder)/client.key" }, ["servers.people.certFile", "does not contain a certificate"]),
      (
        { $0.certFile = "\(folder)/client.pem" },
        ["servers.people.certFile", "does not contain a private key", "in servers.people.keyFile"]
      ),
      (
        {
          $0.certFile = "\(folder)/client.pem"
          $0.keyFile = "\(folder)/good.key"
        }, ["servers.people.keyFile", "is not the key of"]
      ),
    ]
    for (change, words) in cases {
      expectError(await ask(port, settings(port, change)), .misconfigured, words, "\(words)")
    }
  }

  @Test(.timeLimit(.minutes(10))) func newFilesAreTakenWithoutANewTransport() async throws {
    let authority = try TestAuthority()
    try authority.certificate("good", subject: "IP:127.0.0.1", days: 1)
    let port = try authority.serve("good")
    let transport = AsyncHTTPTransportTests.transport()
    await #expect(throws: TransportError.self) {
      try await transport.send(HTTPRequest(.get, "https://127.0.0.1:\(port)/"))
    }
    transport.use(settings(port) { $0.caFile = authority.authorities })
    // RFC 3986 section 3.1: the scheme's case means nothing.
    #expect(try await transport.send(HTTPRequest(.get, "HTTPS://127.0.0.1:\(port)/")).status == 200)
    await transport.shutdown()
  }
}
