import Models
public import Ports

/// Follows redirects of GET and HEAD requests, and of PROPFIND and REPORT requests within one server (RFC 9110 section
/// 15.4, RFC 6764 section 5).
///
/// A PROPFIND or REPORT keeps its method and body. One that leads to another scheme, host or port is an error that names
/// the address, because such requests carry a password, which no other server may get.
///
/// The middleware follows at most five redirects in a row, never from https to http, and never to a URL with user info. As soon as
/// scheme, host or port change, the caller's headers, validator and rate budget are dropped for the rest of the chain,
/// even if it leads back. The transport must not follow redirects itself.
public struct Redirects: HTTPMiddleware {
  private let limit: Int
  private let events: (any EventSink)?
  private let redaction: Redaction

  /// Creates the middleware; `limit` is the number of redirects in a row that it follows.
  public init(limit: Int = 5, events: (any EventSink)? = nil, redaction: Redaction = Redaction()) {
    (self.limit, self.events, self.redaction) = (limit, events, redaction)
  }

  /// - Throws: `TransportError.badRedirect` for a redirect that must not be followed, with `mayHaveArrived` after a
  ///   303, because the server may have processed the request; the errors of `next`.
  public func intercept(_ request: HTTPRequest, next: @escaping HTTPNext) async throws(TransportError) -> HTTPResponse {
    let response = try await next(request)
    guard response.status.meaning == .redirect else { return response }
    return try await followed(response, request, next)
  }

  @inline(never)
  private func followed(
    _ first: HTTPResponse, _ request: HTTPRequest, _ next: HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    var response = first
    var current = request
    var followed = 0
    while true {
      let sent = response.requests
      guard response.status.meaning == .redirect else { return response }
      let step = Step(from: current, to: response.headers["Location"], status: response.status, requests: sent)
      guard request.method.isSafe, request.method != .options,
        response.status != .seeOther || request.method.isPlainRead
      else {
        throw refused(
          step, "the server answers a write with the redirect \(response.status)", "correct the address of the server")
      }
      guard followed < limit else { throw refused(step, "the server redirects more than \(limit) times", nil) }
      current = try follow(step)
      do {
        response = try await next(current)
      } catch {
        var error = error
        error.requests += sent
        throw error
      }
      response.requests += sent
      followed += 1
    }
  }

  private struct Step {
    var from: HTTPRequest
    var to: String?
    var status: HTTPStatus
    var requests: Int
  }

  private func follow(_ step: Step) throws(TransportError) -> HTTPRequest {
    guard let location = step.to, !location.isEmpty, let base = WebAddress(step.from.url) else {
      throw refused(step, "the server redirects without a valid Location", nil)
    }
    guard let target = base.resolving(location), target.userInfo == nil,
      !target.scheme.hasSuffix("+unix") || target.origin == base.origin
    else { throw refused(step, "the server redirects to an address that must not be followed", nil) }
    guard target.isSecure || !base.isSecure else { throw refused(step, "the server redirects from https to http", nil) }
    guard target.origin == base.origin || step.from.method.isPlainRead else {
      throw refused(
        step, "the server redirects to another one", "if that server is trusted, write its address into the config file"
      )
    }
    var request = step.from
    request.url = target.text
    if target.origin != base.origin {
      // Who redirects chooses the address.
      request.isFromData = true
      request.headers = [:]
      request.validator = nil
      request.budget = nil
    }
    events?.report(.redirect(from: redaction.url(step.from.url), to: redaction.url(request.url), followed: true))
    return request
  }

  private func refused(_ step: Step, _ message: String, _ hint: Advice?) -> TransportError {
    let (origin, target) = (redaction.url(step.from.url), redaction.url(step.to ?? ""))
    events?.report(.redirect(from: origin, to: target, followed: false))
    return TransportError(
      .badRedirect, "\(message): \(origin)\(target.isEmpty ? "" : ", to \(target)")", url: origin,
      hint: hint, mayHaveArrived: step.status == .seeOther && !step.from.method.isSafe, requests: step.requests)
  }
}

extension HTTPRequest.Method {
  /// Whether a redirect of the request may lead to another server.
  fileprivate var isPlainRead: Bool { self == .get || self == .head }
}
