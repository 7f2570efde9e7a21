public import Ports

/// Reports every exchange to an event sink. Secrets are masked.
public struct EventReporting: HTTPMiddleware {
  private let events: any EventSink
  private let time: any TimeSource
  private let redaction: Redaction

  public init(to events: any EventSink, time: any TimeSource, redaction: Redaction = Redaction()) {
    (self.events, self.time, self.redaction) = (events, time, redaction)
  }

  /// Reports `requestStarted`, then `requestFinished` or `requestFailed`.
  public func intercept(_ request: HTTPRequest, next: @escaping HTTPNext) async throws(TransportError) -> HTTPResponse {
    let exchange = begin(request)
    let response: HTTPResponse
    do {
      response = try await next(request)
    } catch {
      fail(exchange, error)
      throw error
    }
    finish(exchange, response)
    return response
  }

  private struct Exchange {
    var method: String
    var url: String
    var start: Duration
  }

  @inline(never)
  private func begin(_ request: HTTPRequest) -> Exchange {
    let exchange = Exchange(method: request.method.rawValue, url: redaction.url(request.url), start: time.uptime)
    events.report(.requestStarted(method: exchange.method, url: exchange.url, attempt: request.attempt))
    return exchange
  }

  @inline(never)
  private func finish(_ exchange: Exchange, _ response: HTTPResponse) {
    events.report(
      .requestFinished(
        method: exchange.method, url: exchange.url, status: response.status.code, bytes: response.body.count,
        duration: time.uptime - exchange.start))
  }

  @inline(never)
  private func fail(_ exchange: Exchange, _ error: TransportError) {
    events.report(
      .requestFailed(
        method: exchange.method, url: exchange.url, code: error.code, duration: time.uptime - exchange.start))
  }
}
