public import Ports
import Synchronization

/// Stops asking a host that keeps failing, and lets one request try again after a while.
///
/// Failures are broken connections, time-outs, untrusted or malformed answers and the statuses 500, 502, 503 and 504;
/// answers like 404 and 429 are signs of life.
public final class CircuitBreaker: HTTPMiddleware {
  private struct Circuit {
    var failures = 0
    var openUntil: Duration?
    var isProbing = false
    /// The failure that came last, in one line.
    var reason = ""
  }

  private let threshold: Int
  private let pause: Duration
  private let time: any TimeSource
  private let events: (any EventSink)?
  private let redaction: Redaction
  private let circuits = Mutex<[String: Circuit]>([:])

  /// Makes the middleware.
  ///
  /// - Parameters:
  ///   - threshold: failures in a row after which the host is left alone.
  ///   - pause: for how long.
  ///   - time: the clock.
  ///   - events: is told of every change.
  ///   - redaction: cleans the URL in its errors.
  public init(
    threshold: Int = 5, pause: Duration = .seconds(30), time: any TimeSource, events: (any EventSink)? = nil,
    redaction: Redaction = Redaction()
  ) {
    self.threshold = max(1, threshold)
    self.pause = pause
    self.time = time
    self.events = events
    self.redaction = redaction
  }

  /// Passes the request on while the host's circuit is closed.
  ///
  /// - Throws: `TransportError.circuitOpen` with `retryAfter`, and what `next` throws.
  public func intercept(
    _ request: HTTPRequest, next: @escaping HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    let host = WebAddress.origin(of: request.url) ?? ""
    let (wait, reason, isProbe) = admit(host)
    if let wait { throw refusal(host, wait, reason, request) }
    let response: HTTPResponse
    do {
      response = try await next(request)
    } catch {
      settle(host, isProbe, failed: CircuitBreaker.isFailure(error.code), error.message)
      throw error
    }
    settle(
      host, isProbe, failed: CircuitBreaker.isFailure(response.status, request), "it answered \(response.status)")
    return response
  }

  /// Whether the answer speaks against the host; `nil` where it speaks only against what was asked for.
  private static func isFailure(_ status: Int, _ request: HTTPRequest) -> Bool? {
    switch status {
    case 500, 502, 503, 504: request.returnsServerErrors ? nil : true
    default: false
    }
  }

  /// Whether the error speaks against the host; `nil` where it says nothing of it.
  private static func isFailure(_ code: TransportError.Code) -> Bool? {
    switch code {
    case .cannotConnect, .untrusted, .timeout, .connectionLost, .truncated, .malformed: true
    case .invalidRequest, .misconfigured, .tooLarge, .badRedirect, .budgetExhausted, .circuitOpen, .cancelled,
      .seedMissing,
      .seedMalformed:
      nil
    }
  }

  @inline(never)
  private func refusal(_ host: String, _ wait: Int, _ reason: String, _ request: HTTPRequest) -> TransportError {
    TransportError(
      .circuitOpen, "\(host) kept failing and is left alone for a while; last: \(reason)",
      url: redaction.url(request.url),
      hint: "it is tried again in \(wait) s", retryAfter: wait, requests: 0)
  }

  /// Seconds to wait, or `nil` where the request may go out; and whether it is the one that tries an open circuit.
  @inline(never)
  private func admit(_ host: String) -> (wait: Int?, reason: String, isProbe: Bool) {
    let now = time.uptime
    var isProbe = false
    var reason = ""
    let wait: Int? = circuits.withLock { circuits in
      guard var circuit = circuits[host], let openUntil = circuit.openUntil else { return nil }
      reason = circuit.reason
      if now < openUntil { return max(1, (openUntil - now).secondsRoundedUp) }
      if circuit.isProbing { return 1 }
      circuit.isProbing = true
      circuits[host] = circuit
      isProbe = true
      return nil
    }
    if isProbe { events?.report(.breakerChanged(host: host, state: "halfOpen")) }
    return (wait, reason, isProbe)
  }

  @inline(never)
  private func settle(_ host: String, _ isProbe: Bool, failed: Bool?, _ reason: String) {
    let now = time.uptime
    let change: String? = circuits.withLock { circuits in
      var circuit = circuits[host] ?? Circuit()
      let wasOpen = circuit.openUntil != nil
      // A request that left before the circuit opened says nothing about whether it may close.
      guard !wasOpen || isProbe else { return nil }
      circuit.isProbing = false
      switch failed {
      case nil:
        circuits[host] = circuit
        return nil
      case false?:
        circuits[host] = nil
        return wasOpen ? "closed" : nil
      case true?:
        circuit.failures += 1
        circuit.reason = reason
        let opens = wasOpen || circuit.failures >= threshold
        if opens { circuit.openUntil = now + pause }
        circuits[host] = circuit
        return opens ? "open" : nil
      }
    }
    if let change { events?.report(.breakerChanged(host: host, state: change)) }
  }
}
