import CLibrary
import Hummingbird
import Logging
import Metrics
import Models
import Ports

/// Runs before every route: rejects requests for other hosts and from other sites' pages, and turns errors into problem
/// documents.
struct RequestGuard: RouterMiddleware {
  typealias Context = APIContext

  let endpoint: Endpoint
  let access: Access
  let refusals: Refusals
  let health: Health
  let coder: any RecordCoder
  let wording: Wording
  /// What the navigation counts.
  let counts: @Sendable () -> [Section: Int]
  /// The way back to a page, which says why a form of it did nothing.
  let back: @Sendable (_ place: String, _ text: String) -> Response

  @concurrent
  func handle(
    _ request: Request, context: APIContext, next: @concurrent (Request, APIContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    var why: String?
    do {
      try check(request)
      response = try await next(request, context)
    } catch let problem as Problem {
      why = problem.code
      response = answer(problem, request)
      closeUnread(request, context, &response)
    } catch let failure as Failure {
      response = answer(failure, request)
    } catch let error as any FailureRepresentable {
      response = answer(error.failure, request)
    } catch let error as any HTTPResponseError {
      response = answer(Problem(error.status, error.status.reasonPhrase), request)
      closeUnread(request, context, &response)
    } catch is CancellationError {
      response = answer(Problem(.serviceUnavailable, "the daemon is about to stop"), request)
    } catch {
      context.logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
      response = answer(Problem(.internalServerError, "an internal error"), request)
    }
    if response.status == .unauthorized || response.status == .forbidden {
      // Pages that say so have no code of their own.
      let known = response.status == .forbidden ? "bad-code" : request.bringsSession ? "bad-session" : "no-credentials"
      refusals.note(request, context, response.status, why: why ?? known, by: access.caller(of: request))
      // A token that may only read is a right one: its 403 waits for nothing.
      if response.status == .unauthorized || request.uri.path == API.loginPath, request.bringsSecret {
        await access.wrong.slowDown()
      }
    }
    if let place = response.headers[.location], place.hasPrefix("/") {
      response.headers[.location] = endpoint.basePath + place
    }
    Self.addSecurityHeaders(&response)
    return response
  }

  private func answer(_ failure: Failure, _ request: Request) -> Response {
    health.note(failure)
    return answer(Problem(failure), request)
  }

  /// The answer that says a problem: a page for browsers, which show what they get, and a problem document for programs.
  private func answer(_ problem: Problem, _ request: Request) -> Response {
    // Who is not let in does not learn where the store is.
    let isRefused = problem.status == .unauthorized || problem.status == .forbidden
    let problem = isRefused ? problem : problem.worded(wording)
    guard request.wantsPage, !request.uri.path.hasPrefix("/api/") else { return Response(problem: problem, coder) }
    let origin = endpoint.origin(of: request)
    // What was decided, removed or changed meanwhile: the page as it is now says more than another one.
    if request.method == .post, Self.isMeanwhile.contains(problem.status), let origin, !origin.hasPrefix("/do/") {
      let list = problem.status == .notFound ? Page.list(above: origin)?.address : nil
      let said = [problem.detail, problem.hint?.description].compactMap { $0.map(Shown.sentence) }
      return back(list ?? FormNotes.without(origin), Shown.short(said.joined(separator: " ")))
    }
    var response =
      if problem.status == .unauthorized {
        closed(request)
      } else {
        // Only who is let in learns what there is.
        Page.error(
          problem, at: request.uri.path, from: origin, counts: access.caller(of: request) == nil ? [:] : counts()
        ).response(problem.status, base: endpoint.basePath)
      }
    for field in problem.headers { response.headers.append(field) }
    return response
  }

  private static let isMeanwhile: Set<Status> = [.notFound, .conflict, .preconditionFailed, .unprocessableContent]

  /// The page for a browser that is not signed in. It remembers where the browser was: at a page, or at that of a form.
  private func closed(_ request: Request) -> Response {
    let isForm = request.method != .get && request.method != .head
    var response = ClosedPage(isForm: isForm).response(.unauthorized)
    response.headers[.setCookie] = (isForm ? endpoint.origin(of: request) : request.head.path).map {
      API.cookie(percentEncoded($0), named: API.placeName, seconds: 3600, endpoint)
    }
    return response
  }

  /// What the request asks for by its head alone.
  private func check(_ request: Request) throws(Problem) {
    // The first one is the authority; a proxy before this daemon may have gone by the other (RFC 9112, section 3.2).
    guard !request.headers.contains(.secondHost) else {
      throw Problem(.badRequest, "a request names one Host", code: "two-hosts")
    }
    guard request.head.path?.hasPrefix("/") ?? false else {
      throw Problem(.badRequest, "the request's target must be a path")
    }
    let authority = request.head.authority ?? ""
    guard endpoint.isOurs(authority) || isProbe(request) else {
      if authority.isEmpty { throw Problem(.badRequest, "the request names no Host", code: "no-host") }
      throw Problem(
        .misdirectedRequest, "this daemon does not answer for that host",
        hint: "name it in the config: daemon.publicURL, or daemon.trustedHosts", code: "foreign-host")
    }
    let origins = request.headers.contains(.origin) ? request.headers[values: .origin] : []
    // A browser that hides the origin of its own page still says that the page is ours.
    let isOwn = origins.allSatisfy { origin in
      origin == "null" ? request.fetchSite == "same-origin" : endpoint.isOurs(origin: origin, of: authority)
    }
    guard isOwn, origins.count <= 1, request.isOwnOrLink else {
      throw Problem(.forbidden, "pages from elsewhere may not call this daemon", code: "foreign-origin")
    }
  }

  /// Whether a program asks how the daemon is: it may call it by any name. What `/healthz` and `/readyz` say is no
  /// secret, and a page whose name was made to lead here does not know a token.
  private func isProbe(_ request: Request) -> Bool {
    switch request.uri.path {
    case "/healthz", "/readyz": true
    case "/metrics": access.rights(of: request) != nil
    default: false
    }
  }

  /// Closes the connection soon, because the rest of the body will not be read.
  private func closeUnread(_ request: Request, _ context: APIContext, _ response: inout Response) {
    guard request.hasBody else { return }
    response.headers[.connection] = "close"
    _ = context.close(after: 2)
  }

  private static func addSecurityHeaders(_ response: inout Response) {
    let end = response.headers.endIndex
    // With room for the date.
    response.headers.reserveCapacity(end + securityFields.count + standardFields.count + 1)
    response.headers.replaceSubrange(end..<end, with: securityFields)
    for field in standardFields where !response.headers.contains(field.name) { response.headers.append(field) }
  }

  /// What every answer says; made once, because a field that is made is checked character by character.
  private static let securityFields: [HTTPField] = [
    // By which the service worker tells an answer of the daemon from one that a proxy gives in its place.
    HTTPField(name: .init("X-Almanac")!, value: "daemon"),
    HTTPField(name: .xContentTypeOptions, value: "nosniff"),
    // Not `no-referrer`: with it browsers send the page's own forms with `Origin: null` (Fetch, section 3.1).
    HTTPField(name: .init("Referrer-Policy")!, value: "same-origin"),
    HTTPField(name: .init("Cross-Origin-Resource-Policy")!, value: "same-origin"),
    HTTPField(name: .init("Cross-Origin-Opener-Policy")!, value: "same-origin"),
    HTTPField(name: .init("X-Frame-Options")!, value: "DENY"),
  ]
  /// What an answer says unless its route says something else.
  private static let standardFields: [HTTPField] = [
    HTTPField(name: .cacheControl, value: "no-store"),
    HTTPField(name: .contentSecurityPolicy, value: "default-src 'none'; frame-ancestors 'none'"),
  ]
}

typealias HTTPField = HTTPFields.Element

extension HTTPField.Name {
  // Made once: a name that is made is checked and copied in small letters.
  /// The first `Host` is the authority of the request.
  fileprivate static let secondHost = Self("Host")!
  fileprivate static let fetchSite = Self("Sec-Fetch-Site")!
  static let idempotencyKey = Self("Idempotency-Key")!
}

extension Request {
  /// Where the browser says that the request comes from (Fetch Metadata, section 2.3); absent outside TLS and loopback.
  var fetchSite: String? { headers[.fetchSite]?.lowercased() }

