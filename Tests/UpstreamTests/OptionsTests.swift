import Testing
import UpstreamKit

@Suite struct OptionsTests {
  @Test func readsACommandLine() throws {
    let line = try UpstreamOptions.parse([
      "--port", "8080", "--seed=9", "--photos", "100000", "--owners", "120", "--deleted-owners=3", "--people", "1000",
      "--chart-size", "150", "--rotate", "--latency-ms", "5", "--users", "x,y", "--no-idempotency", "--no-drift",
      "--gzip", "--bare", "--wrap-people", "--validators", "everywhere", "--max-age=60", "--api-key", "k",
      "--fault-rate", "0.25", "--fault-kinds", "429,reset,503", "--fault-seed", "4", "--fault-streak", "1",
      "--faults", "f.json", "--verbose", "--image-base", "https://i", "--apps", "300",
    ])
    let options = line.options
    #expect(options.port == 8080 && options.seed == 9)
    #expect(options.photos == 100_000 && options.owners == 120 && options.deletedOwners == 3)
    #expect(options.people == 1000 && options.chartSize == 150 && options.apps == 300)
    #expect(options.rotateEvery == 1 && options.latencyMilliseconds == 5)
    #expect(options.userIDs == ["x", "y"] && !options.honoursIdempotencyKeys && !options.drift)
    #expect(options.gzip && options.isBare && options.wrapsPeople && options.validators == .everywhere)
    #expect(options.maxAge == 60 && options.apiKey == "k" && options.imageBase == "https://i")
    #expect(
      options.faultMix
        == FaultMix(
          rate: 0.25, kinds: [.status(429, retryAfter: "1"), .reset, .status(503)], seed: 4, longestStreak: 1))
    #expect(line.faultFile == "f.json" && line.isVerbose)
  }

  @Test func hasTheDefaultsOfTheLibrary() throws {
    let options = try UpstreamOptions.parse([]).options
    #expect(options.port == 0 && options.photos == UpstreamOptions().photos && options.faultMix.rate == 0)
  }

  @Test(arguments: [
    ["--nothing"], ["--photos"], ["--photos", "many"], ["--photos", "-1"], ["--port", "70000"], ["--owners", "0"],
    ["--fault-kinds", "429,nonsense"], ["--fault-rate", "2"], ["--validators", "some"], ["--rotate=3"], ["word"],
    ["--chart-size", "201"],
  ])
  func refuses(arguments: [String]) {
    #expect(throws: UpstreamOptions.UsageError.self) { try UpstreamOptions.parse(arguments) }
  }

  /// Every option that the help names is known.
  @Test func helpIsTrue() throws {
    for match in UpstreamOptions.help.matches(of: /--[a-z-]+/) {
      do {
        _ = try UpstreamOptions.parse([String(match.0)])
      } catch {
        #expect(error.description.contains("needs a value"), "\(match.0)")
      }
    }
  }
}
