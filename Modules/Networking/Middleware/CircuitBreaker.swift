import Models
public import Ports
import Synchronization

/// Rejects requests to a host or an address that keeps failing, and lets one request probe it after a pause.
///
/// A host has a circuit for connections that cannot be made or trusted, and for timeouts. Each of its addresses has a circuit
/// for the statuses that say that a server fails (500, 502, 503, 504), and for responses that break, end too early or are malformed, so that one address
/// that is broken does not hide what the others answer, and one image does not stop every request. If as many
/// different addresses fail in a row as open a circuit, the host itself is assumed to be broken. Other responses, including
/// 401, 404 and 429, show that the host works.
public final class CircuitBreaker: HTTPMiddleware {
  private struct Circuit {
    var failures = 0
    var openUntil: Duration?
    var isProbing = false
    var reason = ""
  }

  private struct Host {
    var circuit = Circuit()
    var addresses: [ExactString: Circuit] = [:]
    /// The addresses that failed since the host last gave another answer.
    var failing: Set<ExactString> = []
  }

  private static let mostAddresses = 64

  private let threshold: Int
  private let timeoutWeight: Int
  private let pause: Duration?
  private let time: any TimeSource
  private let events: (any EventSink)?
  private let redaction: Redaction
  private let hosts = Mutex<[String: Host]>([:])

  /// - Parameters:
  ///   - threshold: consecutive failures that open a circuit.
  ///   - timeoutWeight: how many failures a timeout counts for: it takes much longer than the others.
  ///   - pause: how long it stays open; `nil` keeps it open, for a program that ends soon.
  ///   - events: receives every change of state of a host.
  public init(
    threshold: Int = 5, timeoutWeight: Int = 1, pause: Duration? = .seconds(30), time: any TimeSource,
    events: (any EventSink)? = nil, redaction: Redaction = Redaction()
  ) {
    self.threshold = max(1, threshold)
    self.timeoutWeight = max(1, timeoutWeight)
    (self.pause, self.time, self.events, self.redaction) = (pause, time, events, redaction)
  }

  /// - Throws: `TransportError.circuitOpen` with the failure that opened the circuit, and `retryAfter` unless it stays
  ///   open; the errors of `next`.
  public func intercept(_ request: HTTPRequest, next: @escaping HTTPNext) async throws(TransportError) -> HTTPResponse {
    let host = WebAddress.origin(of: request.url) ?? ""
    let admission = admit(host, request.url.exact)
    if let refusal = admission.refusal { throw error(host, refusal, request) }
    let response: HTTPResponse
    do {
      response = try await next(request)
    } catch {
      settle(host, request.url.exact, admission, outcome(error))
      throw error
    }
    settle(host, request.url.exact, admission, CircuitBreaker.outcome(response.status, request))
    return response
  }

  private enum Outcome {
    case nothing
    case works
    case addressFails(String)
    /// The host cannot be reached or trusted; with the number of failures that it counts for.
    case hostFails(String, Int)
  }

  private static func outcome(_ status: HTTPStatus, _ request: HTTPRequest) -> Outcome {
    guard status.meaning == .serverFault else { return .works }
    return request.returnsServerErrors ? .nothing : .addressFails("it answered \(status)")
  }

  private func outcome(_ error: TransportError) -> Outcome {
    switch error.code {
    case .timeout: .hostFails(error.message, timeoutWeight)
    case .truncated, .connectionLost, .malformed: .addressFails(error.message)
    case .cannotConnect, .untrusted: .hostFails(error.message, 1)
    case .invalidRequest, .misconfigured, .tooLarge, .badRedirect, .forbiddenAddress, .notPlanned, .budgetExhausted,
      .circuitOpen, .cancelled, .recordingMissing, .recordingMalformed:
      .nothing
    }
  }

  @inline(never)
  private func error(_ host: String, _ refusal: Refusal, _ request: HTTPRequest) -> TransportError {
    let address = String(redaction.url(request.url).prefix { $0 != "?" })
    return TransportError(
      .circuitOpen,
      "requests to \(refusal.isOfHost ? host : address) are \(refusal.wait == nil ? "stopped" : "paused") after repeated "
        + "failures; the last one: \(refusal.reason)", url: redaction.url(request.url),
      hint: refusal.wait.map { "the next attempt is in \($0) s" }, retryAfter: refusal.wait, requests: 0)
  }

