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
    while count < Self.wanted {
      count += try await CrashExplorer(seed: next).run()
      next += 1
    }
    print("crash states looked at: \(count), seeds \(seed)..<\(next), violations: 0")
    #expect(count >= Self.wanted)
  }

  @Test("a store that forgets a call is found out", arguments: Mutant.allCases)
  func mutants(_ mutant: Mutant) async throws {
    // Without a failing write nothing is ever cut back: the error sweep has that one, in `takenBack`.
    if mutant == .truncateAfterFailure { return }
    for seed in 1..<UInt64(200) {
      do { _ = try await CrashExplorer(seed: seed, every: 2, forgotten: mutant).run() } catch { return }
    }
    Issue.record("nothing noticed that \(mutant) is missing")
  }
}
