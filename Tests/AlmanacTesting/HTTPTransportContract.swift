public import Ports
import UpstreamKit

/// The requirements for every adapter of `HTTPTransport` that opens connections. Each check starts a server of its own
/// on this machine.
///
/// `checks(for:)` omits the checks that an adapter's limitations exclude.
public enum HTTPTransportContract {
  public struct Check: Sendable, CustomStringConvertible {
    public let description: String
    /// The limitations that exempt an adapter from the requirement.
    public let excused: Set<TransportLimitation>
    let run: @Sendable (any HTTPTransport) async throws -> Void

    init(
      _ description: String, unless excused: Set<TransportLimitation> = [],
      _ run: @escaping @Sendable (any HTTPTransport) async throws -> Void
    ) {
      (self.description, self.excused, self.run) = (description, excused, run)
    }

    /// Checks the requirement.
    ///
    /// - Throws: `ContractViolation`, also where it takes longer than `limit`, or an unexpected error of the transport.
    public func callAsFunction(on transport: any HTTPTransport, within limit: Duration = longestCheck) async throws {
      try await ends(within: limit, description) { try await run(transport) }
    }
  }

  public static let checks: [Check] = exchanges + refusals + framing + endings

  public static func checks(for limitations: Set<TransportLimitation>) -> [Check] {
    checks.filter { $0.excused.isDisjoint(with: limitations) }
  }

  /// Runs `body` with a server that answers with `reply`, and stops the server.
  static func serving(
    _ reply: @escaping @Sendable (ReceivedRequest) -> Reply, _ body: (LocalServer) async throws -> Void
  ) async throws {
    let server = try LocalServer(handler: reply)
    defer { server.stop() }
    try await body(server)
  }

  static func serving(_ reply: Reply, _ body: (LocalServer) async throws -> Void) async throws {
    try await serving({ _ in reply }, body)
  }

  /// A request to a server that answers with `reply` fails with one of these codes.
  static func expectFailure(
    of transport: any HTTPTransport, _ codes: Set<TransportError.Code>, mayHaveArrived: Bool? = nil,
    _ what: String = "",
    from reply: Reply, line: Int = #line
  ) async throws {
    try await serving(reply) { server in
      try await expectTransportError(codes, mayHaveArrived: mayHaveArrived, what, line: line) {
        try await transport.send(HTTPRequest(.get, server.url + "/"))
      }
    }
  }
}

func expectTransportError(
  _ codes: Set<TransportError.Code>, mayHaveArrived: Bool? = nil, _ what: String = "", line: Int = #line,
  _ body: () async throws -> HTTPResponse
) async throws {
  do {
    let response = try await body()
    throw ContractViolation(
      "\(what): expected \(codes), got \(response.status) with \(response.body.count) bytes (line \(line))"
    )
  } catch let error as TransportError {
    try expect(codes.contains(error.code), "\(what): expected \(codes), got \(error.code): \(error)", line: line)
    if let mayHaveArrived {
      try expect(error.mayHaveArrived == mayHaveArrived, "\(what): mayHaveArrived of \(error)", line: line)
    }
  }
}

