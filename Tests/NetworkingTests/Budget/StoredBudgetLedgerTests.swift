import AlmanacTesting
import Models
import Networking
import Parsing
import Ports
import Testing

@Suite struct StoredBudgetLedgerTests {
  @Test func remembersAcrossRestarts() async throws {
    let store = InMemoryRecordStore()
    let budget = RateBudget(name: "flickr", calls: 3, window: Interval(seconds: 3600))
    let start = Timestamp(secondsSinceEpoch: 1_780_000_000)
    for left in [2, 1, 0] {
      // A new ledger each time shows that all state is in the store.
      let ledger = StoredBudgetLedger(store: store, coder: JSONRecordCoder())
      #expect(try await ledger.take(budget, at: start) == .granted(remaining: left))
    }
    let ledger = StoredBudgetLedger(store: store, coder: JSONRecordCoder())
    #expect(try await ledger.take(budget, at: start + 60) == .wait(seconds: 3541))
    #expect(try await ledger.take(budget, at: start + 3601) == .granted(remaining: 2))
    let other = RateBudget(name: "images", calls: 1, window: Interval(seconds: 60))
    #expect(try await ledger.take(other, at: start) == .granted(remaining: 0))
  }

  /// A burst of a thousand calls followed by a slow caller, on a store that counts its transactions.
  @Test func countsABurstAheadAndGivesBackWhatIsLeft() async throws {
    let store = InMemoryRecordStore()
    let budget = RateBudget(name: "flickr", calls: 3600, window: Interval(seconds: 3600))
    let start = Timestamp(secondsSinceEpoch: 1_780_000_000)
    let ledger = StoredBudgetLedger(store: store, coder: JSONRecordCoder())
    for call in 1...1000 { #expect(try await ledger.take(budget, at: start) == .granted(remaining: 3600 - call)) }
    #expect(try store.snapshot().sequence < 40)
    // Another process sees at least the calls that were made, and exactly those once a second has passed.
    let other = StoredBudgetLedger(store: store, coder: JSONRecordCoder())
    guard case .granted(let left) = try await other.take(budget, at: start) else {
      Issue.record("the other process must not be kept waiting")
      return
    }
    #expect((2300...2599).contains(left))
    #expect(try await ledger.take(budget, at: start + 1) == .granted(remaining: 2598))
    #expect(try await other.take(budget, at: start + 1) == .granted(remaining: 2597))
  }

  /// Two processes that alternate at random together never exceed the budget, and use nearly all of it.
  @Test(arguments: [1, 2, 3] as [UInt64]) func holdsBetweenTwoProcesses(seed: UInt64) async throws {
    let store = InMemoryRecordStore()
    let budget = RateBudget(name: "b", calls: 100, window: Interval(seconds: 60))
    let random = SeededRandom(seed: seed)
    var ledgers = (0..<2).map { _ in StoredBudgetLedger(store: store, coder: JSONRecordCoder()) }
    var made: [Int] = []
    var now = 1_000
    for _ in 0..<5_000 {
      if random.next() % 10 == 0 { now += Int(random.next() % 5) }
      let which = Int(random.next() % 2)
      // A process that ends loses its reservation.
      if random.next() % 200 == 0 { ledgers[which] = StoredBudgetLedger(store: store, coder: JSONRecordCoder()) }
      if case .granted = try await ledgers[which].take(budget, at: Timestamp(secondsSinceEpoch: now)) {
        made.append(now)
      }
    }
    var first = 0
    for last in made.indices {
      while made[last] - made[first] >= 60 { first += 1 }
      #expect(last - first + 1 <= 100)
    }
    #expect(made.count > (now - 1_000) / 60 * 85)
  }

  /// The clock is set back again and again; `elapsed` is the time that really passed.
  @Test(arguments: [1, 2, 3] as [UInt64]) func holdsWhereTheClockIsSetBack(seed: UInt64) async throws {
    let (store, before) = (InMemoryRecordStore(), InMemoryRecordStore())
    let budget = RateBudget(name: "b", calls: 100, window: Interval(seconds: 60))
    let random = SeededRandom(seed: seed)
    var (elapsed, clock) = (0, 100_000)
    var made: [Int] = []
    // What another store has counted so far is not allowed again.
    let earlier = StoredBudgetLedger(store: before, coder: JSONRecordCoder())
    for _ in 0..<70 {
      if case .granted = try await earlier.take(budget, at: Timestamp(secondsSinceEpoch: clock)) {
        made.append(elapsed)
      }
    }
    var ledgers = (0..<2).map { _ in StoredBudgetLedger(store: store, before: before, coder: JSONRecordCoder()) }
    for _ in 0..<5_000 {
      if random.next() % 10 == 0 {
        let seconds = Int(random.next() % 5)
        (elapsed, clock) = (elapsed + seconds, clock + seconds)
      }
      if random.next() % 1000 == 0 { clock -= Int(random.next() % 7200) }
      let which = Int(random.next() % 2)
      if random.next() % 200 == 0 {
        ledgers[which] = StoredBudgetLedger(store: store, before: before, coder: JSONRecordCoder())
      }
      if case .granted = try await ledgers[which].take(budget, at: Timestamp(secondsSinceEpoch: clock)) {
        made.append(elapsed)
      }
    }
    var first = 0
    for last in made.indices {
      while made[last] - made[first] >= 60 { first += 1 }
      #expect(last - first + 1 <= 100)
    }
    // More than what was counted before: the calls go on where the clock has caught up.
    #expect(made.count > 70)
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
