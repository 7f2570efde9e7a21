import Foundation
import Persistence
import Testing

@Suite("A power cut or a kill before any call loses nothing that was acknowledged")
struct SimulatedCrashTests {
  /// How many crash states are looked at; ALMANAC_CRASH_STATES sets it. A life has some 5,000 of them: without the
  /// variable, one call in four is enough for 1,000.
  static let wanted = ProcessInfo.processInfo.environment["ALMANAC_CRASH_STATES"].flatMap { Int($0) }

  @Test func everyState() async throws {
    let wanted = Self.wanted ?? 1_000
    let every = Self.wanted == nil ? 4 : 1
    let seed = ProcessInfo.processInfo.environment["ALMANAC_CRASH_SEED"].flatMap { UInt64($0) } ?? 1
    var count = 0
    var next = seed
    var violations: [any Error] = []
    // A seed with a violation ends early: without a bound a store that is always wrong would keep the loop for ever.
    while count < wanted, violations.count < 10 {
      do { count += try await CrashExplorer(seed: next, every: every).run() } catch { violations.append(error) }
      next += 1
    }
    print("crash states: \(count), 1 call in \(every), seeds \(seed)..<\(next), \(violations.count) violations")
    #expect(violations.isEmpty, "\(violations.map { "\($0)" }.joined(separator: "\n"))")
    #expect(count >= wanted)
  }

  /// Without a failing write nothing is ever cut back: the error sweep has that mutant, in `takenBack`.
  static let noticed = Mutant.allCases.filter { $0 != .truncateAfterFailure }

  /// What the first life is without a mutant, explored once for all of them.
  private static let firstLife = Task { try await CrashExplorer(seed: 1, every: 2).run() }

  @Test("a store that forgets a call is found out", arguments: noticed)
  func mutants(_ mutant: Mutant) async throws {
    for seed in 1..<UInt64(200) {
      do { _ = try await CrashExplorer(seed: seed, every: 2, forgotten: mutant).run() } catch {
        // The same life of a store that forgets nothing is whole: it was the call.
        _ = try await seed == 1 ? Self.firstLife.value : CrashExplorer(seed: seed, every: 2).run()
        return
      }
    }
    Issue.record("nothing noticed that \(mutant) is missing")
  }
}
