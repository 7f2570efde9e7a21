import Hummingbird
import Models
import Ports

/// The daemon's answers: every route, behind the checks that it needs.
struct API: Sendable {
  /// What the routes use.
  let parts: Parts

  /// What the routes use.
  struct Parts: Sendable {
    /// The services of the newest config.
    var live: LiveServices
    /// Starts runs.
    var scheduler: Scheduler
    /// Where the daemon can be reached.
    var door: Door
    /// Who may call.
    var access: Access
    /// What happens, for whoever listens.
    var feed: EventFeed
    /// Finds commits for it.
    var reader: CommitReader
    /// The metrics as text.
    var metrics: MetricsPage
    /// Counts and logs what is refused.
    var refusals: Refusals
    /// Whether the daemon has begun to work.
    var readiness: Readiness
  }

  /// Every route.
  var routes: [Route] {
    system + collections + runs + edits + stream + login + accessList + dashboard + buttons
  }

  /// The first parts of all paths; a public address whose path begins with one of them would be ambiguous.
  static let firstParts: Set = [
    "api", "apps", "assets", "charts", "do", "healthz", "login", "media", "metrics", "openapi.json", "readyz",
  ]

  /// The router.
  func router() -> Router<APIContext> {
    let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
    router.add(
      middleware: Gatekeeper(
        door: parts.door, access: parts.access, refusals: parts.refusals, coder: parts.live.current.coder))
    let routes = routes
    router.add(middleware: Unmatched(routes: routes, parts: parts))
    for route in routes {
      let parts = parts
      router.on(RouterPath(route.path), method: route.method) { request, context in
        let services = parts.live.current
        let openMetrics = services.settings.daemon.openMetrics
        if let refusal = parts.access.refusal(request, route.access, openMetrics: openMetrics) {
          if route.path == "/", refusal.status == .unauthorized { return ClosedPage.locked.response(.unauthorized) }
          throw refusal
        }
        let body = try await parts.access.body(of: request, route.content, context)
        let call = APIRequest(request, context.parameters, body: body, services: services)
        if let parameters = route.parameters { try call.checkQuery(parameters) }
        guard route.mayWait else { return try await route.answer(call) }
        return try await WorkThreads.requests.run { try await route.answer(call) }
      }
    }
    return router
  }
}

/// Answers what no route matches: to whoever may ask, with 405 where another method would do.
struct Unmatched: RouterMiddleware {
  typealias Context = APIContext

  /// Every route.
  let routes: [Route]
  /// Who may ask.
  let parts: API.Parts

  @concurrent
  func handle(
    _ request: Request, context: APIContext, next: @concurrent (Request, APIContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as HTTPError where error.status == .notFound {
      if let refusal = parts.access.refusal(request, .token, openMetrics: false) { throw refusal }
      let methods = routes.filter { $0.matches(request.uri.path) }.map(\.method.rawValue)
      guard !methods.isEmpty else { throw Problem(.notFound, "there is nothing at \(request.uri.path)") }
      let all = Set(methods + (methods.contains("GET") ? ["HEAD"] : [])).sorted()
      throw Problem(
        .methodNotAllowed, "\(request.method.rawValue) is not for this address",
        headers: [.allow: all.joined(separator: ", ")])
    }
  }
}
