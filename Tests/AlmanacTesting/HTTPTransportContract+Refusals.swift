import Ports
import UpstreamKit

extension HTTPTransportContract {
  static let refusals: [Check] = [
    Check("what is no request is refused before anything is sent") { transport in
      try await serving { _ in
        .json("{}")
      } _: { server in
        for value in ["a\r\nX-Injected: 1", "a\nb", "a\rb", "a\0b"] {
          try await expectTransportError([.invalidRequest], mayHaveArrived: false) {
            try await transport.send(HTTPRequest(.get, server.url + "/", headers: ["X-A": value]))
          }
        }
        for url in ["", "nonsense", "/a", "ftp://127.0.0.1/", "http://", "file:///etc/passwd"] {
          try await expectTransportError([.invalidRequest], mayHaveArrived: false, url) {
            try await transport.send(HTTPRequest(.get, url))
          }
        }
        try expectEqual(server.requestCount, 0)
      }
    },
    Check("no server: nothing can have arrived") { transport in
      let server = try LocalServer { _ in .json("{}") }
      let url = server.url
      server.stop()
      try await expectTransportError([.cannotConnect], mayHaveArrived: false) {
        try await transport.send(HTTPRequest(.post, url + "/", body: [1]))
      }
      try await expectTransportError([.cannotConnect], mayHaveArrived: false) {
        try await transport.send(HTTPRequest(.get, "http://no-such-host.invalid/"))
      }
    },
    Check("a body over the request's limit is refused") { transport in
      for framing in [Reply.Framing.contentLength, .chunked(1000), .close] {
        try await serving { _ in
          Reply(body: Array(repeating: 0x61, count: 5000), framing: framing)
        } _: { server in
          try await expectTransportError([.tooLarge]) {
            try await transport.send(HTTPRequest(.get, server.url + "/", bodyLimit: 4999))
          }
          let whole = try await transport.send(HTTPRequest(.get, server.url + "/", bodyLimit: 5000))
          try expectEqual(whole.body.count, 5000)
        }
      }
    },
    Check("an endless body and a bomb are refused", unless: [.unboundedDecompression]) { transport in
      let replies: [Reply] = [
        .endless(), .endlessGzip(), .gzipBomb(inflatesTo: 50_000_000), .gzipBomb(inflatesTo: 50_000_000, layers: 2),
      ]
      for reply in replies {
        try await serving { _ in
          reply
        } _: { server in
          try await expectTransportError([.tooLarge, .malformed]) {
            try await transport.send(HTTPRequest(.get, server.url + "/", bodyLimit: 1 << 20))
          }
        }
      }
    },
    Check("headers over 64 KiB are refused", unless: [.acceptsBrokenFraming]) { transport in
      let line = "X-Filler: " + String(repeating: "a", count: 1000) + "\r\n"
      try await serving { _ in
        .raw("HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 70) + "Content-Length: 0\r\n\r\n")
      } _: { server in
        try await expectTransportError([.tooLarge, .malformed]) {
          try await transport.send(HTTPRequest(.get, server.url + "/"))
        }
      }
    },
    Check("what is no HTTP is no answer", unless: [.acceptsBrokenFraming]) { transport in
      for text in ["SSH-2.0-OpenSSH_9.6\r\n", "HTTP/1.1 abc\r\n\r\n", "\u{0}\u{1}\u{2}", "<html>hello</html>"] {
        try await serving { _ in
          .raw(text)
        } _: { server in
          try await expectTransportError([.malformed, .connectionLost, .truncated], text) {
            try await transport.send(HTTPRequest(.get, server.url + "/"))
          }
        }
      }
    },
  ]
}
