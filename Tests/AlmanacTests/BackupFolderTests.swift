import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// A backup is a store that is read: what would be changed in it would be gone with the next one.
@Suite struct BackupFolderTests {
  private func backedUp() async throws -> (scene: Scene, config: String, backup: String) {
    let scene = try Scene()
    let config = try scene.config(["users", "people"], follows: ["users/ada", "people"])
    #expect(try await scene.almanac.run("sync", "--config", config).status == 0)
    let backup = scene.almanac.folder + "/a backup"
    #expect(try await scene.almanac.run("backup", backup).status == 0)
    return (scene, config, backup)
  }

  @Test func isReadAndNotChanged() async throws {
    let (scene, config, backup) = try await backedUp()
    defer { scene.end() }
    let almanac = scene.almanac
    let shown = try await almanac.run("profile", "show", "ada", "--store", backup)
    #expect(shown.status == 0, "\(shown)")
    let asked = scene.upstream.log.count
    for command in [
      ["profile", "set", "ada", "--name", "Lost"], ["people", "add", "--first", "Lost"], ["sync"], ["media", "fetch"],
      ["import", try almanac.file("people.jsonl", #"{"id":"x","firstName":"Lost","lastName":"X"}"# + "\n")],
    ] {
      let refused = try await almanac.run(command + ["--store", backup, "--config", config])
      #expect(refused.status == 73 && refused.err.contains("is a backup"), "\(command): \(refused)")
      #expect(refused.err.contains("almanac store copy \"\(backup)\""), "\(command): \(refused)")
    }
    let daemon = try await scene.daemon.run("--once", "--store", backup, "--config", config)
    #expect(daemon.status == 73 && daemon.err.contains("is a backup"), "\(daemon)")
    #expect(scene.upstream.log.count == asked)
    #expect(try await almanac.run("profile", "show", "ada", "--store", backup).out == shown.out)
    #expect(try await almanac.run("backup", backup).status == 0)
    // The way out.
    let copy = almanac.folder + "/copy"
    #expect(try await almanac.run("store", "copy", backup, copy).status == 0)
    let changed = try await almanac.run("profile", "set", "ada", "--name", "Kept", "--store", copy)
    #expect(changed.status == 0, "\(changed)")
  }

  /// A disk that is not mounted is not a folder to be made.
  @Test func isMadeOnlyInAFolderThatExists() async throws {
    let (scene, _, backup) = try await backedUp()
    defer { scene.end() }
    let result = try await scene.almanac.run("backup", scene.almanac.folder + "/disk/backup")
    #expect(result.status == 73 && result.err.contains("the folder above does not exist"), "\(result)")
    #expect(!FileManager.default.fileExists(atPath: scene.almanac.folder + "/disk"))
    #expect(try await scene.almanac.run("backup", backup + "/").status == 0)
  }

  /// Nothing reads what was changed by hand: it is neither restored nor lost without a word.
  @Test func aChangedFileIsNamed() async throws {
    let (scene, config, backup) = try await backedUp()
    defer { scene.end() }
    let almanac = scene.almanac
    let file = backup + "/people.jsonl"
    let lines = try String(contentsOfFile: file, encoding: .utf8)
    try FileManager.default.removeItem(atPath: file)
    try (lines + #"{"id":"x","firstName":"By","lastName":"Hand"}"# + "\n").write(
      toFile: file, atomically: false, encoding: .utf8)
    let doctor = try await almanac.run("doctor", "--store", backup, "--config", config)
    #expect(doctor.out.contains("almanac store copy") && !doctor.out.contains("almanac import"), "\(doctor)")
    for command in [["compact", "--store", backup], ["backup", backup]] {
      let refused = try await almanac.run(command)
      #expect(refused.status == 73 && refused.err.contains("backup"), "\(command): \(refused)")
      #expect(try String(contentsOfFile: file, encoding: .utf8).contains("Hand"), "\(command)")
    }
    let restored = try await almanac.run("restore", backup, "--store", almanac.folder + "/restored")
    #expect(restored.status == 0 && restored.err.contains("\(file) of the backup was changed"), "\(restored)")
    #expect(restored.err.contains("'almanac import \"\(file)\""), "\(restored)")
    #expect(try await almanac.run("backup", backup, "--replace").status == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == lines)
  }

  @Test func holdsNoOtherStore() async throws {
    let (scene, config, backup) = try await backedUp()
    defer { scene.end() }
    let almanac = scene.almanac
    let inner = backup + "/of/monday"
    for command in [["backup", inner], ["sync", "--store", inner, "--config", config], ["demo", "--store", inner]] {
      let refused = try await almanac.run(command)
      #expect(refused.status == 73 && refused.err.contains("would be inside the backup"), "\(command): \(refused)")
    }
    #expect(!FileManager.default.fileExists(atPath: backup + "/of"))
    #expect(try await almanac.run("backup", backup).status == 0)
  }
}