  /// Whether the request comes from this server's pages, from a person or from a program. Other sites may only link here.
  var isOwnOrLink: Bool {
    guard let site = fetchSite, site != "same-origin", site != "none" else { return true }
    return (method == .get || method == .head) && headers[.init("Sec-Fetch-Mode")!] == "navigate"
      && headers[.init("Sec-Fetch-Dest")!] == "document"
  }

  /// Whether content comes with it (RFC 9112 section 6.3).
  var hasBody: Bool {
    headers[.transferEncoding] != nil || (headers[.contentLength].map { $0 != "0" } ?? false)
  }
}

/// Counts and logs requests that were refused, in one line each: fail2ban bans by it who tries tokens. It also logs who changed
/// who has access.
struct Refusals: Sendable {
  let logger: Logger
  let factory: PrometheusFactory
  /// Whether a proxy is before us.
  let endpoint: Endpoint

  /// Makes what alerts look at begin at 0: a counter that begins with the first refusals shows no increase.
  func begin() {
    for (status, why) in [(Status.unauthorized, "bad-token"), (.unauthorized, "bad-session"), (.forbidden, "bad-code")]
    {
      counter(status, why).increment(by: 0)
    }
  }

  private func counter(_ status: Status, _ why: String) -> Counter {
    Counter(
      label: "almanac_requests_refused_total", dimensions: [("status", "\(status.code)"), ("why", why)],
      factory: factory)
  }

