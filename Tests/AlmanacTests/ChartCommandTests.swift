import AlmanacTesting
import Foundation
import Testing

/// What `almanac charts` shows, over snapshots that are imported.
@Suite struct ChartCommandTests {
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
    for (name, text) in [
      ("charts", lines.joined(separator: "\n")),
      (
        "apps",
        #"{"id":"us/1","storefront":"us","appID":"1","name":"Tide & Table","artist":"A","thumbnailURL":"t","artworkURL":"a"}"#
      ),
    ] {
      let imported = try await almanac.run("import", try almanac.file("\(name).jsonl", text + "\n"))
      #expect(imported.status == 0, "\(imported.err)")
    }
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
    #expect(try await almanac.run("charts", "history", "1", "--format", "json").records().count == 6)
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
    let alone = try await one.run("charts", "movers", "app-store/us/new")
    #expect(alone.status == 0 && alone.out.isEmpty)
    #expect(alone.err.contains("only one snapshot is kept, last seen at 2026-01-05T00:00:00Z"), "\(alone.err)")
    #expect(!alone.err.contains("no app moved"))
    #expect(try await one.run("charts", "movers", "app-store/us/new", "--format", "json").out == "[]\n")
    let two = try await shelf([(5, 3), (6, 1)])
    defer { two.clean() }
    let moved = try await two.run("charts", "movers", "app-store/US/new", "--since", "1d")
    #expect(
      moved.err
        == "app-store/us/new: the ranks of 2026-01-05T00:00:00Z compared with those of 2026-01-06T00:00:00Z\n")
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
    let none = try await movers("--limit", "0")
    #expect(none.status == 0 && none.out.isEmpty && !none.err.contains("no app moved"), "\(none.err)")
    let top = try await almanac.run("charts", "top", "app-store/us/new", "--limit", "0")
    #expect(top.status == 0 && top.out.isEmpty && top.err.isEmpty, "\(top.err)")
  }
}
