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
