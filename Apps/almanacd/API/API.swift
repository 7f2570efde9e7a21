import Hummingbird
import Models
import Ports

/// The daemon's answers: every route, behind the checks that it needs.
struct API: Sendable {
  let parts: Parts

  struct Parts: Sendable {
    var live: LiveServices
    var scheduler: Scheduler
    var endpoint: Endpoint
    var access: Access
    var feed: EventFeed
    var reader: CommitReader
    /// Whether this daemon leads those of the store.
    var role = WorkRole()
    var metrics: MetricsPage
    var wording = Wording()
    var refusals: Refusals
    var health: Health
    var editor: FollowEditor
    var setup: SourceSetup
    /// What pages say after a form was sent.
    var notes = FormNotes()
  }

  var operations: [Operation] {
    system + collections + recordEdits + history + follows + services + runs + outbox + proposals + stream + accessList
  }

  var routes: [Route] {
    operations.map(\.route) + assistants + login + dashboard + Outcome.routes(parts) + followForms + setupForms
      + buttons + accessPage + downloads + many
  }

  func router() -> Router<APIContext> {
    let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: RequestLog(live: parts.live, refusals: parts.refusals))
    router.add(
      middleware: RequestGuard(
        endpoint: parts.endpoint, access: parts.access, refusals: parts.refusals, health: parts.health,
        coder: parts.live.current.coder, wording: parts.wording,
        counts: { [parts] in Self.counts(parts.live.current) },
        back: { [parts] place, text in
          parts.notes.answer(place, saying: text, isBad: true, parts.live.current.random)
        }))
    let (routes, keys) = (routes, IdempotencyKeys())
    router.add(middleware: Unmatched(routes: routes, parts: parts))
    for route in routes {
      let parts = parts
      router.on(RouterPath(route.path), method: route.method) { request, context in
        var services = parts.live.current
        let openMetrics = services.settings.daemon.openMetrics
        if let refusal = parts.access.refusal(request, route.access, openMetrics: openMetrics) {
          throw refusal
        }
        if route.method != .get {
          let tool: ChangeCause.Tool =
            route.access == .assistant ? .command("mcp") : route.content.isForm ? .page : .request(route.methodName)
          services = services.because(ChangeCause(.edit, tool: tool))
        }
        let body = try await parts.access.body(of: request, route.content, context)
        // Before the credentials are revoked or replaced.
        let caller = route.method == .get ? nil : parts.access.caller(of: request)
        let call = APIRequest(request, context.parameters, taking: route.query, body: body, services: services) {
          parts.refusals.done($0, request, context, by: caller, $1)
        }
        try call.checkQuery()
        guard route.mayWait else { return try await route.answer(call) }
        if route.keepsAnswer, let key = request.headers[.idempotencyKey] {
          let added = route.addsRecord ? try Self.collection(call) : nil
          return try await WorkThreads.requests.run {
            try await keys.answer(call, key, adding: added) { try await route.answer($0) }
          }
        }
        return try await WorkThreads.requests.run { try await route.answer(call) }
      }
    }
    return router
  }
}

/// Answers requests that no route matches: 404, or 405 where the path exists with another method.
struct Unmatched: RouterMiddleware {
  typealias Context = APIContext

  let routes: [Route]
  let parts: API.Parts

  @concurrent
  func handle(
    _ request: Request, context: APIContext, next: @concurrent (Request, APIContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as HTTPError where error.status == .notFound {
      // An address of its own is not one of those that a pattern takes as well.
      let exact = routes.filter { $0.path == request.uri.path }
      let found = exact.isEmpty ? routes.filter { $0.matches(request.uri.path) } : exact
      let methods = found.map(\.method.rawValue)
      guard !methods.isEmpty else {
        // Who may not ask does not learn what there is not. Which methods an address has is no secret: it is documented.
        if let refusal = parts.access.refusal(request, .token, openMetrics: false) { throw refusal }
        if request.method == .get || request.method == .head, let place = guessed(request.uri.path) {
          return Response(status: .seeOther, headers: [.location: place])
        }
        throw Problem(.notFound, "there is nothing at \(request.uri.path)")
      }
      let all = Set(methods + (methods.contains("GET") ? ["HEAD"] : [])).sorted()
      var problem = Problem(
        .methodNotAllowed, "\(request.method.rawValue) is not for this address",
        headers: [.allow: all.joined(separator: ", ")])
      if request.method == .get, request.wantsPage, found.allSatisfy({ $0.content.isForm }) {
        // A form that was refused has this address: who opens it again sends nothing.
        problem.detail = "This address takes a form, and was opened without one"
        problem.hint = "nothing was changed; open the page with the form, and send it again"
      }
      throw problem
    }
  }
}

extension Unmatched {
  /// Other names of what the page has.
  private static let places: KeyValuePairs = [
    "access": ["tokens", "sessions"], "activity": ["runs", "sync", "syncs", "log", "changes"],
    "": ["dashboard", "index.html", "home", "status", "problems"],
    "activity#receivers": ["notifications", "receivers"],
    "activity#rejects": ["rejects"], "add": ["follow", "sources"], "outbox": ["conflicts", "edits"],
    "collections": ["records"], "assets/icon.svg": ["favicon.ico"],
  ]