  /// Notes a refusal.
  ///
  /// - Parameters:
  ///   - why: the problem's code, such as `bad-token`.
  ///   - caller: who asked, where that is known.
  func note(_ request: Request, _ context: APIContext, _ status: Status, why: String, by caller: String?) {
    counter(status, why).increment()
    var metadata: Logger.Metadata = [
      "client": "\(client(request, context))", "method": "\(request.method.rawValue.prefix(16))",
      "path": "\(request.uri.path.prefix(200))", "status": .stringConvertible(status.code), "why": "\(why)",
    ]
    metadata["by"] = caller.map { "\($0)" }
    logger.warning("refused", metadata: metadata)
  }

  /// Logs what a request did with access to the daemon, or with what assistants propose.
  ///
  /// - Parameters:
  ///   - caller: who asked; `nil` for a login code.
  ///   - what: what it did it with.
  func done(
    _ message: Logger.Message, _ request: Request, _ context: APIContext, by caller: String?, _ what: Logger.Metadata
  ) {
    var metadata = what
    metadata["client"] = "\(client(request, context))"
    metadata["by"] = caller.map { "\($0)" }
    logger.info(message, metadata: metadata)
  }

  /// The address of who asked. A proxy on this machine says whose request it passes on, in the last place, where the config
  /// says that there is one; what stands before that place anybody may have written.
  func client(_ request: Request, _ context: APIContext) -> String {
    let peer = context.peer
    guard endpoint.publicURL != nil, peer == nil || peer == "::1" || peer?.hasPrefix("127.") ?? false,
      let list = request.headers[values: .init("X-Forwarded-For")!].last
    else { return peer ?? "local" }
    let last = list.split(separator: ",", omittingEmptySubsequences: false).last.map { $0.filter { $0 != " " } } ?? ""
    return Self.address(last) ?? peer ?? "local"
  }

  /// The address in a place of `X-Forwarded-For`, where some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
  static func address(_ text: String) -> String? {
    var address = text[...]
    if address.hasPrefix("[") {
      guard let end = address.firstIndex(of: "]"), isPort(address[address.index(after: end)...]) else { return nil }
      address = address[address.index(after: address.startIndex)..<end]
    } else if let colon = address.firstIndex(of: ":"), colon == address.lastIndex(of: ":") {
      guard isPort(address[colon...]) else { return nil }
      address = address[..<colon]
    }
    let found = String(address)
    var bytes = in6_addr()
    return [AF_INET, AF_INET6].contains { inet_pton($0, found, &bytes) == 1 } ? found : nil
  }

  /// Whether a text is a colon and a port, or empty.
  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty || text.first == ":" && UInt16(text.dropFirst()) != nil
  }
}
