import Models
public import Ports

/// Rejects responses that are too large, or whose body does not have the announced length.
///
/// Complete transports reject them earlier, while receiving. This is the safety net for limited transports and for
/// recordings.
public struct ResponseLimits: HTTPMiddleware {
  private let bodyLimit: Int
  private let headerLimit: Int
  private let redaction: Redaction

  /// Creates the middleware.
  ///
  /// - Parameters:
  ///   - body: the largest decoded body, in bytes. A smaller `bodyLimit` of the request takes precedence.
  ///   - headers: the largest total size of header names and values, in bytes.
  ///   - redaction: masks secrets in errors.
  public init(body: Int = 64 << 20, headers: Int = 64 << 10, redaction: Redaction = Redaction()) {
    bodyLimit = body
    headerLimit = headers
    self.redaction = redaction
  }

  /// Returns valid responses. Errors of `next` may quote the server: they are redacted here, before any other
  /// middleware sees them.
  ///
  /// - Throws: `TransportError` `tooLarge`, `truncated` or `malformed`, and the errors of `next`.
  public func intercept(
    _ request: HTTPRequest, next: @escaping HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    let response: HTTPResponse
    do throws(TransportError) { response = try await next(request) } catch { throw redaction.error(error) }
    if let refusal = refusal(of: response, to: request) { throw refusal }
    return response
  }

  // Synchronous work of the middlewares is in functions of its own: the locals of an asynchronous function occupy
  // memory for the whole exchange.
  /// The reason why the response is rejected; `nil` for a valid one.
  @inline(never)
  private func refusal(of response: HTTPResponse, to request: HTTPRequest) -> TransportError? {
    func refusal(_ code: TransportError.Code, _ message: String) -> TransportError {
      TransportError(
        code, message, url: redaction.url(response.url), mayHaveArrived: true, requests: response.requests)
    }
    guard response.status.isFinal else {
      return refusal(.malformed, "the server answered with the status \(response.status)")
    }
    let limit = min(request.bodyLimit ?? bodyLimit, bodyLimit)
    guard response.body.count <= limit else {
      return refusal(.tooLarge, "the response is larger than \(limit) bytes")
    }
    let headerBytes = response.headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    guard headerBytes <= headerLimit else {
      return refusal(.tooLarge, "the response headers are larger than \(headerLimit) bytes")
    }
    guard request.method != .head, response.status.meaning != .unchanged, response.headers["Content-Encoding"] == nil,
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
