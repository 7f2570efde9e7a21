/// When and how often a request is sent again.
public struct RetryPolicy: Hashable, Sendable {
  /// How often a request is sent at most, the first time counted.
  public var attempts: Int
  /// The first wait is below this; the bound doubles with every try.
  public var base: Duration
  /// No wait that we choose is longer than this.
  public var cap: Duration
  /// The longest `Retry-After` that is waited for, in seconds; an answer that asks for more is given back at once.
  public var longestRetryAfter: Int
  /// Retries per request over time, at most: 0.1 is one to ten requests.
  public var budgetShare: Double
  /// Retries that are allowed in any minute although the share is used up, so that small runs can retry at all. They
  /// are paid back out of the share later.
  public var budgetMinimum: Int

  /// Makes a policy.
  public init(
    attempts: Int = 4, base: Duration = .milliseconds(250), cap: Duration = .seconds(10), longestRetryAfter: Int = 30,
    budgetShare: Double = 0.1, budgetMinimum: Int = 10
  ) {
    self.attempts = attempts
    self.base = base
    self.cap = cap
    self.longestRetryAfter = longestRetryAfter
    self.budgetShare = budgetShare
    self.budgetMinimum = budgetMinimum
  }

  /// For a person who waits: four tries within seconds, gives up when a server asks for more than 30 s.
  public static let interactive = RetryPolicy()

  /// For a service that has time: six tries, waits up to an hour where a server asks for it.
  public static let patient = RetryPolicy(
    attempts: 6, base: .seconds(1), cap: .seconds(60), longestRetryAfter: 3600)

  /// Statuses after which the same request may go through (RFC 9110 sections 15.5.9 and 15.6, RFC 6585 section 4,
  /// RFC 8470 section 5.2).
  public static let statuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

  /// The longest wait before the given try (from 2), before chance is applied.
  func bound(before attempt: Int) -> Duration {
    var bound = base
    for _ in 2..<max(2, attempt) where bound < cap { bound *= 2 }
    return min(bound, cap)
  }
}
