/// Sends a request and waits for the complete response.
///
/// Exactly one adapter does I/O; everything else is middleware around it. Every status is a response. An error means that
/// there was no response, or that it cannot be trusted.
public protocol HTTPTransport: Sendable {
  /// Sends the request once.
  ///
  /// Cancelling the task ends the exchange promptly and closes its connection.
  /// - Throws: `TransportError`; `cancelled` when the task was cancelled.
  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse

  /// The limitations of this adapter; empty for a complete one.
  var limitations: Set<TransportLimitation> { get }
}

extension HTTPTransport {
  /// No limitations.
  public var limitations: Set<TransportLimitation> { [] }
}

/// A limitation of a transport, for its callers and its contract tests.
public enum TransportLimitation: String, Sendable, CaseIterable {
  /// Cancelling abandons the exchange, which may go on in the background.
  case abandonsOnCancel
  /// A compressed body can exceed the limit before it is rejected.
  case unboundedDecompression
  /// A truncated body without a length, or one with invalid framing, passes as complete.
  case acceptsBrokenFraming
  /// Unix sockets are not supported.
  case noUnixSockets
  /// HTTP/2 is not supported.
  case noHTTP2
  /// It follows redirects before it returns them.
  case followsRedirectsItself
}

/// The next step after a middleware.
public typealias HTTPNext = @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse

/// One concern of all requests. It may change the request, call `next` once, several times or not at all, and change the
/// response.
public protocol HTTPMiddleware: Sendable {
  /// Handles a request.
  ///
  /// - Throws: the errors of `next`, or an error of its own.
  func intercept(_ request: HTTPRequest, next: @escaping HTTPNext) async throws(TransportError) -> HTTPResponse
}
