import Models
public import Ports
import Synchronization

/// Counts every request against its rate budget before it is sent, and keeps the budget's spacing.
///
/// Place it inside `Retry` and `Redirects`, because each of their requests counts.
public final class RateBudgetMiddleware: HTTPMiddleware {
  private let ledger: any BudgetLedger
  private let longestWait: Int
  private let time: any TimeSource
  private let events: (any EventSink)?
  private let redaction: Redaction
  private let slots = Mutex<[String: Duration]>([:])

  /// - Parameters:
  ///   - longestWait: the longest wait for the budget, in seconds. A request that would wait longer is rejected.
  ///   - events: receives waits and the rest of each budget.
  public init(
    _ ledger: any BudgetLedger, longestWait: Int = 30, time: any TimeSource, events: (any EventSink)? = nil,
    redaction: Redaction = Redaction()
  ) {
    (self.ledger, self.longestWait, self.time) = (ledger, longestWait, time)
    (self.events, self.redaction) = (events, redaction)
  }

  /// Waits for the budget and passes the request on. A request without a budget is sent immediately.
  ///
  /// - Throws: `TransportError.budgetExhausted` if the wait would be too long, with `retryAfter` in seconds, or if the ledger
  ///   cannot be written, with the reason in the message; `cancelled`; the errors of `next`.
  public func intercept(_ request: HTTPRequest, next: @escaping HTTPNext) async throws(TransportError) -> HTTPResponse {
    if let budget = request.budget { try await wait(for: budget, request) }
    return try await next(request)
  }

  @inline(never)
  private func wait(for budget: RateBudget, _ request: HTTPRequest) async throws(TransportError) {
    guard budget.calls > 0 else {
      throw TransportError(
        .budgetExhausted, "the rate budget '\(budget.name)' allows no calls", url: redaction.url(request.url),
        requests: 0)
    }
    var waited = 0
    while true {
      let decision: BudgetDecision
      do {
        decision = try await ledger.take(budget, at: time.now)
      } catch {
        throw TransportError(
          .budgetExhausted, "the rate budget '\(budget.name)' cannot be updated: \(error.message)",
          url: redaction.url(request.url), hint: error.hint, retryAfter: error.code == .busy ? 1 : nil, requests: 0)
      }
      switch decision {
      case .granted(let remaining):
        events?.report(.budgetTaken(name: budget.name, remaining: remaining))
        return try await keepSpacing(budget, request)
      case .wait(let seconds):
        guard seconds <= longestWait - waited else {
          throw TransportError(
            .budgetExhausted,
            "the rate budget '\(budget.name)' of \(budget.calls) calls in \(budget.window) is used up",
            url: redaction.url(request.url), hint: "try again in \(seconds) s", retryAfter: seconds, requests: 0)
        }
        events?.report(.budgetWait(name: budget.name, seconds: seconds))
        try await pause(.seconds(seconds), request)
        waited += seconds
      }
    }
  }

  private func keepSpacing(_ budget: RateBudget, _ request: HTTPRequest) async throws(TransportError) {
    guard budget.spacingMilliseconds > 0 else { return }
    let now = time.uptime
    let slot = slots.withLock { slots in
      let slot = max(now, slots[budget.name] ?? now)
      slots[budget.name] = slot + .milliseconds(budget.spacingMilliseconds)
      return slot
    }
    if slot > now { try await pause(slot - now, request) }
  }

  private func pause(_ duration: Duration, _ request: HTTPRequest) async throws(TransportError) {
    do {
      try await time.sleep(for: duration)
    } catch {
      throw TransportError(
        .cancelled, "cancelled while waiting for the rate budget", url: redaction.url(request.url), requests: 0)
    }
  }
}
