import Hummingbird
import Logging
import Models
import Ports

/// Stands before every route: lets in only requests that were meant for this daemon and that no foreign page sent, and
/// turns errors into problem documents.
struct Gatekeeper: RouterMiddleware {
  typealias Context = APIContext

  /// Where the daemon can be reached.
  let door: Door
  /// Writes problem documents.
  let coder: any RecordCoder

  @concurrent
  func handle(
    _ request: Request, context: APIContext, next: @concurrent (Request, APIContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      try check(request)
      response = try await next(request, context)
    } catch let problem as Problem {
      response = Response(problem: problem, coder)
      closeUnread(request, context, &response)
    } catch let failure as Failure {
      response = Response(problem: Problem(failure), coder)
    } catch let error as any HTTPResponseError {
      response = Response(problem: Problem(error.status, error.status.reasonPhrase), coder)
      closeUnread(request, context, &response)
    } catch is CancellationError {
      response = Response(problem: Problem(.serviceUnavailable, "the daemon is about to stop"), coder)
    } catch {
      context.logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
      response = Response(problem: Problem(.internalServerError, "a fault of ours"), coder)
    }
    Self.addSecurityHeaders(&response)
    return response
  }

  /// What the request asks for by its head alone.
  private func check(_ request: Request) throws(Problem) {
    guard request.head.path?.hasPrefix("/") ?? false else {
      throw Problem(.badRequest, "the request's target must be a path")
    }
    guard let authority = request.head.authority, door.isOurs(authority) else {
      throw Problem(.misdirectedRequest, "this daemon does not answer for that host", code: "foreign-host")
    }
    let origins = request.headers[values: .origin]
    guard origins.allSatisfy({ $0 == "http://\(authority)" }), origins.count <= 1 else {
      throw Problem(.forbidden, "pages from elsewhere may not call this daemon", code: "foreign-origin")
    }
  }

  /// A body that nobody will read must not keep the connection busy.
  private func closeUnread(_ request: Request, _ context: APIContext, _ response: inout Response) {
    guard request.hasBody else { return }
    response.headers[.connection] = "close"
    _ = context.close(after: 2)
  }

  private static func addSecurityHeaders(_ response: inout Response) {
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers[.init("Referrer-Policy")!] = "no-referrer"
    response.headers[.init("Cross-Origin-Resource-Policy")!] = "same-origin"
    response.headers[.init("Cross-Origin-Opener-Policy")!] = "same-origin"
    response.headers[.init("X-Frame-Options")!] = "DENY"
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    if response.headers[.contentSecurityPolicy] == nil {
      response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
    }
  }
}

extension Request {
  /// Whether content comes with it (RFC 9112 section 6.3).
  var hasBody: Bool {
    headers[.transferEncoding] != nil || (headers[.contentLength].map { $0 != "0" } ?? false)
  }
}
