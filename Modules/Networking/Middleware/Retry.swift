import Models
public import Ports
import Synchronization

/// Sends a request again after an answer or a break that passes by itself, with full jitter.
///
/// Only what may be repeated is: idempotent methods (RFC 9110 section 9.2.2) unless a request says otherwise, requests
/// that are marked as repeatable, and any request that certainly did not arrive. A `Retry-After` is waited for; one beyond the policy's bound gives
/// the answer back at once. `Retry-After` in answers that are given back is always in seconds.
public final class Retry: HTTPMiddleware {
  private let policy: RetryPolicy
  private let time: any TimeSource
  private let random: any RandomSource
  private let events: (any EventSink)?
  private let redaction: Redaction
  private let budget: Mutex<RetryBudget>

  /// Makes the middleware; requests that go through the same one share a retry budget.
  public init(
    _ policy: RetryPolicy, time: any TimeSource, random: any RandomSource, events: (any EventSink)? = nil,
    redaction: Redaction = Redaction()
  ) {
    self.policy = policy
    self.time = time
    self.random = random
    self.events = events
    self.redaction = redaction
    budget = Mutex(RetryBudget(share: policy.budgetShare, minimum: policy.budgetMinimum, now: time.uptime))
  }

  /// Sends the request, and again where it helps.
  ///
  /// - Throws: the last try's error, with all tries counted; `mayHaveArrived` when any of them may have.
  public func intercept(
    _ request: HTTPRequest, next: @escaping HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    budget.withLock { $0.earn() }
    // Those further in know that it is the first try; telling them costs as much as all else that is done here.
    guard CallContext.attempt == 1 else { return try await repeated(request, nil, next) }
    let first: Result<HTTPResponse, TransportError>
    do throws(TransportError) {
      let response = try await next(request)
      guard Retry.mayBeTransient(response) else { return response }
      first = .success(response)
    } catch {
      first = .failure(error)
    }
    return try await repeated(request, first, next)
  }

  /// Whether there is anything to do about the answer.
  @inline(never)
  private static func mayBeTransient(_ response: HTTPResponse) -> Bool {
    RetryPolicy.statuses.contains(response.status) || response.headers["Retry-After"] != nil
  }

  /// The answer after as many tries as it takes; the outcome of the first one may be known.
  @inline(never)
  private func repeated(
    _ request: HTTPRequest, _ first: Result<HTTPResponse, TransportError>?, _ next: HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    var first = first
    var sent = 0
    var arrived = false
    var attempt = 1
    while true {
      let outcome: Result<HTTPResponse, TransportError>
      if let known = first.take() { outcome = known } else { outcome = await exchange(request, attempt, next) }
      let wait: Int?
      let reason: String
      switch outcome {
      case .success(var response):
        sent += response.requests
        response.requests = sent
        wait = retryAfter(in: &response)
        reason = "the server answered \(response.status)"
        guard RetryPolicy.statuses.contains(response.status), mayRepeat(request, after: response.status),
          (wait ?? 0) <= policy.longestRetryAfter, mayGoOn(attempt)
        else { return response }
      case .failure(var error):
        sent += error.requests
        arrived = arrived || error.mayHaveArrived
        error.requests = sent
        error.mayHaveArrived = arrived
        wait = error.retryAfter
        reason = error.message
        guard Retry.passes(error.code), !error.mayHaveArrived || isRepeatable(request),
          (wait ?? 0) <= policy.longestRetryAfter, mayGoOn(attempt)
        else { throw error }
      }
      attempt += 1
      let delay = Duration.seconds(wait ?? 0) + random.duration(below: policy.bound(before: attempt))
      events?.report(
        .retryScheduled(url: redaction.url(request.url), attempt: attempt, delay: delay, reason: reason))
      do {
        try await time.sleep(for: delay)
      } catch {
        throw TransportError(
          .cancelled, "cancelled while waiting for the next try", url: redaction.url(request.url),
          mayHaveArrived: arrived, requests: sent)
      }
    }
  }

  private func exchange(
    _ request: HTTPRequest, _ attempt: Int, _ next: HTTPNext
  ) async -> Result<HTTPResponse, TransportError> {
    await CallContext.$attempt.withValue(attempt) {
      do throws(TransportError) { return .success(try await next(request)) } catch { return .failure(error) }
    }
  }

  /// Seconds that the server asks to wait; in the answer they stand as seconds, or not at all.
  private func retryAfter(in response: inout HTTPResponse) -> Int? {
    guard let text = response.headers["Retry-After"] else { return nil }
    let wait = RetryAfter.seconds(text, now: time.now)
    response.headers["Retry-After"] = wait.map(String.init)
    return wait
  }

  private func mayGoOn(_ attempt: Int) -> Bool {
    attempt < policy.attempts && !Task.isCancelled && budget.withLock { $0.take(now: time.uptime) }
  }

  private func isRepeatable(_ request: HTTPRequest) -> Bool { request.isRepeatable ?? request.method.isIdempotent }

  // 425 and 429 say that the request was not carried out (RFC 8470 section 5.2, RFC 6585 section 4), but a server that
  // says so may be wrong: only what may be repeated is.
  private func mayRepeat(_ request: HTTPRequest, after status: Int) -> Bool {
    isRepeatable(request) && !(request.returnsServerErrors && status >= 500)
  }

  private static func passes(_ code: TransportError.Code) -> Bool {
    switch code {
    case .cannotConnect, .timeout, .connectionLost, .truncated: true
    default: false
    }
  }
}
