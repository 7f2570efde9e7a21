import AlmanacTesting
import Foundation
import Models
import Parsing
import Persistence
import Ports
import Testing

/// A config file that was deleted or emptied is not taken for one that was never made.
@Suite final class LostConfigTests: ProgramTests {
  private var path: String { almanac.folder + "/it's config.json" }
  private var store: String { almanac.folder + "/known" }

  private func settings(_ name: String? = nil) -> SettingsFile {
    SettingsFile(
      path: name ?? path, isRequired: false, format: JSONSettingsFormat(), environment: [:],
      lastUsed: LastUsedSettings(in: store, of: name ?? path))
  }

  private func follow(_ path: String, in settings: SettingsFile) throws {
    _ = try settings.change(.follow([Follow(path: path)]), of: settings.load())
  }

  private func write(_ text: String) throws { try text.write(toFile: path, atomically: false, encoding: .utf8) }

  @Test(arguments: [true, false]) func lost(isEmptied: Bool) throws {
    let file = settings()
    // Nothing is remembered without a store, and a new config file is made.
    try follow("people", in: file)
    #expect(!FileManager.default.fileExists(atPath: store))
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: false)
    try follow("people", in: file)
    try follow("users/ada", in: file)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    if isEmptied { try write("") } else { try FileManager.default.removeItem(atPath: path) }
    let failure = #expect(throws: Failure.self) { try follow("users/bo", in: file) }
    let what = isEmptied ? "is empty now" : "was deleted"
    #expect(failure?.message == "the config file \(path) \(what); it had 2 follows")
    #expect(failure?.code == .own(.configDeleted))
    #expect(throws: Failure.self) { try file.load().strict() }
    #expect(throws: Failure.self) { try file.load().partial() }
    #expect(FileManager.default.fileExists(atPath: path) == isEmptied)
    // Another config file of the same store was never made.
    #expect(try settings(almanac.folder + "/other.json").load().strict() == Settings())
    // What is advised begins anew, in words of the shell.
    let advice = try #require(failure?.hint?.description.split(separator: "\n").last).split(separator: ": ").last
    try Tool.run("sh", ["-c", String(try #require(advice))])
    #expect(try file.load().strict() == Settings())
    try write(text)
    #expect(try file.load().strict().follows.count == 2)
  }

  @Test("a file that somebody wrote is remembered when it was used, and not with a mistake")
  func remembered() throws {
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: false)
    let file = settings()
    func loss(of text: String) throws -> Failure? {
      try write(text)
      file.remember(file.load())
      try FileManager.default.removeItem(atPath: path)
      return file.load().failure
    }
    #expect(try loss(of: #"{"folows": []}"#) == nil)
    #expect(
      try loss(of: #"{"servers": {"people": {"url": "https://people.example"}}}"#)?.message
        == "the config file \(path) was deleted")
    // One that says nothing any more is no loss.
    #expect(try loss(of: "{}") == nil)
  }

  @Test("no command begins a new one, and doctor and the check say so, until it is there again")
  func commands() async throws {
    almanac.environment["ALMANAC_CONFIG"] = path
    try await almanac.run("people", "add", "--first", "A", "--birthday", "2000-01-01", exits: 0)
    try await almanac.run("config", "set", "servers.people.url", "https://127.0.0.1:1", exits: 0)
    try await almanac.run("follow", "people", exits: 0)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try FileManager.default.removeItem(atPath: path)
    let calls = [
      ["follow", "app-store/us/top-free"], ["unfollow", "people"], ["config", "set", "daemon.openMetrics", "true"],
      ["config", "unset", "servers.people.url"], ["sync"], ["config", "check"],
    ]
    for call in calls { try await almanac.run(call, exits: 78, err: "was deleted; it had 1 follow") }
    try await almanac.run("doctor", exits: 78, out: "was deleted; it had 1 follow")
    #expect(!FileManager.default.fileExists(atPath: path))
    try await almanac.run("list", "people", exits: 0)
    // A backup that has the file keeps it.
    try write(text)
    try await almanac.run("backup", "copy", exits: 0)
    try write("")
    try await almanac.run("backup", "copy", exits: 0)
    try await almanac.run("follow", "app-store/us/top-free", exits: 78, err: "is empty now")
    try await almanac.run("restore", "copy", "--yes", exits: 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    try await almanac.run("follow", "app-store/us/top-free", exits: 0)
  }
}
