/// The reply of the server: a regular response, or a script of steps on the socket.
///
/// ```swift
/// Reply.json(#"{"ok": true}"#)
/// Reply(status: 200, body: page, framing: .chunked(64), coding: .gzip)
/// Reply.script([.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .pause(milliseconds: 50), .reset])
/// ```
public struct Reply: Sendable {
  /// The way in which the end of the body is marked.
  public enum Framing: Sendable, Equatable {
    /// A `Content-Length` header.
    case contentLength
    /// `Transfer-Encoding: chunked`, in chunks of at most this many bytes.
    case chunked(Int)
    /// No length: the server closes the connection after the body.
    case close
    /// Adds neither a length nor chunks and keeps the connection open: the caller provides the headers.
    case asWritten
  }

  /// The coding of the body; the `Content-Encoding` header is added.
  public enum Coding: Sendable, Equatable {
    case identity
    /// `gzip` (RFC 1952).
    case gzip
    /// `deflate` (RFC 1950, zlib's wrapper).
    case deflate
  }

  public enum Step: Sendable {
    /// Sends these bytes unchanged.
    case write([UInt8])
    /// Sends this text unchanged, in UTF-8.
    case text(String)
    /// Sends these bytes repeatedly, this many times; `nil` for as long as the client reads.
    case writeRepeatedly([UInt8], times: Int?)
    /// Sends these bytes in pieces of this size with a pause after each.
    case drip([UInt8], piece: Int, milliseconds: Int)
    /// Waits. Ends immediately when the server stops.
    case pause(milliseconds: Int)
    /// Closes with a TCP reset and ends the script.
    case reset
    /// Closes regularly (FIN) and ends the script.
    case close
    /// Keeps the connection open and silent until the client closes or the server stops.
    case hang
    /// Continues with the next request on this connection. Without it, the connection is closed at the end of a script.
    case keep
  }

  public var status: Int
  /// The reason phrase; `nil` for the standard one.
  public var reason: String?
  /// Headers in addition to those for framing and coding.
  public var headers: HeaderList
  /// The body before coding and framing.
  public var body: [UInt8]
  /// The way in which the end of the body is marked.
  public var framing: Framing
  public var coding: Coding
  /// Whether to close the connection after the response, and to announce it in a header.
  public var closes: Bool
  /// Whether it responds to HEAD: the headers describe the body, but it is not sent, even with a delay or in pieces.
  public var isHead = false
  /// If set, the script that replaces all properties above.
  public var steps: [Step]?

  public init(
    status: Int = 200, headers: HeaderList = [:], body: [UInt8] = [], framing: Framing = .contentLength,
    coding: Coding = .identity, closes: Bool = false
  ) {
    (self.status, self.headers, self.body) = (status, headers, body)
    (self.framing, self.coding, self.closes) = (framing, coding, closes)
  }

  /// The standard reason phrase of a status code.
  public static func reason(_ status: Int) -> String {
    let known = [
      200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently",
      302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
      400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
      408: "Request Timeout", 409: "Conflict", 410: "Gone", 412: "Precondition Failed", 413: "Content Too Large",
      415: "Unsupported Media Type", 422: "Unprocessable Content", 425: "Too Early", 428: "Precondition Required",
      429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
      501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    ]
    return known[status] ?? "Status"
  }
}

extension Reply {
  public static func json(_ text: String, status: Int = 200, headers: HeaderList = [:]) -> Reply {
    typed("application/json; charset=utf-8", text, status, headers)
  }

  public static func text(_ text: String, status: Int = 200, headers: HeaderList = [:]) -> Reply {
    typed("text/plain; charset=utf-8", text, status, headers)
  }

  /// An HTML response, for example an error page instead of JSON.
  public static func html(_ text: String, status: Int = 200, headers: HeaderList = [:]) -> Reply {
    typed("text/html; charset=utf-8", text, status, headers)
  }

  /// A redirect with an empty body.
  public static func redirect(to location: String, status: Int = 302) -> Reply {
    Reply(status: status, headers: ["location": location])
  }

  /// Sends text unchanged, then closes. For malformed responses.
  public static func raw(_ text: String) -> Reply { script([.text(text)]) }

  /// Runs steps on the socket, then closes the connection, unless the last step is ``Step/keep``.
  public static func script(_ steps: [Step]) -> Reply {
    var reply = Reply()
    reply.steps = steps
    return reply
  }

  /// Accepts the request and never responds.
  public static var hang: Reply { script([.hang]) }

  /// Resets the connection instead of responding.
  public static var reset: Reply { script([.reset]) }

  /// Closes the connection instead of responding.
  public static var closed: Reply { script([.close]) }

  /// A response that is truncated after this many bytes of its coded body; the announced length does not change.
  /// - Parameter reset: whether to end with a reset instead of a regular close.
  public func truncated(afterBodyBytes count: Int, reset: Bool = false) -> Reply {
    let whole = rendered(keepAlive: true)
    let bytes = Array(whole.bytes.prefix(whole.headLength + max(0, count)))
    return .script([.write(bytes), reset ? .reset : .close])
  }

