public import Models

/// Remembers the calls that were made under rate budgets, also across restarts and between processes.
public protocol BudgetLedger: Sendable {
  /// Takes one call out of the budget, or says how long to wait.
  ///
  /// - Throws: `StoreError` where the memory cannot be written: then the call must not be made.
  func take(_ budget: RateBudget, at now: Timestamp) async throws(StoreError) -> BudgetDecision
}

/// What a ledger answers.
public enum BudgetDecision: Hashable, Sendable {
  /// The call may be made now; so many are left in the window.
  case granted(remaining: Int)
  /// Not before so many seconds.
  case wait(seconds: Int)
}
