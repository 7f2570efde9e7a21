import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// Paths of charts with genres and storefronts in any spelling, and follows that are changed.
@Suite final class ChartFollowTests: ProgramTests {
  private func following(_ almanac: Program) async throws -> [String] {
    try await almanac.records("following").compactMap { $0["follow"] as? String }
  }

  @Test func twoGenresOfAChartAreFollowed() async throws {
    let upstream = try Upstream(UpstreamOptions())
    defer { upstream.stop() }
    for arguments in [
      ["app-store/us/top-free/games"], ["app-store/US/top-free/6016"], ["app-store/us/top-free"],
      ["app-store/us/top-free", "--genre", "utilities"],
    ] {
      try await almanac.run(["follow"] + arguments + ["--limit", "5"], exits: 0)
    }
    let paths = ["/6014", "/6016", "", "/6002"].map { "app-store/us/top-free" + $0 }
    #expect(try await following(almanac) == paths)
    let server = ["--server", "app-store=\(upstream.url)"]
    let sync = try await almanac.run(["sync", "--format", "json"] + server, exits: 0)
    let follows = try sync.object()["follows"] as? [[String: Any]] ?? []
    #expect(follows.compactMap { $0["follow"] as? String } == paths)
    for path in paths {
      let top = try await almanac.run("charts", "top", path, "--format", "json")
      #expect(try !top.records().isEmpty, "\(path): \(top.err)")
    }
    let one = try await almanac.run(["sync", "app-store/US/top-free/games", "--format", "json"] + server).object()
    #expect((one["follows"] as? [[String: Any]])?.first?["unchanged"] as? Int ?? 0 > 0, "its limit is the followed one")
    try await almanac.run("unfollow", "app-store/us/top-free/games", exits: 0)
    #expect(try await following(almanac) == Array(paths.dropFirst()))
  }

  @Test func theHintOfAChartThatIsNotKeptCanBeFollowed() async throws {
    let upstream = try Upstream(UpstreamOptions())
    defer { upstream.stop() }
    try almanac.makeStore()
    try await almanac.run(
      "charts", "top", "app-store/us/top-free/games", exits: 66,
      err: "'almanac sync app-store/us/top-free/6014' fetches it")
    try await almanac.run("sync", "app-store/us/top-free/6014", "--server", "app-store=\(upstream.url)", exits: 0)
    try await almanac.run("charts", "top", "app-store/us/top-free/games", exits: 0)
  }

  @Test func aGenreBesideThePathMeansThePathWithTheGenre() async throws {
    let config = try almanac.file(
      "old.json", #"{"follows": [{"follow": "app-store/us/new", "genre": 6014}, {"follow": "app-store/us/new"}]}"#)
    let following = try await almanac.run("following", "--config", config, "--format", "jsonl")
    #expect(
      following.out == #"{"follow":"app-store/us/new/6014"}"# + "\n" + #"{"follow":"app-store/us/new"}"# + "\n",
      "\(following.err)")
    try await almanac.run("follow", "app-store/us/new/games", "--every", "2h", "--config", config, exits: 0)
    #expect(
      try contents(config)
        == #"{"follows": [{"follow": "app-store/us/new/6014", "every": "2h"}, {"follow": "app-store/us/new"}]}"#)
    let twice = try almanac.file(
      "twice.json",
      #"{"follows": [{"follow": "app-store/us/new", "genre": 6014}, {"follow": "app-store/US/new/games"}]}"#)
    try await almanac.run("sync", "--config", twice, exits: 78, err: "is in follows[0] already")
  }

  @Test func theGenresAreListed() async throws {
    let genres = try await almanac.records("genre", "list")
    #expect(genres.contains { $0 as NSDictionary == ["id": "6014", "name": "games", "title": "Games"] })
    try await almanac.run("genre", "list", exits: 0, out: "photo-video")
    try await almanac.run("follow", "app-store/us/new/gamse", exits: 64, err: "did you mean 'games'?", "weather")
  }

  @Test func followChangesWhatIsNamedAndKeepsTheRest() async throws {
    let path = "app-store/us/top-free"
    func follow(_ options: String...) async throws -> Program.Result {
      try await almanac.run(["follow", path] + options)
    }
    func kept() async throws -> NSDictionary {
      try await almanac.records("following").first as? NSDictionary ?? [:]
    }
    #expect(try await follow("--limit", "50", "--feed", "marketing").status == 0)
    let every = try await follow("--every", "2h")
    #expect(every.status == 0)
    #expect(every.err == "\(path) is followed already, changed: every 2h; kept: limit 50, feed marketing\n")
    #expect(try await kept() == ["follow": path, "limit": 50, "every": "2h", "feed": "marketing"])
    let limit = try await follow("--limit", "60", "--every", "2h")
    #expect(limit.err == "\(path) is followed already, changed: limit 60 (was 50); kept: every 2h, feed marketing\n")
    let same = try await follow()
    #expect(same.err == "\(path) is followed already, nothing changed; kept: limit 60, every 2h, feed marketing\n")
    // What is kept and what is named must go together.
    let tooMany = try await follow("--limit", "150")
    #expect(tooMany.status == 64 && tooMany.err.contains("1 to 100 with the marketing feed"), "\(tooMany.err)")
    #expect(try await kept() == ["follow": path, "limit": 60, "every": "2h", "feed": "marketing"])
  }
}
