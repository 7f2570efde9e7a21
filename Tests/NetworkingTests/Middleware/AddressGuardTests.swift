import AlmanacTesting
import Models
import Networking
import Ports
import Testing

/// Forms of URLs that lead to this machine, to a private network or to a metadata service.
enum InnerAddress {
  static let hosts = [
    "127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "0.0.0.0", "0", "2130706433", "0x7f000001", "0x7f.1",
    "0x7F.0.0.1",
    "017700000001", "0177.0.0.1", "0177.1", "localhost", "LOCALHOST", "localhost.", "a.localhost", "10.0.0.1",
    "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "0xa9fea9fe", "2852039166", "100.64.0.1",
    "198.18.0.1", "192.0.0.192", "224.0.0.1", "255.255.255.255", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::FFFF:10.0.0.1]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2002:c0a8:101::1]",
    "[2001:0:1::1]", "%31%32%37.0.0.1", "127%2e0.0.1", "127%2E1", "0x7f%2E1", "%6c%6fcalhost", "127.0.0.1%00.example",
    "localhost%2E", "127.0.0.1..", "[fe80::5%25lo]", "[fe80::5%lo]", "[fe80::5%25none]", "[::1%25lo]",
    "[::ffff:127.0.0.1%25lo]", "[::%66fff:10.0.0.1]", "%5b::1%5d", "[fc00::1]", "[fd00:ec2::254]", "[fe80::1]",
    "[fec0::1]", "[ff02::1]", "[100::1]",
  ]
}

@Suite struct AddressGuardTests {
  private func makeStack(_ network: ScriptedTransport, servers: [String] = []) -> TransportStack {
    TransportStack(network, [Redirects(), AddressGuard(servers: servers)])
  }

  private func request(_ url: String) -> HTTPRequest {
    var request = HTTPRequest(.get, url)
    request.isFromData = true
    return request
  }

  private func expectRefusal(
    _ url: String, with codes: Set<TransportCode> = [.forbiddenAddress], _ body: () async throws -> Void
  ) async {
    await #expect("\(url)") { try await body() } throws: {
      ($0 as? TransportError).map { codes.contains($0.code) } ?? false
    }
  }

  @Test("no form of an inner address is asked for what data names", arguments: InnerAddress.hosts)
  func direct(host: String) async {
    let network = ScriptedTransport { (request: HTTPRequest, _: Int) in HTTPResponse(status: 200, url: request.url) }
    let stack = makeStack(network)
    for url in ["http://\(host)/a.png", "https://\(host):8443/a.png", "http://user@\(host)/"] {
      await expectRefusal(url) { _ = try await stack.send(request(url)) }
    }
    #expect(network.requests.isEmpty)
  }

  @Test("the hint says what names the servers that are allowed, which is the program unless it has a word for it")
  func hint() async throws {
    let network = ScriptedTransport([])
    for (place, guarding) in [
      ("the program", AddressGuard()),
      ("servers.NAME.url in the config", AddressGuard(namedBy: "servers.NAME.url in the config")),
    ] {
      let error = await #expect(throws: TransportError.self) {
        _ = try await TransportStack(network, [guarding]).send(request("http://127.0.0.1/a.png"))
      }
      #expect(
        error?.hint
          == Advice(
            "only a server that \(place) names may be there: if this is right, make http://127.0.0.1 the address of the source"
          ))
    }
  }

  @Test("nor is a redirect to one followed, from wherever it comes", arguments: InnerAddress.hosts)
  func redirected(host: String) async {
    let network = ScriptedTransport { (request: HTTPRequest, _: Int) in
      request.url.hasPrefix("http://api.example/")
        ? HTTPResponse(status: 302, headers: ["Location": "http://\(host)/inner"], url: request.url)
        : HTTPResponse(status: 200, url: request.url)
    }
    let stack = makeStack(network, servers: ["http://api.example"])
    // A host that no URL can have is not followed either.
    await expectRefusal(host, with: [.forbiddenAddress, .badRedirect]) {
      _ = try await stack.send(HTTPRequest(.get, "http://api.example/page"))
    }
    #expect(network.requests.count == 1)
  }

  @Test("no setting is proposed for an address at which clouds keep credentials")
  func metadata() async throws {
    for (host, isMetadata) in [
      ("169.254.169.254", true), ("0xa9fea9fe", true), ("[::ffff:169.254.169.254]", true), ("[fd00:ec2::254]", true),
      ("[fe80::5%25lo]", true), ("100.100.100.200", true), ("10.0.0.1", false), ("localhost", false),
    ] {
      let network = ScriptedTransport { (request: HTTPRequest, _: Int) in
        HTTPResponse(status: 302, headers: ["Location": "http://\(host)/latest"], url: request.url)
      }
      await #expect("\(host)") {
        _ = try await makeStack(network).send(HTTPRequest(.get, "http://api.example/page"))
      } throws: {
        let hint = ($0 as? TransportError)?.failure.hint
        return isMetadata ? hint == nil : hint?.contains("make http://\(host) the address of the source") == true
      }
    }
  }

  @Test("public addresses and names are asked, and so is a server of the settings, by its own port alone")
  func allowed() async throws {
    let network = ScriptedTransport { (request: HTTPRequest, _: Int) in HTTPResponse(status: 200, url: request.url) }
    let stack = makeStack(network, servers: ["http://127.0.0.1:8080/base", "http+unix://%2Frun%2Fa.sock"])
    for url in [
      "http://images.example/a.png", "https://93.184.216.34/", "http://[2606:2800:220:1::1]/", "http://172.32.0.1/",
      "http://127.0.0.1:8080/a.png", "http+unix://%2Frun%2Fa.sock/x", "http://[64:ff9b::5db8:d822]/",
    ] { #expect(try await stack.send(request(url)).status == 200, "\(url)") }
    for url in [
      "http://127.0.0.1:8081/", "https://127.0.0.1:8080/", "http://127.1:8080/", "http+unix://%2Frun%2Fb.sock/",
    ] { await expectRefusal(url) { _ = try await stack.send(request(url)) } }
    // What the program itself asks for is not limited.
    #expect(try await stack.send(HTTPRequest(.get, "http://10.0.0.1/")).status == 200)
  }
}
