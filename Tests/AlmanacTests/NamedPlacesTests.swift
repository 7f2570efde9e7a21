import AlmanacTesting
import Foundation
import Testing

/// The store and the config file that a command line names are also in the commands that are advised.
@Suite final class NamedPlacesTests: ProgramTests {
  /// As libfaketime does: Swift's runtime finds no arguments after that.
  @Test("arguments are read where a preloaded library has moved the environment", arguments: ["almanac", "almanacd"])
  func movedEnvironment(name: String) async throws {
    var program = try Program(name)
    defer { program.clean() }
    let source = try program.file(
      "moved.c",
      "#include <stdlib.h>\n__attribute__((constructor)) static void set(void) { setenv(\"MOVED\", \"1\", 1); }\n")
    let library = program.folder + "/moved.so"
    let clang = try Process.run(
      URL(fileURLWithPath: "/usr/bin/env"), arguments: ["clang", "-shared", "-fPIC", "-o", library, source])
    clang.waitUntilExit()
    try #require(clang.terminationStatus == 0)
    program.environment["LD_PRELOAD"] = library
    let version = try await program.run("--version", exits: 0)
    #expect(version.out.hasPrefix("\(name) "), "\(version)")
    try await program.run("--seeed", "x", exits: 64, err: "--seeed")
  }

