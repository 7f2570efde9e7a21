import AlmanacTesting
import Assembly
import Foundation
import Models
import Testing

/// Options of follows, on the command line and in the config file, as the sources declare them.
@Suite struct FollowOptionTests {
  @Test(arguments: [["--option", "feed=marketing"], ["--feed", "marketing"]])
  func areKept(_ arguments: [String]) async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let follow = try await almanac.run(["follow", "app-store/us/top-free"] + arguments)
    #expect(follow.status == 0, "\(follow.err)")
    let following = try await almanac.run("following", "--format", "jsonl")
    #expect(following.out == #"{"follow":"app-store/us/top-free","feed":"marketing"}"# + "\n")
  }

  @Test(arguments: [
    ("app-store/us/top-free", "fed=marketing", "unknown option 'fed'", "did you mean 'feed'?"),
    ("app-store/us/top-free", "colour=red", "unknown option 'colour'", "app-store takes the options genre and feed"),
    ("app-store/us/top-free", "feed=rss", "the option feed cannot be 'rss'", #"expected "marketing""#),
    ("app-store/us/top-free", "feed=", "the option feed cannot be ''", #"expected "marketing""#),
    ("app-store/us/top-free", "feed", "'feed' is not an option", "--option NAME=VALUE"),
    ("users/ada", "feed=marketing", "unknown option 'feed'", "users takes no options"),
  ])
  func areRefused(_ path: String, _ option: String, _ message: String, _ hint: String) async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let result = try await almanac.run("follow", path, "--option", option)
    #expect(result.status == 64)
    #expect(result.err.contains(message) && result.err.contains(hint), "\(result.err)")
    #expect(try await almanac.run("following", "--format", "jsonl").out.isEmpty)
  }

  /// Help is derived from what the sources say about themselves.
  @Test func helpNamesEveryFormAndOption() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let help = try await almanac.run("help", "follow").out
    for source in SourceList.compiled.descriptors {
      for form in source.forms { #expect(help.contains("\n  \(form.text) "), "\(form.text)\n\(help)") }
      for option in source.options { #expect(help.contains("\n  \(source.name): \(option.name) "), "\(option.name)") }
    }
  }
}
