import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// What was it, and who changed it: the commands that read the past of a store, and those that change it.
@Suite final class HistoryCommandTests: SceneTests {
  private func synced() async throws -> Program {
    var almanac = try scene.configured(["users", "people"], follows: ["users/ada", "people"])
    almanac.environment["TZ"] = "UTC"
    try await almanac.run("sync", exits: 0)
    return almanac
  }

  private func run(_ almanac: Program, _ words: String...) async throws -> [[String: Any]] {
    let result = try await almanac.run(words + ["--format", "json"], exits: 0)
    return try result.records()
  }

  @Test func whatChangedAndWhoChangedIt() async throws {
    let almanac = try await synced()
    let added = try await almanac.run("people", "add", "--first", "Grace", "--last", "Hopper", "--format", "json")
    let id = try #require(try added.object()["id"] as? String)
    try await almanac.run("people", "edit", "Grace Hopper", "--last", "Murray", exits: 0)
    try await almanac.run("profile", "set", "ada", "--name", "Ada King", exits: 0)
    let before = try #require(try await run(almanac, "history", "people", id).first?["commit"] as? Int)
    try await almanac.run("people", "remove", id, "--yes", exits: 0)

    let changes = try await run(almanac, "history", "people", id)
    #expect(changes.map { $0["command"] as? String } == ["people remove", "people edit", "people add"])
    #expect(changes.map { $0["kind"] as? String } == ["removed", "changed", "added"])
    #expect((changes[1]["was"] as? [String: Any])?["lastName"] as? String == "Hopper")
    let pulled = try await run(almanac, "history", "profiles", "ada", "--by", "sync")
    #expect(pulled.count == 1 && pulled[0]["follow"] as? String == "users/ada" && pulled[0]["run"] != nil)
    // Every change of a visible record has a cause.
    #expect(try await run(almanac, "history", "--all", "--since", "1y").allSatisfy { $0["by"] != nil })

    let blamed = try await run(almanac, "blame", "profiles", "ada")
    #expect(blamed.first { $0["field"] as? String == "name" }?["command"] as? String == "profile set")
    #expect(blamed.first { $0["field"] as? String == "email" }?["follow"] as? String == "users/ada")
    for times in [["2120-01-02"], ["commit:1", "2120-01-02"]] {
      try await almanac.run(["diff"] + times, exits: 64, err: "2120-01-02 is in the future")
    }
    let differences = try await run(almanac, "diff", "commit:\(before)", "--in", "people")
    #expect(differences.count == 1 && differences[0]["kind"] as? String == "removed")

    // The same commands read the past.
    #expect(try await almanac.run("show", "people", "Grace Murray").status != 0)
    try await almanac.run(
      "show", "people", id, exits: 66, err: "was removed", "almanac history people \(id)",
      "restore people/\(id) --at commit:")
    let shown = try await almanac.run("show", "people", "Grace Murray", "--at", "commit:\(before)", "--format", "json")
    #expect(try shown.object()["id"] as? String == id)
    for words in [
      ["list", "people", "--where", "id = \(id)"], ["search", "Murray"], ["export", "people", "--to", "csv"],
    ] {
      let (past, now) = (try await almanac.run(words + ["--at", "commit:\(before)"]), try await almanac.run(words))
      #expect(past.out.contains(id) && !now.out.contains(id), "\(words): \(past)")
    }
    try await almanac.run(
      "show", "people", "Grace Murray", "--at", "next week", exits: 64, err: "is not a time", "2026-11-10",
      "'last monday'")

    // What was removed comes back by an edit, which can be undone.
    let planned = try await run(almanac, "restore", "people/\(id)", "--at", "commit:\(before)", "--dry-run")
    #expect(planned.contains { $0["field"] as? String == "lastName" && $0["to"] as? String == "Murray" })
    #expect(try await almanac.run("show", "people", "Grace Murray").status != 0)
    try await almanac.run("restore", "people/Grace Murray", "--at", "commit:\(before)", "--yes", exits: 0)
    try await almanac.run("show", "people", "Grace Murray", exits: 0)
    #expect(try await run(almanac, "history", "--limit", "1")[0]["by"] as? String == "restore")
    try await almanac.run("undo", "--yes", exits: 0)
    #expect(try await almanac.run("show", "people", "Grace Murray").status != 0)
  }

