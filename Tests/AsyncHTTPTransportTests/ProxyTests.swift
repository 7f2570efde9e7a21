import AlmanacTesting
import Ports
import Testing
import UpstreamKit

@testable import AsyncHTTPTransport

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
    await #expect(throws: TransportError.self) {
      try await transport.send(HTTPRequest(.get, "http://direct.invalid/"))
    }
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
