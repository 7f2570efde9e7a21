import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// Paths of charts with genres and storefronts in any spelling, and follows that are changed.
@Suite final class ChartFollowTests: ProgramTests {
  private func following(_ almanac: Program) async throws -> [String] {
    try await almanac.run("following", "--format", "json").records().compactMap { $0["follow"] as? String }
  }

  @Test func twoGenresOfAChartAreFollowed() async throws {
    let upstream = try Upstream(UpstreamOptions())
    defer { upstream.stop() }
    for arguments in [
      ["app-store/us/top-free/games"], ["app-store/US/top-free/6016"], ["app-store/us/top-free"],
      ["app-store/us/top-free", "--genre", "utilities"],
    ] {
      let follow = try await almanac.run(["follow"] + arguments + ["--limit", "5"])
      #expect(follow.status == 0, "\(follow.err)")
    }
    let paths = ["/6014", "/6016", "", "/6002"].map { "app-store/us/top-free" + $0 }
    #expect(try await following(almanac) == paths)
    let server = ["--server", "app-store=\(upstream.url)"]
    let sync = try await almanac.run(["sync", "--format", "json"] + server)
    #expect(sync.status == 0, "\(sync.err)")
    let follows = try sync.object()["follows"] as? [[String: Any]] ?? []
    #expect(follows.compactMap { $0["follow"] as? String } == paths)
    for path in paths {
      let top = try await almanac.run("charts", "top", path, "--format", "json")
      #expect(try !top.records().isEmpty, "\(path): \(top.err)")
    }
    let one = try await almanac.run(["sync", "app-store/US/top-free/games", "--format", "json"] + server).object()
    #expect((one["follows"] as? [[String: Any]])?.first?["unchanged"] as? Int ?? 0 > 0, "its limit is the followed one")
    #expect(try await almanac.run("unfollow", "app-store/us/top-free/games").status == 0)
    #expect(try await following(almanac) == Array(paths.dropFirst()))
  }

  @Test func theHintOfAChartThatIsNotKeptCanBeFollowed() async throws {
    let upstream = try Upstream(UpstreamOptions())
    defer { upstream.stop() }
    try almanac.makeStore()
    let missing = try await almanac.run("charts", "top", "app-store/us/top-free/games")
    #expect(missing.status == 66)
    #expect(missing.err.contains("'almanac sync app-store/us/top-free/6014' fetches it"), "\(missing.err)")
    let sync = try await almanac.run("sync", "app-store/us/top-free/6014", "--server", "app-store=\(upstream.url)")
    #expect(sync.status == 0, "\(sync.err)")
    #expect(try await almanac.run("charts", "top", "app-store/us/top-free/games").status == 0)
  }

  @Test func aGenreBesideThePathMeansThePathWithTheGenre() async throws {
    let config = try almanac.file(
      "old.json", #"{"follows": [{"follow": "app-store/us/new", "genre": 6014}, {"follow": "app-store/us/new"}]}"#)
    let following = try await almanac.run("following", "--config", config, "--format", "jsonl")
    #expect(
      following.out == #"{"follow":"app-store/us/new/6014"}"# + "\n" + #"{"follow":"app-store/us/new"}"# + "\n",
      "\(following.err)")
    let changed = try await almanac.run("follow", "app-store/us/new/games", "--every", "2h", "--config", config)
    #expect(changed.status == 0, "\(changed.err)")
    #expect(
      try String(contentsOfFile: config, encoding: .utf8)
        == #"{"follows": [{"follow": "app-store/us/new/6014", "every": "2h"}, {"follow": "app-store/us/new"}]}"#)
    let twice = try almanac.file(
      "twice.json",
      #"{"follows": [{"follow": "app-store/us/new", "genre": 6014}, {"follow": "app-store/US/new/games"}]}"#)
    let refused = try await almanac.run("sync", "--config", twice)
    #expect(refused.status == 78 && refused.err.contains("is in follows[0] already"), "\(refused.err)")
  }

  @Test func theGenresAreListed() async throws {
    let genres = try await almanac.run("genre", "list", "--format", "json").records()
    #expect(genres.contains { $0 as NSDictionary == ["id": "6014", "name": "games", "title": "Games"] })
    let table = try await almanac.run("genre", "list")
    #expect(table.status == 0 && table.out.contains("photo-video"), "\(table.err)")
    let wrong = try await almanac.run("follow", "app-store/us/new/gamse")
    #expect(wrong.status == 64 && wrong.err.contains("did you mean 'games'?"), "\(wrong.err)")
    #expect(wrong.err.contains("weather"))
  }

  @Test func followChangesWhatIsNamedAndKeepsTheRest() async throws {
    let path = "app-store/us/top-free"
    func follow(_ options: String...) async throws -> Program.Result {
      try await almanac.run(["follow", path] + options)
    }
    func kept() async throws -> NSDictionary {
      try await almanac.run("following", "--format", "json").records().first as? NSDictionary ?? [:]
    }
    #expect(try await follow("--limit", "50", "--feed", "marketing").status == 0)
    let every = try await follow("--every", "2h")
    #expect(every.status == 0)
    #expect(every.err == "\(path) is followed already, changed: every 2h; kept: limit 50, feed marketing\n")
    #expect(try await kept() == ["follow": path, "limit": 50, "every": "2h", "feed": "marketing"])
    let limit = try await follow("--limit", "60", "--every", "2h")
    #expect(
      limit.err == "\(path) is followed already, changed: limit 60 (was 50); kept: every 2h, feed marketing\n")
    let same = try await follow()
    #expect(
      same.err == "\(path) is followed already, nothing changed; kept: limit 60, every 2h, feed marketing\n")
    // What is kept and what is named must go together.
    let tooMany = try await follow("--limit", "150")
    #expect(tooMany.status == 64 && tooMany.err.contains("1 to 100 with the marketing feed"), "\(tooMany.err)")
    #expect(try await kept() == ["follow": path, "limit": 60, "every": "2h", "feed": "marketing"])
  }
}
