import Hummingbird
import Logging
import Metrics
import Models
import Ports

/// Counts each request by its route, and logs it where the config asks for an access log.
struct RequestLog: RouterMiddleware {
  typealias Context = APIContext

  /// Whose settings say whether requests are logged.
  let live: LiveServices
  /// Where it logs and counts, and who knows the address of a client.
  let refusals: Refusals

  @concurrent
  func handle(
    _ request: Request, context: APIContext, next: @concurrent (Request, APIContext) async throws -> Response
  ) async throws -> Response {
    let time = live.current.time
    let begun = time.uptime
    let response = try await next(request, context)
    let duration = time.uptime - begun
    // The pattern of the route, so that the number of series does not grow with what is asked for.
    let route = context.endpointPath ?? "NotFound"
    let method = Self.methods.contains(request.method) ? request.method.rawValue : "other"
    let factory = refusals.factory
    Counter(
      label: "almanac_api_requests_total",
      dimensions: [("route", route), ("method", method), ("status", "\(response.status.code)")], factory: factory
    ).increment()
    Timer(
      label: "almanac_api_request_duration_seconds", dimensions: [("route", route), ("method", method)],
      factory: factory
    ).record(duration: duration)
    if live.current.settings.daemon.accessLog {
      // Without the query, which may hold a secret.
      refusals.logger.info(
        "request",
        metadata: [
          "client": "\(refusals.client(request, context))", "method": "\(request.method.rawValue.prefix(16))",
          "path": "\(request.uri.path.prefix(200))", "route": "\(route)",
          "status": .stringConvertible(response.status.code),
          "bytes": .stringConvertible(response.body.contentLength ?? 0), "duration": .stringConvertible(duration),
        ])
    }
    return response
  }

  private static let methods: [Method] = [.get, .head, .post, .put, .patch, .delete, .options]
}
