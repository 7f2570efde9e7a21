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
