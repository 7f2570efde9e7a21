import AlmanacTesting
import Foundation
import Synchronization
import Testing
import UpstreamKit

/// `almanac undo`: what the last command changed is taken back, or nothing is.
@Suite final class UndoTests: SceneTests {
  /// Everything that the store holds, as a person can export it.
  private func state(_ almanac: Program) async throws -> [String] {
    let folder = "\(almanac.folder)/state-\(UUID().uuidString)"
    try await almanac.run("export", "--all", folder, "--to", "jsonl", "--quiet", exits: 0)
    return ["people", "profiles", "outbox"].map { (try? contents("\(folder)/\($0).jsonl")) ?? "" }
  }

  @Test func eachCommandIsUndoneInTurn() async throws {
    let almanac = try scene.configured(["users", "people"], follows: ["users/ada", "people"])
    try await almanac.run("sync", exits: 0)
    let cards = try almanac.file("cards.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Q;Zoe;;;\r\nFN:Zoe Q\r\nEND:VCARD\r\n")
    var states = [try await state(almanac)]
    let commands = [
      ["people", "add", "--first", "Grace", "--last", "Hopper"], ["people", "add", "--first", "Kurt"],
      ["people", "edit", "Grace Hopper", "--birthday", "1906-12-09", "--email", "g@example.org"],
      ["people", "import", cards], ["profile", "set", "ada", "--name", "Ada King"],
      ["profile", "set", "ada", "--email", "ada@example.org"], ["people", "remove", "Grace Hopper", "Kurt", "--yes"],
      ["outbox", "discard", "--all", "--yes"],
    ]
    for command in commands {
      try await almanac.run(command, exits: 0)
      states.append(try await state(almanac))
      #expect(states[states.count - 1] != states[states.count - 2], "\(command)")
    }
    let list = try await almanac.records("undo", "--list")
    #expect(list.compactMap { $0["command"] as? String }.first == "outbox discard" && list.count == commands.count)
    for (number, command) in commands.enumerated().reversed() {
      let undone = try await almanac.run("undo", "--yes", "--format", "json", exits: 0)
      #expect(try undone.object()["command"] as? String == command.prefix(2).joined(separator: " "))
      #expect(try await state(almanac) == states[number], "\(command)")
    }
    try await almanac.run("undo", "--yes", exits: 66, err: "there is nothing to undo")
    try await almanac.run("doctor", "--quiet", exits: 0)
  }

  @Test func whatWasSentIsNotUndone() async throws {
    let almanac = try scene.configured(["users"], follows: ["users/ada"])
    try await almanac.run("sync", exits: 0)
    try await almanac.run("profile", "set", "ada", "--name", "Ada King", exits: 0)
    try await almanac.run("sync", exits: 0)
    let before = try await state(almanac)
    let refused = try await almanac.run(
      "undo", "--yes", exits: 64, err: "'profile set'", "since", "nothing was changed")
    #expect(try await state(almanac) == before)
    #expect(scene.upstream.user("ada")?.name == "Ada King")
    // What can be done is an edit that changes it back.
    let commit = try #require(refused.err.firstMatch(of: /restore profiles\/ada --at (commit:[0-9]+)/)?.1)
    let plan = try await almanac.run("restore", "profiles/ada", "--at", String(commit), "--dry-run", "--format", "json")
    #expect(try plan.records().map { $0["field"] as? String } == ["name"], "\(plan)")
    // It does not bar the way to the command before it.
    try await almanac.run("people", "add", "--first", "Solo", "--quiet", exits: 0)
    try await almanac.run("profile", "set", "ada", "--email", "a@example.org", exits: 0)
    try await almanac.run("sync", exits: 0)
    let list = try await almanac.records("undo", "--list")
    let older = try #require(list.first { $0["obstacle"] == nil }?["id"] as? String)
    // A script meant the last command: it is told which one it would be, and takes it by its id.
    let waiting = try await state(almanac)
    try await almanac.run("undo", "--yes", exits: 64, err: "'profile set'", "undo \(older) --yes", "'people add'")
    #expect(try await state(almanac) == waiting)
    try await almanac.shell(
      "printf 'n\\n' | script -qec \"$PROGRAM undo\" /dev/null", exits: 1, out: "passed over: 'profile set'")
    // Whoever is not asked does not see it.
    try await almanac.shell(
      "script -qec \"$PROGRAM undo --yes\" /dev/null", exits: 64, out: "'profile set'", "undo \(older) --yes")
    #expect(try await state(almanac) == waiting)
    let sent = try #require(list.first?["id"] as? String)
    try await almanac.run("undo", sent, "--yes", exits: 64)
    try await almanac.run("undo", "999", "--yes", exits: 66)
    let passed = try await almanac.run("undo", older, "--yes", "--format", "json", exits: 0)
    #expect(try passed.object()["command"] as? String == "people add", "\(passed)")
    #expect(scene.upstream.user("ada")?.email == "a@example.org")
    // What another process changed since stays as well.
    try await almanac.run("people", "add", "--first", "Kurt", "--quiet", exits: 0)
    let file = try almanac.file(
      "people.jsonl", try await almanac.run("export", "people", "--to", "jsonl").out.replacing("Kurt", with: "Karl"))
    try await almanac.run("import", file, exits: 0)
    try await almanac.run("undo", "--yes", exits: 0)
    #expect(try await almanac.run("list", "people", "--format", "jsonl").out.contains("Kurt"))
  }

