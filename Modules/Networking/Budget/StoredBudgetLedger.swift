public import Models
public import Ports
import Synchronization

/// Remembers calls in a record store, so that a budget holds across restarts and between processes.
///
/// One record per budget in the collection `state`, `budget/NAME`; a call is counted in one transaction, before it is
/// made. The record holds at most 129 pairs of second and calls.
///
/// Who makes many calls within a second counts some of them ahead, so that not each of them waits for the disk: a
/// quarter of what was made in that second. They are good for that second only; what is left of them is given back
/// with the next call that is counted, and lost to the budget where none follows. So the count is never too low.
public final class StoredBudgetLedger: BudgetLedger {
  /// Calls of one second that are counted and not made yet.
  private struct Ahead {
    var second: Int
    var left = 0
    var made = 0
    var remaining = 0
  }

  private let store: any RecordStore
  private let coder: any RecordCoder
  private let ahead = Mutex<[String: Ahead]>([:])

  /// Makes a ledger over the store.
  public init(store: any RecordStore, coder: any RecordCoder) {
    self.store = store
    self.coder = coder
  }

  /// Takes one call out of the budget, or says how long to wait.
  ///
  /// - Throws: `StoreError` where the store cannot be read or written; `damaged` where the record is not what was
  ///   written. Then the call must not be made.
  public func take(_ budget: RateBudget, at now: Timestamp) async throws(StoreError) -> BudgetDecision {
    let second = now.secondsSinceEpoch
    var unused = Ahead(second: second)
    var wanted = 1
    let counted: BudgetDecision? = ahead.withLock { budgets in
      var current = budgets[budget.name] ?? Ahead(second: second)
      defer { budgets[budget.name] = current }
      if current.second != second {
        // Where the clock was set back, nobody knows any more where they were counted.
        if current.second < second { unused = current }
        current = Ahead(second: second)
      }
      current.made += 1
      guard current.left > 0 else {
        wanted = max(1, current.made / 4)
        return nil
      }
      current.left -= 1
      return .granted(remaining: current.remaining + current.left)
    }
    if let counted { return counted }
    let (decision, taken) = try await count(wanted, of: budget, at: now, givingBack: unused)
    guard case .granted(let remaining) = decision else { return decision }
    ahead.withLock { budgets in
      guard budgets[budget.name]?.second == second else { return }
      budgets[budget.name]?.left += taken - 1
      budgets[budget.name]?.remaining = remaining
    }
    return .granted(remaining: remaining + taken - 1)
  }

  /// Counts calls in the store: how it decided, and how many it counted.
  private func count(
    _ wanted: Int, of budget: RateBudget, at now: Timestamp, givingBack unused: Ahead
  ) async throws(StoreError) -> (BudgetDecision, Int) {
    let id = "budget/\(budget.name)"
    let coder = coder
    let committed = try await store.write {
      (transaction: inout any StoreTransaction) throws(StoreError) -> (BudgetDecision, Int) in
      var window = RollingWindow()
      if let bytes = try transaction.record(.state, id) { window = try StoredBudgetLedger.read(bytes, id, coder) }
      window.giveBack(unused.left, of: unused.second)
      var calls = wanted
      let decision = window.take(&calls, of: budget, at: now)
      if calls > 0 || unused.left > 0 {
        try transaction.put(coder.encode(StoredBudgetLedger.fields(window, id)), id: id, in: .state)
      }
      return (decision, calls)
    }
    return committed.value
  }

  private static func fields(_ window: RollingWindow, _ id: String) -> JSONObject {
    [
      "id": .string(id),
      "calls": .array(window.buckets.map { .array([.int($0.second), .int($0.calls)]) }),
    ]
  }

  private static func read(
    _ bytes: [UInt8], _ id: String, _ coder: any RecordCoder
  ) throws(StoreError) -> RollingWindow {
    let fields: JSONObject
    do { fields = try coder.decode(bytes) } catch { throw damaged(id) }
    guard let calls = fields["calls"]?.array else { throw damaged(id) }
    var buckets: [RollingWindow.Bucket] = []
    for call in calls {
      guard let pair = call.array, pair.count == 2, let second = pair[0].int, let count = pair[1].int, count >= 0 else {
        throw damaged(id)
      }
      buckets.append(RollingWindow.Bucket(second: second, calls: count))
    }
    return RollingWindow(buckets)
  }

  private static func damaged(_ id: String) -> StoreError {
    StoreError(.damaged, "the record state/\(id) is not what was written", hint: "delete it to start a new count")
  }
}
