import AlmanacTesting
import Testing

/// A profile edited on two sides at random, with lost replies, 5xx, 412, refusals and kills, at servers with strong, weak
/// and no entity tags.
///
/// `ALMANAC_HISTORIES` says how many histories are played (25 by default), `ALMANAC_HISTORY` names one alone.
@Suite struct UsersHistoryTests {
  @Test func noEditIsLostOrDoubledOrUnseen() async throws { try await UsersHistory.playAll("users histories") }
}
