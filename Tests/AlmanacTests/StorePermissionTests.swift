import AlmanacTesting
import Foundation
import Testing

/// What doctor says about who may use the store.
@Suite final class StorePermissionTests: ProgramTests {
  @Test("files that others may read are one note")
  func openFiles() async throws {
    _ = try await almanac.run("people", "add", "--first", "A", "--birthday", "2000-01-01")
    _ = try await almanac.run("compact")
    try Data("secret\n".utf8).write(to: URL(filePath: almanac.store + "/token"))
    for name in try FileManager.default.contentsOfDirectory(atPath: almanac.store) {
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(almanac.store)/\(name)")
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: almanac.store)
    let doctor = try await almanac.run("doctor", "--format", "json", exits: 0)
    let findings = try #require(try doctor.object()["findings"] as? [[String: Any]])
    #expect(findings.count == 1, "\(doctor.out)")
    #expect((findings.first?["message"] as? String)?.contains(": token, ") == true)
    #expect(findings.first?["mend"] as? String == "chmod -R go= \(almanac.store)")
    try Tool.run("sh", ["-c", try #require(findings.first?["mend"] as? String)])
    #expect(try #require(try await almanac.object("doctor")["findings"] as? [Any]).isEmpty)
  }

  @Test(
    "a user who may not write the store is told so, and gets no advice that costs the reading",
    .enabled(if: geteuid() == 0, "needs root"))
  func readers() async throws {
    _ = try await almanac.run("people", "add", "--first", "A", "--birthday", "2000-01-01")
    _ = try await almanac.shell("chmod -R go=u,go-w \(almanac.store)")
    let user = "setpriv --reuid=65534 --regid=65534 --clear-groups"
    try await almanac.shell("\(user) \"$PROGRAM\" list people", exits: 0)
    let doctor = try await almanac.shell("\(user) \"$PROGRAM\" doctor --format json")
    let findings = try #require(try doctor.object()["findings"] as? [[String: Any]])
    #expect(doctor.status == 74 && findings.count == 1, "\(doctor)")
    #expect((findings.first?["message"] as? String)?.contains("not write it") == true, "\(doctor)")
    #expect(!doctor.out.contains("chmod"), "\(doctor)")
    let advice = "it belongs to root: run the program as that user, or make it yours: sudo chown -R nobody "
    #expect(findings.first?["mend"] as? String == advice + almanac.store, "\(doctor)")
    let config = try almanac.file("config.json", #"{"follows": [{"follow": "app-store/us/top-free"}]}"#)
    _ = try await almanac.shell("chmod a+r '\(config)'")
    let sync = try await almanac.shell("\(user) \"$PROGRAM\" sync --config '\(config)'", exits: 74, err: "not write it")
    #expect(sync.out.isEmpty, "\(sync)")
    #expect(sync.err.split(separator: "\n").count <= 2, "\(sync)")
    // The folder may be open to a group, and a file in it not.
    _ = try await almanac.shell("chmod 777 \(almanac.store)")
    try await almanac.shell("\(user) \"$PROGRAM\" doctor", exits: 74, out: "not write it")
  }

  @Test("a folder with an apostrophe is advised about in words of the shell")
  func apostrophe() async throws {
    let store = almanac.folder + "/it's mine"
    _ = try await almanac.run("people", "add", "--first", "A", "--birthday", "2000-01-01", "--store", store)
    _ = try await almanac.shell("chmod -R a+rX \"\(store)\"")
    let doctor = try await almanac.run("doctor", "--format", "json", "--store", store, exits: 0)
    let mend = try #require(try doctor.object()["findings"] as? [[String: Any]]).first?["mend"] as? String
    try Tool.run("sh", ["-c", try #require(mend)])
    try await almanac.run("doctor", "--store", store, exits: 0, out: "no problems found")
  }

  @Test("the owner of a store that was made read-only gets the command that makes it writable, in words of the shell")
  func owner() async throws {
    _ = try await almanac.run("people", "add", "--first", "A", "--birthday", "2000-01-01")
    // Root may write everything.
    let user = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
    if geteuid() == 0 { _ = try await almanac.shell("chown -R 65534 \(almanac.folder)") }
    _ = try await almanac.shell("chmod u-w \(almanac.store)")
    let doctor = try await almanac.shell("\(user) \"$PROGRAM\" doctor --format json")
    let advice = try #require(try doctor.object()["findings"] as? [[String: Any]]).first?["mend"] as? String
    #expect(advice == "chmod u+rwx \(almanac.store)", "\(doctor)")
    _ = try await almanac.shell(advice ?? "")
    try await almanac.shell("\(user) \"$PROGRAM\" people add --first B --birthday 2000-01-02", exits: 0)
    // What may not be looked at is not missing.
    let locked = "\(almanac.folder)/locked"
    _ = try await almanac.shell("mkdir \(locked) && mv \(almanac.store) \(locked)/store")
    if geteuid() == 0 { _ = try await almanac.shell("chown 65534 \(locked)") }
    _ = try await almanac.shell("chmod u-x \(locked)")
    for call in ["list people", "status", "doctor"] {
      let refused = try await almanac.shell("cd /; \(user) \"$PROGRAM\" \(call) --store \(locked)/store", exits: 74)
      #expect("\(refused)".contains("ermission denied"), "\(call): \(refused)")
      #expect(!"\(refused)".contains("no store") && !"\(refused)".contains("there is none"), "\(call): \(refused)")
    }
    _ = try await almanac.shell("chmod u+x \(locked)")
  }
}
