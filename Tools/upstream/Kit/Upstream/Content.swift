/// The response of an API, before validators, coding and faults.
struct Content {
  var status = 200
  var body: [UInt8] = []
  var type = "application/json; charset=utf-8"
  /// The time for `Last-Modified`.
  var modified: Instant?
  /// Whether the response has an ETag and can be replaced by a 304.
  var validated = false
  /// The ETag, if it is not derived from the body.
  var tag: String?
  var headers: HeaderList = [:]

  static func json(_ body: [UInt8], status: Int = 200) -> Content { Content(status: status, body: body) }

  /// `{"error": {"code", "message"}}`
  static func error(_ code: Int, _ message: String, status: Int) -> Content {
    .json(
      JSONText.object { text in
        text.object("error") {
          $0.field("code", code)
          $0.field("message", message)
        }
      }, status: status)
  }

  static func notFound(_ message: String) -> Content { .page(404, message) }

  static func badRequest(_ message: String) -> Content { .page(400, message) }

  /// An error as a web server's HTML page.
  static func page(_ status: Int, _ message: String) -> Content {
    Content(status: status, body: Array(HTMLPage.text(status, message).utf8), type: "text/html; charset=utf-8")
  }
}

/// The page that a web server returns instead of JSON.
enum HTMLPage {
  static func text(_ status: Int, _ message: String) -> String {
    let safe = message.map { character -> String in
      switch character {
      case "<": "&lt;"
      case ">": "&gt;"
      case "&": "&amp;"
      default: String(character)
      }
    }.joined()
    return """
      <!DOCTYPE html>
      <html><head><title>\(status) \(Reply.reason(status))</title></head>
      <body><h1>\(Reply.reason(status))</h1><p>\(safe)</p><hr>upstream</body></html>

      """
  }
}

/// ETags and conditional requests (RFC 9110, sections 8.8 and 13).
enum Validators {
  /// The strong ETag of a body: 64 bits of FNV-1a.
  static func tag(_ body: [UInt8]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    body.withUnsafeBufferPointer { bytes in
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
    return "\"\(String(hash, radix: 16))\""
  }

  /// The entity tags of an `If-Match` or `If-None-Match` header.
  static func list(_ header: String) -> [String] {
    header.split(separator: ",").map { item in
      let tag = item.drop { $0 == " " }
      return String((tag.hasPrefix("W/") ? tag.dropFirst(2) : tag).prefix { $0 != " " })
    }
  }

  /// Whether the client has the current version. `If-Modified-Since` is evaluated only if no tag was sent.
  static func isUnchanged(_ request: ReceivedRequest, tag: String, modified: String?) -> Bool {
    if let known = request.headers["if-none-match"] { return known == "*" || list(known).contains(tag) }
    guard let modified else { return false }
    return request.headers["if-modified-since"] == modified
  }
}

/// A cache of responses, so that a benchmark measures the client rather than this server.
struct AnswerCache {
  private var answers: [String: Content] = [:]
  private var size = 0
  /// The maximum total size of the bodies in bytes; the cache is cleared when it is exceeded.
  private static let budget = 64 << 20

  /// The response of a key, which is computed the first time.
  mutating func answer(_ key: String, make: () -> Content) -> Content {
    if let known = answers[key] { return known }
    var content = make()
    if content.validated, content.tag == nil { content.tag = Validators.tag(content.body) }
    if size + content.body.count > AnswerCache.budget {
      answers = [:]
      size = 0
    }
    size += content.body.count
    answers[key] = content
    return content
  }
}
