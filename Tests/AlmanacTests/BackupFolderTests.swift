import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// A backup is a store that is read: what would be changed in it would be gone with the next one.
@Suite struct BackupFolderTests {
  private func backedUp() async throws -> (scene: Scene, config: String, backup: String) {
    let scene = try Scene()
    let config = try scene.config(["users", "people"], follows: ["users/ada", "people"])
    try await scene.almanac.run("sync", "--config", config, exits: 0)
    let backup = scene.almanac.folder + "/a backup"
    try await scene.almanac.run("backup", backup, exits: 0)
    return (scene, config, backup)
  }

  @Test func isReadAndNotChanged() async throws {
    let (scene, config, backup) = try await backedUp()
    defer { scene.end() }
    let almanac = scene.almanac
    let shown = try await almanac.run("profile", "show", "ada", "--store", backup, exits: 0)
    let asked = scene.upstream.log.count
    for command in [
      ["profile", "set", "ada", "--name", "Lost"], ["people", "add", "--first", "Lost"], ["sync"], ["media", "fetch"],
      ["import", try almanac.file("people.jsonl", #"{"id":"x","firstName":"Lost","lastName":"X"}"# + "\n")],
    ] {
      try await almanac.run(
        command + ["--store", backup, "--config", config], exits: 73, err: "is a backup",
        "almanac store copy \"\(backup)\"")
    }
    try await scene.daemon.run("--once", "--store", backup, "--config", config, exits: 73, err: "is a backup")
    #expect(scene.upstream.log.count == asked)
    #expect(try await almanac.run("profile", "show", "ada", "--store", backup).out == shown.out)
    try await almanac.run("backup", backup, exits: 0)
    // The way out.
    let copy = almanac.folder + "/copy"
    try await almanac.run("store", "copy", backup, copy, exits: 0)
    try await almanac.run("profile", "set", "ada", "--name", "Kept", "--store", copy, exits: 0)
  }

  /// A disk that is not mounted is not a folder to be made.
  @Test func isMadeOnlyInAFolderThatExists() async throws {
    let (scene, _, backup) = try await backedUp()
    defer { scene.end() }
    try await scene.almanac.run(
      "backup", scene.almanac.folder + "/disk/backup", exits: 73, err: "the folder above does not exist")
    #expect(!FileManager.default.fileExists(atPath: scene.almanac.folder + "/disk"))
    try await scene.almanac.run("backup", backup + "/", exits: 0)
  }

  /// What the config needs and no backup has is named, with what to do.
  @Test func keysThatAreMissingAreNamed() async throws {
    let (scene, _, backup) = try await backedUp()
    defer { scene.end() }
    var almanac = scene.almanac
    let (key, certificate) = (almanac.folder + "/key", almanac.folder + "/ca.pem")
    almanac.environment["ALMANAC_CONFIG"] = try almanac.file(
      "keys.json",
      #"{"servers": {"flickr": {"apiKey": {"file": "\#(key)"}}, "people": {"url": "https://x.example", "caFile": "\#(certificate)"}}}"#
    )
    let store = ["--store", almanac.folder + "/restored", "--yes"]
    let result = try await almanac.run(
      ["restore", backup] + store, exits: 0, err: key, certificate, "servers.people.caFile",
      "copy them from where the backup was made")
    #expect(!result.err.contains("nothing is followed"))
    for path in [key, certificate] { try "k".write(toFile: path, atomically: true, encoding: .utf8) }
    try await almanac.run(["restore", backup] + store + ["--format", "json"], exits: 0, out: #""missing":[]"#)
    try FileManager.default.removeItem(atPath: key)
    try await almanac.run(
      ["restore", backup] + store, exits: 0, err: "almanac config set servers.flickr.apiKey' asks for it")
  }

  /// Nothing reads what was changed by hand: it is neither restored nor lost without a word.
  @Test func aChangedFileIsNamed() async throws {
    let (scene, config, backup) = try await backedUp()
    defer { scene.end() }
    let almanac = scene.almanac
    let file = backup + "/people.jsonl"
    let lines = try contents(file)
    try FileManager.default.removeItem(atPath: file)
    try (lines + #"{"id":"x","firstName":"By","lastName":"Hand"}"# + "\n").write(
      toFile: file, atomically: false, encoding: .utf8)
    let doctor = try await almanac.run("doctor", "--store", backup, "--config", config)
    #expect(doctor.out.contains("almanac store copy") && !doctor.out.contains("almanac import"), "\(doctor)")
    for command in [["compact", "--store", backup], ["backup", backup]] {
      try await almanac.run(command, exits: 73, err: "backup")
      #expect(try contents(file).contains("Hand"), "\(command)")
    }
    try await almanac.run(
      "restore", backup, "--store", almanac.folder + "/restored", exits: 0, err: "\(file) of the backup was changed",
      "'almanac import \"\(file)\"")
    try await almanac.run("backup", backup, "--replace", exits: 0)
    #expect(try contents(file) == lines)
  }

  @Test func holdsNoOtherStore() async throws {
    let (scene, config, backup) = try await backedUp()
    defer { scene.end() }
    let almanac = scene.almanac
    let inner = backup + "/of/monday"
    for command in [["backup", inner], ["sync", "--store", inner, "--config", config], ["demo", "--store", inner]] {
      try await almanac.run(command, exits: 73, err: "would be inside the backup")
    }
    #expect(!FileManager.default.fileExists(atPath: backup + "/of"))
    try await almanac.run("backup", backup, exits: 0)
  }
}
