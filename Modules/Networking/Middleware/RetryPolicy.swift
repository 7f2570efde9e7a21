/// The conditions under which `Retry` repeats a request. A request is repeated until the first of these is reached:
/// `attempts`, `timeout`, the retry budget. Values are not checked: a bound that is never reached has no effect.
public struct RetryPolicy: Hashable, Sendable {
  /// The largest number of attempts, the first one included. Fewer are made while the retry budget (`budgetShare`,
  /// `budgetMinimum`) is used up: with the defaults, a program whose requests all fail retries ten times in a minute in all.
  /// A program that must make all attempts raises `budgetMinimum`.
  public var attempts: Int
  /// The upper bound of the first delay. The bound doubles with every attempt, and is never above `cap`: a `base` above
  /// `cap` counts as `cap`.
  public var base: Duration
  /// The longest delay that is not requested by the server.
  public var cap: Duration
  /// How long one request may take with all its attempts before no other attempt begins; `nil` for no limit of time, so
  /// that only `attempts` and the retry budget bound the attempts. A `Retry-After` is waited for also beyond it.
  public var timeout: Duration?
  /// The longest accepted `Retry-After`, in seconds. A response that asks for more is returned at once.
  public var longestRetryAfter: Int
  /// Retries per request over time: 0.1 allows one retry for ten requests.
  public var budgetShare: Double
  /// Additional retries in any minute, so that short runs can retry at all. Later requests pay them back.
  public var budgetMinimum: Int

  /// Creates a policy. What is not given is that of `interactive`, the default of a `StandardStack`.
  public init(
    attempts: Int = 7, base: Duration = .milliseconds(250), cap: Duration = .seconds(4),
    timeout: Duration? = .seconds(10), longestRetryAfter: Int = 30, budgetShare: Double = 0.1, budgetMinimum: Int = 10
  ) {
    (self.attempts, self.base, self.cap, self.timeout) = (attempts, base, cap, timeout)
    (self.longestRetryAfter, self.budgetShare, self.budgetMinimum) = (longestRetryAfter, budgetShare, budgetMinimum)
  }

  /// For a command with a user waiting: seven attempts, none after 10 s; gives up if a server asks for more than 30 s.
  public static let interactive = RetryPolicy()

  /// For a service: six attempts; waits up to an hour when a server asks for it.
  public static let patient = RetryPolicy(
    attempts: 6, base: .seconds(1), cap: .seconds(60), timeout: nil, longestRetryAfter: 3600)

  /// The upper bound of the delay before an attempt, from 2. The actual delay is random below it.
  func bound(before attempt: Int) -> Duration {
    var bound = base
    for _ in 2..<max(2, attempt) where bound < cap { bound *= 2 }
    return min(bound, cap)
  }
}
