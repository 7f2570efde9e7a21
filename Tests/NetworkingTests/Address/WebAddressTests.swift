import AlmanacTesting
import Testing

@testable import Networking

@Suite struct WebAddressTests {
  @Test(arguments: [
    ("HTTP://Example.COM:80/a?b#c", "http://example.com/a?b"),
    ("https://h", "https://h/"),
    ("https://h:8443?x=1", "https://h:8443/?x=1"),
    ("http://user:pass@h/a", "http://h/a"),
    ("http://[::1]:8080/a", "http://[::1]:8080/a"),
    ("http+unix://%2Ftmp%2FX.sock/a", "http+unix://%2Ftmp%2FX.sock/a"),
    ("http://h/a b", nil), ("ftp://h/", nil), ("http:///a", nil), ("h/a", nil), ("http://h:0/", nil),
    ("http://h:70000/", nil), ("http://h\r\nX: y/", nil), ("http://[::1/", nil), ("", nil), ("http://h\\@evil/", nil),
  ]) func parses(_ text: String, _ expected: String?) { #expect(WebAddress(text)?.text == expected) }

  /// Examples of RFC 3986 section 5.4 that apply to http.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
    ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"),
    ("../..", "http://a/"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
    ("g.", "http://a/b/c/g."), ("./g/.", "http://a/b/c/g/"), ("g/../h", "http://a/b/c/h"),
    ("https://x:1/y", "https://x:1/y"), ("mailto:x", nil), ("javascript:x", nil),
  ]) func resolves(_ reference: String, _ expected: String?) throws {
    let base = try #require(WebAddress("http://a/b/c/d;p?q"))
    #expect(base.resolving(reference)?.text == expected)
  }

  /// The fast path for origins returns the same result as the parser.
  @Test func originsAreTheSameBothWays() {
    let random = SeededRandom(seed: 5)
    let pieces = [
      "http://", "https://", "HTTP://", "http:/", "ftp://", "http+unix://", "h", "example.com", "EXAMPLE.com",
      "1.2.3.4",
      "[::1]", ":80", ":443", ":8080", ":0", ":", ":65536", ":080", "user@", "/", "/a/b", "?q=1", "#f", "%2F", " ", "é",
      "\\", "x-y", "@", "//",
    ]
    var origins: Set<String> = []
    for _ in 0..<20_000 {
      let url = (0..<Int(1 + random.next() % 5)).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
      // The fast path does not check what follows the origin.
      guard let address = WebAddress(url) else { continue }
      #expect(WebAddress.origin(of: url) == address.origin, "\(url)")
      origins.insert(address.origin)
    }
    #expect(origins.count > 100)
  }

  /// URLs that the fast path accepts are valid, and it accepts the usual forms.
  @Test func plainAddressesAreAddresses() {
    let random = SeededRandom(seed: 6)
    let pieces = [
      "http://", "https://", "HTTP://", "http:/", "https:", "ftp://", "h", "example.com", "EXAMPLE.com", "1.2.3.4",
      "[::1]", ":80", ":8080", ":0", ":", ":65535", ":65536", ":99999999999999999999", ":080", "user@", "/", "/a/b",
      "?q=1", "#f", "%2F", " ", "é", "\\", "x-y", "\r\n", "\0", "\u{7F}",
    ]
    var plain = 0
    for _ in 0..<50_000 {
      let rest = (0..<Int(1 + random.next() % 5)).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }
      let url = pieces[Int(random.next() % 3)] + rest.joined()
      guard WebAddress.isPlain(url) else { continue }
      #expect(WebAddress(url) != nil, "\(url)")
      plain += 1
    }
    #expect(plain > 500)
    for url in ["http://h", "https://api.example.com/a?b=c#d", "http://127.0.0.1:8080/", "http://h:65535?x"] {
      #expect(WebAddress.isPlain(url), "\(url)")
    }
  }
}
