import Models
import Ports

/// Writes one exchange as an entry of HAR 1.2, without secrets.
struct HARWriter {
  private let redaction: Redaction

  init(_ redaction: Redaction) { self.redaction = redaction }

  func entry(
    _ request: HTTPRequest, _ outcome: Result<HTTPResponse, TransportError>, _ started: Timestamp, _ milliseconds: Int64
  ) -> JSONValue {
    var entry: JSONObject = [
      "startedDateTime": .string(started.description),
      "time": .number(String(milliseconds)),
      "request": .object(self.request(request)),
    ]
    switch outcome {
    case .success(let response):
      entry["response"] = .object(self.response(response))
    case .failure(let error):
      entry["response"] = .object(shell(status: 0, headers: HTTPHeaders(), content: ["size": 0, "mimeType": ""]))
      entry["_fault"] = .string(HARWriter.fault(error.code))
      entry["_error"] = .object(fields(error))
    }
    entry["cache"] = .object([:])
    entry["timings"] = .object(["send": 0, "wait": .number(String(milliseconds)), "receive": 0])
    return .object(entry)
  }

  /// The nearest of the faults that the format knows; the error beside it says exactly what happened.
  private static func fault(_ code: TransportError.Code) -> String {
    switch code {
    case .timeout: "timeout"
    case .truncated: "truncate:0"
    default: "reset"
    }
  }

  private func fields(_ error: TransportError) -> JSONObject {
    let error = redaction.error(error)
    var fields: JSONObject = ["code": .string(error.code.rawValue), "message": .string(error.message)]
    fields.append("url", error.url)
    fields.append("hint", error.hint)
    fields.append("retryAfter", error.retryAfter)
    fields.append("mayHaveArrived", error.mayHaveArrived)
    return fields
  }

  private func request(_ request: HTTPRequest) -> JSONObject {
    let url = redaction.url(request.url)
    var fields: JSONObject = [
      "method": .string(request.method.rawValue),
      "url": .string(url),
      "httpVersion": "HTTP/1.1",
      "cookies": .array([]),
      "headers": headers(request.headers),
      "queryString": .array(
        (WebAddress(url)?.parameters ?? []).map { .object(["name": .string($0.name), "value": .string($0.value)]) }),
      "headersSize": -1,
      "bodySize": .int(request.body?.count ?? 0),
    ]
    if let body = request.body {
      var post: JSONObject = ["mimeType": .string(type(of: request.headers))]
      add(redaction.body(body), to: &post)
      fields["postData"] = .object(post)
    }
    return fields
  }

  private func response(_ response: HTTPResponse) -> JSONObject {
    let body = redaction.body(response.body)
    var content: JSONObject = [
      "size": .int(body.count), "mimeType": .string(type(of: response.headers)),
    ]
    add(body, to: &content)
    return shell(status: response.status, headers: redaction.headers(response.headers), content: content)
  }

  private func type(of headers: HTTPHeaders) -> String { redaction.text(headers["Content-Type"] ?? "") }

  private func shell(status: Int, headers: HTTPHeaders, content: JSONObject) -> JSONObject {
    [
      "status": .int(status),
      "statusText": "",
      "httpVersion": "HTTP/1.1",
      "cookies": .array([]),
      "headers": self.headers(headers),
      "content": .object(content),
      "redirectURL": .string(headers["Location"] ?? ""),
      "headersSize": -1,
      "bodySize": -1,
    ]
  }

  private func headers(_ headers: HTTPHeaders) -> JSONValue {
    .array(
      redaction.headers(headers).fields.map { .object(["name": .string($0.name), "value": .string($0.value)]) })
  }

  private func add(_ body: [UInt8], to object: inout JSONObject) {
    if let text = String(validating: body, as: UTF8.self) {
      object["text"] = .string(text)
    } else {
      object["text"] = .string(Base64.encoded(body))
      object["encoding"] = "base64"
    }
  }
}