  /// Where the page has what people look for at an address that there is not: another page, or a collection.
  private func guessed(_ path: String) -> String? {
    let rest = path.drop { $0 == "/" }
    let name = String(rest.prefix { $0 != "/" })
    let isAlone = rest == name || rest == name + "/"
    if isAlone, let section = Section(rawValue: name) { return section.address }
    if !isAlone || name != "rejects", name != "outbox",
      parts.live.current.catalog[CollectionName(rawValue: name)] != nil
    {
      return "/collections/\(rest)"
    }
    guard isAlone else { return nil }
    return Self.places.first { $0.value.contains(name) }.map { "/\($0.key)" }
  }
}

/// A request for an address at which people or profiles were edited before version 0.3: it leads to that of the records, and
/// goes with the version after it.
struct FormerAddress {
  let request: Request
  private let successor: Substring

  /// Since when the addresses are not to be used (RFC 9745).
  private static let since = "@1763856000"

  /// - Returns: `nil` for any other address.
  init?(_ request: Request) {
    guard let collection = Self.collection(request.uri.path) else { return nil }
    var head = request.head
    head.path = head.path?.replacing(
      "/api/v1/\(collection)", with: "/api/v1/collections/\(collection)", maxReplacements: 1)
    self.request = Request(head: head, body: request.body)
    successor = head.path?.prefix { $0 != "?" } ?? ""
  }

  /// The part of a path that names the collection; `nil` where it is not a former address.
  private static func collection(_ path: String) -> String? {
    guard path != "/api/v1/people/send" else { return nil }
    if path == "/api/v1/people" || path.hasPrefix("/api/v1/people/") { return "people" }
    return path.hasPrefix("/api/v1/profiles/") ? "profiles" : nil
  }

  /// What every answer to it says.
  func headers(at endpoint: Endpoint) -> HTTPFields {
    [
      .init("Deprecation")!: Self.since,
      .init("Link")!: "<\(endpoint.basePath)\(successor)>; rel=\"successor-version\"",
    ]
  }
}

typealias Method = HTTPRequest.Method
typealias Status = HTTPResponse.Status

/// One address that the daemon answers.
struct Route: Sendable {
  enum Access: Sendable {
    /// Anybody, without credentials.
    case open
    /// Callers with a token; everyone if the config makes the metrics public.
    case metrics
    /// Callers with a token or a session.
    case token
    /// Callers with full rights: tokens with read-only rights may not list tokens and sessions.
    case owner
    /// Callers with a token for assistants.
    case assistant
    /// As `token`; other browsers get a page that says how to sign in.
    case page
  }

  enum Content: String, Sendable {
    /// JSON, or nothing at all.
    case json = "application/json"
    case form = "application/x-www-form-urlencoded"
    /// A form that may bring a file (RFC 7578).
    case fileForm = "multipart/form-data"
    /// The members to change (RFC 7396), also as plain JSON.
    case patch = "application/merge-patch+json"

    /// Whether a body of the media type is one.
    func takes(_ type: String?) -> Bool {
      type == rawValue || (self == .patch && type == Content.json.rawValue)
        || (self == .fileForm && type == Content.form.rawValue)
    }

    /// The largest body, in bytes. A file of contacts has their photos.
    var largest: Int { self == .fileForm ? 20 << 20 : 1 << 20 }

    var isForm: Bool { self == .form || self == .fileForm }
  }

  /// The method; HEAD goes with GET.
  let method: Method
  var methodName: String { method.rawValue }
  /// The path: `{name}` is one part of it, `**` at its end is the rest.
  let path: String
  let access: Access
  let content: Content
  /// The query parameters that it takes; `nil` for any.
  let query: [Parameter]?
  /// Whether a repetition with the same Idempotency-Key gets the same answer.
  let keepsAnswer: Bool
  /// Whether it adds a record to the collection that its path names: the answer to an Idempotency-Key is in the same commit.
  let addsRecord: Bool
  /// Whether its answer may wait for a disk.
  let mayWait: Bool
  let answer: @Sendable (APIRequest) async throws -> Response

  /// A route; for JSON, unless something else is said.
  init(
    _ method: Method, _ path: String, _ access: Access, content: Content = .json, query: [Parameter]? = nil,
    keepsAnswer: Bool? = nil, addsRecord: Bool = false, mayWait: Bool = true,
    answer: @escaping @Sendable (APIRequest) async throws -> Response
  ) {
    self.method = method
    self.path = path
    self.access = access
    self.content = content
    self.query = query
    self.keepsAnswer = keepsAnswer ?? (method == .post)
    self.addsRecord = addsRecord
    self.mayWait = mayWait
    self.answer = answer
  }

  func matches(_ path: String) -> Bool {
    let wanted = self.path.split(separator: "/")
    let parts = path.split(separator: "/")
    for (index, piece) in wanted.enumerated() {
      if piece == "**" { return index < parts.count }
      guard index < parts.count, piece.hasPrefix("{") || piece == parts[index] else { return false }
    }
    return wanted.count == parts.count
  }
}
