import AlmanacTesting
import Testing

/// People added, changed and removed on two sides at random, with lost replies, 5xx and kills, at servers that honour
/// the Idempotency-Key and at some that do not, with and without ids.
///
/// `ALMANAC_HISTORIES` says how many histories are played (25 by default), `ALMANAC_HISTORY` names one alone.
@Suite struct PeopleHistoryTests {
  @Test func nobodyIsLostOrDoubled() async throws { try await PeopleHistory.playAll("people histories") }
}
