import AlmanacTesting
import Foundation
import Models
import Persistence
import Ports
import Testing

@Suite("An error at any call is never taken for success")
struct ErrorSweepTests {
  @Test(arguments: SimulatedDisk.Fault.allCases)
  func sweep(_ fault: SimulatedDisk.Fault) async throws {
    let stride = ProcessInfo.processInfo.environment["ALMANAC_SWEEP_STRIDE"].flatMap { Int($0) } ?? 11
    let seeds = ProcessInfo.processInfo.environment["ALMANAC_SWEEP_SEEDS"].flatMap { UInt64($0) } ?? 1
    var injected = 0
    for seed in 1...seeds {
      var call = 1
      while try await life(seed, fault, at: call) {
        injected += 1
        call += stride
      }
    }
    print("\(fault): \(injected) calls failed one by one, 0 false successes")
    #expect(injected > 15)
  }

  /// A life in which one call fails; false once the life is over before that call.
  private func life(_ seed: UInt64, _ fault: SimulatedDisk.Fault, at call: Int) async throws -> Bool {
    let inner = SimulatedDisk()
    let faulty = inner.failing(fault, at: call)
    var system: any FileSystem = faulty
    var chance = Chance(seed)
    var contents: StoreModel.Contents = [:]
    // What may be there instead, after a failure of which nobody knows how it ended.
    var unsure: StoreModel.Contents?
    var store: JSONFileStore?
    for round in 0..<10 {
      let steps = chance.steps()
      let folds = chance.below(4) == 0
      let before = faulty.fired
      do throws(StoreError) {
        if store == nil || round == 5 { store = try JSONFileStore(system: system, time: ManualTime(), limits: .tiny) }
        if folds { _ = try await store!.compact() } else { _ = try await store!.apply(steps) }
        contents = folds ? contents : contents.after(steps)
        unsure = nil
      } catch {
        let isFollowUp = fault == .staysFull || error.code == .poisoned
        try require(before == nil || isFollowUp, "\(error) without a new fault", call)
        try require(faulty.fired != nil, "\(error) without a fault", call)
        try require(!fault.isHarmless, "\(faulty.fired!) should have been tried again: \(error)", call)
        // A transaction may only be there after all where it was the sync that failed.
        if !folds, faulty.fired?.hasPrefix("sync") == true || fault == .staysFull { unsure = contents.after(steps) }
        system = inner
        store = try JSONFileStore(system: system, time: ManualTime(), limits: .tiny)
      }
      let found = try contentsOf(inner, "round \(round), \(faulty.fired ?? "no fault")", call)
      try require(
        found == contents || found == unsure, "round \(round): not what was committed, after \(faulty.fired ?? "")",
        call)
      var crash = Chance(seed &+ UInt64(round))
      let survivor = try contentsOf(
        inner.crashed(&crash), "crash in round \(round), \(faulty.fired ?? "no fault")", call)
      try require(
        survivor == contents || survivor == unsure,
        "crash in round \(round): not what was committed, after \(faulty.fired ?? "")", call)
      if found == unsure { contents = found }
    }
    return faulty.fired != nil || fault.needsWrite && call < 400
  }

  @Test("a write that fails leaves nothing behind")
  func takenBack() async throws {
    #expect(try await leftovers(nil) == 0)
    // And the test sees it where the call is missing.
    #expect(try await leftovers(.truncateAfterFailure) > 0)
  }

  @Test("a transaction that was reported as failed is not there after a power cut")
  func takenBackForGood() async throws {
    var failed = 0
    var call = 0
    while true {
      call += 1
      let disk = SimulatedDisk()
      let first = try JSONFileStore(system: disk, time: ManualTime())
      try await first.put("a")
      let before = try first.snapshot().contents()
      let faulty = disk.failing(.lateWrite, at: call)
      do throws(StoreError) {
        let store = try JSONFileStore(system: faulty, time: ManualTime())
        try await store.put("b", "2")
        // Calls other than writes do not fail in this way.
        if faulty.fired == nil, call > 100 { break }
      } catch {
        guard error.code != .poisoned else { continue }
        failed += 1
        for seed in 1...40 {
          var chance = Chance(UInt64(seed))
          let later = try JSONFileStore(system: disk.crashed(&chance), time: ManualTime()).snapshot().contents()
          try require(later == before, "crash \(seed): \(later)", call)
        }
      }
    }
    #expect(failed > 0)
  }

