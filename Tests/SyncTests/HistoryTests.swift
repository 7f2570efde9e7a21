import Models
import Parsing
import Ports
import Sync
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Two sides edited at random, with faults at random: lost requests and answers, 5xx, refusals, newer records, kills.
///
/// `ALMANAC_HISTORIES` says how many histories are played (100 by default), `ALMANAC_HISTORY` names one alone.
@Suite struct HistoryTests {
  @Test func noEditIsLostOrDoubled() async throws {
    let count = number("ALMANAC_HISTORIES") ?? 100
    let only = number("ALMANAC_HISTORY")
    var total = History.Tally()
    for seed in only.map({ $0..<($0 + 1) }) ?? 0..<count {
      var history = History(seed: UInt64(seed))
      do {
        try await history.play()
      } catch {
        history.tally.broken = 1
        Issue.record("history \(seed): \(error)")
        if total.broken == 0 { print(history.log.joined(separator: "\n")) }
      }
      total += history.tally
    }
    print("histories: \(count), \(total)")
  }

  private func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
}
