import AlmanacTesting
import Foundation
import Persistence
import Testing

@Suite("A power cut or a kill before any call loses nothing that was acknowledged")
struct SimulatedCrashTests {
  /// How many crash states are looked at; ALMANAC_CRASH_STATES sets it.
  static let wanted = ProcessInfo.processInfo.environment["ALMANAC_CRASH_STATES"].flatMap { Int($0) } ?? 1_000

  @Test func everyState() async throws {
    let seed = ProcessInfo.processInfo.environment["ALMANAC_CRASH_SEED"].flatMap { UInt64($0) } ?? 1
    var count = 0
    var next = seed
    var violations: [any Error] = []
    // A seed with a violation ends early: without a bound a store that is always wrong would keep the loop for ever.
    while count < Self.wanted, violations.count < 10 {
      do { count += try await CrashExplorer(seed: next).run() } catch { violations.append(error) }
      next += 1
    }
    print("crash states looked at: \(count), seeds \(seed)..<\(next), violations: \(violations.count)")
    #expect(violations.isEmpty, "\(violations.map { "\($0)" }.joined(separator: "\n"))")
    #expect(count >= Self.wanted)
  }

  /// Without a failing write nothing is ever cut back: the error sweep has that mutant, in `takenBack`.
  static let noticed = Mutant.allCases.filter { $0 != .truncateAfterFailure }

  @Test("the first writer after a start of the machine removes what an unfinished compaction left")
  func leftovers() async throws {
    let disk = SimulatedDisk()
    let steps = [Step(collection: "people", id: "a", value: "1")]
    _ = try await JSONFileStore(system: disk, time: ManualTime()).apply(steps)
    var chance = Chance(1)
    let files = disk.crashed(&chance)
    // The mark of the last commit is never synced, and may be there: only the start of the machine differs.
    files.plant("lock", try #require(disk.contents("lock")))
    let names = ["people.0000000000000009.records", "people.0000000000000009.sums"]
    for name in names { files.plant(name, [0x7B]) }
    _ = try await JSONFileStore(system: files, time: ManualTime()).apply([
      Step(collection: "people", id: "a", value: "2")
    ])
    for name in names { #expect(files.contents(name) == nil) }
  }

  @Test("a store that forgets a call is found out", arguments: noticed)
  func mutants(_ mutant: Mutant) async throws {
    for seed in 1..<UInt64(200) {
      do { _ = try await CrashExplorer(seed: seed, every: 2, forgotten: mutant).run() } catch {
        // The same life of a store that forgets nothing is whole: it was the call.
        _ = try await CrashExplorer(seed: seed, every: 2).run()
        return
      }
    }
    Issue.record("nothing noticed that \(mutant) is missing")
  }
}