  /// A response that arrives in small pieces with a pause after each.
  public func dripped(piece: Int, milliseconds: Int) -> Reply {
    .script([.drip(rendered(keepAlive: true).bytes, piece: piece, milliseconds: milliseconds), .keep])
  }

  /// This response after a pause.
  public func delayed(milliseconds: Int) -> Reply {
    if let steps { return .script([.pause(milliseconds: milliseconds)] + steps) }
    return .script([
      .pause(milliseconds: milliseconds), .write(rendered(keepAlive: true).bytes), closes ? .close : .keep,
    ])
  }

  /// An endless body without coding: `chunk` repeatedly.
  public static func endless(
    _ chunk: [UInt8] = Array(repeating: 0x20, count: 65_536), headers: HeaderList = ["content-type": "application/json"]
  ) -> Reply {
    let head = Reply(headers: headers, framing: .close).rendered(keepAlive: false).bytes
    return .script([.write(head), .writeRepeatedly(chunk, times: nil)])
  }

  /// An endless gzip body that expands about a thousandfold.
  public static func endlessGzip(headers: HeaderList = ["content-type": "application/json"]) -> Reply {
    var fields = headers
    fields["content-encoding"] = "gzip"
    let head = Reply(headers: fields, framing: .close).rendered(keepAlive: false).bytes
    return .script([.write(head + Gzip.header), .writeRepeatedly(Deflate.zeroBlock(count: 16 << 20), times: nil)])
  }

  /// A valid gzip body that expands to this many zero bytes from about a thousandth of that.
  /// - Parameter layers: the number of times that it is compressed (`Content-Encoding: gzip, gzip` for 2).
  public static func gzipBomb(
    inflatesTo count: Int, layers: Int = 1, headers: HeaderList = ["content-type": "application/json"]
  ) -> Reply {
    var body = Gzip.zeros(count: count)
    for _ in 1..<max(1, layers) { body = Gzip.compress(body) }
    var fields = headers
    fields["content-encoding"] = Array(repeating: "gzip", count: max(1, layers)).joined(separator: ", ")
    return Reply(headers: fields, body: body)
  }

  private static func typed(_ type: String, _ text: String, _ status: Int, _ headers: HeaderList) -> Reply {
    var fields = headers
    if fields["content-type"] == nil { fields["content-type"] = type }
    return Reply(status: status, headers: fields, body: Array(text.utf8))
  }
}

extension Reply {
  /// The response as bytes on the wire.
  /// - Parameter keepAlive: whether the client allows the connection to be reused.
  /// - Returns: all bytes, and the length of the status line and the headers, which is 0 for a script.
  public func rendered(keepAlive: Bool) -> (bytes: [UInt8], headLength: Int) {
    var bytes: [UInt8] = []
    let payload = coded
    let bodiless = status == 204 || status == 304 || status / 100 == 1
    bytes.reserveCapacity(payload.count + 256)
    bytes.add("HTTP/1.1 ")
    bytes.add(String(status))
    bytes.add(" ")
    bytes.add(reason ?? Reply.reason(status))
    bytes.add("\r\n")
    for field in headers.fields { bytes.add(field.name, field.value) }
    switch coding {
    case .identity: break
    case .gzip: bytes.add("content-encoding", "gzip")
    case .deflate: bytes.add("content-encoding", "deflate")
    }
    switch framing {
    case .contentLength: if !bodiless { bytes.add("content-length", String(payload.count)) }
    case .chunked: if !bodiless { bytes.add("transfer-encoding", "chunked") }
    case .close, .asWritten: break
    }
    if closes || framing == .close || !keepAlive { bytes.add("connection", "close") }
    bytes.add("\r\n")
    let headLength = bytes.count
    guard !isHead, !bodiless else { return (bytes, headLength) }
    if case .chunked(let size) = framing {
      var rest = payload[...]
      while !rest.isEmpty {
        let piece = rest.prefix(max(1, size))
        bytes.add(String(piece.count, radix: 16))
        bytes.add("\r\n")
        bytes.append(contentsOf: piece)
        bytes.add("\r\n")
        rest = rest.dropFirst(piece.count)
      }
      bytes.add("0\r\n\r\n")
    } else {
      bytes.append(contentsOf: payload)
    }
    return (bytes, headLength)
  }

  private var coded: [UInt8] {
    switch coding {
    case .identity: body
    case .gzip: Gzip.compress(body)
    case .deflate: Deflate.zlib(body)
    }
  }
}

extension [UInt8] {
  mutating func add(_ text: String) { append(contentsOf: text.utf8) }

  mutating func add(_ name: String, _ value: String) {
    add(name)
    add(": ")
    add(value)
    add("\r\n")
  }
}
