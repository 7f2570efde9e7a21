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
    var next = TransportStack.innermost(transport)
    for middleware in middlewares.reversed() { next = middleware.around(next) }
    answer = next
  }

  /// A stack that was put together before.
  init(_ answer: @escaping HTTPNext, limitations: Set<TransportLimitation>) {
    self.answer = answer
    self.limitations = limitations
  }

  /// The transport as what comes after the last middleware.
  static func innermost(_ transport: any HTTPTransport) -> HTTPNext {
    { (request: HTTPRequest) async throws(TransportError) -> HTTPResponse in try await transport.send(request) }
  }

  /// Sends the request through every middleware.
  ///
  /// - Throws: what the middlewares and the transport throw.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    try await answer(request)
  }
}

extension HTTPMiddleware {
  /// The middleware with what comes after it. Where its type is known, this is one step of the call instead of three.
  func around(_ next: @escaping HTTPNext) -> HTTPNext {
    { (request: HTTPRequest) async throws(TransportError) -> HTTPResponse in
      try await self.intercept(request, next: next)
    }
  }
}
