import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// People added, changed and removed on two sides at random, with lost replies, 5xx and kills, at servers that honour
/// the Idempotency-Key and at some that do not, with and without ids.
///
/// `ALMANAC_HISTORIES` says how many histories are played (100 by default), `ALMANAC_HISTORY` names one alone.
@Suite struct PeopleHistoryTests {
  @Test func nobodyIsLostOrDoubled() async throws {
    let count = number("ALMANAC_HISTORIES") ?? 100
    let only = number("ALMANAC_HISTORY")
    var total = PeopleHistory.Tally()
    var broken = 0
    for seed in only.map({ $0..<($0 + 1) }) ?? 0..<count {
      var history = PeopleHistory(seed: seed)
      do {
        try await history.play()
      } catch {
        Issue.record("history \(seed): \(error)")
        if broken == 0 { print(history.log.joined(separator: "\n")) }
        broken += 1
      }
      total += history.tally
    }
    print("people histories: \(count), \(total), broken: \(broken)")
  }

  private func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
}
