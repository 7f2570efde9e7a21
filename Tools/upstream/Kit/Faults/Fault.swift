/// A kind of misbehaviour of a server.
public enum Fault: Sendable, Equatable {
  /// A status with a JSON error; the request is not processed. `retryAfter` is the value of the header, or `date:N` for
  /// the HTTP date N seconds from now.
  case status(Int, retryAfter: String? = nil)
  /// An HTML page with this status instead of JSON; the request is not processed.
  case html(Int)
  /// A redirect with this status; nil leads back to the same URL with a mark, with which it succeeds.
  case redirect(Int, to: String? = nil)
  /// A reset; the request is not processed.
  case reset
  /// The request is processed, then the connection is reset without a response.
  case lostReply
  /// A regular close without a response; the request is not processed.
  case close
  /// The request is processed, and its response is truncated after this many bytes of the body.
  case truncate(Int)
  /// The request is processed, and its response arrives in pieces of this size with a pause after each.
  case drip(piece: Int, milliseconds: Int)
  /// The request is processed, and the response is delayed.
  case delay(milliseconds: Int)
  /// The response is compressed with gzip, even if it was not requested.
  case gzip
  /// No response; the request is not processed.
  case hang
  case endless
  /// A small gzip response that decompresses endlessly.
  case bomb
  /// Bytes that are not HTTP.
  case garbage

  /// Those without parameters, by their names.
  private static let plain: [String: Fault] = [
    "reset": .reset, "lost-reply": .lostReply, "close": .close, "gzip": .gzip, "hang": .hang, "endless": .endless,
    "bomb": .bomb, "garbage": .garbage,
  ]

  /// The name in scripts and in the log.
  public var name: String {
    switch self {
    case .status(let status, _): String(status)
    case .html: "html"
    case .redirect: "redirect"
    case .truncate: "truncate"
    case .drip: "drip"
    case .delay: "delay"
    default: Fault.plain.first { $0.value == self }?.key ?? ""
    }
  }

  /// Creates the fault of a name with default parameters; a number is a status. Nil for an unknown name.
  public init?(name: String) {
    switch name {
    case "429": self = .status(429, retryAfter: "1")
    case "html": self = .html(502)
    case "redirect": self = .redirect(302)
    case "truncate": self = .truncate(20)
    case "drip": self = .drip(piece: 4096, milliseconds: 5)
    case "delay": self = .delay(milliseconds: 200)
    default:
      if let plain = Fault.plain[name] {
        self = plain
        return
      }
      guard let status = Int(name), (400...599).contains(status) else { return nil }
      self = .status(status)
    }
  }

  /// The reply that replaces that of the API, for a fault without processing; nil for one that modifies the reply.
  func replacement(for request: ReceivedRequest, now: Instant) -> Reply? {
    switch self {
    case .status(let status, let retryAfter):
      let body = #"{"error":{"code":\#(status),"message":"A requested fault"}}"#
      var reply = Reply.json(body, status: status)
      if let retryAfter {
        let seconds = retryAfter.hasPrefix("date:") ? Int(retryAfter.dropFirst(5)) : nil
        reply.headers["retry-after"] = seconds.map { Instant(seconds: now.seconds + $0).http } ?? retryAfter
      }
      return reply
    case .html(let status): return .html(HTMLPage.text(status, "The server is busy."), status: status)
    case .redirect(let status, let location):
      let mark = (request.target.contains("?") ? "&" : "?") + FaultPlan.mark
      return .redirect(to: location ?? request.target + mark, status: status)
    case .reset: return .reset
    case .close: return .closed
    case .hang: return .hang
    case .endless: return .endless()
    case .bomb: return .endlessGzip()
    case .garbage: return .raw("\u{1}\u{2}not HTTP at all\r\n\r\n")
    case .lostReply, .truncate, .drip, .delay, .gzip: return nil
    }
  }

  /// The reply of the API as modified by this fault.
  func applied(to reply: Reply) -> Reply {
    switch self {
    case .lostReply: return .reset
    case .truncate(let count): return reply.truncated(afterBodyBytes: min(count, max(0, reply.body.count - 1)))
    case .drip(let piece, let milliseconds): return reply.dripped(piece: piece, milliseconds: milliseconds)
    case .delay(let milliseconds): return reply.delayed(milliseconds: milliseconds)
    case .gzip:
      var coded = reply
      coded.coding = .gzip
      return coded
    default: return reply
    }
  }
}
