import Models
import Ports
import Synchronization
import UpstreamKit

extension HTTPTransportContract {
  static let refusals: [Check] = [
    Check("an invalid request is rejected before anything is sent") { transport in
      try await serving(.json("{}")) { server in
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
    Check("without a server, nothing can have arrived") { transport in
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
    Check("a body that exceeds the limit of the request is rejected") { transport in
      for framing in [Reply.Framing.contentLength, .chunked(1000), .close] {
        try await serving(Reply(body: Array(repeating: 0x61, count: 5000), framing: framing)) { server in
          try await expectTransportError([.tooLarge]) {
            try await transport.send(HTTPRequest(.get, server.url + "/", bodyLimit: 4999))
          }
          let whole = try await transport.send(HTTPRequest(.get, server.url + "/", bodyLimit: 5000))
          try expectEqual(whole.body.count, 5000)
        }
      }
    },
    Check("endless bodies and decompression bombs are rejected", unless: [.unboundedDecompression]) { transport in
      let replies: [Reply] = [
        .endless(), .endlessGzip(), .gzipBomb(inflatesTo: 50_000_000), .gzipBomb(inflatesTo: 50_000_000, layers: 2),
      ]
      for reply in replies {
        try await serving(reply) { server in
          try await expectTransportError([.tooLarge, .malformed]) {
            try await transport.send(HTTPRequest(.get, server.url + "/", bodyLimit: 1 << 20))
          }
        }
      }
    },
    Check("headers of more than 64 KiB are rejected", unless: [.acceptsBrokenFraming]) { transport in
      let line = "X-Filler: " + String(repeating: "a", count: 1000) + "\r\n"
      try await expectFailure(
        of: transport, [.tooLarge, .malformed],
        from: .raw("HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 70) + "Content-Length: 0\r\n\r\n"))
    },
    Check("data that is not HTTP is not a response", unless: [.acceptsBrokenFraming]) { transport in
      for text in ["SSH-2.0-OpenSSH_9.6\r\n", "HTTP/1.1 abc\r\n\r\n", "\u{0}\u{1}\u{2}", "<html>hello</html>"] {
        try await expectFailure(of: transport, [.malformed, .connectionLost, .truncated], text, from: .raw(text))
      }
    },
  ]
}

extension HTTPTransportContract {
  private static let cut: Set<TransportError.Code> = [.truncated, .connectionLost, .malformed]

  static let framing: [Check] = [
    Check("a truncated body is not a response") { transport in
      let whole = Reply(body: Array("0123456789".utf8))
      for count in [0, 1, 9] {
        try await expectFailure(
          of: transport, cut, mayHaveArrived: true, "cut after \(count)", from: whole.truncated(afterBodyBytes: count))
      }
    },
    Check("a broken connection is not a response, and the request may have arrived") { transport in
      for reply in [Reply.closed, .reset, Reply(body: [1, 2, 3]).truncated(afterBodyBytes: 1, reset: true)] {
        try await serving(reply) { server in
          try await expectTransportError(cut, mayHaveArrived: true) {
            try await transport.send(HTTPRequest(.put, server.url + "/", body: [1]))
          }
        }
      }
    },
    Check("invalid framing is not a response", unless: [.acceptsBrokenFraming]) { transport in
      let heads = [
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhel", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
        "Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "Content-Length: 5\r\nContent-Length: 4\r\n\r\nhello", "Content-Length: -5\r\n\r\nhello",
        "Content-Length: 5, 4\r\n\r\nhello", "Content-Length: five\r\n\r\nhello",
        "Content-Length: 99999999999999999999\r\n\r\nhello",
        "Transfer-Encoding: gzip\r\n\r\nhello", "Transfer-Encoding: identity\r\n\r\nhello",
      ]
      for head in heads {
        try await expectFailure(of: transport, cut.union([.tooLarge]), head, from: .raw("HTTP/1.1 200 OK\r\n" + head))
      }
    },
    Check("a truncated compressed body is not a response", unless: [.acceptsBrokenFraming]) { transport in
      let body = Gzip.compress((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0) })
      for count in [0, 5, body.count / 2, body.count - 8, body.count - 1] {
        try await expectFailure(
          of: transport, cut, "cut after \(count) of \(body.count)",
          from: Reply(headers: ["Content-Encoding": "gzip"], body: Array(body.prefix(count))))
      }
    },
    Check("a coding that was not requested is not a response", unless: [.acceptsBrokenFraming]) { transport in
      for coding in ["br", "zstd", "compress", "gzip, gzip", "nonsense"] {
        try await expectFailure(
          of: transport, cut, coding, from: Reply(headers: ["Content-Encoding": "\(coding)"], body: [1, 2, 3]))
      }
    },
  ]
}

extension HTTPTransportContract {
  static let endings: [Check] = [
    Check("a cancelled task sends nothing") { transport in
      try await serving(.json("{}")) { server in
        let url = server.url
        let task = Task {
          while !Task.isCancelled { await Task.yield() }
          return try await transport.send(HTTPRequest(.get, url + "/"))
        }
        task.cancel()
        try await expectTransportError([.cancelled], mayHaveArrived: false) { try await task.value }
        try expectEqual(server.requestCount, 0)
      }
    },
    Check("cancelling ends the wait for a response and for the rest of one") { transport in
      for reply in [Reply.hang, .script([.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .hang])] {
        try await serving(reply) { server in
          let url = server.url
          let task = Task { try await transport.send(HTTPRequest(.get, url + "/")) }
          await server.waitForRequests(1)
          task.cancel()
          try await expectTransportError([.cancelled], mayHaveArrived: true) { try await task.value }
        }
      }
    },
    Check("cancelling closes the connection", unless: [.abandonsOnCancel]) { transport in
      try await serving(.hang) { server in
        let url = server.url
        let tasks = (0..<8).map { number in
          Task { try await transport.send(HTTPRequest(.get, url + "/\(number)")) }
        }
        await server.waitForRequests(8)
        for task in tasks { task.cancel() }
        for task in tasks { _ = try? await task.value }
        await server.waitForNoConnections()
      }
    },
    Check("a request that must not be repeated arrives once, also where a connection was used before") { transport in
      for method in [HTTPRequest.Method.delete, .post, .put, .get] {
        try await serving({ $0.path == "/first" ? .text("fine") : .closed }) { server in
          for _ in 0..<2 { _ = try await transport.send(HTTPRequest(.get, server.url + "/first")) }
          for body in [nil, [1, 2]] as [[UInt8]?] where body == nil || !method.isSafe {
            server.forgetRequests()
            try await expectTransportError(cut, mayHaveArrived: true) {
              try await transport.send(HTTPRequest(method, server.url + "/once", body: body, isRepeatable: false))
            }
            let bodies = server.requests.map(\.body)
            try expect(bodies == [body ?? []], "expected one \(method.rawValue), found the bodies \(bodies)")
            _ = try await transport.send(HTTPRequest(.get, server.url + "/first"))
          }
        }
      }
    },
    Check("errors do not affect the next request") { transport in
      let broken = Mutex([Reply.reset, .closed, Reply(body: [1, 2]).truncated(afterBodyBytes: 1)])
      try await serving({ _ in broken.withLock { $0.isEmpty ? .text("fine") : $0.removeFirst() } }) { server in
        for _ in 0..<3 { _ = try? await transport.send(HTTPRequest(.get, server.url + "/")) }
        let response = try await transport.send(HTTPRequest(.get, server.url + "/"))
        try expectEqual(response.body, Array("fine".utf8))
      }
    },
  ]
}
