import AlmanacTesting
import AppStore
import Models
import Ports
import Testing

@Suite struct ChartsTests {
  private let path = "app-store/us/top-free"

  private func day(_ shelf: Shelf) { shelf.time.advance(by: .seconds(86_400)) }

  @Test func topShowsTheNewestRanksWithMovements() async throws {
    let shelf = Shelf()
    try await shelf.see(["1", "2", "3"])
    #expect(try shelf.charts.top(path, limit: nil).map(\.movement) == [nil, nil, nil])
    #expect(try shelf.charts.top(path, limit: nil).allSatisfy { !$0.isNew })
    day(shelf)
    try await shelf.see(["3", "4", "1", "2"])
    let top = try shelf.charts.top(path, limit: nil)
    #expect(top.map(\.id) == ["3", "4", "1", "2"])
    #expect(top.map(\.rank) == [1, 2, 3, 4])
    #expect(top.map(\.movement) == [2, nil, -2, -2])
    #expect(top.map(\.isNew) == [false, true, false, false])
    #expect(top[0].name == "App 3" && top[0].artist == "Maker 3" && top[0].thumbnailURL == "http://img.test/3/53.png")
    #expect(try shelf.charts.top(path, limit: 2).count == 2)
  }

  @Test func moversCompareWithWhatStoodSoLongBefore() async throws {
    let shelf = Shelf()
    try await shelf.see(["1", "2", "3", "4"])
    day(shelf)
    try await shelf.see(["2", "1", "3", "4"])
    day(shelf)
    try await shelf.see(["5", "1", "2", "3"])
    let lastDay = try shelf.charts.movers(path, since: Interval(seconds: 86_400)).movers
    #expect(lastDay.map(\.change) == [.down, .down, .new, .out])
    #expect(lastDay.map(\.id) == ["2", "3", "5", "4"])
    #expect(lastDay.map(\.from) == [1, 3, nil, 4] && lastDay.map(\.to) == [3, 4, 1, nil])
    let week = try shelf.charts.movers(path, since: Interval(seconds: 7 * 86_400)).movers
    #expect(week.map(\.id) == ["1", "2", "3", "5", "4"])
    #expect(week.map(\.change) == [.down, .down, .down, .new, .out])
    #expect(try shelf.charts.movers(path, since: Interval(seconds: 1)).movers.count == 4)
  }

  /// A limit keeps the largest moves of all; it does not keep those that rose before anything else.
  @Test(arguments: [
    (0, []), (1, ["1"]), (2, ["9", "1"]), (3, ["8", "9", "1"]), (4, ["8", "7", "9", "1"]),
    (99, ["8", "7", "3", "9", "1"]),
  ])
  func aLimitKeepsTheLargestMoves(limit: Int, ids: [String]) async throws {
    let shelf = Shelf()
    try await shelf.see(["1", "2", "3", "7", "5", "6", "8"])
    day(shelf)
    // 9 enters at the first place, 1 leaves it, 8 rises by 4, 7 falls by 3, 3 falls by 1.
    try await shelf.see(["9", "2", "8", "3", "5", "6", "7"])
    let comparison = try shelf.charts.movers(path, since: Interval(seconds: 86_400), limit: limit)
    #expect(comparison.movers.map(\.id) == ids)
  }

  @Test func aChartThatStoodStillHasNoMovers() async throws {
    let shelf = Shelf()
    try await shelf.see(["1", "2"])
    day(shelf)
    try await shelf.see(["2", "1"])
    for _ in 0..<3 { day(shelf); try await shelf.see(["2", "1"]) }
    #expect(try shelf.charts.movers(path, since: Interval(seconds: 2 * 86_400)).movers.isEmpty)
    #expect(try shelf.charts.movers(path, since: Interval(seconds: 4 * 86_400)).movers.count == 2)
  }

  @Test func moversNameTheTimesThatTheyCompare() async throws {
    let shelf = Shelf()
    try await shelf.see(["1", "2"])
    let begun = shelf.time.now
    let first = try shelf.charts.movers(path, since: Interval(seconds: 86_400))
    #expect(first == ChartComparison(chart: path, earlier: nil, later: begun, movers: []))
    day(shelf)
    try await shelf.see(["1", "2"])
    #expect(try shelf.charts.movers(path, since: Interval(seconds: 86_400)).earlier == nil)
    day(shelf)
    try await shelf.see(["2", "1"])
    day(shelf)
    try await shelf.see(["2", "1"])
    func earlier(_ days: Int) throws -> Int? {
      let comparison = try shelf.charts.movers(path, since: Interval(seconds: days * 86_400))
      #expect(comparison.later == shelf.time.now)
      return comparison.earlier.map { ($0 - begun) / 86_400 }
    }
    // The first ranks were last seen on the first day, the second ones on days two and three.
    #expect(try [1, 2, 3, 4].map(earlier) == [2, 1, 0, 0])
  }

