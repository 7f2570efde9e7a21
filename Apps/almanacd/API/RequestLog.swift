import Hummingbird
import Logging
import Metrics
import Models
import Ports
import Synchronization

/// Counts each request by its route, and logs it where the config asks for an access log.
struct RequestLog: RouterMiddleware {
  typealias Context = APIContext

  /// Whose settings say whether requests are logged.
  let live: LiveServices
  /// Where it logs and counts, and who knows the address of a client.
  let refusals: Refusals
  private let meters: RequestMeters

  init(live: LiveServices, refusals: Refusals) {
    (self.live, self.refusals) = (live, refusals)
    meters = RequestMeters(factory: refusals.factory)
  }

  @concurrent
  func handle(
    _ request: Request, context: APIContext, next: @concurrent (Request, APIContext) async throws -> Response
  ) async throws -> Response {
    let time = live.read { $0.time }
    let begun = time.uptime
    let response = try await next(request, context)
    let duration = time.uptime - begun
    // The pattern of the route, so that the number of series does not grow with what is asked for.
    let route = context.endpointPath ?? "NotFound"
    let method = Self.methods.contains(request.method) ? request.method.rawValue : "other"
    meters.note(RequestMeters.Kind(route: route, method: method, status: response.status.code), duration)
    if live.read({ $0.settings.daemon.accessLog }) {
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

/// The meters of requests, each found once: to find one by its labels takes longer than many an answer.
private final class RequestMeters: Sendable {
  struct Kind: Hashable {
    let route, method: String
    let status: Int
  }

  private let factory: PrometheusFactory
  private let known = Mutex<[Kind: (requests: Counter, durations: Timer)]>([:])

  init(factory: PrometheusFactory) { self.factory = factory }

  func note(_ kind: Kind, _ duration: Duration) {
    let (requests, durations) = known.withLock { known in
      if let found = known[kind] { return found }
      let labels = [("route", kind.route), ("method", kind.method)]
      let new = (
        requests: Counter(
          label: "almanac_api_requests_total", dimensions: labels + [("status", "\(kind.status)")], factory: factory),
        durations: Timer(label: "almanac_api_request_duration_seconds", dimensions: labels, factory: factory)
      )
      known[kind] = new
      return new
    }
    requests.increment()
    durations.record(duration: duration)
  }
}
