import Foundation
import TestSupport
import Testing
import UpstreamKit

/// Edits sent through the shipped program to a server that plays the APIs.
@Suite struct EditTests {
  private func setUp(_ options: UpstreamOptions = UpstreamOptions()) throws -> (Program, Upstream, String) {
    let upstream = try Upstream(options)
    let url = upstream.server.url
    let almanac = try Program("almanac")
    let config = try almanac.file(
      "config.json", #"{"servers": {"users": {"url": "\#(url)"}, "people": {"url": "\#(url)"}}}"#)
    return (almanac, upstream, config)
  }

  /// Somebody else edits the same profile from another machine.
  private func editElsewhere(_ change: [String], _ config: String) async throws {
    let other = try Program("almanac")
    defer { other.clean() }
    for arguments in [
      ["sync", "users/plokmijn"], ["profile", "set", "plokmijn"] + change, ["sync", "users/plokmijn"],
    ] {
      let result = try await other.run(arguments + ["--config", config])
      #expect(result.status == 0, "\(result.err)")
    }
  }

  @Test func disjointEditsMergeWithoutAQuestion() async throws {
    let (almanac, upstream, config) = try setUp()
    defer { almanac.clean(); upstream.server.stop() }
    #expect(try await almanac.run("sync", "users/plokmijn", "--config", config).status == 0)
    #expect(try await almanac.run("profile", "set", "plokmijn", "--name", "Mine", "--config", config).status == 0)
    try await editElsewhere(["--email", "theirs@example.com"], config)
    let sync = try await almanac.run("sync", "users/plokmijn", "--format", "json", "--config", config).object()
    #expect((sync["outbox"] as? [String: Int]) == ["sent": 1, "pending": 0, "conflict": 0, "refused": 0])
    let after = try await almanac.run("profile", "show", "plokmijn", "--format", "json", "--config", config).object()
    #expect(after["name"] as? String == "Mine")
    #expect(after["email"] as? String == "theirs@example.com")
    let again = try await almanac.run("sync", "users/plokmijn", "--format", "json", "--config", config).object()
    #expect((again["outbox"] as? [String: Int])?["sent"] == 0)
  }

  @Test(arguments: ["mine", "theirs"])
  func theSameFieldOnBothSidesIsAsked(side: String) async throws {
    let (almanac, upstream, config) = try setUp()
    defer { almanac.clean(); upstream.server.stop() }
    #expect(try await almanac.run("sync", "users/plokmijn", "--config", config).status == 0)
    #expect(try await almanac.run("profile", "set", "plokmijn", "--name", "Mine", "--config", config).status == 0)
    try await editElsewhere(["--name", "Theirs"], config)
    let sync = try await almanac.run("sync", "users/plokmijn", "--format", "json", "--config", config)
    #expect(sync.status == 0)
    #expect((try sync.object()["outbox"] as? [String: Int])?["conflict"] == 1)
    let entry = try #require(try await almanac.run("outbox", "--format", "json", "--config", config).records().first)
    #expect(entry["state"] as? String == "conflict")
    #expect((entry["fields"] as? [String: String])?["name"] == "Mine")
    let id = try #require(entry["id"] as? String)
    #expect(try await almanac.run("outbox", "resolve", id, "--take", side, "--config", config).status == 0)
    #expect(try await almanac.run("sync", "users/plokmijn", "--config", config).status == 0)
    let after = try await almanac.run("profile", "show", "plokmijn", "--format", "json", "--config", config).object()
    #expect(after["name"] as? String == (side == "mine" ? "Mine" : "Theirs"))
    #expect(try await almanac.run("outbox", "--format", "json", "--config", config).records().isEmpty)
  }

  @Test func aPersonIsSentOnce() async throws {
    let (almanac, upstream, config) = try setUp()
    defer { almanac.clean(); upstream.server.stop() }
    let added = try await almanac.run(
      "people", "add", "--first", "Zoe", "--last", "Quill", "--birthday", "--02-29", "--config", config)
    #expect(added.status == 0, "\(added.err)")
    let sent = try await almanac.run("people", "send", "--format", "json", "--config", config)
    #expect(try sent.object()["sent"] as? Int == 1, "\(sent.err)")
    #expect(
      try await almanac.run("people", "send", "--format", "json", "--config", config).object()["sent"] as? Int == 0)
    #expect(try await almanac.run("people", "fetch", "--config", config).status == 0)
    let people = try await almanac.run(
      "list", "people", "--where", "firstName = Zoe", "--format", "json", "--config", config
    ).records()
    #expect(people.count == 1)
    #expect(people.first?["remoteID"] != nil)
  }
}
