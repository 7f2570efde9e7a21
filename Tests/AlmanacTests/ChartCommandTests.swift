import AlmanacTesting
import Foundation
import Models
import Ports
import Synchronization
import Testing
import UpstreamKit

@testable import almanac

/// What `almanac charts` shows, over snapshots that are imported.
@Suite final class ChartCommandTests: ProgramTests {
  /// Snapshots of one chart on days of January 2026; app 1 has the given rank, or is not in it.
  private func shelf(_ ranks: [(day: Int, rank: Int?)], hour: Int = 0) async throws -> Program {
    let almanac = try Program("almanac")
    let lines = ranks.map { day, rank in
      let others = (100..<(99 + (rank ?? 5))).map { "\"\($0)\"" }
      let ids = (others + (rank == nil ? [] : ["\"1\""])).joined(separator: ",")
      let at = "2026-01-\(day < 10 ? "0" : "")\(day)T0\(hour):00:00Z"
      return
        #"{"id":"us/new/\#(at)","storefront":"us","chart":"new","observedAt":"\#(at)","lastObservedAt":"\#(at)","ranks":[\#(ids)]}"#
    }
    try await almanac.load("charts", lines)
    try await almanac.load(
      "apps",
      #"{"id":"us/1","storefront":"us","appID":"1","name":"Tide & Table","artist":"A","thumbnailURL":"t","artworkURL":"a"}"#
    )
    return almanac
  }