  private struct Refusal {
    /// Whether the host is paused, and not only the address.
    var isOfHost: Bool
    /// Seconds until the next attempt; `nil` if there is none.
    var wait: Int?
    var reason: String
  }

  private struct Admission {
    var refusal: Refusal?
    /// Whether the request probes the open circuit of its host.
    var probesHost = false
    var probesAddress = false
  }

  @inline(never)
  private func admit(_ host: String, _ address: ExactString) -> Admission {
    let now = time.uptime
    let admission = hosts.withLock { hosts in
      guard var known = hosts[host] else { return Admission() }
      let refusal =
        refusal(known.circuit, now, isOfHost: true)
        ?? known.addresses[address].flatMap { self.refusal($0, now, isOfHost: false) }
      if let refusal { return Admission(refusal: refusal) }
      let admission = Admission(
        probesHost: known.circuit.openUntil != nil, probesAddress: known.addresses[address]?.openUntil != nil)
      if admission.probesHost { known.circuit.isProbing = true }
      if admission.probesAddress { known.addresses[address]?.isProbing = true }
      hosts[host] = known
      return admission
    }
    if admission.probesHost { events?.report(.breakerChanged(host: host, state: .halfOpen)) }
    return admission
  }

  /// Why a request may not pass a circuit; `nil` if it may.
  private func refusal(_ circuit: Circuit, _ now: Duration, isOfHost: Bool) -> Refusal? {
    guard let openUntil = circuit.openUntil else { return nil }
    if now < openUntil {
      let wait = pause == nil ? nil : max(1, (openUntil - now).secondsRoundedUp)
      return Refusal(isOfHost: isOfHost, wait: wait, reason: circuit.reason)
    }
    return circuit.isProbing ? Refusal(isOfHost: isOfHost, wait: 1, reason: circuit.reason) : nil
  }

  @inline(never)
  private func settle(_ host: String, _ address: ExactString, _ admission: Admission, _ outcome: Outcome) {
    let now = time.uptime
    let change: CircuitState? = hosts.withLock { hosts in
      if case .works = outcome, hosts[host] == nil { return nil }
      var known = hosts[host] ?? Host()
      let wasOpen = known.circuit.openUntil != nil
      defer { hosts[host] = known.circuit.failures == 0 && known.addresses.isEmpty ? nil : known }
      if admission.probesHost { known.circuit.isProbing = false }
      if admission.probesAddress { known.addresses[address]?.isProbing = false }
      // A request that was sent before a circuit opened does not decide whether it closes.
      guard !wasOpen || admission.probesHost else { return nil }
      switch outcome {
      case .nothing: return nil
      case .works:
        known.addresses[address] = nil
        known.failing = []
        known.circuit = Circuit()
        return wasOpen ? .closed : nil
      case .addressFails(let reason):
        fail(&known.addresses[address, default: Circuit()], reason, now)
        if known.addresses.count > Self.mostAddresses {
          known.addresses = known.addresses.filter { $0.value.openUntil ?? .zero > now || $0.key == address }
        }
        // Its failures count once: only other addresses tell that the host is broken.
        guard wasOpen || known.failing.insert(address).inserted else { return nil }
        return fail(&known.circuit, reason, now) ? .open : nil
      case .hostFails(let reason, let weight): return fail(&known.circuit, reason, now, weight) ? .open : nil
      }
    }
    guard let change else { return }
    events?.report(.breakerChanged(host: host, state: change, pause: change == .open ? pause?.secondsRoundedUp : nil))
  }

  /// Counts a failure; whether the circuit is open then.
  @discardableResult
  private func fail(_ circuit: inout Circuit, _ reason: String, _ now: Duration, _ weight: Int = 1) -> Bool {
    circuit.failures += weight
    circuit.reason = reason
    guard circuit.openUntil != nil || circuit.failures >= threshold else { return false }
    circuit.openUntil = pause.map { now + $0 } ?? .seconds(Int.max / 2)
    return true
  }
}
