import AsyncHTTPTransport
import Foundation
import Ports
import Testing
import UpstreamKit

/// HTTP/2 needs a server that speaks it: nginx, where it is installed.
@Suite(
  .enabled(if: TestAuthority.nginx != nil && TestAuthority.program != nil, "nginx and openssl are needed for HTTP/2"))
struct HTTP2Tests {
  @Test(.timeLimit(.minutes(10))) func speaksHTTP2WhereTheServerDoes() async throws {
    let authority = try TestAuthority()
    try authority.certificate("good", subject: "IP:127.0.0.1", days: 1)
    let free = try LocalServer { _ in .text("") }
    let port = free.port
    free.stop()
    let folder = authority.folder.path
    let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }
    try Data(
      """
      daemon off; pid \(folder)/pid; error_log \(folder)/log; worker_processes 1; master_process off;
      events { worker_connections 64; }
      http { access_log off; \(scratch.joined(separator: " "))
      server { listen 127.0.0.1:\(port) ssl http2; ssl_certificate \(folder)/good.pem;
      ssl_certificate_key \(folder)/good.key;
      location / { default_type text/plain; return 200 "$server_protocol $http_user_agent $request_uri"; } } }
      """.utf8
    ).write(to: authority.folder.appendingPathComponent("nginx.conf"))
    let server = Process()
    server.executableURL = URL(fileURLWithPath: try #require(TestAuthority.nginx))
    server.arguments = ["-c", "\(folder)/nginx.conf", "-e", "\(folder)/log"]
    server.standardError = FileHandle.nullDevice
    try server.run()
    defer { kill(server.processIdentifier, SIGKILL) }

    let transport = AsyncHTTPTransportTests.transport { $0.trust = authority.trust }
    var bodies: Set<String> = []
    // It is refused until the server listens.
    for _ in 0..<100 where bodies.isEmpty {
      let answer = try? await transport.send(HTTPRequest(.get, "https://127.0.0.1:\(port)/a?b=1"))
      if let answer { bodies.insert(String(decoding: answer.body, as: UTF8.self)) } else { usleep(20_000) }
    }
    #expect(bodies == ["HTTP/2.0 almanac-tests /a?b=1"])
    let answers = await withTaskGroup(of: Int?.self) { group in
      for number in 0..<50 {
        group.addTask { try? await transport.send(HTTPRequest(.get, "https://127.0.0.1:\(port)/\(number)")).status }
      }
      return await group.reduce(into: [Int?]()) { $0.append($1) }
    }
    #expect(answers.filter { $0 == 200 }.count == 50)
    await transport.shutdown()
  }
}
