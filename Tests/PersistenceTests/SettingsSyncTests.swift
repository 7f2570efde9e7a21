import CLibrary
import Foundation
import Models
import Persistence
import Ports
import Synchronization
import Testing

@Suite("Edited settings are on the disk before they count")
struct SettingsSyncTests {
  /// What a sync met: the file's name, and what the settings were at that time.
  private struct Call: Equatable {
    var name: String
    var synced: String?
    var settings: String?
  }

  private final class Calls: Sendable { let made = Mutex<[Call]>([]) }

  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/settings.json" }

  private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

  private func settings(failing number: Int? = nil, with code: Int32 = EIO, _ calls: Calls) -> SettingsFile {
    let path = path
    return SettingsFile(path: path, isRequired: false, format: Lines(), environment: [:]) { descriptor in
      let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) ?? ""
      let call = Call(
        name: String(target.split(separator: "/").last ?? ""),
        synced: try? String(contentsOfFile: target, encoding: .utf8),
        settings: try? String(contentsOfFile: path, encoding: .utf8))
      let count = calls.made.withLock { made in
        made.append(call)
        return made.count
      }
      guard count == number else { return 0 }
      errno = code
      return -1
    }
  }

  private func follow(_ path: String, in settings: SettingsFile) throws {
    _ = try settings.change(.follow([Follow(path: path)]), of: settings.load())
  }

  @Test(
    "what root writes keeps its owner, and a new file belongs to the owner of its folder", .enabled(if: geteuid() == 0))
  func owner() throws {
    #expect(chown(folder.path, 65_534, 65_533) == 0)
    func owner() throws -> Int? { try FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID] as? Int }
    try follow("a", in: settings(Calls()))
    #expect(try owner() == 65_534)
    #expect(chown(path, 65_532, 65_533) == 0)
    try follow("b", in: settings(Calls()))
    #expect(try owner() == 65_532)
  }

  @Test func theBytesBeforeTheName() throws {
    try "a\n".write(toFile: path, atomically: false, encoding: .utf8)
    let calls = Calls()
    try follow("b", in: settings(calls))
    let name = "settings.json.\(ProcessInfo.processInfo.processIdentifier).new"
    let folderName = String(folder.path.split(separator: "/").last!)
    #expect(
      calls.made.withLock { $0 } == [
        Call(name: name, synced: "a\nb\n", settings: "a\n"), Call(name: folderName, synced: nil, settings: "a\nb\n"),
      ])
  }

  @Test func aFailedSyncOfTheBytesChangesNothing() throws {
    try "a\n".write(toFile: path, atomically: false, encoding: .utf8)
    #expect(throws: Failure.self) { try follow("b", in: settings(failing: 1, Calls())) }
    #expect(text(path) == "a\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["settings.json"])
  }

  @Test func aFailedSyncOfTheNameIsReported() throws {
    try "a\n".write(toFile: path, atomically: false, encoding: .utf8)
    let failing = settings(failing: 2, Calls())
    #expect(throws: Failure.self) { _ = try failing.change(.unfollow("a"), of: failing.load()) }
    try follow("b", in: settings(failing: 2, with: EINVAL, Calls()))
    #expect(text(path) == "b\n")
  }

  @Test("a change that finds no folder keeps what was written there before it made one") func newFolder() throws {
    let path = folder.path + "/new/settings.json"
    let settings = SettingsFile(path: path, isRequired: false, format: Lines(), environment: [:])
    let other = SettingsFile(path: path, isRequired: false, format: Lines(), environment: [:])
    var isFirst = true
    _ = try settings.change(of: settings.load()) { (_) throws(Failure) in
      if isFirst { _ = try other.change(.follow([Follow(path: "b")]), of: other.load()) }
      isFirst = false
      return .follow([Follow(path: "a")])
    }
    #expect(text(path) == "b\na\n")
  }
}

/// Settings that are the paths of follows, one a line.
private struct Lines: SettingsFormat {
  func read(_ bytes: [UInt8]) throws(SettingsProblems) -> Settings { Settings() }

  func adding(_ follows: [Follow], to bytes: [UInt8]) throws(SettingsProblems) -> [UInt8] {
    bytes + follows.flatMap { Array(($0.path + "\n").utf8) }
  }

  func removing(path: String, from bytes: [UInt8]) throws(SettingsProblems) -> [UInt8]? {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return Array(lines.filter { $0 != path }.map { $0 + "\n" }.joined().utf8)
  }

  func setting(_ place: String, to value: JSONValue?, in bytes: [UInt8]) throws(SettingsProblems) -> [UInt8]? { bytes }
}
