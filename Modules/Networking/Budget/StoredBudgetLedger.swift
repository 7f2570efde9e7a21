public import Models
public import Ports

/// Remembers calls in a record store, so that a budget holds across restarts and between processes.
///
/// One record per budget in the collection `state`, `budget/NAME`; a call is counted in one transaction, before it is
/// made. The record holds at most 129 pairs of second and calls.
public struct StoredBudgetLedger: BudgetLedger {
  private let store: any RecordStore
  private let coder: any RecordCoder

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
    let id = "budget/\(budget.name)"
    let coder = coder
    let committed = try await store.write {
      (transaction: inout any StoreTransaction) throws(StoreError) -> BudgetDecision in
      var window = RollingWindow()
      if let bytes = try transaction.record(.state, id) { window = try StoredBudgetLedger.read(bytes, id, coder) }
      let decision = window.take(budget, at: now)
      if case .granted = decision {
        try transaction.put(coder.encode(StoredBudgetLedger.fields(window, id)), id: id, in: .state)
      }
      return decision
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
