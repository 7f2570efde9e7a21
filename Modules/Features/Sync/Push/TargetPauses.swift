import Models
import Ports
import Synchronization

/// The records whose edits pause because their server was not available for them. Other records of the same source are
/// sent meanwhile.
final class TargetPauses: Sendable {
  private let ends = Mutex<[ExactString: Duration]>([:])

  /// How much longer the record pauses; `nil` where its edits may be sent.
  func wait(_ target: String, now: Duration) -> Duration? {
    ends.withLock { $0[target.exact] }.flatMap { $0 > now ? $0 - now : nil }
  }

  /// Begins a pause.
  func begin(_ target: String, until end: Duration) { ends.withLock { $0[target.exact] = end } }

  /// The server answered.
  func end(_ target: String) { ends.withLock { $0[target.exact] = nil } }
}

/// Returns answers of 5xx at once, without a retry: the sender tries the record again after the others.
struct ImpatientTransport: HTTPTransport {
  let inner: any HTTPTransport

  var limitations: Set<TransportLimitation> { inner.limitations }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    var request = request
    request.returnsServerErrors = true
    return try await inner.send(request)
  }
}

extension SourceError {
  /// Whether the next edit of the same source would meet the same error, so that sending it can wait.
  var concernsEveryEdit: Bool {
    switch self {
    case .transport(let error):
      switch error.code {
      case .cannotConnect, .untrusted, .misconfigured, .budgetExhausted, .circuitOpen, .cancelled: true
      default: false
      }
    case .http(429, _, _, _): true
    case .api(let failure, .tryLater, _): failure.isAboutRate
    case .missingKey: true
    default: false
    }
  }

  /// What follows where the server cannot take this record now.
  var pause: OutboxSender.Step? {
    switch self {
    case .http(let status, _, _, let retryAfter) where [500, 502, 503, 504].contains(status):
      .paused(seconds: retryAfter)
    case .api(let failure, .tryLater, _) where !failure.isAboutRate: .paused(seconds: nil)
    default: nil
    }
  }
}

extension APIFailure {
  /// Whether the API asks for fewer calls, whatever they are about.
  fileprivate var isAboutRate: Bool {
    let code = code.lowercased().filter { $0.isLetter || $0.isNumber }
    return code == "429" || code.contains("rate") || code.contains("toomany")
  }
}
