public import Ports

public struct TransportStack: HTTPTransport {
  private let first: HTTPNext

  /// Wraps a transport. The first middleware is the outermost: it gets a request first and its response last.
  public init(_ transport: any HTTPTransport, _ middlewares: [any HTTPMiddleware]) {
    var next = TransportStack.innermost(transport)
    for middleware in middlewares.reversed() { next = middleware.around(next) }
    first = next
  }

  init(_ first: @escaping HTTPNext) { self.first = first }

  static func innermost(_ transport: any HTTPTransport) -> HTTPNext {
    { (request: HTTPRequest) async throws(TransportError) -> HTTPResponse in try await transport.send(request) }
  }

  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse { try await first(request) }
}

extension HTTPMiddleware {
  /// The middleware composed with the next step. Its concrete type is known here, which saves two calls per request.
  func around(_ next: @escaping HTTPNext) -> HTTPNext {
    { (request: HTTPRequest) async throws(TransportError) -> HTTPResponse in
      try await self.intercept(request, next: next)
    }
  }
}
