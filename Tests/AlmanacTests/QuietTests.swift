import AlmanacTesting
import Foundation
import Models
import Ports
import Testing
import UpstreamKit

@testable import almanac

/// `--quiet` is silence while all is well, for every command that does something; a question is answered all the same.
@Suite final class QuietTests: ProgramTests {
  @Test func silenceWhereAllIsWell() async throws {
    let scene = try Scene()
    let almanac = scene.almanac
    defer { scene.end() }
    let config = try scene.config(["people", "users"], follows: ["people", "users/ada"])
    let file = try almanac.file(
      "people.jsonl", #"{"id":"p","firstName":"A","lastName":"B","birthday":"2000-01-02"}"# + "\n")
    let cards = try almanac.file(
      "cards.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Okoye;Ines;;;\r\nBDAY:1990-02-28\r\nEND:VCARD\r\n")
    for command in [
      ["sync"], ["sync", "--full"], ["people", "fetch"], ["sync", "people", "--dry-run"], ["import", file],
      ["people", "import", cards], ["people", "add", "--first", "C", "--birthday", "2000-01-03"],
      ["people", "edit", "p", "--first", "E"], ["people", "send"], ["people", "send"],
      ["profile", "set", "ada", "--name", "Ada K"], ["sync"], ["outbox", "retry"], ["people", "remove", "p", "--yes"],
      ["compact"],
      ["media", "fetch"], ["doctor"], ["status"], ["follow", "users/bob"], ["unfollow", "users/bob"],
      ["export", "people", "--to", "csv", "--out", almanac.folder + "/people.csv"], ["demo"],
    ] {
      var arguments = command + ["--quiet", "--config", config]
      if command == ["demo"] { arguments += ["--store", almanac.folder + "/demo"] }
      let result = try await almanac.run(arguments, exits: 0)
      #expect(result.err.isEmpty, "\(command): \(result.err)")
      let isPlan = command.contains("--dry-run")
      #expect(result.out.isEmpty != isPlan, "\(command): \(result.out)")
    }
    for question in [["list", "people"], ["show", "profiles", "ada"], ["following"], ["birthdays", "--days", "366"]] {
      let result = try await almanac.run(question + ["--quiet", "--config", config], exits: 0)
      #expect(!result.out.isEmpty && result.err.isEmpty, "\(question): \(result.err)")
    }
    // What programs read is an answer that was asked for.
    let sync = try await almanac.run("sync", "--quiet", "--format", "json", "--config", config)
    #expect(try sync.object()["totals"] is [String: Any])
  }

  @Test func whatIsWrongIsSaid() async throws {
    let config = try almanac.file("config.json", #"{"follows": [{"follow": "people", "every": "1s"}]}"#)
    let sync = try await almanac.run("sync", "--quiet", "--config", config, exits: 78)
    #expect(sync.out.isEmpty && sync.err.hasPrefix("almanac: people: "), "\(sync.err)")
    let status = try await almanac.run("status", "--quiet", "--config", config, exits: 75, out: "people")
    #expect(!status.out.contains("store: ") && !status.out.contains("outbox: "), "\(status.out)")
    let doctor = try await almanac.run("doctor", "--quiet", "--config", config)
    #expect(doctor.status != 0 && doctor.out.contains("server"), "\(doctor.out)")
    let cards = try almanac.file("cards.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nN:;;;;\r\nEND:VCARD\r\n")
    let skipped = try await almanac.run("people", "import", cards, "--quiet")
    #expect(skipped.out.isEmpty && skipped.err.contains("skipped"), "\(skipped.err)")
    let seed = try almanac.file("run.har", Recording.har([.init("http://api.example/people", "[7]")]))
    let partial = try await almanac.run(
      "sync", "people", "--quiet", "--seed", seed, "--server", "people=http://api.example", exits: 65,
      err: "almanac: people: the only record was rejected", "almanac list rejects")
    #expect(partial.out.isEmpty, "\(partial.err)")
  }

  @Test(arguments: [(true, 1), (false, 3)])
  func hostsThatAreSilentShareALine(isQuiet: Bool, lines: Int) {
    let screen = FakeTerminal()
    let hosts = ["a", "b", "c"].map { MediaReport.Host(address: "https://\($0).example", left: 4) }
    MediaCommand.FetchMedia.complain(ofSilent: hosts, screen.terminal(.init(isQuiet: isQuiet)))
    let text = screen.err
    #expect(text.split(separator: "\n").count == lines && text.contains("https://a.example"), "\(text)")
    #expect(!isQuiet || text.hasPrefix("3 hosts did not respond") && text.contains("; 12 more"), "\(text)")
  }

  @Test("a job that reads another config file than it should does not do nothing in silence")
  func nothingIsFollowed() async throws {
    let (almanac, daemon) = (try Program("almanac"), try Program("almanacd"))
    defer {
      almanac.clean()
      daemon.clean()
    }
    try almanac.makeStore()
    let path = almanac.folder + "/.config/almanac/config.json"
    for command in ["sync", "status"] {
      let result = try await almanac.run(command, "--quiet", exits: 0)
      #expect(result.out.isEmpty, "\(result.out)")
      #expect(result.err.hasPrefix("nothing is followed: there is no config file \(path)"), "\(result.err)")
      #expect(result.err.split(separator: "\n").count == 1)
    }
    let empty = try await almanac.run("sync", "--config", almanac.file("config.json", "{}"), "--quiet")
    #expect(empty.err.hasPrefix("nothing is followed: \(almanac.folder)/config.json has no follows"), "\(empty.err)")
    try await daemon.run("--once", "--quiet", exits: 0, err: "nothing is followed")
  }
}

/// A second sync that finds nothing new, by what it leaves on the disk. (A chart is seen again, and its
/// `lastObservedAt` moves with it: that is one record more for each chart that is followed.)
@Suite final class QuietSyncTests: ProgramTests {
  private struct Stand: Equatable {
    var size: Int
    var changed: Date
  }

  private func stand(_ folder: String) throws -> [String: Stand] {
    var files: [String: Stand] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      guard facts[.type] as? FileAttributeType == .typeRegular else { continue }
      files[name] = Stand(size: facts[.size] as? Int ?? 0, changed: facts[.modificationDate] as? Date ?? .distantPast)
    }
    return files
  }

  @Test func aQuietSyncWritesTheTimesOfTheFollowsAndNothingElse() async throws {
    var options = UpstreamOptions()
    options.userIDs = ["u0", "u1", "u2", "u3"]
    let upstream = try Upstream(options)
    defer { upstream.stop() }
    let servers = ["users", "people"].flatMap { ["--server", "\($0)=\(upstream.url)"] }
    let paths = options.userIDs.map { "users/\($0)" } + ["people"]
    let sync = ["sync", "--format", "json"] + paths + servers
    try await almanac.run(sync, exits: 0)
    try await almanac.run("compact", exits: 0)
    let before = try stand(almanac.store)
    let runs = try await almanac.records("list", "runs").count
    let quiet = try await almanac.run(sync).object()
    for follow in quiet["follows"] as? [[String: Any]] ?? [] { #expect(follow["status"] as? String == "unchanged") }
    let after = try stand(almanac.store)
    // Collections stand untouched; what grew is the journal, by one commit.
    let changed = after.filter { before[$0.key] != $0.value }.keys.sorted()
    #expect(Set(before.keys) == Set(after.keys))
    #expect(changed.allSatisfy { $0.hasPrefix("journal") || $0 == "lock" }, "\(changed)")
    let grown = changed.reduce(0) { $0 + (after[$1]?.size ?? 0) - (before[$1]?.size ?? 0) }
    // Nothing at all where it is still the same second.
    #expect(grown < 161 + 400 * paths.count, "\(grown) bytes")
    #expect(try await almanac.records("list", "runs").count == runs)
    print("a quiet sync of \(paths.count) follows: \(grown) bytes of the journal, 0 of any collection")
  }
}

@Suite final class DryRunTests: SceneTests {
  @Test func aPlanWritesNothingAndIsWhatTheRunDoes() async throws {
    var options = UpstreamOptions()
    options.photos = 30
    options.owners = 5
    var scene = try Scene(options)
    defer { scene.end() }
    scene.almanac.environment["ALMANAC_FLICKR_KEY"] = "key"
    let almanac = scene.almanac
    let config = try scene.config(
      ["flickr", "people"], follows: [#"{"follow": "flickr/interestingness", "limit": 20}"#, "people"])
    let plan = try await almanac.run("sync", "--dry-run", "--format", "json", "--config", config, exits: 0)
    #expect(!FileManager.default.fileExists(atPath: almanac.store))
    let planned = try #require(try plan.object()["plan"] as? [[String: Any]])
    let run = try await almanac.run("sync", "--format", "json", "--config", config)
    let totals = try #require(try run.object()["totals"] as? [String: Int])
    #expect(planned.count == totals["added"])
    #expect(planned.allSatisfy { $0["op"] as? String == "add" })
    for (collection, changes) in Dictionary(grouping: planned, by: { $0["collection"] as? String ?? "" }) {
      let records = try await almanac.records("list", collection, "--config", config)
      #expect(Set(records.map { $0 as NSDictionary }) == Set(changes.compactMap { $0["fields"] as? NSDictionary }))
    }
    let again = try await almanac.object("sync", "--dry-run", "--config", config)
    #expect((again["plan"] as? [Any])?.isEmpty == true)
  }

  @Test func aPlanTellsWhatWouldBeSent() async throws {
    let (almanac, upstream) = (scene.almanac, scene.upstream)
    let config = try scene.config(["users", "people"], follows: ["users/ada"])
    try await almanac.run("sync", "--config", config, exits: 0)
    try await almanac.run("profile", "set", "ada", "--name", "Ada King", "--config", config, exits: 0)
    let plan = try await almanac.run("sync", "--dry-run", "--format", "json", "--config", config)
    let outgoing = try #require(try plan.object()["outgoing"] as? [[String: Any]])
    #expect(outgoing.count == 1)
    #expect(outgoing.first?["method"] as? String == "PUT" && outgoing.first?["target"] as? String == "profiles/ada")
    #expect(outgoing.first?["fields"] as? [String: String] == ["name": "Ada King"])
    #expect(outgoing.first?["url"] as? String == "\(upstream.url)/user/ada")
    #expect((outgoing.first?["body"] as? [String: Any])?["email"] is String)
    let table = try await almanac.run("sync", "--dry-run", "--config", config)
    for word in ["1 edit would be sent", "PUT", "profiles/ada", "Ada King"] {
      #expect(table.out.contains(word), "\(table.out)")
    }
    #expect(upstream.user("ada")?.name != "Ada King")
    // The server cannot be asked: what would be sent is told all the same.
    let away = try await almanac.run(
      "sync", "users/ada", "--dry-run", "--send", "--format", "json", "--config", config, "--server",
      "users=http://127.0.0.1:1")
    let told = try away.object()["outgoing"] as? [Any]
    #expect(away.status == 69 && told?.count == 1, "\(away.out)")
    let sync = try await almanac.run("sync", "--format", "json", "--config", config)
    let outbox = try sync.object()["outbox"] as? [String: Int]
    #expect(outbox?["sent"] == 1)
    #expect(upstream.user("ada")?.name == "Ada King")
  }
}
