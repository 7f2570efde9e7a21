public import Models
public import Ports
import Synchronization

/// A ledger in a record store, so that a budget holds across restarts and between processes.
///
/// Each budget is one record of the collection `state`, `budget/NAME`, with at most 129 pairs of second and calls. A
/// call is counted in one transaction before it is made.
///
/// A process that makes many calls within a second reserves some in advance, a quarter of those made in that second, so
/// that not every call waits for the disk. A reservation is valid for that second only. The unused rest is returned
/// with the next call that is counted; without another call it stays counted. The count is therefore never too low.
///
/// In a store on a server, which several programs may use, the server's clock counts, and each call by itself.
public final class StoredBudgetLedger: BudgetLedger {
  private struct Reservation {
    var second: Int
    var left = 0
    var made = 0
    var remaining = 0
  }

  private let store: any RecordStore
  private let before: (any RecordStore)?
  private let coder: any RecordCoder
  private let reservations = Mutex<[String: Reservation]>([:])

  /// - Parameter before: the store that had the ledger earlier, for the calls of budgets that `store` does not know.
  public init(store: any RecordStore, before: (any RecordStore)? = nil, coder: any RecordCoder) {
    (self.store, self.before, self.coder) = (store, before, coder)
  }

  public func take(_ budget: RateBudget, at now: Timestamp) async throws(StoreError) -> BudgetDecision {
    let second = now.secondsSinceEpoch
    var unused = Reservation(second: second)
    var wanted = 1
    let counted: BudgetDecision? = reservations.withLock { budgets in
      var current = budgets[budget.name] ?? Reservation(second: second)
      defer { budgets[budget.name] = current }
      if current.second != second {
        // After the clock was set back, the second in which they were counted is not known.
        if current.second < second { unused = current }
        current = Reservation(second: second)
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
    let counting = try await count(wanted, of: budget, at: now, returning: unused)
    guard case .granted(let remaining) = counting.decision else { return counting.decision }
    reservations.withLock { budgets in
      guard budgets[budget.name]?.second == second else { return }
      budgets[budget.name]?.left += counting.calls - 1
      budgets[budget.name]?.remaining = remaining
    }
    return .granted(remaining: remaining + counting.calls - 1)
  }

  private struct Counting {
    var decision: BudgetDecision
    var calls: Int
  }

  private func count(
    _ wanted: Int, of budget: RateBudget, at now: Timestamp, returning unused: Reservation
  ) async throws(StoreError) -> Counting {
    let key = StateKey(.budget, budget.name)
    let (before, coder) = (before, coder)
    let committed = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Counting in
      var window = RollingWindow()
      var bytes = try transaction.record(.state, key.id)
      if bytes == nil, let before { bytes = try before.snapshot().record(.state, key.id) }
      if let bytes { window = try StoredBudgetLedger.read(bytes, key.id, coder) }
      window.giveBack(unused.left, of: unused.second)
      // By the clock of a server no call is reserved: the second in which it would be made is known by another clock.
      let serverTime = try transaction.now
      var calls = serverTime == nil ? wanted : 1
      let decision = window.take(&calls, of: budget, at: serverTime ?? now)
      if calls > 0 || unused.left > 0 {
        let calls = window.buckets.map { JSONValue.array([.int($0.second), .int($0.calls)]) }
        try transaction.setState(key, to: ["calls": .array(calls)], coder)
      }
      return Counting(decision: decision, calls: calls)
    }
    return committed.value
  }

  private static func read(
    _ bytes: [UInt8], _ id: String, _ coder: any RecordCoder
  ) throws(StoreError) -> RollingWindow {
    let fields: JSONObject
    do { fields = try coder.decode(bytes) } catch { throw damaged(id) }
    guard let calls = fields["calls"]?.array else { throw damaged(id) }
    var buckets: [RollingWindow.Bucket] = []
    for call in calls {
      guard let pair = call.array, pair.count == 2, let second = pair[0].count, let count = pair[1].count else {
        throw damaged(id)
      }
      buckets.append(RollingWindow.Bucket(second: second, calls: count))
    }
    return RollingWindow(buckets)
  }

  private static func damaged(_ id: String) -> StoreError {
    StoreError(.damaged, "the record state/\(id) is not valid", hint: "delete it to start a new count")
  }
}

public final class InMemoryBudgetLedger: BudgetLedger {
  private let windows = Mutex<[String: RollingWindow]>([:])

  public init() {}

  public func take(_ budget: RateBudget, at now: Timestamp) async throws(StoreError) -> BudgetDecision {
    windows.withLock { $0[budget.name, default: RollingWindow()].take(budget, at: now) }
  }
}
