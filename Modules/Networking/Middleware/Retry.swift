import Models
public import Ports
import Synchronization

/// Repeats a request after a transient response or a transient error, with full jitter.
///
/// It repeats requests with idempotent methods (RFC 9110 section 9.2.2) unless they are marked otherwise, requests that
/// are marked as repeatable, and any request that certainly did not arrive. It waits for a `Retry-After`, or a field of
/// `HTTPRequest.retryTimes`, unless it exceeds the policy's limit: then it returns the response immediately. `Retry-After` in a returned response is always
/// in seconds. If the circuit breaker opens between two attempts, the outcome of the last one is returned, because it is
/// the reason.
public final class Retry: HTTPMiddleware {
  private let policy: RetryPolicy
  private let time: any TimeSource
  private let random: any RandomSource
  private let events: (any EventSink)?
  private let redaction: Redaction
  private let budget: Mutex<RetryBudget>

  /// Creates the middleware. Requests through the same instance share a retry budget.
  public init(
    _ policy: RetryPolicy, time: any TimeSource, random: any RandomSource, events: (any EventSink)? = nil,
    redaction: Redaction = Redaction()
  ) {
    (self.policy, self.time, self.random, self.events, self.redaction) = (policy, time, random, events, redaction)
    budget = Mutex(RetryBudget(share: policy.budgetShare, minimum: policy.budgetMinimum, now: time.uptime))
  }

  /// - Throws: the error of the last attempt, with the `requests` of all, and `mayHaveArrived` if any may have arrived.
  public func intercept(_ request: HTTPRequest, next: @escaping HTTPNext) async throws(TransportError) -> HTTPResponse {
    budget.withLock { $0.earn() }
    let begun = policy.timeout == nil ? .zero : time.uptime
    let first: Result<HTTPResponse, TransportError>
    do throws(TransportError) {
      let response = try await next(request)
      guard Retry.mayBeTransient(response) else { return response }
      first = .success(response)
    } catch { first = .failure(error) }
    return try await repeated(request, first, begun, next)
  }

  /// Whether the response has to be repeated, or its `Retry-After` to be normalized.
  @inline(never)
  private static func mayBeTransient(_ response: HTTPResponse) -> Bool {
    response.status.isWorthRepeating || response.headers["Retry-After"] != nil
  }

  /// Repeats the request as often as the policy allows, after a first attempt that began at `begun`.
  @inline(never)
  private func repeated(
    _ request: HTTPRequest, _ first: Result<HTTPResponse, TransportError>, _ begun: Duration, _ next: HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    var request = request
    var sent = 0
    var arrived = false
    var outcome = first
    var last: Result<HTTPResponse, TransportError>?
    while true {
      let isCutOff = last != nil && Retry.isOpenCircuit(outcome)
      if isCutOff, let last { outcome = last.withoutRequests }
      last = outcome
      let wait: Int?
      let reason: String
      let left = policy.timeout.map { $0 - (time.uptime - begun) }
      let isInTime = left.map { $0 > .zero } ?? true
      switch outcome {
      case .success(var response):
        sent += response.requests
        response.requests = sent
        wait = retryAfter(in: &response, to: request)
        reason = "the server answered \(response.status)"
        guard !isCutOff, response.status.isWorthRepeating, mayRepeat(request, after: response.status),
          (wait ?? 0) <= policy.longestRetryAfter, wait != nil || isInTime, mayRetry(request.attempt)
        else { return response }
      case .failure(var error):
        sent += error.requests
        arrived = arrived || error.mayHaveArrived
        error.requests = sent
        error.mayHaveArrived = arrived
        wait = error.retryAfter
        reason = error.message
        guard !isCutOff, Retry.isTransient(error.code), !error.mayHaveArrived || request.mayBeRepeated,
          (wait ?? 0) <= policy.longestRetryAfter, wait != nil || isInTime, mayRetry(request.attempt)
        else { throw error }
      }
      request.attempt += 1
      let jitter = random.duration(below: policy.bound(before: request.attempt))
      let delay = wait.map { .seconds($0) + jitter } ?? left.map { min($0, jitter) } ?? jitter
      events?.report(
        .retryScheduled(url: redaction.url(request.url), attempt: request.attempt, delay: delay, reason: reason))
      do {
        try await time.sleep(for: delay)
      } catch {
        throw TransportError(
          .cancelled, "cancelled while waiting for the next attempt", url: redaction.url(request.url),
          mayHaveArrived: arrived, requests: sent)
      }
      do throws(TransportError) { outcome = .success(try await next(request)) } catch { outcome = .failure(error) }
    }
  }