  @Test("a sync under a clock that was ahead does not hide the ranks that come after it")
  func aheadOfTime() async throws {
    let shelf = Shelf()
    try await shelf.see(["1", "2"])
    shelf.time.set(by: 365 * 86_400)
    try await shelf.see(["2", "1"])
    shelf.time.set(by: -365 * 86_400)
    day(shelf)
    try await shelf.see(["1", "2"])
    day(shelf)
    try await shelf.see(["3", "1"])
    let now = shelf.time.now
    #expect(try shelf.charts.top(path, limit: nil).map(\.id) == ["3", "1"])
    #expect(try shelf.charts.top(path, limit: nil).map(\.movement) == [nil, -1])
    let movers = try shelf.charts.movers(path, since: Interval(seconds: 86_400))
    #expect(movers.later == now && movers.movers.map(\.id) == ["1", "3", "2"])
    let history = try shelf.charts.history(app: "us/1", path: path)
    #expect(history.points.map(\.rank) == [1, 2] && history.points.allSatisfy { $0.observedAt <= now })
    // Seen again, the newest snapshot moves to now, and not to the wrong time.
    day(shelf)
    try await shelf.see(["3", "1"])
    #expect(try shelf.charts.movers(path, since: Interval(seconds: 86_400)).later == shelf.time.now)
  }

  @Test("where every snapshot is of the future, as after a clock that is behind, the newest counts")
  func behindTime() async throws {
    let shelf = Shelf()
    try await shelf.see(["1", "2"])
    shelf.time.set(by: -365 * 86_400)
    #expect(try shelf.charts.top(path, limit: nil).map(\.id) == ["1", "2"])
    #expect(try shelf.charts.history(app: "us/1", path: path).points.count == 1)
  }

  @Test func historyFollowsOneApp() async throws {
    let shelf = Shelf()
    try await shelf.see(["1", "2"])
    day(shelf)
    try await shelf.see(["2"])
    day(shelf)
    try await shelf.see(["2", "1"])
    try await shelf.see(["1"], Follow(path: "app-store/fr/new"))
    try await shelf.see(["9"], Follow(path: path, options: ["genre": "6014"]))
    func ranks(_ app: String, _ path: String?) throws -> [Int?] {
      try shelf.charts.history(app: app, path: path).points.map(\.rank)
    }
    #expect(try ranks("1", path) == [1, nil, 2])
    #expect(try ranks("1", nil) == [1, nil, 2])
    #expect(try ranks("us/1", nil) == [1, nil, 2])
    #expect(try ranks("fr/1", nil) == [1])
    #expect(try ranks("9", nil) == [1])
    #expect(try ranks("9", "\(path)/6014") == [1])
    #expect(try ranks("9", "app-store/US/top-free/games") == [1])
    let history = try shelf.charts.history(app: "FR/1", path: nil)
    #expect(history.chart == "app-store/fr/new" && history.name == "App 1" && history.artist == "Maker 1")
    #expect(throws: Failure.self) { try shelf.charts.history(app: "fr/1", path: path) }
    for missing in [path, nil] {
      let failure = #expect(throws: Failure.self) { try shelf.charts.history(app: "77", path: missing) }
      #expect(failure?.reason == .notFound)
    }
  }

  @Test(arguments: [
    "app-store/us", "us/top-free", "app-store/us/top-free/no-such", "app-store/us/top-free/1/2", "flickr/us/top-free",
    "app-store/uk/top-free",
  ])
  func whatIsNoChartIsAMistakeOfUse(path: String) throws {
    let failure = #expect(throws: Failure.self) { try Shelf().charts.top(path, limit: nil) }
    #expect(failure?.reason == .usage)
  }

  @Test func aChartWithoutASnapshotIsNotFound() throws {
    let failure = #expect(throws: Failure.self) { try Shelf().charts.movers(path, since: Interval(seconds: 60)) }
    #expect(failure?.reason == .notFound)
    let genre = #expect(throws: Failure.self) { try Shelf().charts.top("app-store/US/new/games", limit: nil) }
    #expect(genre?.reason == .notFound)
    #expect(genre?.hint == "sync app-store/us/new/6014 first")
  }

  @Test func theNewestIsFoundAmongMany() async throws {
    let shelf = Shelf()
    let random = SeededRandom(seed: 7)
    var ranks: [String] = []
    for number in 0..<60 {
      shelf.time.advance(by: .seconds(Int(random.next() % 9_000_000) + 1))
      ranks = ["\(number)", "1000"]
      // A genre whose number looks like a year lies among the times.
      try await shelf.see(["5"], Follow(path: path, options: ["genre": .string("\(2000 + number)")]))
      let page = try await shelf.see(ranks)
      #expect(page.changes.last?.rule == .replace)
      #expect(try shelf.charts.top(path, limit: 1).map(\.id) == ["\(number)"])
    }
    let all = try shelf.snapshots("us/top-free/").filter { $0.genre == nil }
    #expect(all.count == 60)
    #expect(try shelf.charts.history(app: "1000", path: path).points.count == 60)
    #expect(try shelf.charts.top(path, limit: nil).map(\.movement) == [nil, 0])
  }
}
