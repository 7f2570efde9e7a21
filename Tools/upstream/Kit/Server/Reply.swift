/// What the server does about a request: a proper response, or a script of steps on the socket.
///
/// ```swift
/// Reply.json(#"{"ok": true}"#)
/// Reply(status: 200, body: page, framing: .chunked(64), coding: .gzip)
/// Reply.script([.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .pause(milliseconds: 50), .reset])
/// ```
public struct Reply: Sendable {
  /// How the end of the body is marked.
  public enum Framing: Sendable, Equatable {
    /// A `Content-Length` header.
    case contentLength
    /// `Transfer-Encoding: chunked`, in chunks of at most this many bytes.
    case chunked(Int)
    /// No length: the server closes the connection after the body.
    case close
    /// Neither length nor chunks is added and the connection stays open: the headers are yours.
    case asWritten
  }

  /// How the body is coded before it is sent; the `Content-Encoding` header is added.
  public enum Coding: Sendable, Equatable {
    /// As it is.
    case identity
    /// `gzip` (RFC 1952).
    case gzip
    /// `deflate` (RFC 1950, zlib's wrapper).
    case deflate
  }

  /// One step on the socket.
  public enum Step: Sendable {
    /// Sends these bytes as they are.
    case write([UInt8])
    /// Sends this text as it is, in UTF-8.
    case text(String)
    /// Sends these bytes again and again, this many times; `nil` is for as long as the client reads.
    case writeRepeatedly([UInt8], times: Int?)
    /// Sends these bytes in pieces of this size with a pause after each: a slow drip.
    case drip([UInt8], piece: Int, milliseconds: Int)
    /// Waits. Ends at once when the server stops.
    case pause(milliseconds: Int)
    /// Calls this, for example to let a test go on.
    case run(@Sendable () -> Void)
    /// Reads and throws away whatever the client sends from now on, until it closes.
    case drain
    /// Closes with a TCP reset. The steps after it are not done.
    case reset
    /// Closes properly (FIN). The steps after it are not done.
    case close
    /// Keeps the connection open and silent until the client closes or the server stops.
    case hang
    /// Goes on with the next request on this connection. Without it, the end of a script closes.
    case keep
  }

  /// The status code.
  public var status: Int
  /// The reason phrase; `nil` takes the usual one.
  public var reason: String?
  /// Headers to send beside those that framing and coding add.
  public var headers: HeaderList
  /// The body before coding and framing.
  public var body: [UInt8]
  /// How the end of the body is marked.
  public var framing: Framing
  /// How the body is coded.
  public var coding: Coding
  /// Whether to close the connection after the response (and to say so in a header).
  public var closes: Bool
  /// Whether it answers HEAD: the body is described and not sent, also where it is late or comes in drips.
  public var isHead = false
  /// When set, this is done and everything above is left unused.
  public var steps: [Step]?

  /// A proper response.
  public init(
    status: Int = 200, headers: HeaderList = [:], body: [UInt8] = [], framing: Framing = .contentLength,
    coding: Coding = .identity, closes: Bool = false
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.framing = framing
    self.coding = coding
    self.closes = closes
  }

  /// The usual reason phrase of a status code.
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
  /// A JSON response.
  public static func json(_ text: String, status: Int = 200, headers: HeaderList = [:]) -> Reply {
    typed("application/json; charset=utf-8", text, status, headers)
  }

  /// A plain text response.
  public static func text(_ text: String, status: Int = 200, headers: HeaderList = [:]) -> Reply {
    typed("text/plain; charset=utf-8", text, status, headers)
  }

  /// An HTML response, for example an error page where JSON was asked for.
  public static func html(_ text: String, status: Int = 200, headers: HeaderList = [:]) -> Reply {
    typed("text/html; charset=utf-8", text, status, headers)
  }

  /// A redirect with an empty body.
  public static func redirect(to location: String, status: Int = 302) -> Reply {
    Reply(status: status, headers: ["location": location])
  }

  /// Bytes that are written as they are, then a close. For malformed responses.
  public static func raw(_ bytes: [UInt8]) -> Reply {
    script([.write(bytes)])
  }

  /// Text that is written as it is, then a close. For malformed responses.
  public static func raw(_ text: String) -> Reply {
    script([.text(text)])
  }

  /// Steps on the socket. At their end the connection is closed, unless the last is ``Step/keep``.
  public static func script(_ steps: [Step]) -> Reply {
    var reply = Reply()
    reply.steps = steps
    return reply
  }

  /// Accepts the request and never answers it.
  public static var hang: Reply { script([.hang]) }

  /// Resets the connection in place of an answer.
  public static var reset: Reply { script([.reset]) }

  /// Closes the connection in place of an answer.
  public static var closed: Reply { script([.close]) }

  /// A whole response that is cut off after this many bytes of its coded body; the promised length stays.
  /// - Parameter reset: ends with a reset in place of a proper close.
  public func truncated(afterBodyBytes count: Int, reset: Bool = false) -> Reply {
    let whole = rendered(keepAlive: true)
    let bytes = Array(whole.bytes.prefix(whole.headLength + max(0, count)))
    return .script([.write(bytes), reset ? .reset : .close])
  }

  /// A whole response that comes in small pieces with a pause after each.
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

  /// A body without end that is not coded: `chunk` again and again.
  public static func endless(
    _ chunk: [UInt8] = Array(repeating: 0x20, count: 65_536), headers: HeaderList = ["content-type": "application/json"]
  ) -> Reply {
    let head = Reply(headers: headers, framing: .close).rendered(keepAlive: false).bytes
    return .script([.write(head), .writeRepeatedly(chunk, times: nil)])
  }

  /// A gzip body without end that inflates about a thousandfold.
  public static func endlessGzip(headers: HeaderList = ["content-type": "application/json"]) -> Reply {
    var fields = headers
    fields["content-encoding"] = "gzip"
    let head = Reply(headers: fields, framing: .close).rendered(keepAlive: false).bytes
    return .script([
      .write(head + Gzip.header), .writeRepeatedly(Deflate.zeroBlock(count: 16 << 20), times: nil),
    ])
  }

  /// A valid gzip body that inflates to this many zero bytes, from about a thousandth of that.
  /// - Parameter layers: how many times over it is compressed (`Content-Encoding: gzip, gzip` for 2).
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
  /// - Parameter keepAlive: whether the client asked for the connection to live on.
  /// - Returns: every byte, and how many of them are the status line and the headers. A script has no status line or headers.
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
  mutating func add(_ text: String) {
    append(contentsOf: text.utf8)
  }

  mutating func add(_ name: String, _ value: String) {
    add(name)
    add(": ")
    add(value)
    add("\r\n")
  }
}
