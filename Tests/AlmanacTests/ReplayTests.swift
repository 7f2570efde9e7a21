import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// A sync against a server with faults, recorded by the shipped program and played back by it with no server: the same
/// report, byte for byte, but for the two times at which it began and ended.
@Suite final class ReplayTests: ProgramTests {
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
    try almanac.config(
      url, ["app-store", "users", "people", "flickr"], settings: ["flickr": #""apiKey": "\#(Self.key)""#],
      follows: Self.follows)
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
      let text = try contents("\(almanac.folder)/\(name)")
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

@Suite final class DemoTests: ProgramTests {
  @Test func showsEverySource() async throws {
    // Whoever would open a connection would fail.
    almanac.environment["http_proxy"] = "http://127.0.0.1:1"
    almanac.environment["https_proxy"] = "http://127.0.0.1:1"
    let demo = try await almanac.run("demo", "--store", almanac.store, exits: 0)
    for follow in ["app-store/us/top-paid", "flickr/interestingness", "users/ada", "people"] {
      #expect(demo.out.contains(follow))
    }
    #expect(demo.out.contains("▲"))
    #expect(!demo.out.contains("failed"))

    let top = try await almanac.run("charts", "top", "app-store/us/top-paid", "--format", "json")
    let entries = try top.records()
    #expect(entries.count == 100)
    #expect(entries.compactMap { $0["rank"] as? Int } == Array(1...100))
    let movers = try await almanac.run("charts", "movers", "app-store/us/top-paid", "--since", "1d", "--format", "json")
    let changes = Set(try movers.records().compactMap { $0["change"] as? String })
    #expect(changes == ["up", "down", "new", "out"])
  }

  @Test("a second demo in the same folder finds no change") func again() async throws {
    try await almanac.loadDemo()
    let prices = try await almanac.records("charts", "prices")
    try await almanac.run("demo", "--store", almanac.store, exits: 0, out: "Everything is plain JSON")
    let again = try await almanac.records("charts", "prices")
    #expect(!prices.isEmpty && again.count == prices.count, "\(again)")
  }

  @Test func refusesAFolderThatIsAStore() async throws {
    try await almanac.run("people", "add", "--first", "A", "--birthday", "2000-01-02", exits: 0)
    let before = try await almanac.run("export", "people", "--to", "jsonl").out
    try await almanac.run(
      "demo", "--store", almanac.store, exits: 73, err: "store", "almanac status --store \(almanac.store)")
    #expect(try await almanac.records("list", "apps").isEmpty)
    #expect(try await almanac.run("export", "people", "--to", "jsonl").out == before)
    // An empty folder will do, and a store that a demo made.
    let empty = almanac.folder + "/empty"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    try await almanac.run("demo", "--store", empty, "--format", "json", exits: 0)
    try await almanac.run("demo", "--store", empty, "--format", "json", exits: 0)
    try await almanac.run("demo", "--remove", "--store", almanac.store, exits: 73)
    #expect(try await almanac.run("export", "people", "--to", "jsonl").out == before)
  }

  @Test("edits of the demo's records are not sent to the user's own servers") func ownServers() async throws {
    try await almanac.loadDemo()
    try await almanac.run("sync", exits: 64, err: "a demo made the store")
    let config = try almanac.file("own.json", "{}")
    let named = try await almanac.run("sync", "--config", config)
    #expect(!named.err.contains("a demo made"), "\(named)")
  }

  @Test("the demo's store is removed by the command that it names, and nothing else is")
  func removal() async throws {
    let folder = almanac.folder + "/a;b $(x)"
    let demo = try await almanac.run("demo", "--store", folder)
    let advice = "almanac demo --remove --store '\(folder)'"
    #expect(demo.out.contains(advice) && !demo.out.contains("rm -"), "\(demo.out)")
    try Data("mine".utf8).write(to: URL(filePath: folder + "/notes.txt"))
    try await almanac.run("demo", "--remove", "--store", folder, exits: 73, err: "notes.txt")
    #expect(try await almanac.records("list", "people", "--store", folder).count > 0)
    try FileManager.default.removeItem(atPath: folder + "/notes.txt")
    try await almanac.run("demo", "--remove", "--store", folder, exits: 0)
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test("a folder with other files becomes no store, whatever opens or makes one")
  func foreignFolders() async throws {
    let daemon = try Program("almanacd")
    defer { daemon.clean() }
    try await almanac.run("people", "add", "--first", "A", "--birthday", "2000-01-02", exits: 0)
    let (backup, foreign) = (almanac.folder + "/backup", almanac.folder + "/foreign")
    try await almanac.run("backup", backup, exits: 0)
    let people = try await almanac.run("export", "people", "--to", "jsonl").out
    let file = try almanac.file("people.jsonl", people)
    let name = "people.jsonl"
    try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: true)
    try Data(people.utf8).write(to: URL(filePath: foreign + "/" + name))
    for call in [
      ["demo"], ["sync"], ["import", file], ["people", "add", "--first", "B"], ["list", "people"], ["status"],
      ["restore", backup, "--yes"], ["compact"], ["follow", "people"],
    ] { try await almanac.run(call + ["--store", foreign], exits: 73, err: name) }
    try await almanac.run("store", "copy", almanac.store, foreign, exits: 73, err: foreign + "/almanac")
    let once = try await daemon.run("--once", "--store", foreign, exits: 73)
    #expect((once.out + once.err).contains(name), "\(once.status) \(once.err)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: foreign) == [name])
  }

  @Test("a store, a config folder and a definition may be links")
  func links() async throws {
    func link(_ name: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: almanac.folder + "/" + name, withDestinationPath: almanac.folder + "/" + target)
    }
    for name in ["disk", "dotfiles", "definitions"] {
      try FileManager.default.createDirectory(atPath: almanac.folder + "/" + name, withIntermediateDirectories: false)
    }
    try Data(#"{"follows": []}"#.utf8).write(to: URL(filePath: almanac.folder + "/dotfiles/real.json"))
    try link("dotfiles/config.json", to: "dotfiles/real.json")
    try link("linked", to: "dotfiles")
    try link("data", to: "disk")
    // So may the folder of definitions be, and a definition that leads nowhere stops no backup.
    try link("dotfiles/sources", to: "definitions")
    try link("definitions/gone.json", to: "nowhere.json")
    let options = ["--store", almanac.folder + "/data", "--config", almanac.folder + "/linked/config.json"]
    try await almanac.run(["people", "add", "--first", "A"] + options, exits: 0)
    try await almanac.run(["backup", almanac.folder + "/backup"] + options, exits: 0)
    #expect(try contents(almanac.folder + "/backup/config/config.json") == #"{"follows": []}"#)
    try await almanac.run(["restore", almanac.folder + "/backup", "--yes"] + options, exits: 0)
    #expect(try await almanac.run(["list", "people", "--format", "json"] + options).records().count == 1)
  }

  @Test func keepsATemporaryStoreThatItNames() async throws {
    almanac.environment["TMPDIR"] = almanac.folder
    try await almanac.run("demo", exits: 0, out: "\(almanac.folder)/almanac-demo.")
    func folders() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: almanac.folder).filter { $0.hasPrefix("almanac-demo.") }
    }
    let first = try folders()
    #expect(first.count == 1)
    // A folder that nobody was told is not kept, and one that a person may still look at is.
    for options in [["--quiet"], ["--format", "json"]] {
      try await almanac.run(["demo"] + options, exits: 0)
      #expect(try folders() == first)
    }
    let old = Date(timeIntervalSinceNow: -7200)
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: "\(almanac.folder)/\(first[0])")
    // Neither another's folder behind a link, nor one of another name.
    try FileManager.default.createDirectory(atPath: almanac.folder + "/other", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: almanac.folder + "/almanac-demo.link", withDestinationPath: almanac.folder + "/other")
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: almanac.folder + "/other")
    try await almanac.run("demo", "--quiet", exits: 0)
    #expect(try folders() == ["almanac-demo.link"])
    #expect(FileManager.default.fileExists(atPath: almanac.folder + "/other"))
  }
}
