import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// Questions before removals, whole exports, and pages of records.
@Suite final class RemovalQuestionTests: SceneTests {
  private func filled() async throws -> Program {
    let almanac = scene.almanac
    let people = #"{"id":"p1","firstName":"Ada","lastName":"Lovelace","fullName":"Ada Lovelace"}"#
    let apps =
      #"{"id":"us/7","appID":"7","storefront":"us","name":"Tide","artist":"A","thumbnailURL":"https://i.example/t","artworkURL":"https://i.example/a","url":"https://apps.example/7","more":[1]}"#
    #expect(try await almanac.run("import", almanac.file("people.jsonl", people + "\n")).status == 0)
    let imported = try await almanac.run("import", almanac.file("apps.jsonl", apps + "\n"))
    #expect(imported.status == 0, "\(imported.err)")
    return almanac
  }

  @Test func aPersonIsAskedBeforeARemoval() async throws {
    let almanac = try await filled()
    func remove(_ answer: String, _ options: String = "", name: String = "Ada Lovelace") async throws -> Program.Result
    {
      try await almanac.shell(
        "printf '\(answer)\\n' | script -qec \"$PROGRAM people remove '\(name)' \(options)\" /dev/null")
    }
    for answer in ["n", "", "maybe"] {
      let said = try await remove(answer)
      #expect(said.out.contains("remove Ada Lovelace? [y/N]") && said.out.contains("nothing was changed"), "\(said)")
      #expect(said.status == 1, "\(said)")
    }
    #expect(try await almanac.run("list", "people", "--format", "json").records().count == 1)
    // Who is asked sees whom a word of the name means.
    let said = try await remove("y", name: "lovelace")
    #expect(said.status == 0 && said.out.contains("removed Ada Lovelace"), "\(said)")
    #expect(try await almanac.run("import", almanac.folder + "/people.jsonl").status == 0)
    #expect(!(try await remove("n", "--yes").out.contains("[y/N]")))
    #expect(try await almanac.run("list", "people", "--format", "json").records().isEmpty)
    #expect(try await almanac.run("import", almanac.folder + "/people.jsonl").status == 0)
    #expect(try await almanac.run("people", "remove", "p1", "--yes").status == 0)
  }

  @Test("Ctrl-C at a question ends the command at once, and what is typed then is no answer")
  func interrupted() async throws {
    let almanac = try await filled()
    let typed = try almanac.file(
      "typed.py",
      """
      import os, pty, sys, time
      process, terminal = pty.fork()
      if process == 0:
          os.execv(sys.argv[1], sys.argv[1:])
      seen = b""
      while b"[y/N]" not in seen:
          seen += os.read(terminal, 1024)
      begun = time.monotonic()
      os.write(terminal, b"\\x03")
      os.write(terminal, b"y\\n")
      try:
          while piece := os.read(terminal, 1024):
              seen += piece
      except OSError:
          pass
      status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
      print(status, "removed" in seen.decode(), "stopped" in seen.decode(), int((time.monotonic() - begun) * 1000))
      """)
    let said = try await almanac.shell("timeout 60 python3 '\(typed)' \"$PROGRAM\" people remove 'Ada Lovelace'")
    let words = said.out.split(separator: " ").map(String.init)
    #expect(words.prefix(3) == ["130", "False", "True"], "\(said)")
    print("Ctrl-C at a question: \(words.last ?? "") ms")
    #expect(try await almanac.run("list", "people", "--format", "json").records().count == 1)
  }

