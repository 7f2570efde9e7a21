public import Ports
import Synchronization

/// Rejects requests to a host that keeps failing, and lets one request probe it after a pause.
///
/// Failures are connection errors, timeouts, untrusted or malformed responses, and the statuses 500, 502, 503 and 504.
/// Other responses, including 404 and 429, show that the host works.
public final class CircuitBreaker: HTTPMiddleware {
  private struct Circuit {
    var failures = 0
    var openUntil: Duration?
    var isProbing = false
    /// The message of the last failure.
    var reason = ""
  }

  private let threshold: Int
  private let pause: Duration?
  private let time: any TimeSource
  private let events: (any EventSink)?
  private let redaction: Redaction
  private let circuits = Mutex<[String: Circuit]>([:])

  /// Creates the middleware.
  ///
  /// - Parameters:
  ///   - threshold: consecutive failures that open the circuit.
  ///   - pause: how long it stays open; `nil` keeps it open, for a program that ends soon.
  ///   - time: the clock.
  ///   - events: receives every change of state.
  ///   - redaction: masks secrets in errors.
  public init(
    threshold: Int = 5, pause: Duration? = .seconds(30), time: any TimeSource, events: (any EventSink)? = nil,
    redaction: Redaction = Redaction()
  ) {
    self.threshold = max(1, threshold)
    self.pause = pause
    self.time = time
    self.events = events
    self.redaction = redaction
  }

  /// Passes the request on while the circuit of its host is closed.
  ///
  /// - Throws: `TransportError.circuitOpen` with the failure that opened the circuit, and `retryAfter` unless it stays
  ///   open; the errors of `next`.
  public func intercept(
    _ request: HTTPRequest, next: @escaping HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    let host = WebAddress.origin(of: request.url) ?? ""
    let admission = admit(host)
    if admission.isRefused { throw refusal(host, admission, request) }
    let response: HTTPResponse
    do {
      response = try await next(request)
    } catch {
      settle(host, admission.isProbe, failed: CircuitBreaker.isFailure(error.code), error.message)
      throw error
    }
    settle(
      host, admission.isProbe, failed: CircuitBreaker.isFailure(response.status, request),
      "it answered \(response.status)")
    return response
  }

  /// Whether the response counts as a failure of the host; `nil` if it does not count at all.
  private static func isFailure(_ status: Int, _ request: HTTPRequest) -> Bool? {
    switch status {
    case 500, 502, 503, 504: request.returnsServerErrors ? nil : true
    default: false
    }
  }

  /// Whether the error counts as a failure of the host; `nil` if it does not count at all.
  private static func isFailure(_ code: TransportError.Code) -> Bool? {
    switch code {
    case .cannotConnect, .untrusted, .timeout, .connectionLost, .truncated, .malformed: true
    case .invalidRequest, .misconfigured, .tooLarge, .badRedirect, .forbiddenAddress, .budgetExhausted, .circuitOpen,
      .cancelled,
      .recordingMissing, .recordingMalformed:
      nil
    }
  }

  @inline(never)
  private func refusal(_ host: String, _ admission: Admission, _ request: HTTPRequest) -> TransportError {
    TransportError(
      .circuitOpen,
      "requests to \(host) are \(admission.wait == nil ? "stopped" : "paused") after repeated failures; the last one: "
        + admission.reason,
      url: redaction.url(request.url), hint: admission.wait.map { "the next attempt is in \($0) s" },
      retryAfter: admission.wait, requests: 0)
  }

  /// Whether a request may be sent.
  private struct Admission {
    /// Whether it may not be sent.
    var isRefused = false
    /// Seconds until the next attempt; `nil` if there is none.
    var wait: Int?
    /// The failure that opened the circuit.
    var reason = ""
    /// Whether the request probes an open circuit.
    var isProbe = false
  }

  @inline(never)
  private func admit(_ host: String) -> Admission {
    let now = time.uptime
    let admission = circuits.withLock { circuits in
      guard var circuit = circuits[host], let openUntil = circuit.openUntil else { return Admission() }
      if now < openUntil {
        let wait = pause == nil ? nil : max(1, (openUntil - now).secondsRoundedUp)
        return Admission(isRefused: true, wait: wait, reason: circuit.reason)
      }
      if circuit.isProbing { return Admission(isRefused: true, wait: 1, reason: circuit.reason) }
      circuit.isProbing = true
      circuits[host] = circuit
      return Admission(isProbe: true)
    }
    if admission.isProbe { events?.report(.breakerChanged(host: host, state: .halfOpen)) }
    return admission
  }

  @inline(never)
  private func settle(_ host: String, _ isProbe: Bool, failed: Bool?, _ reason: String) {
    let now = time.uptime
    let change: CircuitState? = circuits.withLock { circuits in
      var circuit = circuits[host] ?? Circuit()
      let wasOpen = circuit.openUntil != nil
      // A request that was sent before the circuit opened does not decide whether it closes.
      guard !wasOpen || isProbe else { return nil }
      circuit.isProbing = false
      switch failed {
      case nil:
        circuits[host] = circuit
        return nil
      case false?:
        circuits[host] = nil
        return wasOpen ? .closed : nil
      case true?:
        circuit.failures += 1
        circuit.reason = reason
        let opens = wasOpen || circuit.failures >= threshold
        if opens { circuit.openUntil = pause.map { now + $0 } ?? .seconds(Int.max / 2) }
        circuits[host] = circuit
        return opens ? .open : nil
      }
    }
    if let change { events?.report(.breakerChanged(host: host, state: change)) }
  }
}
