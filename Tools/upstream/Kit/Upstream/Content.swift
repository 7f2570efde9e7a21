/// What an API answers, before validators, coding and faults.
struct Content {
  var status = 200
  var body: [UInt8] = []
  var type = "application/json; charset=utf-8"
  /// The moment of `Last-Modified`.
  var modified: Instant?
  /// Whether the answer carries an ETag and may be answered with 304.
  var validated = false
  /// The ETag where it is not made of the body.
  var tag: String?
  var headers: HeaderList = [:]

  static func json(_ body: [UInt8], status: Int = 200) -> Content {
    Content(status: status, body: body)
  }

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

/// The page that a web server sends where a program hoped for JSON.
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