  /// A list takes no edits, so a changed field stays here alone. What a sync met meanwhile is the present value.
  @Test func aFieldThatTheListChangedMeanwhileHasItsPresentValue() async throws {
    let list = Mutex("")
    let server = try LocalServer { _ in .json(list.withLock { $0 }) }
    var almanac = try Program("almanac")
    defer {
      almanac.clean()
      server.stop()
    }
    almanac.environment["ALMANAC_CONFIG"] = try almanac.config(server.url, ["people"], follows: ["people"])
    func sync(_ more: String...) async throws {
      let others = (2...4).map { #"{"id":"\#($0)","firstName":"P\#($0)","lastName":"","birthday":"2000-01-01"}"# }
      list.withLock { $0 = "[\((more + others).joined(separator: ","))]" }
      try await almanac.run("sync", exits: 0)
    }
    func sync(_ last: String, _ birthday: String) async throws {
      try await sync(#"{"id":"1","firstName":"Ada","lastName":"\#(last)","birthday":"\#(birthday)"}"#)
    }
    func ada() async throws -> [String?] {
      let ada = try #require(try await almanac.records("list", "people").first { $0["firstName"] as? String == "Ada" })
      return ["fullName", "birthday"].map { ada[$0] as? String }
    }
    try await sync("Byron", "1815-12-10")
    try await almanac.run("people", "edit", "Ada", "--last", "Lovelace", exits: 0)
    try await almanac.run("people", "edit", "Ada", "--last", "King", exits: 0)
    try await sync("Noel", "1815-12-11")
    #expect(try await ada() == ["Ada King", "1815-12-11"])
    try await almanac.run("undo", "--yes", exits: 64, err: "was changed since")
    try await almanac.run("people", "edit", "Ada", "--birthday", "1816-01-01", "--last", "Gordon", exits: 0)
    try await sync("Milbanke", "1815-12-12")
    try await almanac.run("undo", "--yes", exits: 0)
    #expect(try await ada() == ["Ada King", "1815-12-12"], "the name was changed here before")
    try await almanac.run("people", "edit", "Ada", "--last", "Milbanke", exits: 0)
    try await sync("Milbanke", "1815-12-12")
    try await almanac.run("people", "edit", "Ada", "--last", "Augusta", exits: 0)
    try await sync("Wentworth", "1815-12-12")
    try await almanac.run("undo", "--yes", exits: 0)
    #expect(try await ada() == ["Ada Wentworth", "1815-12-12"])
    try await sync("Byron", "1815-12-13")
    #expect(try await ada() == ["Ada Byron", "1815-12-13"])
    try await almanac.run("people", "edit", "Ada", "--last", "Lovelace", exits: 0)
    try await sync()
    try await almanac.run("undo", "--yes", exits: 64, err: "the server changed, or removed, people/")
  }

  @Test func whatIsTooLargeToRememberIsUndoneFromTheHistory() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    func lines(_ last: String) -> [String] {
      (0...1200).map { #"{"id":"\#($0)","firstName":"F","lastName":"\#($0 % 3 == 0 ? last : "L")"}"# }
    }
    try await almanac.load("people", Array(lines("A").prefix(1000)))
    let before = try await state(almanac)
    try await almanac.load("people", lines("B"))
    let after = try await state(almanac)
    let undone = try await almanac.run("undo", "--yes", "--format", "json", exits: 0)
    #expect(try (undone.object()["records"] as? [Any])?.count == 535)
    #expect(try await state(almanac) == before)
    let cards = (0..<1500).map {
      "BEGIN:VCARD\r\nVERSION:3.0\r\nN:N\($0);A;;;\r\nFN:A N\($0)\r\nEMAIL:a\($0)@example.org\r\nEND:VCARD\r\n"
    }
    try await almanac.run("people", "import", almanac.file("many.vcf", cards.joined()), exits: 0)
    try await almanac.run("undo", "--yes", exits: 0)
    #expect(try await state(almanac) == before)
    // A record that was changed since is not overwritten, nor are the others.
    try await almanac.load("people", lines("B"))
    try await almanac.load("people", [#"{"id":"1199","firstName":"New"}"#])
    let id = try #require(try await almanac.records("undo", "--list")[1]["id"] as? String)
    let since = try await state(almanac)
    try await almanac.run("undo", id, "--yes", exits: 64, err: "people/1199 was changed since")
    #expect(try await state(almanac) == since)
    try await almanac.run("undo", "--yes", exits: 0)
    #expect(try await state(almanac) == after)
    try await almanac.run("history", "keep", "people", "none", "--yes", exits: 0)
    try await almanac.load("people", lines("C"))
    try await almanac.run("undo", "--yes", exits: 64, err: "more than 1,000")
  }

  @Test func aPurgeIsUndoneAndWhatIsForgottenIsNot() async throws {
    let almanac = try scene.configured(["users"], follows: ["users/ada", "users/bo"])
    try await almanac.run("sync", exits: 0)
    try await almanac.run("people", "add", "--first", "Solo", exits: 0)
    let before = try await state(almanac)
    try await almanac.run("unfollow", "users/ada", "--purge", "--yes", exits: 0)
    try await almanac.run("undo", "--yes", exits: 0, err: "undone: 'unfollow'", "almanac follow PATH")
    #expect(try await state(almanac) == before)
    try await almanac.run("follow", "users/ada", exits: 0)
    try await almanac.run("sync", exits: 0)
    try await almanac.run("forget", "profiles/ada", "--yes", exits: 0)
    try await almanac.run("undo", "--yes", exits: 64, err: "'forget'", "erased")
    #expect(try await almanac.records("list", "people").count == 1)
  }

  @Test func aDecidedConflictIsOpenAgain() async throws {
    let almanac = try scene.configured(["users"], follows: ["users/ada"])
    try await almanac.run("sync", exits: 0)
    scene.upstream.changeUser("ada", name: "Theirs", email: "ada@example.org")
    try await almanac.run("profile", "set", "ada", "--name", "Mine", exits: 0)
    _ = try await almanac.run("sync")
    let open = try await state(almanac)
    #expect(open[2].contains("conflict") && open[1].contains("Mine"), "\(open)")
    for command in [["resolve", "ada", "--take", "theirs"], ["discard", "ada", "--yes"]] {
      try await almanac.run(["outbox"] + command, exits: 0)
      #expect(try await state(almanac)[1].contains("Theirs"), "\(command)")
      try await almanac.run("undo", "--yes", exits: 0)
      #expect(try await state(almanac) == open, "\(command)")
      #expect(scene.upstream.user("ada")?.name == "Theirs")
    }
    try await almanac.run("outbox", "resolve", "ada", "--take", "theirs", exits: 0)
    scene.upstream.changeUser("ada", name: "Theirs after that", email: "ada@example.org")
    try await almanac.run("sync", exits: 0)
    let after = try await state(almanac)
    try await almanac.run("undo", "--yes", exits: 64, err: "profiles/ada was changed since")
    #expect(try await state(almanac) == after)
  }

  @Test func aPersonIsAskedAndTheLastTwentyAreKept() async throws {
    let almanac = scene.almanac
    for number in 1...21 { try await almanac.run("people", "add", "--first", "P\(number)", "--quiet", exits: 0) }
    #expect(try await almanac.records("undo", "--list").count == 20)
    try await almanac.shell(
      "printf 'n\\n' | script -qec \"$PROGRAM undo\" /dev/null", exits: 1,
      out: "undo 'people add' of this minute (P21)? [y/N]")
    #expect(try await almanac.records("list", "people").count == 21)
    #expect(try await almanac.run("undo", "--quiet", "--yes").err == "")
    #expect(try await almanac.records("list", "people").count == 20)
    // Users see neither the memory nor a change of what they export.
    #expect(!(try await almanac.run("status", "--format", "json").out.contains("undo/")))
  }
}
