import AlmanacTesting
import Foundation
import Ports
import Testing
import UpstreamKit

@testable import AsyncHTTPTransport

@Suite struct AsyncHTTPTransportTests {
  static func transport(_ change: (inout AsyncHTTPTransport.Configuration) -> Void = { _ in }) -> AsyncHTTPTransport {
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
}

@Suite struct ProxyTests {
  @Test func goesThroughTheProxy() async throws {
    // The proxy answers CONNECT, and also the requests in the tunnel as if it were the target server.
    let proxy = try LocalServer { request in .text(request.method == "CONNECT" ? "" : request.target) }
    let transport = AsyncHTTPTransportTests.transport {
      $0.proxies = ProxySettings(environment: [
        "http_proxy": "http://me:p%40ss@127.0.0.1:\(proxy.port)", "no_proxy": "direct.invalid",
      ])
    }
    let response = try await transport.send(HTTPRequest(.get, "http://far.invalid/a?b=1"))
    #expect(String(decoding: response.body, as: UTF8.self) == "/a?b=1")
    let tunnel = try #require(proxy.requests.first)
    #expect(tunnel.method == "CONNECT" && tunnel.target == "far.invalid:80")
    // me:p@ss in base 64
    #expect(tunnel.headers["proxy-authorization"] == "Basic bWU6cEBzcw==")
    #expect(proxy.requests.last?.headers["proxy-authorization"] == nil)
    await #expect(throws: TransportError.self) { try await transport.send(HTTPRequest(.get, "http://direct.invalid/")) }
    #expect(proxy.requestCount == 2)
    await transport.shutdown()
    proxy.stop()
  }

  @Test(
    arguments: [
      (["http_proxy": "http://p:1"], "http", "h", "p:1"), (["HTTP_PROXY": "http://p:1"], "http", "h", nil),
      (["HTTPS_PROXY": "p:1"], "https", "h", "p:1"), (["https_proxy": "http://p"], "https", "h", "p:1080"),
      (["all_proxy": "http://p:1/"], "http", "h", "p:1"), (["http_proxy": "socks5://p:1"], "http", "h", nil),
      (["http_proxy": "http://p:1"], "https", "h", nil), (["http_proxy": ""], "http", "h", nil),
      (["http_proxy": "p:1", "no_proxy": "h"], "http", "h", nil),
      (["http_proxy": "p:1", "no_proxy": "example.com"], "http", "a.Example.com", nil),
      (["http_proxy": "p:1", "no_proxy": ".example.com, x"], "http", "example.com", nil),
      (["http_proxy": "p:1", "no_proxy": "*.example.com"], "http", "b.example.com", nil),
      (["http_proxy": "p:1", "no_proxy": "example.com"], "http", "badexample.com", "p:1"),
      (["http_proxy": "p:1", "NO_PROXY": "*"], "http", "h", nil),
      (["http_proxy": "p:1", "no_proxy": "h:8080"], "http", "h", "p:1"),
      (["http_proxy": "p:99999"], "http", "h", nil),
      (["http_proxy": "http://[::1]:3128"], "http", "h", "::1:3128"),
    ] as [([String: String], String, String, String?)])
  func choosesTheProxy(_ environment: [String: String], _ scheme: String, _ host: String, _ expected: String?) {
    let server = ProxySettings(environment: environment).server(scheme: scheme, host: host, port: 80)
    #expect(server.map { "\($0.host):\($0.port)" } == expected)
  }
}

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
    ServerReaper.shared?.watch(server.processIdentifier)
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
        group.addTask {
          try? await transport.send(HTTPRequest(.get, "https://127.0.0.1:\(port)/\(number)")).status.code
        }
      }
      return await group.reduce(into: [Int?]()) { $0.append($1) }
    }
    #expect(answers.filter { $0 == 200 }.count == 50)
    await transport.shutdown()
  }
}
