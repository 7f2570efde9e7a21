import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// Questions before removals, whole exports, and pages of records.
@Suite final class RemovalQuestionTests: SceneTests {
  private func filled() async throws -> Program {
    let almanac = scene.almanac
    try await almanac.load("people", #"{"id":"p1","firstName":"Ada","lastName":"Lovelace","fullName":"Ada Lovelace"}"#)
    try await almanac.load(
      "apps",
      #"{"id":"us/7","appID":"7","storefront":"us","name":"Tide","artist":"A","thumbnailURL":"https://i.example/t","artworkURL":"https://i.example/a","url":"https://apps.example/7","more":[1]}"#
    )
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
    #expect(try await almanac.records("list", "people").count == 1)
    // Who is asked sees whom a word of the name means.
    let said = try await remove("y", name: "lovelace")
    #expect(said.status == 0 && said.out.contains("removed Ada Lovelace"), "\(said)")
    try await almanac.run("import", almanac.folder + "/people.jsonl", exits: 0)
    #expect(!(try await remove("n", "--yes").out.contains("[y/N]")))
    #expect(try await almanac.records("list", "people").isEmpty)
    try await almanac.run("import", almanac.folder + "/people.jsonl", exits: 0)
    try await almanac.run("people", "remove", "p1", "--yes", exits: 0)
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
    #expect(try await almanac.records("list", "people").count == 1)
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
    let read = try await almanac.run(["account", "add", "carddav", "http://127.0.0.1:9"] + place + ["pw"], exits: 69)
    #expect(!read.err.contains("cannot be read"), "\(read)")
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
    #expect(try await almanac.records("account", "list").count == 1)
  }

  /// One rule for all commands that ask: where nobody can answer, nothing is changed.
  @Test func withoutATerminalNothingIsRemoved() async throws {
    let almanac = try scene.configured(["users", "people"], follows: ["users/ada", "people"])
    let account = ["config", "set", "servers.carddav.accounts.home.url", "https://dav.example"]
    try await almanac.run(account, exits: 0)
    try await almanac.run("sync", exits: 0)
    try await almanac.run("people", "add", "--first", "Ada", exits: 0)
    try await almanac.run("profile", "set", "ada", "--name", "Mine", exits: 0)
    try await almanac.run("backup", "kept", exits: 0)
    let before = try await almanac.object("status")["outbox"] as? [String: Int]
    for (command, question) in [
      (["people", "remove", "Ada"], "remove Ada?"), (["undo"], "undo 'profile set'"),
      (["restore", "kept"], "replace the store in"),
      (["outbox", "discard", "--all"], "discard the edit of profiles/ada"),
      (["unfollow", "users/ada", "--purge"], "stop following users/ada and remove its records?"),
      (["account", "remove", "home"], "remove the account home of carddav?"),
    ] {
      try await almanac.run(command, exits: 64, err: question, "nothing was changed", "--yes")
    }
    #expect(try await almanac.object("status")["outbox"] as? [String: Int] == before)
    #expect(try await almanac.records("list", "people", "--where", "firstName = Ada").count == 1)
    #expect(try await almanac.records("account", "list").count == 1)
    #expect(try await almanac.records("following").count == 2)
    // What asks nothing needs no answer.
    try await almanac.run("unfollow", "users/ada", exits: 0)
  }

  /// 'account add' names both kinds of account `home`.
  @Test func anAccountOfAnAddressBookAndOneOfACalendarAreNotMistaken() async throws {
    let almanac = try scene.configured(["users"], follows: [])
    for source in ["carddav", "caldav"] {
      let account = ["config", "set", "servers.\(source).accounts.home.url", "https://dav.example"]
      try await almanac.run(account, exits: 0)
    }
    try await almanac.run("account", "remove", "home", "--yes", exits: 64, err: "--source caldav")
    try await almanac.run("account", "remove", "home", "--source", "carddav", "--yes", exits: 0)
    try await almanac.run("account", "remove", "home", "--yes", exits: 0, err: "the account home of caldav is removed")
  }

  /// Nothing can send them without the account, so the message says how to be rid of them.
  @Test func editsOfARemovedAccountCanBeDiscarded() async throws {
    let almanac = try scene.configured(["users"], follows: ["carddav/home/book"])
    let account = ["config", "set", "servers.carddav.accounts.home.url", "https://dav.example"]
    try await almanac.run(account, exits: 0)
    try await almanac.run("people", "add", "--first", "Ada", "--to", "carddav/home/book", exits: 0)
    try await almanac.run(
      "account", "remove", "home", "--yes", exits: 0, err: "1 edit of its people waits", "almanac outbox discard NAME")
    let sync = try await almanac.run("sync", exits: 78, err: "there is no account 'home' of carddav")
    for advice in ["almanac account add carddav URL --name home", "almanac outbox discard NAME"] {
      #expect(sync.err.contains("'\(advice)"), "\(advice): \(sync)")
    }
    try await almanac.run("outbox", "discard", "--all", "--yes", exits: 0)
    try await almanac.run("sync", exits: 0)
  }

  @Test func aPersonIsAskedBeforeAStoreIsReplaced() async throws {
    let almanac = try await filled()
    func restore(_ answer: String, _ options: String = "") async throws -> Program.Result {
      try await almanac.shell("printf '\(answer)\\n' | script -qec \"$PROGRAM restore kept \(options)\" /dev/null")
    }
    func people() async throws -> Int { try await almanac.records("list", "people").count }
    try await almanac.run("backup", "kept", exits: 0)
    try await almanac.run("people", "add", "--first", "Grace", exits: 0)
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
      let result = try await almanac.shell(
        "grep -c Lovelace '\(folder)/people.jsonl'; ls '\(folder)/apps.jsonl'", exits: 0)
      #expect(result.out.hasPrefix("1\n"), "\(result)")
    }
    try await almanac.run("doctor", "--quiet", "--store", "kept", exits: 0)
    // It does not count as a change of the backup.
    try await almanac.run("backup", "kept", "--replace", "--format", "json", exits: 0)
    let copied = try await almanac.object("backup", "kept")["copied"] as? Int
    #expect((copied ?? 0) < 1000, "\(copied ?? -1)")
    // A person who has no store is not asked, and neither is one who names no backup.
    try await almanac.run("restore", "kept", "--yes", exits: 0)
    let fresh = try await restore("n", "--store fresh")
    #expect(fresh.status == 0 && !fresh.out.contains("[y/N]"), "\(fresh)")
    let missing = try await almanac.shell("script -qec \"$PROGRAM restore nothing\" /dev/null < /dev/null", exits: 66)
    #expect(!missing.out.contains("[y/N]"), "\(missing)")
  }