  @Test func whatIsForgottenIsNowhere() async throws {
    let almanac = try await synced()
    let added = try await almanac.run(
      "people", "add", "--first", "Zebulon", "--last", "Quartermain", "--email", "zq@example.org", "--birthday",
      "2001-02-03", "--note", "Zebr\u{E9}n Zebre\u{301}n \"Zebrin\"", "--format", "json")
    let id = try #require(try added.object()["id"] as? String)
    try await almanac.run("people", "send", id, exits: 0)
    try await almanac.run("people", "edit", id, "--first", "Zeb", exits: 0)
    try await almanac.run("compact", exits: 0)
    try await almanac.shell("grep -rl Quartermain '\(almanac.store)'", exits: 0)
    try await almanac.run("forget", "people/\(id)", exits: 64, err: "--yes")
    // Others read meanwhile, and a later backup has nothing of it.
    let found = try await almanac.shell(
      """
      for number in 1 2 3 4 5 6 7 8; do $PROGRAM changes --follow > /dev/null 2>&1 & readers="$readers $!"; done
      $PROGRAM forget 'people/Zeb Quartermain' --yes --quiet && $PROGRAM backup backup --quiet || echo failed
      kill $readers; wait
      grep -rl -e Quartermain -e Zebulon -e zq@example -e Zebr '\(almanac.store)' backup
      """)
    #expect(found.out == "", "\(found)")
    #expect(try await almanac.run("history", "people", id).out == "")
    #expect(try await run(almanac, "outbox").isEmpty)
    try await almanac.run("doctor", "--quiet", exits: 0)
  }

