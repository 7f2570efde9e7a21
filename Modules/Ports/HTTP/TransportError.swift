public import Models

/// The reason why there is no valid response.
public struct TransportError: FailureRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Code: String, Sendable, CaseIterable {
    /// The request is not valid: URL, header or method.
    case invalidRequest
    /// The connection failed: refused, unknown host, no route.
    case cannotConnect
    /// TLS failed: expired certificate, wrong host, unknown authority.
    case untrusted
    /// A setting of the connection is not valid, such as a certificate file that cannot be read.
    case misconfigured
    /// The time limit of the connection, of a pause or of the whole exchange was exceeded.
    case timeout
    /// The connection ended before the response was complete.
    case connectionLost
    /// The response is shorter than announced, or its framing ends early.
    case truncated
    /// The body or the headers exceed the limit.
    case tooLarge
    /// The response is not valid HTTP.
    case malformed
    /// A redirect that must not be followed.
    case badRedirect
    /// The rate budget is exhausted; see `retryAfter`.
    case budgetExhausted
    /// The circuit breaker is open; see `retryAfter`.
    case circuitOpen
    /// The task was cancelled.
    case cancelled
    /// The recording has no response to this request.
    case recordingMissing = "seedMissing"
    /// The recording is not valid.
    case recordingMalformed = "seedMalformed"
  }

  /// The kind of error.
  public var code: Code
  /// The message, in one line and without secrets.
  public var message: String
  /// The URL, without secrets.
  public var url: String?
  /// How to fix it.
  public var hint: String?
  /// The seconds after which a retry may succeed.
  public var retryAfter: Int?
  /// Whether the request may have reached the server, so that its outcome is unknown.
  public var mayHaveArrived: Bool
  /// The number of requests that were sent.
  public var requests: Int

  /// Creates an error.
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
