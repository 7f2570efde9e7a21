public import Models
public import Ports
import Synchronization

/// Remembers calls as long as the process lives.
public final class InMemoryBudgetLedger: BudgetLedger {
  private let windows = Mutex<[String: RollingWindow]>([:])

  /// An empty ledger.
  public init() {}

  /// Takes one call out of the budget, or says how long to wait.
  public func take(_ budget: RateBudget, at now: Timestamp) async throws(StoreError) -> BudgetDecision {
    windows.withLock { $0[budget.name, default: RollingWindow()].take(budget, at: now) }
  }
}