  @Test func severalPeopleAreRemovedAtOnce() async throws {
    let almanac = try await filled()
    for name in ["Grace", "Alan", "Kurt"] { try await almanac.run("people", "add", "--first", name, exits: 0) }
    func names() async throws -> [String] {
      try await almanac.records("list", "people").compactMap { $0["fullName"] as? String }
        .sorted()
    }
    // All are found before the first is removed.
    try await almanac.run("people", "remove", "Grace", "Nobody", "Alan", exits: 66, err: "Nobody")
    #expect(try await names() == ["Ada Lovelace", "Alan", "Grace", "Kurt"])
    try await almanac.shell(
      "printf 'n\\n' | script -qec \"$PROGRAM people remove Grace Alan Grace\" /dev/null", exits: 1,
      out: "remove Grace, Alan? [y/N]")
    let removed = try await almanac.run("people", "remove", "Grace", "Alan", "--yes", "--format", "json")
    #expect(try removed.records().compactMap { $0["firstName"] as? String } == ["Grace", "Alan"], "\(removed)")
    #expect(try await names() == ["Ada Lovelace", "Kurt"])
  }

  @Test func everyEditIsDiscardedAtOnce() async throws {
    let almanac = scene.almanac
    let config = try scene.config(["users"], follows: ["users/ada", "users/bo"])
    try await almanac.run("sync", "--config", config, exits: 0)
    for user in ["ada", "bo"] { try await almanac.run("profile", "set", user, "--name", "Mine", exits: 0) }
    #expect(try await almanac.run("outbox", "discard").err.contains("expected the name of an edit, or --all"))
    try await almanac.run("outbox", "discard", "ada", "--all", exits: 64)
    try await almanac.shell(
      "printf 'n\\n' | script -qec \"$PROGRAM outbox discard --all\" /dev/null", exits: 1,
      out: "discard 2 edits of profiles/", "profiles/ada (Mine: name Mine)", "profiles/bo (Mine: name Mine)")
    let discarded = try await almanac.run("outbox", "discard", "--all", "--yes", "--format", "json")
    #expect(try discarded.records().count == 2, "\(discarded)")
    #expect(try await almanac.records("outbox").isEmpty)
    let none = try await almanac.run("outbox", "discard", "--all", "--yes", exits: 0)
    #expect(none.err == "there are no pending edits\n", "\(none)")
  }

