import Models
import Testing

@testable import almanacd

/// Where the daemon listens, and whose name it answers to.
@Suite struct ListenAddressTests {
  @Test(
    "addresses",
    arguments: [
      ("127.0.0.1:7423", "127.0.0.1", 7423), ("[::1]:0", "::1", 0), (":80", "127.0.0.1", 80),
      ("Localhost:65535", "localhost", 65535),
    ])
  func reading(text: String, host: String, port: Int) throws {
    #expect(try ListenAddress(text) == ListenAddress(host: host, port: port))
  }

  @Test("what is none", arguments: ["", "7423", "host", "host:", "host:65536", "host:x", "::1:80", "a:-1"])
  func refused(text: String) {
    #expect(throws: Failure.self) { try ListenAddress(text) }
  }

  @Test(
    "a loopback listener answers to loopback names with its port alone",
    arguments: [
      ("127.0.0.1:7423", true), ("localhost:7423", true), ("LOCALHOST:7423", true), ("[::1]:7423", true),
      ("127.0.0.1", false), ("127.0.0.1:7424", false), ("evil.example:7423", false),
      ("127.0.0.1.evil.example:7423", false),
      ("localhost.:7423", false), ("user@localhost:7423", false), ("192.168.1.2:7423", false), ("", false),
    ])
  func loopback(authority: String, isOurs: Bool) {
    #expect(ListenAddress(host: "127.0.0.1", port: 7423).isOurs(authority) == isOurs)
  }

  @Test(
    "a listener for every address answers to addresses, never to foreign names",
    arguments: [
      ("192.168.1.2:80", true), ("[fd00::1]:80", true), ("rebound.example:80", false), ("1.2.3.4.5:80", false),
    ])
  func everywhere(authority: String, isOurs: Bool) {
    #expect(ListenAddress(host: "0.0.0.0", port: 80).isOurs(authority) == isOurs)
  }

  @Test("a configured name is one of ours")
  func configured() {
    #expect(ListenAddress(host: "almanac.lan", port: 7423).isOurs("almanac.lan:7423"))
    #expect(!ListenAddress(host: "almanac.lan", port: 7423).isOurs("other.lan:7423"))
  }
}
