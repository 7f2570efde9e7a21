import AlmanacTesting
import Testing

/// Two sides edited at random, with faults at random: lost requests and answers, 5xx, refusals, newer records, kills.
///
/// `ALMANAC_HISTORIES` says how many histories are played (100 by default), `ALMANAC_HISTORY` names one alone.
@Suite struct HistoryTests {
  @Test func noEditIsLostOrDoubled() async throws {
    try await History.playAll("histories")
  }
}
