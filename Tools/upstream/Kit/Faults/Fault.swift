/// One way in which a server misbehaves.
public enum Fault: Sendable, Equatable {
  /// A status with a JSON error, before anything is done. `retryAfter` is the header's value as it is, or
  /// `date:N` for the HTTP date N seconds from now.
  case status(Int, retryAfter: String? = nil)
  /// An HTML page with this status where JSON was asked for; nothing is done.
  case html(Int)
  /// A redirect with this status; nil leads back to the same address, with a mark so that it succeeds there.
  case redirect(Int, to: String? = nil)
  /// A reset before anything is done.
  case reset
  /// The request is done, then the connection is reset without an answer: a lost reply.
  case lostReply
  /// A proper close without an answer, before anything is done.
  case close
  /// The request is done and its answer cut off after this many bytes of the body.
  case truncate(Int)
  /// The request is done and its answer comes in pieces of this size with a pause after each.
  case drip(piece: Int, milliseconds: Int)
  /// The request is done and answered this much later.
  case delay(milliseconds: Int)
  /// The answer comes in gzip, asked for or not.
  case gzip
  /// No answer ever; nothing is done.
  case hang
  /// An answer without end.
  case endless
  /// A small answer in gzip that inflates without end.
  case bomb
  /// Bytes that are not HTTP.
  case garbage

  /// The name in scripts and in the log.
  public var name: String {
    switch self {
    case .status(let status, _): String(status)
    case .html: "html"
    case .redirect: "redirect"
    case .reset: "reset"
    case .lostReply: "lost-reply"
    case .close: "close"
    case .truncate: "truncate"
    case .drip: "drip"
    case .delay: "delay"
    case .gzip: "gzip"
    case .hang: "hang"
    case .endless: "endless"
    case .bomb: "bomb"
    case .garbage: "garbage"
    }
  }

  /// The fault of a name, with usual measures; a number is a status. Nil for any other name.
  public init?(name: String) {
    switch name {
    case "429": self = .status(429, retryAfter: "1")
    case "html": self = .html(502)
    case "redirect": self = .redirect(302)
    case "reset": self = .reset
    case "lost-reply": self = .lostReply
    case "close": self = .close
    case "truncate": self = .truncate(20)
    case "drip": self = .drip(piece: 4096, milliseconds: 5)
    case "delay": self = .delay(milliseconds: 200)
    case "gzip": self = .gzip
    case "hang": self = .hang
    case "endless": self = .endless
    case "bomb": self = .bomb
    case "garbage": self = .garbage
    default:
      guard let status = Int(name), (400...599).contains(status) else { return nil }
      self = .status(status)
    }
  }

  /// The reply in place of the API's, for a fault that does nothing; nil for one that changes the API's reply.
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

  /// The API's reply as this fault changes it.
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
