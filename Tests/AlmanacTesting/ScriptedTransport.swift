public import Ports
import Synchronization

/// Answers requests from a closure and keeps them: a transport with no network.
public final class ScriptedTransport: HTTPTransport {
  private let answer: @Sendable (HTTPRequest, Int) async throws(TransportError) -> HTTPResponse
  private let sent = Mutex<[HTTPRequest]>([])

  /// A transport that answers with what the closure gives; its second argument is the request's number, from 0.
  public init(
    _ answer: @escaping @Sendable (HTTPRequest, Int) async throws(TransportError) -> HTTPResponse
  ) {
    self.answer = answer
  }

  /// A transport that gives the responses in their order, the last one again and again.
  public convenience init(_ responses: [HTTPResponse]) {
    self.init { (_: HTTPRequest, index: Int) throws(TransportError) -> HTTPResponse in
      responses[min(index, responses.count - 1)]
    }
  }

  /// Every request that was sent, in order.
  public var requests: [HTTPRequest] { sent.withLock { $0 } }

  /// Answers.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    if Task.isCancelled { throw TransportError(.cancelled, "cancelled", requests: 0) }
    let index = sent.withLock {
      $0.append(request)
      return $0.count - 1
    }
    return try await answer(request, index)
  }
}
