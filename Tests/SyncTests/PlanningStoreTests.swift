import AlmanacTesting
import Models
import Parsing
import Ports
import Testing

@testable import Sync

/// The store that plans are made on behaves as one in memory, whatever lies below it.
@Suite struct PlanningStoreTests {
  private let ids = ["a", "a/1", "a/2", "aé", "b", "b\"quoted\"", "c/\u{1F600}", "z"]

  @Test(arguments: 0..<30)
  func readsAsAStoreThatHoldsTheSame(seed: Int) async throws {
    let random = SeededRandom(seed: UInt64(seed))
    let coder = JSONRecordCoder()
    let plain = InMemoryRecordStore()
    let below = InMemoryRecordStore()
    try await change([plain, below], random, coder)
    let before = try below.snapshot().sequence
    let planning = PlanningStore(over: try below.snapshot(), coder)
    for _ in 0..<6 {
      try await change([plain, planning], random, coder)
      let (expected, found) = (try plain.snapshot(), try planning.snapshot())
      for range in [
        ScanRange.all, ScanRange(prefix: "a"), ScanRange(prefix: "a/"), ScanRange(after: "a/1"),
        ScanRange(prefix: "b", after: "b"), ScanRange(after: random.pick(ids)),
      ] {
        for limit in [1, 3, 100] {
          #expect(try scan(found, range, limit) == scan(expected, range, limit), "\(range)")
        }
      }
      for id in ids { #expect(try found.record(.apps, id) == expected.record(.apps, id)) }
      #expect(try found.count(.apps) == expected.count(.apps))
    }
    #expect(try below.snapshot().sequence == before)
  }

  @Test func aBodyThatThrowsLeavesNothing() async throws {
    let coder = JSONRecordCoder()
    let planning = PlanningStore(over: try InMemoryRecordStore().snapshot(), coder)
    await #expect(throws: StoreError.self) {
      _ = try await planning.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
        try transaction.put(coder.encode(["id": "x"] as JSONObject), id: "x", in: .apps)
        throw StoreError(.aborted, "no")
      }
    }
    #expect(try planning.snapshot().count(.apps) == 0)
  }

  private func change(_ stores: [any RecordStore], _ random: SeededRandom, _ coder: JSONRecordCoder) async throws {
    var steps: [(id: String, value: Int?)] = []
    for _ in 0..<5 { steps.append((random.pick(ids), random.below(3) == 0 ? nil : random.below(9))) }
    for store in stores {
      _ = try await store.write { [steps] (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
        for step in steps {
          if let value = step.value {
            let record: JSONObject = ["id": .string(step.id), "value": .int(value)]
            try transaction.put(coder.encode(record), id: step.id, in: .apps)
          } else {
            try transaction.delete(.apps, step.id)
          }
        }
        return true
      }
    }
  }

  private func scan(_ snapshot: any StoreSnapshot, _ range: ScanRange, _ limit: Int) throws -> [String] {
    var found: [String] = []
    try snapshot.scan(.apps, range) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
      found.append(bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
      return found.count < limit ? .next : .stop
    }
    return found
  }
}
