public import Models

/// Counts the calls under rate budgets.
public protocol BudgetLedger: Sendable {
  /// Counts one call, or returns how long to wait.
  ///
  /// - Throws: `StoreError` where the count cannot be stored. Then the call must not be made.
  func take(_ budget: RateBudget, at now: Timestamp) async throws(StoreError) -> BudgetDecision
}

/// The decision about one call.
public enum BudgetDecision: Hashable, Sendable {
  /// The call may be made now; the window has this many calls left.
  case granted(remaining: Int)
  /// The call must wait this many seconds.
  case wait(seconds: Int)
}
