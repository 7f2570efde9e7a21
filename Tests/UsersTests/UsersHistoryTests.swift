import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// A profile edited on two sides at random, with lost replies, 5xx, 412, refusals and kills, at servers with strong, weak
/// and no entity tags.
///
/// `ALMANAC_HISTORIES` says how many histories are played (100 by default), `ALMANAC_HISTORY` names one alone.
@Suite struct UsersHistoryTests {
  @Test func noEditIsLostOrDoubledOrUnseen() async throws {
    let count = number("ALMANAC_HISTORIES") ?? 100
    let only = number("ALMANAC_HISTORY")
    var total = UsersHistory.Tally()
    var broken = 0
    for seed in only.map({ $0..<($0 + 1) }) ?? 0..<count {
      var history = UsersHistory(seed: seed)
      do {
        try await history.play()
      } catch {
        Issue.record("history \(seed): \(error)")
        if broken == 0 { print(history.log.joined(separator: "\n")) }
        broken += 1
      }
      total += history.tally
    }
    print("users histories: \(count), \(total), broken: \(broken)")
  }

  private func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
}
