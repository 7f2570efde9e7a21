/// Keeps retries a small part of all requests, so that a server in trouble does not get several times its load.
///
/// Every request earns a share of a retry, every retry costs one. The account may be overdrawn by a small minimum, so
/// that few requests can be retried at all; that debt is forgiven after a minute in which few requests were made.
/// Credit is bounded, so that quiet months do not pay for a storm.
struct RetryBudget {
  private let share: Double
  private let minimum: Double
  private var balance = 0.0
  private var earned = 0.0
  private var minute: Duration

  /// Credit that is kept at most, in retries.
  private static let credit = 1000.0

  init(share: Double, minimum: Int, now: Duration) {
    self.share = share
    self.minimum = Double(minimum)
    minute = now
  }

  /// A first try was made.
  mutating func earn() {
    balance = min(balance + share, Self.credit)
    earned += share
  }

  /// Whether one more retry may be made; takes it if so.
  mutating func take(now: Duration) -> Bool {
    if now - minute >= .seconds(60) {
      if earned < minimum { balance = max(balance, 0) }
      minute = now
      earned = 0
    }
    // A ten-thousandth of slack, because tenths do not add up exactly in binary.
    guard balance - 1 >= -minimum - 0.0001 else { return false }
    balance -= 1
    return true
  }
}
