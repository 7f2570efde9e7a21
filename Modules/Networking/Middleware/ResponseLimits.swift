public import Ports

/// Refuses answers that are too large, or shorter or longer than they say.
///
/// Whole transports refuse them earlier, while they come; this is the second door, for those that cannot, and for
/// recordings.
public struct ResponseLimits: HTTPMiddleware {
  private let bodyLimit: Int
  private let headerLimit: Int
  private let redaction: Redaction

  /// Makes the middleware.
  ///
  /// - Parameters:
  ///   - body: the largest decoded body, in bytes; a request's own `bodyLimit` counts where it is smaller.
  ///   - headers: the largest sum of all header names and values, in bytes.
  ///   - redaction: cleans the URL in its errors.
  public init(body: Int = 64 << 20, headers: Int = 64 << 10, redaction: Redaction = Redaction()) {
    bodyLimit = body
    headerLimit = headers
    self.redaction = redaction
  }

  /// Passes good answers back. What an error says may have come from the server: it is redacted here, before anything
  /// further out sees it.
  ///
  /// - Throws: `TransportError` `tooLarge`, `truncated` or `malformed`, and what `next` throws.
  public func intercept(
    _ request: HTTPRequest, next: @escaping HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    let response: HTTPResponse
    do throws(TransportError) { response = try await next(request) } catch { throw redaction.error(error) }
    if let refusal = refusal(of: response, to: request) { throw refusal }
    return response
  }

  /// Why the answer must not be given back, if so.
  ///
  /// Apart from `intercept`, as far as anything that does not wait is in the other middlewares too: what an asynchronous
  /// function uses, it asks memory for, for as long as the whole exchange lasts.
  @inline(never)
  private func refusal(of response: HTTPResponse, to request: HTTPRequest) -> TransportError? {
    func refusal(_ code: TransportError.Code, _ message: String) -> TransportError {
      TransportError(
        code, message, url: redaction.url(response.url), mayHaveArrived: true, requests: response.requests)
    }
    guard (200...599).contains(response.status) else {
      return refusal(.malformed, "the server answered with the status \(response.status)")
    }
    let limit = min(request.bodyLimit ?? bodyLimit, bodyLimit)
    guard response.body.count <= limit else {
      return refusal(.tooLarge, "the answer is larger than \(limit) bytes")
    }
    let headerBytes = response.headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    guard headerBytes <= headerLimit else {
      return refusal(.tooLarge, "the answer's headers are larger than \(headerLimit) bytes")
    }
    guard request.method != .head, response.status != 304, response.headers["Content-Encoding"] == nil,
      let length = response.headers["Content-Length"].flatMap({ Int($0) ?? Int($0.trimmingHTTPSpace()) })
    else { return nil }
    guard response.body.count >= length else {
      return refusal(.truncated, "the answer ends after \(response.body.count) of \(length) bytes")
    }
    guard response.body.count == length else {
      return refusal(.malformed, "the answer is longer than the \(length) bytes that it announces")
    }
    return nil
  }
}