  /// The rank that each line of a plot stands for, with the columns of its dots.
  private func rows(_ plot: String) -> [(tick: Int, dots: [Int])] {
    plot.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "┤", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let tick = Int(parts[0].filter { $0 != " " }) else { return nil }
      return (tick, parts[1].enumerated().filter { $0.element == "●" }.map(\.offset))
    }
  }

  @Test func thePlotNamesAppAndChartAndEachDotIsAtTheNearestTick() async throws {
    let ranks: [(day: Int, rank: Int?)] = [(1, 1), (2, 50), (3, 23), (4, nil), (11, 24), (21, 47)]
    let almanac = try await shelf(ranks)
    defer { almanac.clean() }
    let plot = try await almanac.run("charts", "history", "1")
    #expect(plot.out.hasPrefix("Tide & Table in app-store/us/new\n"), "\(plot.out)")
    let rows = rows(plot.out)
    #expect(rows.first?.tick == 1 && rows.last?.tick == 50)
    let nearest = ranks.compactMap(\.rank).map { rank in rows.map(\.tick).min { abs($0 - rank) < abs($1 - rank) } }
    #expect(rows.filter { !$0.dots.isEmpty }.map(\.tick) == Set(nearest.compactMap(\.self)).sorted())
    #expect(rows.reduce(0) { $0 + $1.dots.count } == 5)
    // The axis is one of time: the tenth day is in the middle of twenty.
    let width = try #require(plot.out.split(separator: "\n").first { $0.contains("└") }).count { $0 == "─" }
    #expect(rows.flatMap(\.dots).sorted().last == width - 1)
    #expect(rows.flatMap(\.dots).contains { abs($0 - (width - 1) / 2) <= 1 }, "\(plot.out)")
    #expect(plot.out.contains("2026-01-01 ") && plot.out.hasSuffix("2026-01-21\n"))
    let svg = try await almanac.run("charts", "history", "us/1", "--svg", "-").out
    #expect(svg.contains("<title>Tide &amp; Table in app-store/us/new: rank from 2026-01-01 to 2026-01-21</title>"))
    #expect(svg.contains(">25</text>") && svg.contains(">50</text>"), "\(svg)")
    #expect(try await almanac.records("charts", "history", "1").count == 6)
  }

  /// Ranks of two charts have nothing to do with one another.
  @Test func aHistoryIsDrawnChartByChart() async throws {
    let almanac = try await shelf([(1, 3), (2, 1)])
    defer { almanac.clean() }
    let at = "2026-01-02T00:00:00Z"
    let other =
      #"{"id":"us/top-free/\#(at)","storefront":"us","chart":"top-free","observedAt":"\#(at)","lastObservedAt":"\#(at)","ranks":["7","8","1"]}"#
    try await almanac.run("import", almanac.file("charts.jsonl", other), exits: 0)
    for name in [["1"], ["us/1"], ["tide"], ["Tide", "&", "Table"]] {
      let plot = try await almanac.run(["charts", "history"] + name).out
      let titles = plot.split(separator: "\n").filter { $0.contains(" in app-store/") }
      #expect(titles == ["Tide & Table in app-store/us/new", "Tide & Table in app-store/us/top-free"], "\(plot)")
    }
    let rows = try await almanac.records("charts", "history", "tide")
    #expect(rows.compactMap { $0["chart"] as? String }.count == 3)
    #expect(rows.filter { $0["chart"] as? String == "app-store/us/top-free" }.map { $0["rank"] as? Int } == [3])
    for arguments in [["app-store/us/top-free", "Tide & Table"], ["1", "--chart", "app-store/us/top-free"]] {
      let one = try await almanac.run(["charts", "history", "--format", "json"] + arguments).records()
      #expect(one.map { $0["rank"] as? Int } == [3])
    }
    try await almanac.run(
      "charts", "history", "app-store/us/new", exits: 64, err: "charts history app-store/us/new APP")
    try await almanac.run("charts", "history", "nothing at all", exits: 66)
  }

  private func plot(_ names: [String], ranks: [[Int?]]) -> RankPlot {
    let start = Timestamp(secondsSinceEpoch: 1_767_225_600)
    return RankPlot(
      zip(names, ranks).map { name, ranks in
        RankHistory(
          name: name, artist: "", chart: "app-store/us/new",
          points: ranks.enumerated().map { RankPoint(observedAt: start + $0.offset * 864_000, rank: $0.element) })
      })
  }

  @Test func severalAppsShareAPlot() throws {
    let plot = plot(["Tide", "R & B"], ranks: [[1, 2, 3], [3, nil, 1]])
    let lines = plot.lines(width: 70, height: 12)
    #expect(lines.first == "rank" && lines[1].hasPrefix("   1 ┤●") && lines[1].hasSuffix("▲"), "\(lines)")
    #expect(lines[3].hasPrefix("   3 ┤▲") && lines[3].hasSuffix("●"), "\(lines)")
    #expect(
      lines.dropLast(2).last?.matches(of: /2026-01-\d\d/).map { String($0.0) } == [
        "2026-01-01", "2026-01-11", "2026-01-21",
      ])
    #expect(lines.suffix(2) == ["      ● Tide", "      ▲ R & B"], "\(lines)")
    let svg = plot.svg(title: "Tide, R & B")
    #expect(svg.contains(">R &amp; B</text>") && svg.contains("<title>R &amp; B, 2026-01-01T00:00:00Z: rank 3</title>"))
    #expect(svg.matches(of: /<circle/).count == 5 + 2 && svg.matches(of: /<polyline/).count == 1, "\(svg)")
  }

  @Test func severalAppsAreNamed() async throws {
    try await almanac.loadDemo()
    let history = ["charts", "history", "Procrux", "--with", "Quillbox Notes", "--with", "Ferrywright"]
    let plot = try await almanac.run(history)
    #expect(plot.out.hasPrefix("Procrux, Quillbox Notes, Ferrywright in app-store/us/top-paid\nrank\n"), "\(plot)")
    let rows = try await almanac.run(history + ["--format", "csv"]).out.split(separator: "\n")
    #expect(rows.first == "observedAt,rank,chart,name" && rows.count == 7, "\(rows)")
    #expect(rows.count { $0.hasSuffix(",app-store/us/top-paid,Quillbox Notes") } == 2, "\(rows)")
    let svg = try await almanac.run(history + ["--svg", "-"]).out
    #expect(svg.contains(">Ferrywright</text>"))
    try await almanac.run(history + ["--with", "nothing at all"], exits: 66)
    let page = try await almanac.run("export", "charts", "--to", "html").out
    #expect(
      page.contains("The first 8 of app-store/us/top-paid") && page.contains("<svg") && page.hasSuffix("</html>\n"))
  }

  /// Each is answered with what to do: the option for another app, the charts that the app is in, the chart that is not here.
  @Test func aHistoryThatIsNotHereIsExplained() async throws {
    try await almanac.loadDemo()
    for (arguments, status, words) in [
      (["Procrux", "Ferrywright"], 64, "several apps in one plot: almanac charts history Procrux --with Ferrywright"),
      (["1641086590", "349065130"], 64, "almanac charts history 1641086590 --with 349065130"),
      (["Procrux", "Nothing"], 66, "holds the app Procrux Nothing"),
      (["app-store/de/top-free", "Procrux"], 66, "no snapshot of app-store/de/top-free is kept"),
      (["Procrux", "--chart", "app-store/us/top-paid/games"], 66, "no snapshot of app-store/us/top-paid/6014 is kept"),
      (["fr/1641086590"], 66, "it is in app-store/us/top-paid"),
    ] as [([String], Int32, String)] {
      try await almanac.run(["charts", "history"] + arguments, exits: status, err: words)
    }
    let twice = try await almanac.run("charts", "history", "Procrux", "--with", "Procrux").out
    #expect(twice.hasPrefix("Procrux in app-store/us/top-paid\n"), "\(twice)")
  }

  @Test func aRankThatNeverMovedIsTheOnlyTick() async throws {
    let almanac = try await shelf([(1, 7), (2, 7)])
    defer { almanac.clean() }
    let plot = try await almanac.run("charts", "history", "1").out
    #expect(rows(plot).map(\.tick) == [7], "\(plot)")
    let svg = try await almanac.run("charts", "history", "1", "--svg", "-").out
    #expect(svg.contains(">7</text>") && !svg.contains(">8</text>"), "\(svg)")
  }

  @Test func moversSayWhatTheyCompare() async throws {
    let one = try await shelf([(5, 3)])
    defer { one.clean() }
    let alone = try await one.run("charts", "movers", "app-store/us/new", exits: 0)
    #expect(alone.out.isEmpty)
    #expect(alone.err.contains("only one snapshot is kept, last seen at 2026-01-05T00:00:00Z"), "\(alone.err)")
    #expect(!alone.err.contains("no app moved"))
    #expect(try await one.run("charts", "movers", "app-store/us/new", "--format", "json").out == "[]\n")
    let two = try await shelf([(5, 3), (6, 1)])
    defer { two.clean() }
    let moved = try await two.run("charts", "movers", "app-store/US/new", "--since", "1d")
    #expect(
      moved.err
        == "app-store/us/new: the ranks of 2026-01-06T00:00:00Z compared with those of 2026-01-05T00:00:00Z\n")
    #expect(moved.out.contains("Tide & Table"))
    #expect(try await two.run("charts", "movers", "app-store/us/new", "--quiet").err.isEmpty)
  }

  @Test func moversAreLimited() async throws {
    let almanac = try await shelf([(1, 5), (2, 1)])
    defer { almanac.clean() }
    func movers(_ arguments: String...) async throws -> Program.Result {
      try await almanac.run(["charts", "movers", "app-store/us/new"] + arguments)
    }
    #expect(try await movers("--format", "json").records().count > 2)
    #expect(try await movers("--format", "json", "--limit", "2").records().count == 2)
  }
}

