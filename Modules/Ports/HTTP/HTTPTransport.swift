public import Models

/// Exactly one adapter does I/O; everything else is middleware around it. Every status is a response. An error means
/// that there was no response, or that it cannot be trusted.
public protocol HTTPTransport: Sendable {
  /// Cancelling the task ends the exchange promptly and closes its connection.
  /// - Throws: `TransportError`; `cancelled` when the task was cancelled.
  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}

/// What an adapter cannot do, for the contract that its tests check.
public enum TransportLimitation: String, Sendable, CaseIterable {
  /// Cancelling abandons the exchange, which may go on in the background.
  case abandonsOnCancel
  /// A compressed body can exceed the limit before it is rejected.
  case unboundedDecompression
  /// A truncated body without a length, or one with invalid framing, passes as complete.
  case acceptsBrokenFraming
  case noUnixSockets
  case noHTTP2
}

public typealias HTTPNext = @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse

/// One aspect of all requests. It may change the request, call `next` any number of times, and change the response.
public protocol HTTPMiddleware: Sendable {
  func intercept(_ request: HTTPRequest, next: @escaping HTTPNext) async throws(TransportError) -> HTTPResponse
}

public struct TransportError: FailureRepresentable, Hashable, Sendable, CustomStringConvertible {
  public typealias Code = TransportCode

  public var code: Code
  /// The message, in one line and without secrets.
  public var message: String
  /// The URL, without secrets.
  public var url: String?
  public var hint: Advice?
  /// The seconds after which a retry may succeed.
  public var retryAfter: Int?
  /// Whether the request may have reached the server, so that its outcome is unknown.
  public var mayHaveArrived: Bool
  public var requests: Int

  public init(
    _ code: Code, _ message: String, url: String? = nil, hint: Advice? = nil, retryAfter: Int? = nil,
    mayHaveArrived: Bool = false, requests: Int = 1
  ) {
    (self.code, self.message, self.url, self.hint) = (code, message, url, hint)
    (self.retryAfter, self.mayHaveArrived, self.requests) = (retryAfter, mayHaveArrived, requests)
  }

  public var description: String { "\(message)\(url.map { " (\($0))" } ?? "")" }

  private var suggestion: Advice? {
    switch code {
    case .cannotConnect: "check that the server is running, its address, and the network"
    case .timeout: "the server may be overloaded: try again later"
    case .connectionLost, .truncated: "the connection broke: try again later"
    default: nil
    }
  }

  public var failure: Failure {
    let (kind, reason, retryable): (Failure.Kind, Failure.Reason, Bool) =
      switch code {
      case .invalidRequest, .misconfigured: (.config, .config, false)
      case .cannotConnect, .timeout, .connectionLost, .truncated: (.transport, .unavailable, true)
      case .untrusted, .tooLarge, .malformed, .badRedirect, .forbiddenAddress: (.transport, .unavailable, false)
      // The circuit breaker repeats the failure that opened it: the server could not be reached, or kept failing.
      case .circuitOpen: (.transport, .unavailable, true)
      case .notPlanned: (.transport, .unavailable, false)
      case .budgetExhausted: (.transport, .tryLater, true)
      case .cancelled: (.transport, .cancelled, true)
      case .recordingMissing: (.recording, .unavailable, false)
      case .recordingMalformed: (.recording, .unparsable, false)
      }
    return Failure(
      kind, reason, message, hint: hint ?? suggestion, url: url, code: .transport(code), retryable: retryable,
      retryAfter: retryAfter)
  }
}

extension TransportError {
  /// To allow the server is proposed, but not for an address at which clouds have their credentials: no API is there.
  ///
  /// - Parameter place: what names the servers that are allowed, such as a setting.
  public static func forbiddenAddress(
    _ address: InternetAddress?, server: String? = nil, url: String? = nil, namedBy place: String = "the program"
  ) -> TransportError {
    guard address?.isMetadataService != true else {
      return TransportError(
        .forbiddenAddress, "the address came with data, and leads to where clouds keep credentials", url: url,
        requests: 0)
    }
    return TransportError(
      .forbiddenAddress, "the address came with data, and leads to this machine or to a private network", url: url,
      hint: Advice(
        "only a server that \(place) names may be there"
          + (server.map { ": if this is right, make \($0) the address of the source" } ?? "")), requests: 0)
  }
}

extension Failure {
  /// Whether nothing was asked, because requests to the host are paused, a rate budget is used up, or the server asked to
  /// wait. That says nothing about what was to be asked.
  public var isPause: Bool { code == .transport(.circuitOpen) || code == .transport(.budgetExhausted) || isStoredPause }

  /// The error of a follow whose server asked to wait in an earlier sync, also that of another process.
  public static func storedPause(_ answer: Failure, until end: Timestamp, now: Timestamp, hint: Advice?) -> Failure {
    Failure(
      answer.kind, .tryLater,
      "nothing was asked: the server asked to wait until \(LocalTime(end)), local time; it said: \(answer.message)",
      hint: hint, url: answer.url, code: .own(.askedToWait), path: answer.path, retryable: true, retryAfter: end - now)
  }

  /// Whether nothing was asked, because the server asked to wait in an earlier sync.
  public var isStoredPause: Bool { code == .own(.askedToWait) }

  /// Whether the server was asked, and answered that it is to be asked again later.
  public var isRequestToWait: Bool { reason == .tryLater && retryAfter != nil }

  /// When the pause ends that an attempt met which began at `begun`, or when its server asked to be asked again; `nil` where
  /// there is no such time, or it has passed. A day counts at most.
  public func pauseEnd(since begun: Timestamp?, now: Timestamp) -> Timestamp? {
    guard isRequestToWait || isPause, let begun, let retryAfter else { return nil }
    let end = min(begun, now) + min(86_400, retryAfter)
    return end > now ? end : nil
  }
}

public protocol BudgetLedger: Sendable {
  /// Counts one call, or returns how long to wait.
  ///
  /// - Throws: `StoreError` if the count cannot be stored. Then the call must not be made.
  func take(_ budget: RateBudget, at now: Timestamp) async throws(StoreError) -> BudgetDecision
}

public enum BudgetDecision: Hashable, Sendable {
  case granted(remaining: Int)
  case wait(seconds: Int)
}