  /// A person who was removed and added again is two records of one name.
  @Test func anEarlierRecordOfTheNameIsNamed() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    var ids: [String] = []
    for note in ["first", "second"] {
      let added = try await almanac.run("people", "add", "--first", "Zoe", "--note", note, "--format", "json")
      ids.append(try #require(try added.object()["id"] as? String))
      if note == "first" { #expect(try await almanac.run("people", "remove", ids[0], "--yes").status == 0) }
    }
    let forgotten = try await almanac.run("forget", "people/Zoe", "--yes", "--format", "json")
    #expect(try forgotten.object()["sameName"] as? [String] == ["people/\(ids[0])"], "\(forgotten)")
    #expect(forgotten.err.contains("forget people/\(ids[0])"), "\(forgotten)")
    let last = try await almanac.run("forget", "people/\(ids[0])", "--yes", "--format", "json")
    #expect(try last.object()["sameName"] as? [String] == [], "\(last)")
    #expect(try await almanac.shell("grep -rl -e first -e second '\(almanac.store)'").out == "")
  }

  /// A record is named by one word or two, and by its name also after it was removed; an unknown one is an error.
  @Test func aRecordIsNamedInEveryWay() async throws {
    let almanac = try await synced()
    let added = try await almanac.run("people", "add", "--first", "Zoe", "--last", "Quill", "--format", "json")
    let id = try #require(try added.object()["id"] as? String)
    for words in [["people", "Zoe Quill"], ["people/Zoe Quill"], ["people/\(id)"]] {
      for command in ["show", "history", "blame"] {
        try await almanac.run([command] + words + ["--format", "jsonl"], exits: 0, out: "Quill")
      }
    }
    let before = try #require(try await run(almanac, "history", "people/Zoe Quill").first?["commit"] as? Int)
    try await almanac.run("people", "remove", id, "--yes", exits: 0)
    for words in [["people", "zoe quill"], ["people/Zoe Quill"]] {
      let changes = try await almanac.run(["history"] + words + ["--format", "json"]).records()
      #expect(changes.map { $0["kind"] as? String } == ["removed", "added"], "\(words)")
    }
    for words in [["history", "people", "No Body"], ["history", "people/No Body"], ["blame", "people", "No Body"]] {
      try await almanac.run(words, exits: 66, err: "'No Body'")
    }
    for words in [["blame", "people"], ["show", "people"]] {
      try await almanac.run(words, exits: 64, err: "people/NAME")
    }
    try await almanac.run("restore", "people", "Zoe Quill", "--at", "commit:\(before)", "--yes", exits: 0)
    #expect(try await run(almanac, "history", "people", id).count == 3)
    let early = try await almanac.run("list", "people", "--at", "2020-01-01")
    #expect(early.status != 0 && early.err.contains("the history begins at 2"), "\(early)")
    // A minute, or a month? The time that it stands for tells.
    let minute = try await almanac.run("restore", "people/\(id)", "--at", "99d", "--yes")
    #expect(minute.status != 0 && minute.err.contains(", and '99d' is 20"), "\(minute)")
  }

  /// The question names the record, and takes its name or its path; files that are left are reached afterwards.
  @Test func forgettingIsConfirmedByTheNameOrThePath() async throws {
    let almanac = try await synced()
    for (name, answer) in [("Ann", "Ann Quill"), ("Bo", "people/"), ("Cy", "Cy")] {
      let added = try await almanac.run("people", "add", "--first", name, "--last", "Quill", "--format", "json")
      let id = try #require(try added.object()["id"] as? String)
      let typed = answer == "people/" ? answer + id : answer
      let said = try await almanac.shell(
        "printf '\(typed)\\n' | script -qec \"$PROGRAM forget 'people/\(name) Quill'\" /dev/null")
      #expect(said.out.contains("erase \(name) Quill (people/\(id)) for ever?"), "\(said)")
      #expect(said.out.contains("forgotten") == (name != "Cy"), "\(said)")
      guard name == "Ann" else { continue }
      let left = "\(almanac.store)/people.jsonl.changed"
      _ = try await almanac.shell("echo '{\"id\":\"\(id)\"}' > '\(left)'")
      let again = try await almanac.run("forget", "--all", "people/\(id)", "--yes", exits: 0)
      #expect(!FileManager.default.fileExists(atPath: left), "\(again)")
      try await almanac.run("forget", "--all", "people/\(id)", "--yes", exits: 66)
    }
  }

  /// Without a server of people, nothing is queued that every sync would fail to send.
  @Test func nobodyIsQueuedWithoutAServer() async throws {
    let almanac = scene.almanac
    try await almanac.run("people", "add", "--first", "Ann", "--last", "Lee", "--birthday", "2000-01-02", exits: 0)
    try await almanac.run("people", "send", "Ann Lee", exits: 78, err: "servers.people.url")
    #expect(try await almanac.records("outbox").isEmpty)
    try await almanac.run("people", "remove", "lee", "--yes", exits: 66, err: "whole name", "(Ann Lee)")
  }

  /// What was changed in a file by hand is sent as an edit is, and what no edit can change is named.
  @Test func aChangeByHandIsSent() async throws {
    let almanac = try await synced()
    let file = almanac.store + "/profiles.jsonl"
    let text = try contents(file)
    let record = try await almanac.object("show", "profiles", "ada")
    let (name, email) = (try #require(record["name"] as? String), try #require(record["email"] as? String))
    try FileManager.default.removeItem(atPath: file)
    try text.replacing(name, with: "Augusta").replacing("\"id\"", with: "\"mark\":1,\"id\"")
      .write(toFile: file, atomically: false, encoding: .utf8)
    let imported = try await almanac.run("import", file, exits: 0)
    #expect(imported.out == "profiles: 0 added, 1 updated, 0 unchanged\n", "\(imported)")
    #expect(imported.err.contains("cannot be edited here: mark"), "\(imported.err)")
    let edits = try await run(almanac, "outbox")
    #expect(edits.count == 1 && (edits[0]["fields"] as? [String: Any])?["name"] as? String == "Augusta", "\(edits)")
    let changed = try await almanac.object("show", "profiles", "ada")
    #expect(changed["email"] as? String == email && changed["mark"] == nil)
  }

  @Test func thePolicyOfACollectionIsChanged() async throws {
    let almanac = try await synced()
    try await almanac.run("history", "keep", "people", "1y", "--ignore", "birthday", "--yes", exits: 0)
    let status = try await run(almanac, "history", "status").first { $0["collection"] as? String == "people" }
    #expect(status?["keep"] as? String == "1y" && status?["quiet"] as? [String] == ["birthday"], "\(status ?? [:])")
    for words in [["people", "soon"], ["people", "1h"], ["people", "1y", "--daily", "nothing"], ["nothing", "1y"]] {
      try await almanac.run(["history", "keep"] + words + ["--yes"], exits: 64)
    }
  }
}
