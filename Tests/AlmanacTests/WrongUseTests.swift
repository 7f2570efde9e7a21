import AlmanacTesting
import Testing

/// What is said of arguments that are wrong.
@Suite struct WrongUseTests {
  @Test func aWrongCommandIsNamedBesideGlobalOptions() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let result = try await almanac.run("--store", "here", "nonsense", "--quiet")
    #expect(result.status == 64)
    #expect(result.err.contains("Unexpected argument 'nonsense'"), "\(result.err)")
  }

  @Test(arguments: [["nonsense"], ["list"], ["list", "apps", "--limit", "x"], ["birthdays", "--days=-1"]])
  func isJSONWhereAnswersAre(arguments: [String]) async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let result = try await almanac.run(["--format", "json"] + arguments)
    #expect(result.status == 64)
    #expect(result.err.hasPrefix(#"{"kind":"config","message":""#), "\(result.err)")
    #expect(result.err.hasSuffix(#""code":"usage","retryable":false}"# + "\n"), "\(result.err)")
  }

  @Test func helpIsNoMistake() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let result = try await almanac.run("list", "--help", "--format", "json")
    #expect(result.status == 0)
    #expect(result.out.hasPrefix("OVERVIEW"))
  }

  @Test(arguments: ["--store", "--config"])
  func anEmptyNameIsNoPlace(option: String) async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let result = try await almanac.run("list", "people", option, "")
    #expect(result.status == 64)
    #expect(result.err.contains("\(option) needs the name of"), "\(result.err)")
  }

  /// A number with a minus is a value that is told to be wrong, and not an option that is not known.
  @Test(arguments: [
    ["list", "people", "--limit", "-1"], ["birthdays", "--days", "-1"], ["media", "fetch", "--max-bytes", "-1"],
    ["charts", "top", "app-store/us/top-free", "--limit", "-1"], ["sync", "--jobs", "-1"],
  ])
  func numbersBelowZero(arguments: [String]) async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let result = try await almanac.run(arguments)
    #expect(result.status == 64)
    #expect(result.err.contains("not -1"), "\(result.err)")
  }
}
