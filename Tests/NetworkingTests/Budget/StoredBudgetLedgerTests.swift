import Models
import Networking
import Parsing
import Ports
import TestSupport
import Testing

@Suite struct StoredBudgetLedgerTests {
  @Test func remembersAcrossRestarts() async throws {
    let store = InMemoryRecordStore()
    let budget = RateBudget(name: "flickr", calls: 3, window: Interval(seconds: 3600))
    let start = Timestamp(secondsSinceEpoch: 1_780_000_000)
    for left in [2, 1, 0] {
      // A new ledger each time: nothing is kept outside of the store.
      let ledger = StoredBudgetLedger(store: store, coder: JSONRecordCoder())
      #expect(try await ledger.take(budget, at: start) == .granted(remaining: left))
    }
    let ledger = StoredBudgetLedger(store: store, coder: JSONRecordCoder())
    #expect(try await ledger.take(budget, at: start + 60) == .wait(seconds: 3541))
    #expect(try await ledger.take(budget, at: start + 3601) == .granted(remaining: 2))
    let other = RateBudget(name: "images", calls: 1, window: Interval(seconds: 60))
    #expect(try await ledger.take(other, at: start) == .granted(remaining: 0))
  }

  @Test func refusesADamagedRecord() async throws {
    let store = InMemoryRecordStore()
    _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) in
      try transaction.put(Array(#"{"id":"budget/b","calls":[[1]]}"#.utf8), id: "budget/b", in: .state)
    }
    let ledger = StoredBudgetLedger(store: store, coder: JSONRecordCoder())
    await #expect(throws: StoreError.self) {
      try await ledger.take(
        RateBudget(name: "b", calls: 1, window: Interval(seconds: 60)), at: Timestamp(secondsSinceEpoch: 5))
    }
  }
}
