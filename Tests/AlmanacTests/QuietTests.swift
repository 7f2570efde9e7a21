import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// `--quiet` is silence while all is well, for every command that does something; a question is answered all the same.
@Suite struct QuietTests {
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
      ["profile", "set", "ada", "--name", "Ada K"], ["sync"], ["outbox", "retry"], ["people", "remove", "p"],
      ["compact"],
      ["media", "fetch"], ["doctor"], ["status"], ["follow", "users/bob"], ["unfollow", "users/bob"],
      ["export", "people", "--to", "csv", "--out", almanac.folder + "/people.csv"], ["demo"],
    ] {
      var arguments = command + ["--quiet", "--config", config]
      if command == ["demo"] { arguments += ["--store", almanac.folder + "/demo"] }
      let result = try await almanac.run(arguments)
      #expect(result.status == 0, "\(command): \(result.err)")
      #expect(result.err.isEmpty, "\(command): \(result.err)")
      let isPlan = command.contains("--dry-run")
      #expect(result.out.isEmpty != isPlan, "\(command): \(result.out)")
    }
    for question in [["list", "people"], ["show", "profiles", "ada"], ["following"], ["birthdays", "--days", "366"]] {
      let result = try await almanac.run(question + ["--quiet", "--config", config])
      #expect(result.status == 0 && !result.out.isEmpty && result.err.isEmpty, "\(question): \(result.err)")
    }
    // What programs read is an answer that was asked for.
    let sync = try await almanac.run("sync", "--quiet", "--format", "json", "--config", config)
    #expect(try sync.object()["totals"] is [String: Any])
  }

  @Test func whatIsWrongIsSaid() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let config = try almanac.file("config.json", #"{"follows": [{"follow": "people", "every": "1s"}]}"#)
    let sync = try await almanac.run("sync", "--quiet", "--config", config)
    #expect(sync.status == 78 && sync.out.isEmpty && sync.err.hasPrefix("almanac: people: "), "\(sync.err)")
    let status = try await almanac.run("status", "--quiet", "--config", config)
    #expect(status.status == 75 && status.out.contains("people"), "\(status.out)")
    let doctor = try await almanac.run("doctor", "--quiet", "--config", config)
    #expect(doctor.status != 0 && doctor.out.contains("server"), "\(doctor.out)")
    let cards = try almanac.file("cards.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nN:;;;;\r\nEND:VCARD\r\n")
    let skipped = try await almanac.run("people", "import", cards, "--quiet")
    #expect(skipped.out.isEmpty && skipped.err.contains("skipped"), "\(skipped.err)")
    let seed = try almanac.file(
      "run.har",
      """
      {"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": [
        {"request": {"method": "GET", "url": "http://api.example/people", "headers": []},
         "response": {"status": 200, "headers": [], "content": {"text": "[7]"}}}]}}
      """)
    let partial = try await almanac.run(
      "sync", "people", "--quiet", "--seed", seed, "--server", "people=http://api.example")
    #expect(partial.status == 65 && partial.err.contains("almanac: people: the only record was rejected"))
    #expect(partial.out.isEmpty && partial.err.contains("almanac list rejects"), "\(partial.err)")
  }

  @Test("a job that reads another config file than it should does not do nothing in silence")
  func nothingIsFollowed() async throws {
    let (almanac, daemon) = (try Program("almanac"), try Program("almanacd"))
    defer {
      almanac.clean()
      daemon.clean()
    }
    let path = almanac.folder + "/.config/almanac/config.json"
    for command in ["sync", "status"] {
      let result = try await almanac.run(command, "--quiet")
      #expect(result.status == 0 && result.out.isEmpty, "\(result.out)")
      #expect(result.err.hasPrefix("nothing is followed: there is no config file \(path)"), "\(result.err)")
      #expect(result.err.split(separator: "\n").count == 1)
    }
    let empty = try await almanac.run("sync", "--config", almanac.file("config.json", "{}"), "--quiet")
    #expect(empty.err.hasPrefix("nothing is followed: \(almanac.folder)/config.json has no follows"), "\(empty.err)")
    let once = try await daemon.run("--once", "--quiet")
    #expect(once.status == 0 && once.err.contains("nothing is followed"), "\(once.err)")
  }
}
