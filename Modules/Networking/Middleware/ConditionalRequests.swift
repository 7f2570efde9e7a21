public import Ports

/// Asks for an answer only where it differs from what the caller has (RFC 9110 section 13.1), and takes 304 as an
/// answer only where it was asked for.
public struct ConditionalRequests: HTTPMiddleware {
  private let redaction: Redaction

  /// Makes the middleware; `redaction` cleans the URL in its errors.
  public init(redaction: Redaction = Redaction()) { self.redaction = redaction }

  /// Turns `request.validator` into `If-None-Match` and `If-Modified-Since`.
  ///
  /// - Throws: `TransportError.malformed` for a 304 to a request without a validator, and what `next` throws.
  public func intercept(
    _ request: HTTPRequest, next: @escaping HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    var conditional = request
    var asked = request.headers["If-None-Match"] != nil || request.headers["If-Modified-Since"] != nil
    if request.method == .get || request.method == .head, let validator = request.validator {
      if let etag = validator.etag { conditional.headers["If-None-Match"] = etag }
      if let date = validator.lastModified { conditional.headers["If-Modified-Since"] = date }
      asked = asked || validator.etag != nil || validator.lastModified != nil
    }
    let response = try await next(conditional)
    guard response.status != 304 || asked else {
      throw TransportError(
        .malformed, "the server answered 304 Not Modified to a request without a condition",
        url: redaction.url(response.url), mayHaveArrived: true, requests: response.requests)
    }
    return response
  }
}