  /// The hints name no setting of an account that was not added.
  @Test func aRefusedAccountIsNotInTheConfig() async throws {
    var almanac = scene.almanac
    almanac.environment["ALMANAC_CONFIG"] = try almanac.file(
      "config.json", #"{"servers": {"carddav": {"accounts": {"home": {"url": "https://dav.example"}}}}}"#)
    // A file is that of the working folder, wherever the config file is.
    _ = try almanac.file("pw", "x")
    let config = almanac.folder + "/etc"
    try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
    let place = ["--config", config + "/config.json", "--name", "a", "--user", "u", "--password-file"]
    let read = try await almanac.run(["account", "add", "carddav", "http://127.0.0.1:9"] + place + ["pw"])
    #expect(read.status == 69 && !read.err.contains("cannot be read"), "\(read)")
    let unread = try await almanac.run(["account", "add", "carddav", "http://127.0.0.1:9"] + place + ["none"])
    #expect(unread.err.contains("the file \(almanac.folder)/none cannot be read"), "\(unread)")
    for (arguments, words) in [
      (["http://127.0.0.1:9", "--name", "a", "--user", "u", "--password-env", "UNSET_HERE"], "was not added"),
      (["127.0.0.1:15232", "--name", "a"], "https://HOST"),
      (["https://dav.example", "--name", "home"], "account remove home"),
      (["\(scene.upstream.url)/none", "--name", "a"], "was not added"),
    ] {
      let refused = try await almanac.run(["account", "add", "carddav"] + arguments)
      #expect(refused.status != 0 && refused.err.contains(words), "\(arguments): \(refused)")
      #expect(!refused.err.contains("servers.carddav"), "\(arguments): \(refused)")
    }
    #expect(try await almanac.run("account", "list", "--format", "json").records().count == 1)
  }

  /// One rule for all commands that ask: where nobody can answer, nothing is changed.
  @Test func withoutATerminalNothingIsRemoved() async throws {
    var almanac = scene.almanac
    almanac.environment["ALMANAC_CONFIG"] = try scene.config(["users", "people"], follows: ["users/ada", "people"])
    let account = ["config", "set", "servers.carddav.accounts.home.url", "https://dav.example"]
    #expect(try await almanac.run(account).status == 0)
    #expect(try await almanac.run("sync").status == 0)
    #expect(try await almanac.run("people", "add", "--first", "Ada").status == 0)
    #expect(try await almanac.run("profile", "set", "ada", "--name", "Mine").status == 0)
    #expect(try await almanac.run("backup", "kept").status == 0)
    let before = try await almanac.run("status", "--format", "json").object()["outbox"] as? [String: Int]
    for (command, question) in [
      (["people", "remove", "Ada"], "remove Ada?"), (["undo"], "undo 'profile set'"),
      (["restore", "kept"], "replace the store in"),
      (["outbox", "discard", "--all"], "discard the edit of profiles/ada"),
      (["unfollow", "users/ada", "--purge"], "stop following users/ada and remove its records?"),
      (["account", "remove", "home"], "remove the account home of carddav?"),
    ] {
      let refused = try await almanac.run(command)
      #expect(refused.status == 64 && refused.err.contains(question), "\(command): \(refused)")
      #expect(refused.err.contains("nothing was changed") && refused.err.contains("--yes"), "\(command): \(refused)")
    }
    #expect(try await almanac.run("status", "--format", "json").object()["outbox"] as? [String: Int] == before)
    #expect(
      try await almanac.run("list", "people", "--where", "firstName = Ada", "--format", "json").records().count == 1)
    #expect(try await almanac.run("account", "list", "--format", "json").records().count == 1)
    #expect(try await almanac.run("following", "--format", "json").records().count == 2)
    // What asks nothing needs no answer.
    #expect(try await almanac.run("unfollow", "users/ada").status == 0)
  }

  /// 'account add' names both kinds of account `home`.
  @Test func anAccountOfAnAddressBookAndOneOfACalendarAreNotMistaken() async throws {
    var almanac = scene.almanac
    almanac.environment["ALMANAC_CONFIG"] = try scene.config(["users"], follows: [])
    for source in ["carddav", "caldav"] {
      let account = ["config", "set", "servers.\(source).accounts.home.url", "https://dav.example"]
      #expect(try await almanac.run(account).status == 0)
    }
    let unclear = try await almanac.run("account", "remove", "home", "--yes")
    #expect(unclear.status == 64 && unclear.err.contains("--source caldav"), "\(unclear)")
    #expect(try await almanac.run("account", "remove", "home", "--source", "carddav", "--yes").status == 0)
    let other = try await almanac.run("account", "remove", "home", "--yes")
    #expect(other.status == 0 && other.err.contains("the account home of caldav is removed"), "\(other)")
  }

  /// Nothing can send them without the account, so the message says how to be rid of them.
  @Test func editsOfARemovedAccountCanBeDiscarded() async throws {
    var almanac = scene.almanac
    almanac.environment["ALMANAC_CONFIG"] = try scene.config(["users"], follows: ["carddav/home/book"])
    let account = ["config", "set", "servers.carddav.accounts.home.url", "https://dav.example"]
    #expect(try await almanac.run(account).status == 0)
    let added = try await almanac.run("people", "add", "--first", "Ada", "--to", "carddav/home/book")
    #expect(added.status == 0, "\(added)")
    let removed = try await almanac.run("account", "remove", "home", "--yes")
    #expect(removed.status == 0 && removed.err.contains("1 edit of its people waits"), "\(removed)")
    #expect(removed.err.contains("almanac outbox discard NAME"), "\(removed)")
    let sync = try await almanac.run("sync")
    #expect(sync.status == 78 && sync.err.contains("there is no account 'home' of carddav"), "\(sync)")
    for advice in ["almanac account add carddav URL --name home", "almanac outbox discard NAME"] {
      #expect(sync.err.contains("'\(advice)"), "\(advice): \(sync)")
    }
    #expect(try await almanac.run("outbox", "discard", "--all", "--yes").status == 0)
    #expect(try await almanac.run("sync").status == 0)
  }

