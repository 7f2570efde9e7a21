import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// What fails is said once, on a line of its own, in the form of the answers; the exit code says it too.
@Suite final class FailedFollowTests: ProgramTests {
  /// A recording that answers nothing, and a config with two follows that need it.
  private func failing() throws -> (Program, [String]) {
    let seed = try almanac.file("none.har", Recording.har([]))
    let config = try almanac.config("http://api.example", ["people", "users"], follows: ["people", "users/ada"])
    return (almanac, ["--seed", seed, "--config", config])
  }

  @Test(arguments: ["table", "json", "jsonl", "csv"], [[], ["--quiet"]])
  func aLineForEachInEveryFormat(format: String, options: [String]) async throws {
    let (almanac, place) = try failing()
    try almanac.makeStore()
    let result = try await almanac.run(["sync", "--format", format] + options + place, exits: 69)
    let lines = result.err.split(separator: "\n")
    #expect(lines.count == 2, "\(result.err)")
    for (line, follow) in zip(lines, ["people", "users/ada"]) {
      if format.hasPrefix("json") {
        let error = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(error["kind"] as? String == "seed" && error["follow"] as? String == follow)
        #expect(error["message"] is String && error["retryable"] as? Bool == false)
      } else {
        #expect(line.hasPrefix("almanac: \(follow): "), "\(line)")
        #expect(line.contains("http://api.example/"), "\(line)")
      }
    }
    #expect(result.out.isEmpty == (format == "table" && !options.isEmpty), "\(result.out)")
    if format == "csv" {
      let rows = result.out.split(separator: "\n")
      #expect(rows.first?.hasSuffix(",bytes,error.message") == true)
      for row in rows.dropFirst() { #expect(row.contains("failed") && row.contains("http://api.example"), "\(row)") }
    }
  }

  @Test("status ends with 0 while a follow fails and is not stale, and with 75 with --check")
  func statusCheck() async throws {
    let upstream = try Upstream(UpstreamOptions())
    func write(_ url: String) throws {
      _ = try almanac.config(url, ["users"], follows: [#"{"follow": "users/ada", "every": "7d"}"#])
    }
    try write(upstream.url)
    let place = ["--config", almanac.folder + "/config.json"]
    try await almanac.run(["sync", "--quiet"] + place, exits: 0)
    let well = try await almanac.run(["status", "--check", "--quiet"] + place, exits: 0)
    #expect(well.out.isEmpty, "\(well)")
    try write("http://127.0.0.1:1")
    try await almanac.run(["sync", "--now"] + place, exits: 69)
    try await almanac.run(["status"] + place, exits: 0)
    try await almanac.run(["status", "--check", "--quiet"] + place, exits: 75, out: "users/ada")
  }

  @Test func fetchingPeopleSaysItToo() async throws {
    let (almanac, place) = try failing()
    let result = try await almanac.run(
      ["people", "fetch", "--format", "json"] + place, exits: 69, err: #""follow":"people""#)
    #expect(result.err.hasPrefix(#"{"kind":"seed","#), "\(result.err)")
  }

  /// Imports owners, each with an image.
  private func addOwners(_ count: Int) async throws {
    try await almanac.load(
      "owners", (0..<count).map { #"{"id":"\#($0)@N00","username":"u","iconURL":"http://api.example/\#($0).gif"}"# })
  }

  /// A recording of the answers to requests for their images.
  private func seed(_ answers: [(status: Int, text: String)]) throws -> String {
    let exchanges = answers.enumerated().map { index, answer in
      Recording.Exchange(
        url: "http://api.example/\(index).gif", status: answer.status, headers: [:], body: Array(answer.text.utf8))
    }
    return try almanac.file("run.har", Recording.har(exchanges))
  }

  /// The lines about what failed, without those about waits before another try.
  private static func failures(_ result: Program.Result) -> Int {
    result.err.split(separator: "\n").count { !$0.contains("waiting ") }
  }

  /// 69 where downloads failed in one way, 1 where in several; 0 where an image came and no other one may come later.
  @Test(arguments: [
    ([500, 500], 69), ([404, 404], 69), ([404, 500], 1), ([500, 200], 69), ([404, 200], 0),
  ])
  func downloads(answers: [Int], status: Int) async throws {
    try await addOwners(answers.count)
    let seed = try seed(answers.map { ($0, "GIF89a-------;") })
    let result = try await almanac.run("media", "fetch", "--seed", seed, "--format", "json", exits: Int32(status))
    let failed = answers.filter { $0 != 200 }.count
    #expect(Self.failures(result) == failed, "\(result.err)")
    #expect(try (result.object()["failed"] as? [Any])?.count == failed)
  }

  @Test(
    "--quiet says what failed in one line, and changes no exit status", arguments: [[404, 404, 404], [500, 500, 404]])
  func quietDownloads(answers: [Int]) async throws {
    try await addOwners(answers.count)
    func seed(_ answers: [Int]) throws -> String { try self.seed(answers.map { ($0, "GIF89a-------;") }) }
    let loud = try await almanac.run("media", "fetch", "--seed", seed(answers))
    let quiet = try await almanac.run("media", "fetch", "--seed", seed(answers), "--quiet")
    #expect(loud.status == quiet.status && Self.failures(loud) == 3, "\(loud)\(quiet)")
    #expect(quiet.out.isEmpty && quiet.err.split(separator: "\n").count == 1, "\(quiet)")
    #expect(quiet.err.hasPrefix("almanac: 3 images could not be downloaded, the first from http://api.example/0.gif: "))
    // A failure that may pass counts where another image came, too.
    try await almanac.run("media", "fetch", "--seed", seed([200, 503, 404]), exits: 1)
    // Images that are there already: what a server refuses for good is no failure of every later run.
    try await almanac.run("media", "fetch", "--seed", seed([200, 404, 404]), exits: 0)
    try await almanac.run(
      "media", "fetch", "--seed", seed(answers), "--quiet", exits: (answers[1] == 404 ? 0 : 1),
      err: "2 images could not be")
  }

  @Test func imagesThatAreTooLargeAreSkipped() async throws {
    try await addOwners(2)
    let seed = try seed([(200, "GIF89a-------;----------"), (200, "GIF89a-------;")])
    try await almanac.run(
      "media", "fetch", "--max-bytes", "14", "--seed", seed, exits: 0, err: "http://api.example/0.gif: larger than")
    try await almanac.run("media", "fetch", "--max-bytes", "1X", exits: 64, err: "512K")
  }
}

/// The table of exit codes in Apps/README.md, as every command keeps it. `BadInputTests` has those whose words count.
@Suite final class ExitCodeTests: ProgramTests {
  /// A store that cannot be made, or is not one.
  @Test(arguments: [
    ["list", "people"], ["show", "people", "x"], ["people", "add", "--first", "A"], ["import", "people.jsonl"],
    ["export", "people", "--to", "json"], ["status"], ["sync", "people"], ["compact"], ["changes"], ["outbox"],
    ["photos"], ["birthdays"], ["media", "fetch"], ["profile", "show", "x"], ["doctor"],
    ["charts", "top", "app-store/us/new"],
  ])
  func aStoreThatIsNone(arguments: [String]) async throws {
    _ = try almanac.file("people.jsonl", #"{"id":"x","firstName":"A"}"# + "\n")
    let file = try almanac.file("store-is-a-file", "")
    let result = try await almanac.run(arguments + ["--store", file, "--server", "people=http://127.0.0.1:1"])
    #expect([73, 74].contains(result.status), "\(arguments): \(result.status) \(result.out)\(result.err)")
    #expect((result.out + result.err).contains("store-is-a-file"), "\(arguments): \(result.out)\(result.err)")
  }

  static let withConfig: [(line: String, status: Int32)] = [
    ("sync", 78), ("status", 78), ("following", 0), ("doctor", 78), ("follow people", 0),
    ("unfollow people", 66), ("unfollow app-stor/us/new", 0), ("people fetch", 78), ("media fetch", 78),
    ("list people", 0),
    ("birthdays", 0), ("compact", 0), ("people add --first A", 0), ("demo", 0),
  ]

  @Test("a config with mistakes stops every command but those that change something else", arguments: withConfig)
  func aConfigWithMistakes(line: String, status: Int32) async throws {
    try almanac.makeStore()
    let config = try almanac.file("config.json", #"{"follows": [{"follow": "app-stor/us/new"}]}"#)
    try await almanac.run(line.split(separator: " ").map(String.init) + ["--config", config], exits: status)
  }
}
