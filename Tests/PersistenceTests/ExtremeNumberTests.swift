import AlmanacTesting
import Models
import Persistence
import Ports
import Testing

@Suite("Numbers at the ends of their range: the history of a store")
struct ExtremeNumberTests {
  private let time = ManualTime()

  private func put(_ store: JSONFileStore, _ value: Int) async throws {
    _ = try await store.write { (transaction) throws(StoreError) in
      try transaction.put(Array("{\"id\":\"a\",\"n\":\(value)}".utf8), id: "a", in: .people)
    }
  }

  @Test("any number of days is kept", arguments: ExtremeNumbers.integers)
  func days(number: Int) async throws {
    let system = InMemoryFileSystem()
    for sets in [false, true] {
      let setting: HistorySetting = sets ? .keep() : .keep(.days(number))
      let store = try JSONFileStore(system: system, history: setting, time: time, limits: .tiny)
      if sets { try await store.setPolicy(HistoryPolicy(.days(number)), of: .people) }
      for value in 1...3 {
        try await put(store, value + (sets ? 10 : 0))
        _ = try await store.compact()
        time.set(by: 86_400)
      }
      _ = try? store.snapshot(at: 1)
      #expect(try store.verify() == [])
    }
    let again = try JSONFileStore(system: system, history: nil, time: time, limits: .tiny)
    #expect(try again.snapshot().record(.people, "a") != nil)
  }

  @Test("a history has at most as many changes as are asked for", arguments: ExtremeNumbers.integers)
  func limits(limit: Int) async throws {
    let store = try JSONFileStore(system: InMemoryFileSystem(), history: .keep(), time: time, limits: .tiny)
    for value in 1...3 { try await put(store, value) }
    #expect(try store.history(.people, "a", before: nil, limit: limit).count == max(0, min(3, limit)))
    #expect(try store.history(.people, "a", before: .max, limit: limit).count == max(0, min(3, limit)))
    #expect(throws: StoreError.self) { try store.snapshot(at: .max) }
  }
}
