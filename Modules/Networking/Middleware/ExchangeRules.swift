import Models
public import Ports

/// Checks what is sent and what comes back: no invalid request reaches a socket, requests with a validator are conditional
/// (RFC 9110 section 13.1), and name the program (section 10.1.5); a response has a final status, is not too large, has the
/// announced length, and is a 304 only where the request was conditional.
///
/// Complete transports reject such responses while receiving. Errors of `next` may quote the server: they are redacted.
public struct ExchangeRules: HTTPMiddleware {
  private let userAgent: String?
  private let bodyLimit: Int
  private let headerLimit: Int
  private let redaction: Redaction

  /// - Parameters:
  ///   - userAgent: product and version, for requests that have none: `example/1.0 (+https://…)`.
  ///   - body: the largest decoded body, in bytes. A smaller `bodyLimit` of the request takes precedence.
  ///   - headers: the largest total size of header names and values, in bytes.
  public init(
    userAgent: String? = nil, body: Int = 64 << 20, headers: Int = 64 << 10, redaction: Redaction = Redaction()
  ) {
    (self.userAgent, bodyLimit, headerLimit, self.redaction) = (userAgent, body, headers, redaction)
  }

  /// - Throws: `TransportError.invalidRequest`, `tooLarge`, `truncated` or `malformed`, and the errors of `next`.
  public func intercept(_ request: HTTPRequest, next: @escaping HTTPNext) async throws(TransportError) -> HTTPResponse {
    let request = try prepared(request)
    let response: HTTPResponse
    do throws(TransportError) { response = try await next(request) } catch { throw redaction.error(error) }
    if let refusal = refusal(of: response, to: request) { throw refusal }
    return response
  }

  // Synchronous work of the middlewares is in functions of its own: the locals of an asynchronous function occupy
  // memory for the whole exchange.
  @inline(never)
  private func prepared(_ request: HTTPRequest) throws(TransportError) -> HTTPRequest {
    if let refusal = Self.refusal(of: request, printed: redaction.url(request.url)) { throw refusal }
    var request = request
    if request.method == .get || request.method == .head, let validator = request.validator {
      if let etag = validator.etag { request.headers["If-None-Match"] = etag }
      if let date = validator.lastModified { request.headers["If-Modified-Since"] = date }
    }
    if let userAgent, request.headers["User-Agent"] == nil { request.headers.append("User-Agent", userAgent) }
    return request
  }

  /// The reason why the request must not be sent; `nil` for a valid one. `printed` is its URL without secrets.
  package static func refusal(of request: HTTPRequest, printed: @autoclosure () -> String) -> TransportError? {
    func error(_ message: String, hint: Advice? = nil) -> TransportError {
      TransportError(.invalidRequest, message, url: printed(), hint: hint, requests: 0)
    }
    guard WebAddress.isPlain(request.url) || WebAddress(request.url) != nil else {
      return error("the address is not an absolute http or https URL", hint: "write an absolute http or https URL")
    }
    for field in request.headers.fields {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(isToken) else {
        return error("a header has a name that is not valid in HTTP")
      }
      guard field.value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
        return error("the header \(field.name) contains a line break or another control character")
      }
    }
    return nil
  }

  /// `tchar` (RFC 9110 section 5.6.2).
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E:
      true
    default: false
    }
  }

  @inline(never)
  private func refusal(of response: HTTPResponse, to request: HTTPRequest) -> TransportError? {
    func refusal(_ code: TransportError.Code, _ message: String) -> TransportError {
      TransportError(code, message, url: redaction.url(response.url), mayHaveArrived: true, requests: response.requests)
    }
    guard response.status.isFinal else {
      return refusal(.malformed, "the server answered with the status \(response.status)")
    }
    let isUnchanged = response.status.meaning == .unchanged
    if isUnchanged, request.headers["If-None-Match"] == nil, request.headers["If-Modified-Since"] == nil {
      return refusal(.malformed, "the server answered 304 Not Modified to a request without a condition")
    }
    let limit = min(request.bodyLimit ?? bodyLimit, bodyLimit)
    guard response.body.count <= limit else { return refusal(.tooLarge, "the response is larger than \(limit) bytes") }
    let headerBytes = response.headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    guard headerBytes <= headerLimit else {
      return refusal(.tooLarge, "the response headers are larger than \(headerLimit) bytes")
    }
    guard request.method != .head, !isUnchanged, response.headers["Content-Encoding"] == nil,
      let length = response.headers["Content-Length"].flatMap({ Int($0) ?? Int($0.trimmingHTTPSpace()) })
    else { return nil }
    guard response.body.count >= length else {
      return refusal(.truncated, "the response ends after \(response.body.count) of \(length) bytes")
    }
    guard response.body.count == length else {
      return refusal(.malformed, "the response is longer than the \(length) bytes that it announces")
    }
    return nil
  }
}