  @Test("a transaction whose sync failed is cut off by the next writer", arguments: [false, true])
  func voided(_ nextKnowsTheStore: Bool) async throws {
    var failed = 0
    // What a failed sync leaves depends on the number of the call: reads before it make it another one.
    for reads in 0..<10 {
      for call in 1... {
        let disk = SimulatedDisk()
        let first = try JSONFileStore(system: disk, time: ManualTime())
        try await first.put("a")
        let before = try first.snapshot().contents()
        let faulty = disk.failing(.inputOutput, at: call)
        var failing: JSONFileStore?
        do throws(StoreError) {
          let store = try JSONFileStore(system: faulty, time: ManualTime())
          failing = store
          for _ in 0..<reads { _ = try store.snapshot() }
          try await store.put("b", String(repeating: "2", count: 999))
          if faulty.fired == nil { break }
        } catch {
          guard faulty.fired == "sync" else { continue }
          failed += 1
          let step = Step(collection: "people", id: "c", value: "3")
          await expectError(.poisoned, in: "it writes no more") { _ = try await failing!.apply([step]) }
          for seed in 1...40 {
            var chance = Chance(UInt64(seed))
            // Whatever of it is there, nobody takes it for damage.
            _ = try JSONFileStore(system: disk.crashed(&chance), time: ManualTime()).snapshot().contents()
          }
          let next = nextKnowsTheStore ? first : try JSONFileStore(system: disk, time: ManualTime())
          try require(try next.snapshot().contents() == before, "a reader was shown it", call)
          _ = try await next.apply([step])
          let after = before.after([step])
          let reader = try JSONFileStore(system: disk, time: ManualTime())
          try require(try reader.snapshot().contents() == after, "the next writer took it over", call)
          for seed in 1...10 {
            var chance = Chance(UInt64(seed))
            let later = try JSONFileStore(system: disk.crashed(&chance), time: ManualTime()).snapshot().contents()
            try require(later == after, "crash \(seed): \(later)", call)
          }
        }
      }
    }
    #expect(failed > 0)
  }

  /// How many bytes failed writes of transactions leave in the journal, over all calls that can fail.
  private func leftovers(_ mutant: Mutant?) async throws -> Int {
    let journal = "journal.0000000000000001"
    var bytes = 0
    var failed = 0
    var call = 0
    while true {
      call += 1
      let disk = SimulatedDisk(forgets: mutant?.forgets)
      let first = try JSONFileStore(system: disk, time: ManualTime())
      try await first.put("a")
      let before = disk.contents(journal)!.count
      let faulty = disk.failing(.inputOutput, at: call)
      do throws(StoreError) {
        let store = try JSONFileStore(system: faulty, time: ManualTime())
        try await store.put("b", "2")
        if faulty.fired == nil { break }
      } catch {
        guard faulty.fired == "write", error.code != .poisoned else { continue }
        failed += 1
        bytes += disk.contents(journal)!.count - before
      }
    }
    #expect(failed > 0)
    return bytes
  }

  private func contentsOf(_ disk: SimulatedDisk, _ what: String, _ call: Int) throws -> StoreModel.Contents {
    do {
      return try JSONFileStore(system: disk, time: ManualTime(), limits: .tiny).snapshot().contents()
    } catch {
      throw CrashExplorer.Violation(description: "call \(call), \(what): \(error)")
    }
  }

  private func require(_ condition: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String, _ call: Int)
    throws
  {
    if try !condition() { throw CrashExplorer.Violation(description: "call \(call): \(message())") }
  }
}