extension HTTPTransportContract {
  static let exchanges: [Check] = [
    Check("every status is a response, with headers and body") { transport in
      try await serving(Reply(status: 200, headers: ["ETag": "\"a\"", "X-Two": "1"], body: Array("hello".utf8))) {
        server in
        let response = try await transport.send(HTTPRequest(.get, server.url + "/"))
        try expectEqual(response.status, 200)
        try expectEqual(response.headers["etag"], "\"a\"")
        try expectEqual(response.body, Array("hello".utf8))
        try expectEqual(response.url, server.url + "/")
        try expectEqual(response.requests, 1)
      }
      for status in [201, 204, 400, 401, 403, 404, 409, 412, 418, 429, 500, 503] {
        try await serving(.json(status == 204 ? "" : "{}", status: status)) { server in
          let response = try await transport.send(HTTPRequest(.get, server.url + "/"))
          try expectEqual(response.status.code, status)
          try expectEqual(server.requestCount, 1)
        }
      }
    },
    Check("method, target, headers and body arrive unchanged") { transport in
      try await serving(.json("{}")) { server in
        for method in [HTTPRequest.Method.post, .put, .patch, .delete] {
          let body: [UInt8]? = method == .delete ? nil : Array(0...255)
          _ = try await transport.send(
            HTTPRequest(
              method, server.url + "/a%20b/%C3%A9?q=1%2F2&r=a+b&s=", headers: ["X-Mine": "one", "Content-Type": "x/y"],
              body: body))
          let received = server.requests.last
          try expectEqual(received?.method, method.rawValue)
          try expectEqual(received?.target, "/a%20b/%C3%A9?q=1%2F2&r=a+b&s=")
          try expectEqual(received?.headers["x-mine"], "one")
          try expectEqual(received?.body, body ?? [])
        }
      }
    },
    Check("an address with characters that no address may have keeps what is encoded in it") { transport in
      try await serving(.json("{}")) { server in
        _ = try await transport.send(HTTPRequest(.get, server.url + "/a?b[gte]=1%3A2&c=%5B"))
        let target = server.requests.last?.target.replacing("[", with: "%5B").replacing("]", with: "%5D")
        try expectEqual(target, "/a?b%5Bgte%5D=1%3A2&c=%5B")
      }
    },
    Check("HEAD, 204 and 304 have no body, whatever their headers say") { transport in
      try await serving { request in
        Reply(
          status: request.path == "/304" ? 304 : 200, headers: ["ETag": "\"a\"", "Content-Length": "5"],
          framing: .asWritten)
      } _: { server in
        let head = try await transport.send(HTTPRequest(.head, server.url + "/"))
        try expectEqual(head.body, [])
        let unchanged = try await transport.send(
          HTTPRequest(.get, server.url + "/304", headers: ["If-None-Match": "\"a\""]))
        try expectEqual(unchanged.status, 304)
        try expectEqual(unchanged.body, [])
      }
    },
    Check("bodies are received whole, chunked, compressed, slowly and in large sizes") { transport in
      let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let replies: [(Reply, [UInt8])] = [
        (Reply(body: body), body), (Reply(body: body, framing: .chunked(1000)), body),
        (Reply(body: body, coding: .gzip), body), (Reply(body: body, framing: .chunked(777), coding: .deflate), body),
        (Reply(body: []), []), (Reply(body: [], framing: .chunked(1)), []),
        (Reply(body: Array("slow".utf8)).dripped(piece: 7, milliseconds: 1), Array("slow".utf8)),
      ]
      for (reply, body) in replies {
        try await serving(reply) { server in
          let response = try await transport.send(HTTPRequest(.get, server.url + "/"))
          try expect(response.body == body, "\(response.body.count) bytes of \(body.count)")
        }
      }
    },
    Check("redirects are returned and not followed") { transport in
      for status in [301, 302, 303, 307, 308] {
        try await serving(.redirect(to: "/elsewhere", status: status)) { server in
          for method in [HTTPRequest.Method.get, .head, .post, .put] {
            let response = try await transport.send(
              HTTPRequest(method, server.url + "/", body: method.isSafe ? nil : [1, 2]))
            try expectEqual(response.status.code, status)
            try expectEqual(response.headers["Location"], "/elsewhere")
          }
          try expectEqual(server.requestCount, 4)
        }
      }
    },
    Check("nothing is stored: no cookies, no cache, no credentials") { transport in
      try await serving(
        .json("{}", headers: ["Set-Cookie": "a=1; Path=/", "Cache-Control": "max-age=600", "ETag": "\"a\""])
      ) { server in
        for _ in 0..<2 { _ = try await transport.send(HTTPRequest(.get, server.url + "/")) }
        try expectEqual(server.requestCount, 2)
        try expectEqual(server.requests.last?.headers["cookie"], nil)
        try expectEqual(server.requests.last?.headers["if-none-match"], nil)
      }
    },
    Check("concurrent requests each get their own response") { transport in
      try await serving({ request in .text(request.target) }) { server in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<40 {
            group.addTask {
              let response = try await transport.send(HTTPRequest(.get, server.url + "/\(number)"))
              try expectEqual(response.body, Array("/\(number)".utf8))
            }
          }
          try await group.waitForAll()
        }
      }
    },
    Check("informational responses are skipped") { transport in
      try await serving(
        .script([
          .text("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
          .text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        ])
      ) { server in
        let response = try await transport.send(HTTPRequest(.get, server.url + "/"))
        try expectEqual(response.body, Array("ok".utf8))
      }
    },
    Check("Unix sockets are supported", unless: [.noUnixSockets]) { transport in
      let path = "/tmp/contract-\(UInt32.random(in: 0...UInt32.max)).sock"
      let server = try LocalServer(socketPath: path) { request in .text(request.target) }
      defer { server.stop() }
      let encoded = path.split(separator: "/").joined(separator: "%2F")
      let response = try await transport.send(HTTPRequest(.get, "http+unix://%2F\(encoded)/a?b=1"))
      try expectEqual(response.body, Array("/a?b=1".utf8))
    },
  ]
}
