import Models
import Ports

/// One answer of a server in the demo.
struct DemoAnswer {
  /// What was asked for.
  let url: String
  /// When, in UTC: `2026-03-02T16:00:00`.
  let at: String
  /// The `ETag` without its quotes.
  let tag: String
  /// The body.
  let body: Body

  /// A body as it is kept here.
  enum Body {
    /// Text that is JSON.
    case text(String)
    /// What becomes such a text.
    case value(JSONValue)
  }

  /// The answer as an entry of a HAR file (HAR 1.2, 'entries').
  func entry(_ coder: any RecordCoder) -> JSONValue {
    let body =
      switch body {
      case .text(let text): text
      case .value(let value): String(decoding: coder.encode(value), as: UTF8.self)
      }
    let size = JSONValue.int(body.utf8.count)
    let type: JSONValue = "application/json; charset=utf-8"
    let headers: JSONValue = [
      ["name": "content-type", "value": type], ["name": "etag", "value": .string("\"\(tag)\"")],
    ]
    return [
      "startedDateTime": .string(at + ".000Z"), "time": 150, "cache": [:],
      "timings": ["send": 1, "wait": 130, "receive": 19],
      "request": [
        "method": "GET", "url": .string(url), "httpVersion": "HTTP/2", "cookies": [], "headers": [], "queryString": [],
        "headersSize": -1, "bodySize": 0,
      ],
      "response": [
        "status": 200, "statusText": "OK", "httpVersion": "HTTP/2", "cookies": [], "headers": headers,
        "content": ["size": size, "mimeType": type, "text": .string(body)], "redirectURL": "", "headersSize": -1,
        "bodySize": size,
      ],
    ]
  }
}
