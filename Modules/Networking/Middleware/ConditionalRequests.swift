import Models
public import Ports

/// Makes requests with a validator conditional (RFC 9110 section 13.1), and accepts 304 only for conditional requests.
public struct ConditionalRequests: HTTPMiddleware {
  private let redaction: Redaction

  /// Creates the middleware; `redaction` masks secrets in its errors.
  public init(redaction: Redaction = Redaction()) { self.redaction = redaction }

  /// Adds `request.validator` as `If-None-Match` and `If-Modified-Since`.
  ///
  /// - Throws: `TransportError.malformed` for a 304 to a request without a validator, and the errors of `next`.
  public func intercept(
    _ request: HTTPRequest, next: @escaping HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    let response = try await next(conditional(request))
    if response.status.meaning == .unchanged, !ConditionalRequests.isConditional(request) { throw refusal(response) }
    return response
  }

  @inline(never)
  private func conditional(_ request: HTTPRequest) -> HTTPRequest {
    guard request.method == .get || request.method == .head, let validator = request.validator else { return request }
    var conditional = request
    if let etag = validator.etag { conditional.headers["If-None-Match"] = etag }
    if let date = validator.lastModified { conditional.headers["If-Modified-Since"] = date }
    return conditional
  }

  /// Whether the request is conditional, so that 304 is a valid response.
  @inline(never)
  private static func isConditional(_ request: HTTPRequest) -> Bool {
    if request.headers["If-None-Match"] != nil || request.headers["If-Modified-Since"] != nil { return true }
    guard request.method == .get || request.method == .head, let validator = request.validator else { return false }
    return validator.etag != nil || validator.lastModified != nil
  }

  @inline(never)
  private func refusal(_ response: HTTPResponse) -> TransportError {
    TransportError(
      .malformed, "the server answered 304 Not Modified to a request without a condition",
      url: redaction.url(response.url), mayHaveArrived: true, requests: response.requests)
  }
}
