import Models
import Ports
import Synchronization

/// Records whose edits are paused because their server could not accept them. Other records of the same source are
/// still sent.
final class TargetPauses: Sendable {
  private let ends = Mutex<[ExactString: Duration]>([:])

  /// The remaining pause of the record; `nil` if its edits may be sent.
  func wait(_ target: String, now: Duration) -> Duration? {
    ends.withLock { $0[target.exact] }.flatMap { $0 > now ? $0 - now : nil }
  }

  func begin(_ target: String, until end: Duration) { ends.withLock { $0[target.exact] = end } }

  /// Ends the pause, because the server responded.
  func end(_ target: String) { ends.withLock { $0[target.exact] = nil } }
}

/// Returns responses with 5xx without a retry, because the sender retries the record after the others; and knows whether a
/// change was accepted, whatever fails after it.
final class UnretriedTransport: HTTPTransport {
  private let inner: any HTTPTransport
  private let accepted = Mutex(false)

  init(inner: any HTTPTransport) { self.inner = inner }

  var hasAccepted: Bool { accepted.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    var request = request
    request.returnsServerErrors = true
    let response = try await inner.send(request)
    if !request.method.isSafe, response.isSuccess { accepted.withLock { $0 = true } }
    return response
  }
}

extension SourceError {
  /// Whether the next edit of the same source would fail with the same error.
  var concernsEveryEdit: Bool {
    switch self {
    case .transport(let error):
      switch error.code {
      case .cannotConnect, .timeout, .untrusted, .misconfigured, .budgetExhausted, .circuitOpen, .notPlanned,
        .cancelled:
        true
      default: false
      }
    case .missingKey: true
    default: isLimit
    }
  }

  /// Whether the server limits how often it is asked.
  var isLimit: Bool {
    switch self {
    case .answered(let status, _, _, _): status.meaning == .limited
    case .meant(let meaning, _, _, _): meaning == .limited
    default: false
    }
  }

  /// The consequence for a record that the server cannot accept now.
  var pause: OutboxSender.Step? {
    switch self {
    case .answered(let status, _, _, let retryAfter) where status.meaning == .serverFault:
      .paused(seconds: retryAfter)
    case .meant(.later, _, _, let retryAfter): .paused(seconds: retryAfter)
    // Another client holds a lock for a moment.
    case .meant(.locked, _, _, _): .paused(seconds: 1)
    default: nil
    }
  }
}
