/// Sends a request and waits for the whole answer.
///
/// Exactly one plug does I/O; everything else is middleware around it. Any status is an answer; an error means that
/// there was none, or that it cannot be trusted.
public protocol HTTPTransport: Sendable {
  /// Sends the request once.
  ///
  /// Cancelling the task ends the call soon, with nothing left behind.
  /// - Throws: `TransportError`; `cancelled` when the task was.
  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse

  /// What this plug cannot do; empty for a whole one.
  var limitations: Set<TransportLimitation> { get }
}

extension HTTPTransport {
  /// None.
  public var limitations: Set<TransportLimitation> { [] }
}

/// What a transport may be unable to do; its callers and its contract suite take it into account.
public enum TransportLimitation: String, Sendable, CaseIterable {
  /// Cancelling abandons the exchange, which may go on in the background.
  case abandonsOnCancel
  /// A compressed body can grow past the limit before it is refused.
  case unboundedDecompression
  /// A body without a length, or with a broken frame, cannot be told from a whole one.
  case acceptsBrokenFraming
  /// No Unix sockets.
  case noUnixSockets
  /// No HTTP/2.
  case noHTTP2
  /// It reports redirects only after following them.
  case followsRedirectsItself
}

/// What comes after a middleware.
public typealias HTTPNext = @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse

/// One concern around every request: it may change the request, call `next` once, several times or not at all, and
/// change the answer.
public protocol HTTPMiddleware: Sendable {
  /// Answers the request.
  ///
  /// - Throws: what `next` throws, or its own refusal.
  func intercept(_ request: HTTPRequest, next: @escaping HTTPNext) async throws(TransportError) -> HTTPResponse
}
