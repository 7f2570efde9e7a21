import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// `almanac undo`: what the last command changed is taken back, or nothing is.
@Suite final class UndoTests: SceneTests {
  /// Everything that the store holds, as a person can export it.
  private func state(_ almanac: Program) async throws -> [String] {
    var texts: [String] = []
    for name in ["people", "profiles", "outbox"] {
      texts.append(try await almanac.run("export", name, "--to", "jsonl").out)
    }
    return texts
  }

  @Test func eachCommandIsUndoneInTurn() async throws {
    var almanac = scene.almanac
    almanac.environment["ALMANAC_CONFIG"] = try scene.config(["users", "people"], follows: ["users/ada", "people"])
    #expect(try await almanac.run("sync").status == 0)
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
      let result = try await almanac.run(command)
      #expect(result.status == 0, "\(command): \(result)")
      states.append(try await state(almanac))
      #expect(states[states.count - 1] != states[states.count - 2], "\(command)")
    }
    let list = try await almanac.run("undo", "--list", "--format", "json").records()
    #expect(list.compactMap { $0["command"] as? String }.first == "outbox discard" && list.count == commands.count)
    for (number, command) in commands.enumerated().reversed() {
      let undone = try await almanac.run("undo", "--yes", "--format", "json")
      #expect(undone.status == 0, "\(command): \(undone)")
      #expect(try undone.object()["command"] as? String == command.prefix(2).joined(separator: " "))
      #expect(try await state(almanac) == states[number], "\(command)")
    }
    let none = try await almanac.run("undo", "--yes")
    #expect(none.status == 66 && none.err.contains("there is nothing to undo"), "\(none)")
    #expect(try await almanac.run("doctor", "--quiet").status == 0)
  }

  @Test func whatWasSentIsNotUndone() async throws {
    var almanac = scene.almanac
    almanac.environment["ALMANAC_CONFIG"] = try scene.config(["users"], follows: ["users/ada"])
    #expect(try await almanac.run("sync").status == 0)
    #expect(try await almanac.run("profile", "set", "ada", "--name", "Ada King").status == 0)
    #expect(try await almanac.run("sync").status == 0)
    let before = try await state(almanac)
    let refused = try await almanac.run("undo", "--yes")
    #expect(refused.status == 64 && refused.err.contains("'profile set'"), "\(refused)")
    #expect(refused.err.contains("since") && refused.err.contains("nothing was changed"), "\(refused)")
    #expect(try await state(almanac) == before)
    #expect(scene.upstream.user("ada")?.name == "Ada King")
    // It does not bar the way to the command before it.
    #expect(try await almanac.run("people", "add", "--first", "Solo", "--quiet").status == 0)
    #expect(try await almanac.run("profile", "set", "ada", "--email", "a@example.org").status == 0)
    #expect(try await almanac.run("sync").status == 0)
    let list = try await almanac.run("undo", "--list", "--format", "json").records()
    let older = try #require(list.first { $0["obstacle"] == nil }?["id"] as? String)
    // A script meant the last command: it is told which one it would be, and takes it by its id.
    let waiting = try await state(almanac)
    let script = try await almanac.run("undo", "--yes")
    #expect(script.status == 64 && script.err.contains("'profile set'"), "\(script)")
    #expect(script.err.contains("undo \(older) --yes") && script.err.contains("'people add'"), "\(script)")
    #expect(try await state(almanac) == waiting)
    let seen = try await almanac.shell("printf 'n\\n' | script -qec \"$PROGRAM undo\" /dev/null")
    #expect(seen.status == 1 && seen.out.contains("passed over: 'profile set'"), "\(seen)")
    let sent = try #require(list.first?["id"] as? String)
    #expect(try await almanac.run("undo", sent, "--yes").status == 64)
    #expect(try await almanac.run("undo", "999", "--yes").status == 66)
    let passed = try await almanac.run("undo", older, "--yes", "--format", "json")
    #expect(passed.status == 0, "\(passed)")
    #expect(try passed.object()["command"] as? String == "people add", "\(passed)")
    #expect(scene.upstream.user("ada")?.email == "a@example.org")
    // What another process changed since stays as well.
    #expect(try await almanac.run("people", "add", "--first", "Kurt", "--quiet").status == 0)
    let file = try almanac.file(
      "people.jsonl", try await almanac.run("export", "people", "--to", "jsonl").out.replacing("Kurt", with: "Karl"))
    #expect(try await almanac.run("import", file).status == 0)
    #expect(try await almanac.run("undo", "--yes").status == 0)
    #expect(try await almanac.run("list", "people", "--format", "jsonl").out.contains("Kurt"))
    let many = try almanac.file(
      "many.jsonl",
      (0...1000).map { "{\"id\":\"\($0)\",\"firstName\":\"F\",\"lastName\":\"L\($0)\"}" }.joined(separator: "\n"))
    #expect(try await almanac.run("import", many, "--collection", "people").status == 0)
    let tooLarge = try await almanac.run("undo", "--yes")
    #expect(tooLarge.status == 64 && tooLarge.err.contains("more than 1,000 records"), "\(tooLarge)")
  }

  @Test func aPersonIsAskedAndTheLastTwentyAreKept() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    for number in 1...23 {
      #expect(try await almanac.run("people", "add", "--first", "P\(number)", "--quiet").status == 0)
    }
    #expect(try await almanac.run("undo", "--list", "--format", "json").records().count == 20)
    let asked = try await almanac.shell("printf 'n\\n' | script -qec \"$PROGRAM undo\" /dev/null")
    #expect(asked.status == 1 && asked.out.contains("undo 'people add' of this minute (P23)? [y/N]"), "\(asked)")
    #expect(try await almanac.run("list", "people", "--format", "json").records().count == 23)
    #expect(try await almanac.run("undo", "--quiet", "--yes").err == "")
    #expect(try await almanac.run("list", "people", "--format", "json").records().count == 22)
    // Users see neither the memory nor a change of what they export.
    #expect(!(try await almanac.run("status", "--format", "json").out.contains("undo/")))
  }
}
