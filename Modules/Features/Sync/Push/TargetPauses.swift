import Models
import Ports
import Synchronization

/// Which records' edits are left alone for a while, because their server was not available for them: the others of the
/// same source are sent meanwhile.
final class TargetPauses: Sendable {
  private let ends = Mutex<[ExactString: Duration]>([:])

  /// How long the record still has to wait; `nil` where it may be sent.
  func wait(_ target: String, now: Duration) -> Duration? {
    ends.withLock { $0[target.exact] }.flatMap { $0 > now ? $0 - now : nil }
  }

  /// Begins a pause.
  func begin(_ target: String, until end: Duration) { ends.withLock { $0[target.exact] = end } }

  /// The server answered.
  func end(_ target: String) { ends.withLock { $0[target.exact] = nil } }
}

/// Gives answers of 5xx back at once: the sender itself comes back to the record, after it has served the others.
struct ImpatientTransport: HTTPTransport {
  let inner: any HTTPTransport

  var limitations: Set<TransportLimitation> { inner.limitations }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    var request = request
    request.returnsServerErrors = true
    return try await inner.send(request)
  }
}