  @Test func aPersonIsAskedBeforeAStoreIsReplaced() async throws {
    let almanac = try await filled()
    func restore(_ answer: String, _ options: String = "") async throws -> Program.Result {
      try await almanac.shell("printf '\(answer)\\n' | script -qec \"$PROGRAM restore kept \(options)\" /dev/null")
    }
    func people() async throws -> Int { try await almanac.run("list", "people", "--format", "json").records().count }
    #expect(try await almanac.run("backup", "kept").status == 0)
    #expect(try await almanac.run("people", "add", "--first", "Grace").status == 0)
    let refused = try await restore("n")
    #expect(
      refused.status == 1 && refused.out.contains("replace the store in \(almanac.store) with the backup in kept?"))
    #expect(refused.out.contains("nothing was changed"), "\(refused)")
    #expect(try await people() == 2)
    #expect(try await restore("y").status == 0)
    #expect(try await people() == 1)
    let sure = try await restore("n", "--yes")
    #expect(sure.status == 0 && !sure.out.contains("[y/N]"), "\(sure)")
    // What other programs read is there at once, in the backup as well.
    for folder in ["kept", almanac.store] {
      let result = try await almanac.shell("grep -c Lovelace '\(folder)/people.jsonl'; ls '\(folder)/apps.jsonl'")
      #expect(result.status == 0 && result.out.hasPrefix("1\n"), "\(result)")
    }
    #expect(try await almanac.run("doctor", "--quiet", "--store", "kept").status == 0)
    // It does not count as a change of the backup.
    #expect(try await almanac.run("backup", "kept", "--replace", "--format", "json").status == 0)
    let copied = try await almanac.run("backup", "kept", "--format", "json").object()["copied"] as? Int
    #expect((copied ?? 0) < 1000, "\(copied ?? -1)")
    // A person who has no store is not asked, and neither is one who names no backup.
    #expect(try await almanac.run("restore", "kept", "--yes").status == 0)
    let fresh = try await restore("n", "--store fresh")
    #expect(fresh.status == 0 && !fresh.out.contains("[y/N]"), "\(fresh)")
    let missing = try await almanac.shell("script -qec \"$PROGRAM restore nothing\" /dev/null < /dev/null")
    #expect(missing.status == 66 && !missing.out.contains("[y/N]"), "\(missing)")
  }

  @Test func severalPeopleAreRemovedAtOnce() async throws {
    let almanac = try await filled()
    for name in ["Grace", "Alan", "Kurt"] {
      #expect(try await almanac.run("people", "add", "--first", name).status == 0)
    }
    func names() async throws -> [String] {
      try await almanac.run("list", "people", "--format", "json").records().compactMap { $0["fullName"] as? String }
        .sorted()
    }
    // All are found before the first is removed.
    let wrong = try await almanac.run("people", "remove", "Grace", "Nobody", "Alan")
    #expect(wrong.status == 66 && wrong.err.contains("Nobody"), "\(wrong)")
    #expect(try await names() == ["Ada Lovelace", "Alan", "Grace", "Kurt"])
    let asked = try await almanac.shell(
      "printf 'n\\n' | script -qec \"$PROGRAM people remove Grace Alan Grace\" /dev/null")
    #expect(asked.status == 1 && asked.out.contains("remove Grace, Alan? [y/N]"), "\(asked)")
    let removed = try await almanac.run("people", "remove", "Grace", "Alan", "--yes", "--format", "json")
    #expect(try removed.records().compactMap { $0["firstName"] as? String } == ["Grace", "Alan"], "\(removed)")
    #expect(try await names() == ["Ada Lovelace", "Kurt"])
  }

  @Test func everyEditIsDiscardedAtOnce() async throws {
    let almanac = scene.almanac
    let config = try scene.config(["users"], follows: ["users/ada", "users/bo"])
    #expect(try await almanac.run("sync", "--config", config).status == 0)
    for user in ["ada", "bo"] {
      #expect(try await almanac.run("profile", "set", user, "--name", "Mine").status == 0)
    }
    #expect(try await almanac.run("outbox", "discard").err.contains("expected the name of an edit, or --all"))
    #expect(try await almanac.run("outbox", "discard", "ada", "--all").status == 64)
    let asked = try await almanac.shell("printf 'n\\n' | script -qec \"$PROGRAM outbox discard --all\" /dev/null")
    #expect(asked.status == 1 && asked.out.contains("discard 2 edits of profiles/"), "\(asked)")
    #expect(
      asked.out.contains("profiles/ada (Mine: name Mine)") && asked.out.contains("profiles/bo (Mine: name Mine)"),
      "\(asked)")
    let discarded = try await almanac.run("outbox", "discard", "--all", "--yes", "--format", "json")
    #expect(try discarded.records().count == 2, "\(discarded)")
    #expect(try await almanac.run("outbox", "--format", "json").records().isEmpty)
    let none = try await almanac.run("outbox", "discard", "--all", "--yes")
    #expect(none.status == 0 && none.err == "there are no pending edits\n", "\(none)")
  }

  /// Without this, a try against another server would send what was meant for the real one, and count it as sent.
  @Test func anotherServerGetsNoEdits() async throws {
    let almanac = scene.almanac
    let config = try scene.config(["users"], follows: ["users/ada"])
    #expect(try await almanac.run("sync", "--config", config).status == 0)
    #expect(try await almanac.run("profile", "set", "ada", "--name", "Mine").status == 0)
    let other = ["sync", "--config", config, "--server", "users=\(scene.upstream.url)"]
    let pulled = try await almanac.run(other)
    #expect(pulled.status == 0 && pulled.err.contains("1 edit waits: with --server"), "\(pulled)")
    #expect(scene.upstream.user("ada")?.name != "Mine")
    let plan = try await almanac.run(other + ["--dry-run", "--format", "json"]).object()
    #expect(plan["outgoing"] == nil)
    #expect(try await almanac.run(other + ["--send"]).status == 0)
    #expect(scene.upstream.user("ada")?.name == "Mine")
  }

  @Test func everyCollectionIsExported() async throws {
    let almanac = try await filled()
    let result = try await almanac.run("export", "--all", "all", "--to", "jsonl", "--format", "json")
    let rows = try result.records()
    #expect(rows.compactMap { $0["collection"] as? String } == ["apps", "people"], "\(result)")
    for name in ["apps", "people"] {
      let copy = try String(contentsOfFile: "\(almanac.folder)/all/\(name).jsonl", encoding: .utf8)
      #expect(try await almanac.run("export", name, "--to", "jsonl").out == copy)
    }
    #expect(try await almanac.run("export", "--all", "all", "--to", "csv").status == 0)
    #expect(FileManager.default.fileExists(atPath: almanac.folder + "/all/people.csv"))
    #expect(try await almanac.run("export", "--all", "all", "--to", "vcf").status == 64)
    #expect(try await almanac.run("export", "people", "--all", "all", "--to", "csv").status == 64)
    #expect(try await almanac.run("export", "--to", "csv").err.contains("missing expected argument '<collection>'"))
    #expect(try await almanac.run("export", "--all", "/nowhere/x", "--to", "csv").status == 73)
  }

  @Test func thePageOfARecordIsOpened() async throws {
    var almanac = try await filled()
    let opener = try almanac.file("xdg-open", "#!/bin/sh\necho \"$1\" > \"$HOME/opened\"\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: opener)
    almanac.environment["PATH"] = "\(almanac.folder):/usr/bin:/bin"
    let opened = try await almanac.shell("$PROGRAM open apps Tide && cat opened")
    #expect(opened.out == "https://apps.example/7\nhttps://apps.example/7\n", "\(opened)")
    // A browser runs on.
    _ = try almanac.file("xdg-open", "#!/bin/sh\nexec sleep 60\n")
    #expect(try await almanac.run("open", "apps", "Tide").status == 0)
    for (script, reason) in [("#!/bin/sh\nexit 3\n", "xdg-open failed"), (nil, "xdg-open cannot be started")] {
      try FileManager.default.removeItem(atPath: opener)
      if let script {
        _ = try almanac.file("xdg-open", script)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: opener)
      } else {
        almanac.environment["PATH"] = "/nonexistent"
      }
      let failed = try await almanac.run("open", "apps", "Tide")
      #expect(failed.status == 69 && failed.err.contains("nothing was opened: \(reason)"), "\(failed)")
      #expect(failed.out == "https://apps.example/7\n")
    }
    #expect(
      try await almanac.run("open", "apps", "7", "--print", "--format", "json").object()["url"] as? String
        == "https://apps.example/7")
    let none = try await almanac.run("open", "people", "Ada Lovelace")
    #expect(none.status == 66 && none.err.contains("has no address of a page"), "\(none)")
    let picture = try await almanac.run("open", "apps", "Tide", "--picture")
    #expect(picture.status == 66 && picture.err.contains("'almanac media fetch' downloads them"), "\(picture)")
  }
}
