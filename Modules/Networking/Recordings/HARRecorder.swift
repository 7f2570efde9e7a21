import Models
public import Ports
import Synchronization

/// Records every exchange as HAR 1.2, which `HARTransport` and other HAR tools read.
///
/// Place it innermost, around the transport, so that each attempt and each redirect is an entry of its own. Keys,
/// tokens, cookies and `Authorization` are masked, even if a response repeats them. Of a request for an access token, its
/// body is left out, and what its answer says is masked, there and in all later exchanges. A failed exchange is recorded as
/// `_fault`, with the exact error in `_error`.
public final class HARRecorder: HTTPMiddleware {
  /// The program that makes a recording, which the format requires.
  public struct Creator: Hashable, Sendable {
    public var name: String
    public var version: String

    public init(name: String, version: String) { (self.name, self.version) = (name, version) }
  }

  private let coder: any RecordCoder
  private let time: any TimeSource
  private let redaction: Redaction
  private let secrets: [String]
  private let creator: Creator
  private let state = Mutex(State())

  private struct State {
    var entries: [JSONValue] = []
    /// What answers to requests for tokens said.
    var tokens: [String] = []
  }

  /// - Parameters:
  ///   - secrets: keys and tokens in use, which are masked wherever they occur.
  public init(
    creator: Creator, coder: any RecordCoder, time: any TimeSource = SystemTimeSource(), secrets: [String] = [],
    names: SecretNames = SecretNames()
  ) {
    (self.coder, self.time, self.secrets) = (coder, time, secrets)
    redaction = Redaction(secrets: secrets, names: names)
    self.creator = creator
  }

  public func intercept(_ request: HTTPRequest, next: @escaping HTTPNext) async throws(TransportError) -> HTTPResponse {
    let started = time.now
    let start = time.uptime
    do {
      let response = try await next(request)
      let milliseconds = (time.uptime - start).microseconds / 1000
      if request.isPreparation {
        let said = Redaction.said(by: response)
        state.withLock { $0.tokens += said }
      }
      keep(HARWriter(redaction(for: request)).entry(request, .success(response), started, milliseconds))
      return response
    } catch {
      let milliseconds = (time.uptime - start).microseconds / 1000
      if error.code != .cancelled {
        keep(HARWriter(redaction(for: request)).entry(request, .failure(error), started, milliseconds))
      }
      throw error
    }
  }

  // Secrets that the request contains are masked in its response too, even if `secrets` does not list them.
  private func redaction(for request: HTTPRequest) -> Redaction {
    var found = secrets + state.withLock(\.tokens)
    for field in request.headers.fields where redaction.names.isHeader(field.name) {
      found.append(field.value)
      found += field.value.split(separator: " ").map(String.init)
    }
    for parameter in WebAddress(request.url)?.parameters ?? [] where redaction.names.isParameter(parameter.name) {
      found.append(parameter.value)
    }
    return found.count == secrets.count ? redaction : Redaction(secrets: found, names: redaction.names)
  }

  private func keep(_ entry: JSONValue) { state.withLock { $0.entries.append(entry) } }

  public func recording() -> [UInt8] {
    let log: JSONObject = [
      "version": "1.2",
      "creator": .object(["name": .string(creator.name), "version": .string(creator.version)]),
      "entries": .array(state.withLock(\.entries)),
    ]
    return coder.encode(["log": .object(log)] as JSONObject)
  }
}

private struct HARWriter {
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
    case .success(var response):
      if request.isPreparation { response.body = Redaction.shape(of: response.body) }
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

  /// The closest of the faults that replay supports. The exact error is recorded in addition.
  private static func fault(_ code: TransportError.Code) -> String {
    switch code {
    case .timeout: "timeout"
    case .truncated: "truncate:0"
    default: "reset"
    }
  }

  private func fields(_ error: TransportError) -> JSONObject {
    let error = redaction.error(error)
    return [
      "code": .string(error.code.rawValue), "message": .string(error.message), "url": .of(error.url),
      "hint": .of(error.hint?.description), "retryAfter": .of(error.retryAfter),
      "mayHaveArrived": .of(error.mayHaveArrived),
    ]
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
    if let body = request.body, !request.isPreparation {
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
    return shell(status: response.status.code, headers: redaction.headers(response.headers), content: content)
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
    .array(redaction.headers(headers).fields.map { .object(["name": .string($0.name), "value": .string($0.value)]) })
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
