import AlmanacTesting
import Foundation
import Models
import Ports
import Testing

@testable import almanac

@Suite("Numbers at the ends of their range: options")
final class ExtremeNumberTests: ProgramTests {
  @Test("no number ends the program by a signal")
  func options() async throws {
    _ = try almanac.file("config.json", #"{"follows": []}"#)
    try await almanac.run("people", "add", "--first", "Ada", "--last", "King", "--birthday", "1815-12-10", exits: 0)
    for words in [
      ["list", "people", "--limit=N"], ["list", "people", "--sort", "lastName", "--limit=N"],
      ["list", "people", "--at=commit:N"], ["search", "ada", "--limit=N"], ["birthdays", "--days=N"],
      ["history", "--limit=N"], ["history", "people/1", "--since=commit:N"], ["history", "--since=Nd"],
      ["charts", "top", "app-store/us/top-free", "--limit=N"], ["charts", "prices", "--limit=N"],
      ["charts", "movers", "app-store/us/top-free", "--since=Nd", "--limit=N"], ["photos", "list", "--limit=N"],
      ["follow", "app-store/us/top-free", "--limit=N"], ["follow", "people", "--every=Ns"], ["sync", "--jobs=N"],
      ["config", "set", "daemon.keepRuns", "N"], ["history", "keep", "people", "Nd"],
    ] {
      for number in ["-9223372036854775808", "9223372036854775807"] {
        let result = try await almanac.run(words.map { $0.replacing("N", with: number) })
        #expect(result.status < 128, "\(words) \(number): \(result.err.suffix(500))")
      }
    }
  }

  @Test("prices of any size are drawn", arguments: ExtremeNumbers.texts)
  func prices(text: String) throws {
    let time = Timestamp(secondsSinceEpoch: 0)
    let points = ["0.99", text, "-\(text)"].enumerated().map { index, amount in
      PricePoint(observedAt: time + index * 1000, price: Price(amount: amount, currency: "EUR"))
    }
    let history = PriceHistory(name: "A", storefront: "fr", points: points)
    let plot = try #require(RankPlot(history, until: time + 9000))
    #expect(!plot.lines(width: 80, height: 12).isEmpty)
  }
}