  /// The `Retry-After` in seconds. It replaces the header's value; an invalid header is removed.
  private func retryAfter(in response: inout HTTPResponse, to request: HTTPRequest) -> Int? {
    let text = response.headers["Retry-After"]
    // A time is by the server's clock, which may be another one than ours.
    let now = response.headers["Date"].flatMap { HTTPDate.parse($0, reference: time.now) } ?? time.now
    let named = response.isSuccess ? nil : request.retryTimes.compactMap { $0.seconds(of: response, now: now) }.first
    guard text != nil || named != nil else { return nil }
    let wait = named ?? text.flatMap { RetryAfter.seconds($0, now: now) }
    response.headers["Retry-After"] = wait.map(String.init)
    return wait
  }

  private func mayRetry(_ attempt: Int) -> Bool {
    attempt < policy.attempts && !Task.isCancelled && budget.withLock { $0.take(now: time.uptime) }
  }

  // 425 and 429 mean that the request was not processed (RFC 8470 section 5.2, RFC 6585 section 4). Servers are not
  // always right about that, so these are repeated only if a repetition does no harm.
  private func mayRepeat(_ request: HTTPRequest, after status: HTTPStatus) -> Bool {
    request.mayBeRepeated && !(request.returnsServerErrors && status.isServerError)
  }

  private static func isOpenCircuit(_ outcome: Result<HTTPResponse, TransportError>) -> Bool {
    if case .failure(let error) = outcome { error.code == .circuitOpen } else { false }
  }

  private static func isTransient(_ code: TransportError.Code) -> Bool {
    switch code {
    case .cannotConnect, .timeout, .connectionLost, .truncated: true
    default: false
    }
  }
}

extension Result<HTTPResponse, TransportError> {
  /// The same outcome, whose requests were counted already.
  var withoutRequests: Self {
    switch self {
    case .success(var response):
      response.requests = 0
      return .success(response)
    case .failure(var error):
      error.requests = 0
      return .failure(error)
    }
  }
}

/// Limits retries to a fraction of all requests, so that an overloaded server does not get several times its load.
///
/// Every request adds a fraction of a retry, and every retry subtracts one. The balance may go below zero by a small
/// minimum, so that a short run can retry at all. That debt is cancelled after a minute with few requests. The credit
/// is limited, so that a long quiet period does not allow a burst of retries.
private struct RetryBudget {
  private let share: Double
  private let minimum: Double
  private var balance = 0.0
  private var earned = 0.0
  private var minute: Duration

  /// The largest credit, in retries.
  private static let credit = 1000.0

  init(share: Double, minimum: Int, now: Duration) {
    (self.share, self.minimum, minute) = (share, Double(minimum), now)
  }

  mutating func earn() {
    balance = min(balance + share, Self.credit)
    earned += share
  }

  mutating func take(now: Duration) -> Bool {
    if now - minute >= .seconds(60) {
      if earned < minimum { balance = max(balance, 0) }
      minute = now
      earned = 0
    }
    // The slack absorbs rounding: tenths do not add up exactly in binary.
    guard balance - 1 >= -minimum - 0.0001 else { return false }
    balance -= 1
    return true
  }
}
