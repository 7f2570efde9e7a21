public import Ports

/// A transport with middlewares around it.
public struct TransportStack: HTTPTransport {
  private let answer: HTTPNext

  /// What the transport inside cannot do.
  public let limitations: Set<TransportLimitation>

  /// Puts the middlewares around the transport; the first one is the outermost: it sees a request first and its
  /// answer last.
  public init(_ transport: any HTTPTransport, _ middlewares: [any HTTPMiddleware]) {
    limitations = transport.limitations
    var next: HTTPNext = { (request: HTTPRequest) async throws(TransportError) -> HTTPResponse in
      try await transport.send(request)
    }
    for middleware in middlewares.reversed() {
      let inner = next
      next = { (request: HTTPRequest) async throws(TransportError) -> HTTPResponse in
        try await middleware.intercept(request, next: inner)
      }
    }
    answer = next
  }

  /// Sends the request through every middleware.
  ///
  /// - Throws: what the middlewares and the transport throw.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    try await answer(request)
  }
}