/// Charts of several storefronts, through the program.
@Suite final class StorefrontTests: ProgramTests {
  static let storefronts = ["us", "gb", "fr", "jp"]

  private func follows(_ report: Program.Result) throws -> [[String: Any]] {
    try report.object()["follows"] as? [[String: Any]] ?? []
  }

  private func totals(_ report: Program.Result) throws -> [String: Int] {
    try report.object()["totals"] as? [String: Int] ?? [:]
  }

  private func ids(_ almanac: Program, _ collection: String = "apps") async throws -> [String] {
    try await almanac.records("list", collection).compactMap { $0["id"] as? String }
  }

  @Test func aSecondSyncOfSeveralStorefrontsChangesNothing() async throws {
    var options = UpstreamOptions()
    options.apps = 60
    let upstream = try Upstream(options)
    defer { upstream.stop() }
    let sync =
      ["sync", "--full", "--format", "json", "--server", "app-store=\(upstream.url)"]
      + Self.storefronts.map { "app-store/\($0)/top-free" }
    try await almanac.run(sync, exits: 0)
    let apps = try await almanac.run("list", "apps", "--format", "json")
    let shared = Dictionary(grouping: try apps.records()) { $0["appID"] as? String ?? "" }
    #expect(shared.values.contains { $0.count == Self.storefronts.count })
    #expect(try apps.records().allSatisfy { ($0["url"] as? String ?? "").contains("/\($0["storefront"] ?? "")/") })
    let second = try await almanac.run(sync)
    for name in ["added", "updated", "removed"] { #expect(try totals(second)[name] == 0, "\(name): \(second.out)") }
    #expect(try await almanac.run("list", "apps", "--format", "json").out == apps.out)
  }

  @Test func aFollowSaysOfWhichCollectionTheNewRecordsAre() async throws {
    let server = try LocalServer { _ in Reply.json(Self.feed((1...50).map { Self.entry("\($0)", amount: "0") })) }
    defer { server.stop() }
    let sync = ["sync", "app-store/us/top-free", "--server", "app-store=\(server.url)"]
    let table = try await almanac.run(sync + ["--store", almanac.folder + "/other"])
    #expect(table.out.contains("51 (50 apps, 1 chart)"), "\(table.out)")
    let report = try #require(try follows(await almanac.run(sync + ["--format", "json"])).first)
    #expect(report["added"] as? Int == 51)
    #expect(report["collections"] as? NSDictionary == ["apps": ["added": 50], "charts": ["added": 1]])
    let again = try await almanac.run(sync)
    #expect(!again.out.contains("("), "\(again.out)")
  }

  static func feed(_ entries: [String]) -> String { #"{"feed":{"entry":[\#(entries.joined(separator: ","))]}}"# }

  static func entry(_ id: String, amount: String) -> String {
    """
    {"im:name":{"label":"App \(id)"},"im:image":[{"label":"http://img.test/\(id).png","attributes":{"height":"53"}}],\
    "im:price":{"label":"Get","attributes":{"amount":"\(amount)","currency":"USD"}},\
    "id":{"label":"http://apps.test/id\(id)","attributes":{"im:id":"\(id)"}},"im:artist":{"label":"Maker"}}
    """
  }
}