  /// Without this, a try against another server would send what was meant for the real one, and count it as sent.
  @Test func anotherServerGetsNoEdits() async throws {
    let almanac = scene.almanac
    let config = try scene.config(["users"], follows: ["users/ada"])
    try await almanac.run("sync", "--config", config, exits: 0)
    try await almanac.run("profile", "set", "ada", "--name", "Mine", exits: 0)
    let other = ["sync", "--config", config, "--server", "users=\(scene.upstream.url)"]
    try await almanac.run(other, exits: 0, err: "1 edit waits: with --server")
    #expect(scene.upstream.user("ada")?.name != "Mine")
    let plan = try await almanac.run(other + ["--dry-run", "--format", "json"]).object()
    #expect(plan["outgoing"] == nil)
    try await almanac.run(other + ["--send"], exits: 0)
    #expect(scene.upstream.user("ada")?.name == "Mine")
  }

  @Test func everyCollectionIsExported() async throws {
    let almanac = try await filled()
    let result = try await almanac.run("export", "--all", "all", "--to", "jsonl", "--format", "json")
    let rows = try result.records()
    #expect(rows.compactMap { $0["collection"] as? String } == ["apps", "people"], "\(result)")
    for name in ["apps", "people"] {
      let copy = try contents("\(almanac.folder)/all/\(name).jsonl")
      #expect(try await almanac.run("export", name, "--to", "jsonl").out == copy)
    }
    try await almanac.run("export", "--all", "all", "--to", "csv", exits: 0)
    #expect(FileManager.default.fileExists(atPath: almanac.folder + "/all/people.csv"))
    try await almanac.run("export", "--all", "all", "--to", "vcf", exits: 64)
    try await almanac.run("export", "people", "--all", "all", "--to", "csv", exits: 64)
    #expect(try await almanac.run("export", "--to", "csv").err.contains("missing expected argument '<collection>'"))
    try await almanac.run("export", "--all", "/nowhere/x", "--to", "csv", exits: 73)
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
    try await almanac.run("open", "apps", "Tide", exits: 0)
    for (script, reason) in [("#!/bin/sh\nexit 3\n", "xdg-open failed"), (nil, "xdg-open cannot be started")] {
      try FileManager.default.removeItem(atPath: opener)
      if let script {
        _ = try almanac.file("xdg-open", script)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: opener)
      } else {
        almanac.environment["PATH"] = "/nonexistent"
      }
      let failed = try await almanac.run("open", "apps", "Tide", exits: 69, err: "nothing was opened: \(reason)")
      #expect(failed.out == "https://apps.example/7\n")
    }
    #expect(try await almanac.object("open", "apps", "7", "--print")["url"] as? String == "https://apps.example/7")
    try await almanac.run("open", "people", "Ada Lovelace", exits: 66, err: "has no address of a page")
    try await almanac.run("open", "apps", "Tide", "--picture", exits: 66, err: "'almanac media fetch' downloads them")
  }
}