  /// The working folder is not the user's own, and whoever made it would choose the servers that get the user's keys.
  @Test(.enabled(if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")))
  func aUserWithoutHomeNamesTheStore() async throws {
    let nobody = "cd / && env -u HOME -u ALMANAC_STORE setpriv --reuid=54321 --clear-groups \"$PROGRAM\" "
    try await almanac.shell(nobody + "status", exits: 64, err: "HOME is not set", "--store DIR")
    let named = try await almanac.shell(nobody + "status --store /nonexistent/store")
    #expect(!named.err.contains("HOME is not set"), "\(named)")
  }

  @Test func commandsInMessagesNameTheStoreThatWasNamed() async throws {
    let store = almanac.folder + "/named"
    try await almanac.run("people", "add", "--first", "Ada", "--store", store, exits: 0)
    try Data(count: 20).write(to: URL(filePath: store + "/manifest"))
    let list = try await almanac.run(
      "list", "people", "--store", store, exits: 74, err: "'almanac doctor --repair --store \(store)'")
    #expect(try await almanac.run("list", "people", "--store", store, "--quiet").err == list.err)
    let missing = try await almanac.run("outbox", "show", "x", "--store", store)
    #expect(missing.err.contains("--store \(store)'"), "\(missing)")
  }

  @Test("a damaged backup is not the store, which no command has to repair")
  func damagedBackup() async throws {
    let (store, backup) = (almanac.folder + "/named", almanac.folder + "/kept")
    try await almanac.run("people", "add", "--first", "Ada", "--store", store, exits: 0)
    try await almanac.run("backup", backup, "--store", store, exits: 0)
    try Data(count: 20).write(to: URL(filePath: backup + "/manifest"))
    let restored = try await almanac.run(
      "restore", backup, "--yes", "--store", store, exits: 74, err: "the backup is damaged")
    #expect(!restored.err.contains("--store \(store)"), "\(restored)")
    #expect(try await almanac.records("list", "people", "--store", store).count == 1)
  }

  @Test(
    "every command that doctor, its repair, status and a warning advise acts on the store that was named",
    arguments: ["table", "json"])
  func everyAdvice(format: String) async throws {
    let (store, config) = (almanac.folder + "/named", try almanac.file("c.json", #"{"follows": []}"#))
    let named = ["--store", store, "--config", config, "--format", format]
    try await almanac.run(["people", "add", "--first", "Ada"] + named, exits: 0)
    try await almanac.run(["compact"] + named, exits: 0)
    let file = store + "/people.jsonl"
    let own = try contents(file)
    // Changed from outside, with a record; not a file of records; missing; with fewer records.
    let added = own + own.replacing("Ada", with: "Grace").replacing("\"id\":\"", with: "\"id\":\"x")
    var advised: [String] = []
    for (text, commands) in [
      (added, [["doctor"], ["status"], ["people", "add", "--first", "Alan"]]),
      (added, [["doctor"], ["doctor", "--repair"]]), ("x\n", [["doctor"], ["doctor", "--repair"]]),
      (nil, [["doctor"], ["status"]]), ("", [["doctor"], ["status"]]),
    ] as [(String?, [[String]])] {
      _ = try? FileManager.default.removeItem(atPath: file)
      try text.map { try Data($0.utf8).write(to: URL(filePath: file)) }
      for command in commands {
        let result = try await almanac.run(command + named)
        for line in (result.out + result.err).split(whereSeparator: \.isNewline) {
          for part in line.matches(of: /'almanac [^']*'/).map({ String($0.0) }) {
            advised.append(part)
            let isOnConfigOnly = part.hasPrefix("'almanac follow")
            #expect(isOnConfigOnly || part.contains("--store \(store)"), "\(command): \(line)")
            #expect(part.contains("--config \(config)"), "\(command): \(line)")
          }
        }
      }
    }
    for command in ["import", "compact", "doctor --repair"] {
      #expect(advised.contains { $0.hasPrefix("'almanac \(command)") }, "\(command): \(advised)")
    }
    #expect(!FileManager.default.fileExists(atPath: almanac.store))
  }

  @Test("an advised command can be run as it is, also where the store's name has a space")
  func advicesAreRun() async throws {
    let store = almanac.folder + "/my store"
    try await almanac.run("people", "add", "--first", "Ada", "--store", store, exits: 0)
    let file = store + "/people.jsonl"
    let own = try contents(file)
    let mine = own + own.replacing("Ada", with: "Grace").replacing("\"id\":\"", with: "\"id\":\"x")
    try Data(mine.utf8).write(to: URL(filePath: file))
    let repair = try await almanac.run("doctor", "--repair", "--store", store, "--format", "json")
    let mends = try #require(try repair.object()["findings"] as? [[String: Any]])
      .flatMap { finding in ["message", "mend"].compactMap { finding[$0] as? String } }
    let command = try #require(
      mends.compactMap { $0.firstMatch(of: /'almanac (import [^']*)'/).map { String($0.1) } }.first, "\(mends)")
    let done = try await almanac.shell("\"$PROGRAM\" \(command)", exits: 0)
    #expect(done.out == "people: 1 added, 0 updated, 1 unchanged\n", "\(command): \(done)")
    #expect(!FileManager.default.fileExists(atPath: almanac.store))
  }

  @Test("what has the form of an address and is none makes no folder")
  func mistypedAddresses() async throws {
    let address = "postgress://ada:s3cret@h/db"
    try await almanac.run("people", "add", "--first", "Ada", exits: 0)
    let before = try FileManager.default.contentsOfDirectory(atPath: almanac.folder).count { !$0.contains("-") }
    var results: [Program.Result] = []
    for other in ["postgre://h/db", "postgresql:/h/db", "mysql://h/db", "file:///tmp/x"] {
      results.append(try await almanac.run("list", "people", "--store", other))
    }
    for words in [
      ["people", "add", "--first", "A", "--store", address], ["list", "people", "--store", address],
      ["doctor", "--store", address], ["store", "copy", almanac.store, address],
      ["store", "copy", address, almanac.folder + "/copy"], ["backup", address], ["restore", address, "--yes"],
      ["demo", "--store", address],
    ] {
      results.append(try await almanac.run(words))
    }
    almanac.environment["ALMANAC_STORE"] = address
    results.append(try await almanac.run("people", "add", "--first", "A"))
    var daemon = try Program("almanacd")
    defer { daemon.clean() }
    daemon.environment["ALMANAC_STORE"] = address
    let config = try daemon.file("config.json", "{}")
    results.append(try await daemon.run("--once", "--config", config))
    results.append(try await daemon.run("--config", config, "--listen", "127.0.0.1:0"))
    #expect(results.last?.err.split(separator: "\n").count == 2, "the reason is said once")
    for result in results {
      #expect(result.status == 64 && result.err.contains("did you mean postgres://"), "\(result)")
      #expect(!(result.out + result.err).contains("s3cret"))
    }
    let word = address.prefix { $0 != "/" }
    for folder in [almanac.folder, daemon.folder] {
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/\(word)"))
    }
    let after = try FileManager.default.contentsOfDirectory(atPath: almanac.folder).count { !$0.contains("-") }
    #expect(after == before)
  }

  @Test("a backup of another store names the option that replaces it") func replacedBackups() async throws {
    let (other, backup) = (almanac.folder + "/other", almanac.folder + "/backup")
    for store in [almanac.store, other] {
      try await almanac.run("people", "add", "--first", "Ada", "--store", store, exits: 0)
    }
    try await almanac.run("backup", backup, exits: 0)
    try await almanac.run("backup", backup, "--store", other, exits: 73, err: "--replace")
    try await almanac.run("backup", backup, "--store", other, "--replace", exits: 0)
  }
}
