import Ports
import UpstreamKit

extension HTTPTransportContract {
  private static let cut: Set<TransportError.Code> = [.truncated, .connectionLost, .malformed]

  static let framing: [Check] = [
    Check("a body that is cut off is no answer") { transport in
      let whole = Reply(body: Array("0123456789".utf8))
      for count in [0, 1, 9] {
        try await serving { _ in
          whole.truncated(afterBodyBytes: count)
        } _: { server in
          try await expectTransportError(cut, mayHaveArrived: true, "cut after \(count)") {
            try await transport.send(HTTPRequest(.get, server.url + "/"))
          }
        }
      }
    },
    Check("a connection that breaks gives no answer, and the request may have arrived") { transport in
      for reply in [Reply.closed, .reset, Reply(body: [1, 2, 3]).truncated(afterBodyBytes: 1, reset: true)] {
        try await serving { _ in
          reply
        } _: { server in
          try await expectTransportError(cut, mayHaveArrived: true) {
            try await transport.send(HTTPRequest(.put, server.url + "/", body: [1]))
          }
        }
      }
    },
    Check("broken frames are no answer", unless: [.acceptsBrokenFraming]) { transport in
      let heads = [
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhel", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
        "Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "Content-Length: 5\r\nContent-Length: 4\r\n\r\nhello", "Content-Length: -5\r\n\r\nhello",
        "Content-Length: 5, 4\r\n\r\nhello", "Content-Length: five\r\n\r\nhello",
        "Content-Length: 99999999999999999999\r\n\r\nhello",
        "Transfer-Encoding: gzip\r\n\r\nhello", "Transfer-Encoding: identity\r\n\r\nhello", "\r\nhello",
      ]
      for head in heads {
        try await serving { _ in
          .raw("HTTP/1.1 200 OK\r\n" + head)
        } _: { server in
          try await expectTransportError(cut.union([.tooLarge]), head) {
            try await transport.send(HTTPRequest(.get, server.url + "/"))
          }
        }
      }
    },
    Check("a cut compressed body is no answer", unless: [.acceptsBrokenFraming]) { transport in
      let body = Gzip.compress((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0) })
      for count in [0, 5, body.count / 2, body.count - 8, body.count - 1] {
        try await serving { _ in
          Reply(headers: ["Content-Encoding": "gzip"], body: Array(body.prefix(count)))
        } _: { server in
          try await expectTransportError(cut, "cut after \(count) of \(body.count)") {
            try await transport.send(HTTPRequest(.get, server.url + "/"))
          }
        }
      }
    },
    Check("codings that nobody asked for are no answer", unless: [.acceptsBrokenFraming]) { transport in
      for coding in ["br", "zstd", "compress", "gzip, gzip", "nonsense"] {
        try await serving { _ in
          Reply(headers: ["Content-Encoding": "\(coding)"], body: [1, 2, 3])
        } _: { server in
          try await expectTransportError(cut, coding) {
            try await transport.send(HTTPRequest(.get, server.url + "/"))
          }
        }
      }
    },
  ]
}
