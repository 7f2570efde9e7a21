import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// A sync against a server with faults, recorded by the shipped program and played back by it with no server: the same
/// report, byte for byte, but for the two times at which it began and ended.
@Suite struct ReplayTests {
  private static let key = "recorded-key-1234567"

  /// Faults that a patient client comes through, and some that it does not.
  private static let faults: [FaultRule] = [
    FaultRule(.status(429, retryAfter: "1"), path: "/people"),
    FaultRule(.status(503, retryAfter: "date:1"), contains: "flickr.people.getInfo", after: 2),
    FaultRule(.reset, path: "/*/rss/*"),
    FaultRule(.truncate(40), contains: "flickr.interestingness", after: 0),
    FaultRule(.redirect(307, to: nil), path: "/user/ada"),
    FaultRule(.gzip, contains: "flickr.people.getPublicPhotos", times: nil),
    FaultRule(.html(502), contains: "flickr.photos.search", times: nil),
    FaultRule(.status(403, retryAfter: nil), path: "/user/bo", times: nil),
  ]

  private static let follows = [
    "app-store/us/top-free", "flickr/interestingness", "flickr/search/cats", "users/ada", "users/bo", "users/nobody",
    "people",
  ]

  private func config(_ almanac: Program, _ url: String) throws -> String {
    let servers = ["app-store", "users", "people"].map { #""\#($0)": {"url": "\#(url)"}"# }
    let list = Self.follows.map { #"{"follow": "\#($0)"}"# }
    return try almanac.file(
      "config.json",
      """
      {"servers": {\(servers.joined(separator: ",")), "flickr": {"url": "\(url)", "apiKey": "\(Self.key)"}},
       "follows": [\(list.joined(separator: ","))]}
      """)
  }

  private func withoutTimes(_ report: String) -> String {
    report.replacing(/"(startedAt|finishedAt)":"[0-9TZ:.-]+"/) { "\"\($0.output.1)\":\"T\"" }
  }

  /// `--format json` prints the report of both syncs; the second one asks what the first one made conditional.
  @Test(.timeLimit(.minutes(10)), arguments: [1, 2, 3] as [UInt64])
  func givesTheSameReport(seed: UInt64) async throws {
    var options = UpstreamOptions()
    options.seed = seed
    options.photos = 60
    options.owners = 9
    options.people = 6
    options.brokenEvery = 5
    options.apiKey = Self.key
    options.faults = Self.faults
    let upstream = try Upstream(options)
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let config = try config(almanac, upstream.url)
    let common = ["--config", config, "--format", "json"]
    let first = try await almanac.run(["sync", "--record", "1.har"] + common)
    let second = try await almanac.run(["sync", "--record", "2.har"] + common)
    upstream.stop()
    // `users/bo` is refused, `flickr/search` keeps failing: different ways.
    #expect(first.status == 1, "\(first.err)")
    #expect(Set(upstream.faultCounts.keys).count >= 7, "\(upstream.faultCounts)")

    let other = try Program("almanac")
    defer { other.clean() }
    for name in ["1.har", "2.har"] {
      let text = try String(contentsOfFile: "\(almanac.folder)/\(name)", encoding: .utf8)
      #expect(!text.contains(Self.key))
      _ = try other.file(name, text)
    }
    let replayed = try await other.run(["sync", "--seed", "1.har"] + common)
    let replayedAgain = try await other.run(["sync", "--seed", "2.har"] + common)
    #expect(withoutTimes(replayed.out) == withoutTimes(first.out))
    #expect(withoutTimes(replayedAgain.out) == withoutTimes(second.out))
    #expect(replayed.status == first.status && replayedAgain.status == second.status)
    #expect(withoutTimes(first.out) != first.out && first.out.contains("\"T\"") == false)
    // The stores hold the same, too.
    for collection in ["apps", "photos", "owners", "profiles", "people"] {
      let one = try await almanac.run("list", collection, "--format", "jsonl")
      let two = try await other.run("list", collection, "--format", "jsonl")
      #expect(one.out == two.out && !one.out.isEmpty, "\(collection)")
    }
    print("replay: \(first.out.utf8.count) bytes of report the same, faults \(upstream.faultCounts)")
  }
}
