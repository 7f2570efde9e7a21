import AlmanacTesting
import Foundation
import Synchronization
import Testing
import UpstreamKit

private final class Amount: Sendable {
  let text = Mutex("3.00")
}

/// `almanac charts prices`
@Suite final class PriceCommandTests: ProgramTests {
  @Test func changesAreListed() async throws {
    try await almanac.loadDemo()
    for options in [[], ["--drops"], ["--since", "7d"]] {
      let list = try await almanac.run(["charts", "prices"] + options)
      let line = try #require(list.out.split(separator: "\n").last)
      #expect(line.contains("▼") && line.contains("9.99") && line.contains("4.99") && line.contains("Quillbox Notes"))
      #expect(list.out.split(separator: "\n").count == 2, "\(list)")
    }
    // Whose price changed, and how, is seen on every screen.
    let shown = try await almanac.shell(
      "script -qec \"stty cols 80; $PROGRAM charts prices --no-pager\" /dev/null < /dev/null")
    for word in ["Quillbox Notes", "9.99", "4.99"] { #expect(shown.out.contains(word), "\(shown)") }
    let rows = try await almanac.records("charts", "prices")
    #expect(rows.map { $0["change"] as? String } == ["down"] && rows[0]["appID"] as? String == "906161024")
    let csv = try await almanac.run("charts", "prices", "--format", "csv").out.split(separator: "\n")
    #expect(csv[1].hasSuffix(",down,9.99000,USD,4.99000,USD,us,906161024,Quillbox Notes,us/906161024/0001"), "\(csv)")
    try await almanac.run("people", "add", "--first", "Ada", "--store", "other", exits: 0)
    let none = try await almanac.run(
      "charts", "prices", "--drops", "--store", "other", exits: 0, err: "no such change of a price")
    #expect(none.out.isEmpty, "\(none)")
    try await almanac.run("charts", "prices", "--since", "soon", exits: 64)
    try await almanac.run("charts", "prices", "Procrux", "--drops", exits: 64)
    try await almanac.run("charts", "prices", "--svg", "x.svg", exits: 64)
    let records = try await almanac.records("list", "prices", "--where", "price.amount < 5")
    #expect(records.count == 1)
  }

  @Test func thePriceOfAnAppIsDrawn() async throws {
    try await almanac.loadDemo()
    let plot = try await almanac.run("charts", "prices", "quillbox").out
    #expect(plot.hasPrefix("Quillbox Notes in us\n USD\n9.99 ┤●●"), "\(plot)")
    #expect(plot.contains("\n4.99 ┤") && plot.contains("9.99  USD\n"), "\(plot)")
    // The list of changes names them by ids of their own.
    #expect(try await almanac.run("charts", "prices", "us/906161024/0001").out == plot)
    let collections = try await almanac.records("list")
    let prices = try #require(collections.first { $0["collection"] as? String == "prices" })
    #expect(prices["records"] as? Int == 1 && collections.count > 5, "\(collections)")
    #expect(try await almanac.run("list").out.hasPrefix("collection"))
    // A price that never changed is a line.
    let steady = try await almanac.run("charts", "prices", "Procrux").out
    #expect(steady.hasPrefix("Procrux in us\nobservedAt") && steady.hasSuffix("19.99  USD\n"), "\(steady)")
    let csv = try await almanac.run("charts", "prices", "us/906161024", "--format", "csv").out.split(separator: "\n")
    #expect(csv.count == 3 && csv[2].hasSuffix("Z,4.99000,USD,us,Quillbox Notes"), "\(csv)")
    let svg = try await almanac.run("charts", "prices", "Quillbox", "--svg", "-").out
    #expect(svg.contains("<title>Quillbox Notes in us: USD from ") && svg.contains(": USD 4.99</title>"), "\(svg)")
    // Two corners: until the change, at the change, until now.
    let path = try #require(svg.firstMatch(of: /polyline points="([^"]+)"/)).1
    let places = path.split(separator: " ").map { $0.split(separator: ",").compactMap { Int($0) } }
    #expect(places.count == 5 && places[0][1] == places[1][1] && places[1][0] == places[2][0], "\(path)")
    let page = try await almanac.run("export", "prices", "--to", "html").out
    #expect(page.contains("<svg") && page.contains("Quillbox Notes in us") && page.hasSuffix("</html>\n"))
    try await almanac.run("charts", "prices", "1234567", exits: 66, err: "no price of the app 1234567 is known")
  }

  /// Two syncs of a server that lowers a price; and what is removed with the app.
  @Test func aSyncSeesAChange() async throws {
    let amount = Amount()
    let server = try LocalServer { _ in
      Reply.json(StorefrontTests.feed([StorefrontTests.entry("1", amount: amount.text.withLock { $0 })]))
    }
    defer { server.stop() }
    let config = try almanac.file(
      "config.json",
      #"{"servers": {"app-store": {"url": "\#(server.url)"}}, "follows": [{"follow": "app-store/us/top-paid"}]}"#)
    for price in ["3.00", "3", "1.50"] {
      amount.text.withLock { $0 = price }
      try await almanac.run("sync", "--config", config, exits: 0)
    }
    let changes = try await almanac.records("charts", "prices", "--drops")
    #expect(changes.map { ($0["price"] as? [String: String])?["amount"] } == ["1.50"])
    let dry = try await almanac.object("sync", "--dry-run", "--config", config)
    #expect((dry["plan"] as? [[String: Any]])?.contains { $0["collection"] as? String == "prices" } != true)
    let purged = try await almanac.run(
      "unfollow", "app-store/us/top-paid", "--purge", "--yes", "--config", config, "--format", "json")
    #expect(try purged.object()["records"] as? [String: Int] == ["apps": 1, "charts": 1, "prices": 1], "\(purged)")
  }
}
