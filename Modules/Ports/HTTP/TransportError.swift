public import Models

/// Why there is no answer that can be trusted.
public struct TransportError: FailureRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// What happened.
  public enum Code: String, Sendable, CaseIterable {
    /// The request itself is wrong: URL, header, method.
    case invalidRequest
    /// No connection: refused, unknown host, no route.
    case cannotConnect
    /// TLS was refused: expired, wrong host, unknown authority.
    case untrusted
    /// A setting of the connection cannot be used: a certificate file that cannot be read.
    case misconfigured
    /// A connect, idle or whole-call deadline passed.
    case timeout
    /// The connection broke before the answer was whole.
    case connectionLost
    /// The answer is shorter than it says, or its frame is broken.
    case truncated
    /// Body or headers are larger than the limit.
    case tooLarge
    /// The answer is no HTTP.
    case malformed
    /// A redirect that must not be followed.
    case badRedirect
    /// The rate budget is used up; see `retryAfter`.
    case budgetExhausted
    /// The circuit breaker is open; see `retryAfter`.
    case circuitOpen
    /// The task was cancelled.
    case cancelled
    /// The recording has no answer to this request.
    case recordingMissing = "seedMissing"
    /// The recording cannot be read.
    case recordingMalformed = "seedMalformed"
  }

  /// What happened.
  public var code: Code
  /// What happened, in one line, without secrets.
  public var message: String
  /// The address, without secrets.
  public var url: String?
  /// How to mend it.
  public var hint: String?
  /// Seconds after which it may go through.
  public var retryAfter: Int?
  /// Whether the request may have reached the server: after that its outcome is unknown.
  public var mayHaveArrived: Bool
  /// How many requests were sent.
  public var requests: Int

  /// Makes an error.
  public init(
    _ code: Code, _ message: String, url: String? = nil, hint: String? = nil, retryAfter: Int? = nil,
    mayHaveArrived: Bool = false, requests: Int = 1
  ) {
    self.code = code
    self.message = message
    self.url = url
    self.hint = hint
    self.retryAfter = retryAfter
    self.mayHaveArrived = mayHaveArrived
    self.requests = requests
  }

  /// The error in one line.
  public var description: String { "\(message)\(url.map { " (\($0))" } ?? "")" }

  /// The error as users see it.
  public var failure: Failure {
    let (kind, reason, retryable): (Failure.Kind, Failure.Reason, Bool) =
      switch code {
      case .invalidRequest, .misconfigured: (.config, .config, false)
      case .cannotConnect, .timeout, .connectionLost, .truncated: (.transport, .unavailable, true)
      case .untrusted, .tooLarge, .malformed, .badRedirect: (.transport, .unavailable, false)
      case .budgetExhausted, .circuitOpen: (.transport, .tryLater, true)
      case .cancelled: (.transport, .cancelled, true)
      case .recordingMissing: (.recording, .unavailable, false)
      case .recordingMalformed: (.recording, .unparsable, false)
      }
    return Failure(
      kind, reason, message, hint: hint, url: url, code: code.rawValue, retryable: retryable, retryAfter: retryAfter)
  }
}
