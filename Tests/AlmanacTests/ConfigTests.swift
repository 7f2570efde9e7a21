import AlmanacTesting
import Foundation
import Testing

@Suite struct ConfigTests {
  @Test func fiveMistakesAreNamedAtOnce() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let config = try almanac.file(
      "config.json",
      """
      {
        "servers": {"people": {"url": 7}},
        "follow": [],
        "follows": [
          {"follow": "people", "limit": "many"},
          {"follow": "users/ada", "every": "sometimes"},
          {"limit": 3}
        ]
      }
      """)
    let result = try await almanac.run("status", "--config", config)
    #expect(result.status == 78)
    for words in [
      "line 2", "servers.people.url", "line 3", "follow", "line 5", "follows[0].limit", "line 6", "follows[1].every",
      "line 7", "follows[2]",
    ] { #expect(result.err.contains(words), "'\(words)' in: \(result.err)") }
  }

  @Test func followAndUnfollowKeepTheRest() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let text = """
      { "daemon" : {"listen": "127.0.0.1:9000"},
          "follows": [ {"follow":"people",   "every":"2h"} ] }

      """
    let config = try almanac.file("config.json", text)
    var result = try await almanac.run("follow", "app-store/fr/top-paid", "--limit", "50", "--config", config)
    #expect(result.status == 0, "\(result.err)")
    let edited = try String(contentsOfFile: config, encoding: .utf8)
    #expect(edited.contains(#"{ "daemon" : {"listen": "127.0.0.1:9000"},"#))
    #expect(edited.contains(#"{"follow":"people",   "every":"2h"}"#))
    let following = try await almanac.run("following", "--format", "json", "--config", config).records()
    #expect(following.compactMap { $0["follow"] as? String } == ["people", "app-store/fr/top-paid"])
    #expect(following.last?["limit"] as? Int == 50)
    result = try await almanac.run("unfollow", "app-store/fr/top-paid", "--config", config)
    #expect(result.status == 0, "\(result.err)")
    #expect(try String(contentsOfFile: config, encoding: .utf8) == text)
  }

  @Test func theFirstFollowMakesTheFile() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let result = try await almanac.run("follow", "people")
    #expect(result.status == 0, "\(result.err)")
    #expect(FileManager.default.fileExists(atPath: almanac.folder + "/.config/almanac/config.json"))
    #expect(try await almanac.run("following", "--format", "csv").out == "follow,limit,every,feed\npeople,,,\n")
  }

  @Test func aFollowWithoutAServerIsSaid() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let words = "warning: people cannot be fetched yet: no server is set for people\n"
    let follow = try await almanac.run("follow", "people", "--quiet")
    #expect(follow.status == 0 && follow.err.hasPrefix(words), "\(follow.err)")
    #expect(follow.err.contains(#""servers": {"people": {"url": "https://…"}}"#), "\(follow.err)")
    let given = try await almanac.run("follow", "people", "--every", "2h", "--server", "people=http://127.0.0.1:1")
    #expect(given.status == 0 && !given.err.contains(words), "\(given.err)")
    #expect(try await almanac.run("follow", "app-store/us/top-free", "--quiet").err.isEmpty)
  }

  @Test func aFollowWithoutAKeyIsSaid() async throws {
    var almanac = try Program("almanac")
    defer { almanac.clean() }
    let words = "warning: flickr/interestingness cannot be fetched yet: flickr needs an API key"
    let follow = try await almanac.run("follow", "flickr/interestingness", "--quiet")
    #expect(follow.status == 0 && follow.err.hasPrefix(words), "\(follow.err)")
    #expect(follow.err.contains("ALMANAC_FLICKR_KEY"), "\(follow.err)")
    almanac.environment["ALMANAC_FLICKR_KEY"] = "key"
    let keyed = try await almanac.run("follow", "flickr/interestingness", "--limit", "9")
    #expect(keyed.status == 0 && !keyed.err.contains("warning"), "\(keyed.err)")
  }

  @Test func globalOptionsStandBeforeOrAfter() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let store = almanac.folder + "/other"
    _ = try await almanac.run("--store", store, "people", "add", "--first", "B", "--birthday", "--02-29")
    _ = try await almanac.run("people", "--store=\(store)", "add", "--first", "A", "--birthday", "2000-02-29")
    let before = try await almanac.run("--format", "json", "list", "people", "--sort", "-firstName", "--store", store)
    #expect(try before.records().compactMap { $0["firstName"] as? String } == ["B", "A"], "\(before.err)")
  }

  @Test func theFirstFollowMakesTheFileThatWasNamed() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let config = almanac.folder + "/new/config.json"
    #expect(try await almanac.run("following", "--config", config).status == 78)
    #expect(try await almanac.run("follow", "nowhere", "--config", config).status == 64)
    #expect(!FileManager.default.fileExists(atPath: config))
    let result = try await almanac.run("follow", "people", "--config", config)
    #expect(result.status == 0, "\(result.err)")
    #expect(
      try await almanac.run("following", "--config", config, "--format", "jsonl").out == "{\"follow\":\"people\"}\n")
    #expect(!FileManager.default.fileExists(atPath: almanac.store), "a follow is no business of the store's")
  }

  @Test func whatASourceRefusesIsNamedWithItsPlace() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let config = try almanac.file(
      "config.json",
      """
      {"follows": [
        {"follow": "app-store/zz/top-free"},
        {"follow": "app-store/us/top-free", "limit": 500},
        {"follow": "users/ada", "genre": "6014"}]}
      """)
    for command in ["sync", "following", "doctor"] {
      let result = try await almanac.run(command, "--config", config)
      #expect(result.status == 78)
      for words in [
        "line 2, column 14, follows[0].follow: the App Store has no storefront 'zz'",
        "line 3, column 48, follows[1].limit: the limit 500 is out of range; a limit of 1 to 200",
        #"line 4, column 27, follows[2].genre: unknown option "genre"; allowed are "follow", "limit", "every""#,
      ] { #expect((result.out + result.err).contains(words), "\(command): \(result.out)\(result.err)") }
    }
  }
}
