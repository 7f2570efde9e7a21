import AlmanacTesting
import AsyncHTTPTransport
import Foundation
import Models
import Ports
import Testing
import URLSessionTransport

/// Authorities of one's own, client certificates, and what errors say of a certificate that is refused.
@Suite(.enabled(if: TestAuthority.program != nil, "the openssl program is needed to make certificates"))
struct TrustTests {
  private func settings(_ port: Int, _ change: (inout Settings.Server) -> Void) -> TrustSettings {
    var server = Settings.Server(url: "https://127.0.0.1:\(port)")
    change(&server)
    return TrustSettings(environment: [:], servers: [.people: server])
  }

  private func ask(
    _ port: Int, _ trust: TrustSettings, _ method: HTTPRequest.Method = .get
  ) async -> Result<Int, TransportError> {
    let transport = AsyncHTTPTransportTests.transport { $0.trust = trust }
    let result: Result<Int, TransportError>
    do throws(TransportError) {
      result = .success(try await transport.send(HTTPRequest(method, "https://127.0.0.1:\(port)/")).status.code)
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
    let ofAccount = settings(alone) { server in
      var account = Settings.Account(name: "home", url: "https://127.0.0.1:\(good)/")
      account.caFile = authority.authorities
      server.accounts = [account]
    }
    expectOK(await ask(good, ofAccount), "caFile of an account")
    for environment in [
      ["SSL_CERT_FILE": authority.authorities], ["SSL_CERT_DIR": "\(folder)/roots"],
      ["SSL_CERT_DIR": "/nowhere:\(folder)/roots", "SSL_CERT_FILE": "/nowhere"],
    ] { expectOK(await ask(good, TrustSettings(environment: environment)), "\(environment)") }
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
      ], "unknown")
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

  @Test(.timeLimit(.minutes(10))) func thoseOfTheSystemTrustNoneOfThem() async throws {
    let (authority, other) = (try TestAuthority(), try TestAuthority())
    try authority.certificate("good", subject: "IP:127.0.0.1", days: 1)
    try authority.certificate("expired", subject: "IP:127.0.0.1", days: -1)
    try authority.certificate("elsewhere", subject: "DNS:elsewhere.example", days: 1)
    try authority.certificate("alone", subject: "IP:127.0.0.1", days: 1, isSelfSigned: true)
    try other.certificate("unknown", subject: "IP:127.0.0.1", days: 1)
    let unknown = try other.serve("unknown")
    expectError(await ask(unknown, authority.trust, .post), .untrusted, [], "the authority of another server")

    let plain = AsyncHTTPTransportTests.transport()
    let session = URLSessionTransport(callTimeout: .seconds(120))
    for name in ["good", "expired", "elsewhere", "alone", "unknown"] {
      let port = try name == "unknown" ? unknown : authority.serve(name)
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
}

/// An authority and certificates made for one test by the `openssl` program, and servers that use them.
final class TestAuthority {
  let folder: URL
  private var servers: [Process] = []

  /// The path of the program; `nil` where it is not installed.
  static let program: String? = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// A server that speaks HTTP/2, where it is installed.
  static let nginx: String? = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/local/bin/nginx"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("authority-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try make(
      "ca",
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca.key -out ca.pem -subj /CN=Test-Authority -days 2"
    )
  }

  deinit {
    // SIGTERM may be blocked in children of a thread that blocks it.
    for server in servers where server.isRunning { kill(server.processIdentifier, SIGKILL) }
    try? FileManager.default.removeItem(at: folder)
  }

  var trust: TrustSettings { TrustSettings(environment: ["SSL_CERT_FILE": authorities, "SSL_CERT_DIR": "/nowhere"]) }

  var authorities: String { folder.appendingPathComponent("ca.pem").path }

  /// A certificate for `name`, valid for so many days from now; signed by itself where `isSelfSigned`.
  func certificate(_ name: String, subject: String, days: Int, isSelfSigned: Bool = false) throws {
    let alternative = "-addext subjectAltName=\(subject)"
    if isSelfSigned {
      try make(
        name,
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout \(name).key -out \(name).pem -subj /CN=x -days \(days) \(alternative)"
      )
    } else {
      try make(
        name,
        "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout \(name).key -out \(name).csr -subj /CN=x \(alternative)"
      )
      try make(
        name,
        "x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -CAcreateserial -copy_extensions copy -days \(days) "
          + "-out \(name).pem")
    }
  }

  private func make(_ name: String, _ arguments: String) throws {
    let words = arguments.split(separator: " ").map(String.init)
    let result = try Tool.run(try #require(Self.program), words, in: folder.path)
    try #require(result.status == 0, "openssl \(arguments): \(result.output)")
  }

  /// Starts a server with the certificate; gives its port.
  func serve(_ name: String, _ more: [String] = []) throws -> Int {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.program))
    process.arguments =
      ["s_server", "-accept", "127.0.0.1:0", "-cert", "\(name).pem", "-key", "\(name).key", "-www"] + more
    process.currentDirectoryURL = folder
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    servers.append(process)
    var text = ""
    while !text.contains("\n") || !text.contains("ACCEPT") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    let line = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") }
    return try #require(line?.split(separator: ":").last.flatMap { Int($0) }, "\(text)")
  }
}
