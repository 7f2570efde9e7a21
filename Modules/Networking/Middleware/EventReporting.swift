public import Ports

/// Reports every exchange to an event sink, with secrets masked.
public struct EventReporting: HTTPMiddleware {
  private let events: any EventSink
  private let time: any TimeSource
  private let redaction: Redaction

  /// Makes the middleware.
  public init(to events: any EventSink, time: any TimeSource, redaction: Redaction = Redaction()) {
    self.events = events
    self.time = time
    self.redaction = redaction
  }

  /// Reports `requestStarted`, then `requestFinished` or `requestFailed`.
  ///
  /// - Throws: what `next` throws.
  public func intercept(
    _ request: HTTPRequest, next: @escaping HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    let url = redaction.url(request.url)
    let method = request.method.rawValue
    let start = time.uptime
    events.report(.requestStarted(method: method, url: url, attempt: CallContext.attempt))
    do {
      let response = try await next(request)
      events.report(
        .requestFinished(
          method: method, url: url, status: response.status, bytes: response.body.count, duration: time.uptime - start))
      return response
    } catch {
      events.report(.requestFailed(method: method, url: url, code: error.code, duration: time.uptime - start))
      throw error
    }
  }
}
