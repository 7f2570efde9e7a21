import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// Edits sent through the shipped program to a server that plays the APIs.
@Suite final class EditTests: ProgramTests {
  private let upstream: Upstream
  private var config = ""

  override init() throws {
    upstream = try Upstream(UpstreamOptions())
    try super.init()
    config = try almanac.config(upstream.server.url, ["users", "people"])
  }

  deinit { upstream.server.stop() }

  /// Somebody else edits the same profile from another machine.
  private func editElsewhere(_ change: [String], _ config: String) async throws {
    let other = try Program("almanac")
    defer { other.clean() }
    for arguments in [
      ["sync", "users/plokmijn"], ["profile", "set", "plokmijn"] + change, ["sync", "users/plokmijn"],
    ] {
      try await other.run(arguments + ["--config", config], exits: 0)
    }
  }

  /// What is only planned is not in the outbox yet, so nobody is sent there to look.
  @Test func aPlannedConflictPointsToNoEntry() async throws {
    try await almanac.run("sync", "users/plokmijn", "--config", config, exits: 0)
    try await almanac.run("profile", "set", "plokmijn", "--name", "Mine", "--config", config, exits: 0)
    try await editElsewhere(["--name", "Theirs"], config)
    let plan = try await almanac.run("sync", "users/plokmijn", "--dry-run", "--config", config)
    #expect(plan.err.contains("1 edit would meet a newer value at the server"), "\(plan.err)")
    #expect(plan.err.contains("profiles/plokmijn") && !plan.err.contains("almanac outbox"), "\(plan.err)")
    let sync = try await almanac.run("sync", "users/plokmijn", "--config", config)
    #expect(sync.err.contains("1 edit is in conflict (profiles/plokmijn)"), "\(sync.err)")
    #expect(sync.err.contains("'almanac outbox resolve profiles/plokmijn --config \(config)' decides"), "\(sync.err)")
    let again = try await almanac.run("sync", "users/plokmijn", "--dry-run", "--config", config)
    #expect(again.err.contains("'almanac outbox resolve profiles/plokmijn"), "\(again.err)")
  }

  /// From conflict to resolved: two commands.
  @Test func aConflictIsShownAndDecidedFieldByField() async throws {
    func run(_ arguments: String...) async throws -> Program.Result {
      try await almanac.run(arguments + ["--config", config])
    }
    #expect(try await run("sync", "users/plokmijn").status == 0)
    #expect(try await run("profile", "set", "plokmijn", "--name", "Mine", "--email", "mine@example.com").status == 0)
    try await editElsewhere(["--name", "Theirs", "--email", "theirs@example.com"], config)
    #expect(try await run("sync", "users/plokmijn").status == 0)
    let list = try await run("outbox").out
    #expect(list.contains("profiles/plokmijn") && list.hasPrefix("target"), "\(list)")
    #expect(list.split(separator: "\n").first?.contains(" name ") == true, "\(list)")
    let shown = try await run("outbox", "show", "plokmijn")
    let row = shown.out.split(separator: "\n").first { $0.hasPrefix("name ") }
    #expect(shown.status == 0 && row?.contains("Mine") == true && row?.contains("Theirs") == true, "\(shown.out)")
    let retried = try await run("outbox", "retry", "plokmijn")
    #expect(retried.status == 64 && retried.err.contains("resolve profiles/plokmijn --config"), "\(retried.err)")
    let undecided = try await run("outbox", "resolve")
    #expect(undecided.status == 64 && undecided.err.contains("--mine FIELD"), "\(undecided.err)")
    #expect(try await run("outbox", "resolve", "--mine", "nme").status == 64)
    let resolved = try await run("outbox", "resolve", "--mine", "name")
    #expect(resolved.status == 0 && resolved.err.contains("name of profiles/plokmijn (Mine) waits"), "\(resolved.err)")
    #expect(try await run("sync", "users/plokmijn").status == 0)
    #expect(upstream.user("plokmijn")?.name == "Mine" && upstream.user("plokmijn")?.email == "theirs@example.com")
    #expect(try await run("outbox", "resolve", "plokmijn", "--take", "mine").status == 66)
  }

  @Test func sendingPeopleCountsNoProfiles() async throws {
    try await almanac.run("sync", "users/plokmijn", "--config", config, exits: 0)
    try await almanac.run("profile", "set", "plokmijn", "--name", "Mine", "--config", config, exits: 0)
    try await almanac.run("people", "add", "--first", "Zoe", "--birthday", "--02-29", "--config", config, exits: 0)
    let sent = try await almanac.run("people", "send", "--format", "json", "--config", config)
    #expect(
      try sent.object() as? [String: Int] == ["sent": 1, "pending": 0, "conflict": 0, "refused": 0], "\(sent.out)")
  }

  /// Two commands that send the same person at the same time: both end well, and the person is made once.
  @Test func whatAnotherProcessSendsIsWaitedFor() async throws {
    try await almanac.run("people", "add", "--first", "Zoe", "--birthday", "--02-29", "--config", config, exits: 0)
    let before = upstream.peopleCount
    upstream.setFaults([FaultRule(.delay(milliseconds: 1500), path: "/people", times: nil)])
    let requests = upstream.server.requestCount
    let first = try almanac.start(["people", "send", "--config", config])
    await upstream.server.waitForRequests(requests + 1)
    let second = try await almanac.run("people", "send", "--config", config, exits: 0)
    // On a machine that is very busy the first one may have ended before the second one looked.
    let words = ["1 sent by another process", "the server already has "]
    #expect(words.contains { second.err.contains($0) }, "\(second.out)\(second.err)")
    #expect(try await first.result().status == 0)
    #expect(upstream.peopleCount == before + 1)
  }

  /// Who was imported here and sent is the same person for a calendar, and what is changed or removed here is said to be.
  @Test func whoWasSentIsEditedAndRemovedHere() async throws {
    try almanac.makeStore()
    let cards = try almanac.file(
      "cards.vcf",
      "BEGIN:VCARD\r\nVERSION:3.0\r\nN:李;小龙;;;\r\nFN:李小龙\r\nBDAY:1940-11-27\r\nEMAIL:lee@example.org\r\nEND:VCARD\r\n"
        + "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Berg;Anna;;;\r\nFN:Anna Berg\r\nBDAY:soon\r\nEND:VCARD\r\n")
    let imported = try await almanac.run("people", "import", cards, "--config", config)
    #expect(
      imported.err
        == "\(cards), line 8: Anna Berg: birthday \"soon\" is not a date; it is left out\n")
    // Who was imported is sent only by name.
    let nobody = try await almanac.run("people", "send", "--config", config)
    #expect(nobody.err == "the server already has everybody who was added by hand\n", "\(nobody.err)")
    try await almanac.run("people", "send", "李小龙", "--config", config, exits: 0)
    try await almanac.run("people", "fetch", "--config", config, exits: 0)
    func people(_ condition: String) async throws -> [[String: Any]] {
      try await almanac.records("list", "people", "--where", condition, "--config", config)
    }
    let lee = try #require(try await people("fullName = 李小龙").first)
    #expect(lee["remoteID"] != nil)
    // The server knows no details, and a sync keeps them.
    #expect(lee["emails"] as? [[String: String]] == [["value": "lee@example.org"]])
    #expect(lee["origin"] as? String == "import")
    let anna = try #require(try await people("fullName = Anna Berg").first?["id"] as? String)
    try await almanac.run("people", "send", anna, "--config", config, exits: 64, err: "Anna Berg cannot be sent")
    let id = try #require(lee["id"] as? String)
    let edited = try await almanac.run("people", "edit", id, "--full-name", "Bruce Lee", "--config", config)
    #expect(edited.err == "Bruce Lee is changed only locally: the server does not support changes of people\n")
    for same in [["--full-name", "Bruce Lee"], ["--birthday", "1940-11-27"], ["--email", "lee@example.org"]] {
      let again = try await almanac.run(["people", "edit", id, "--config", config] + same, exits: 0)
      #expect(again.err == "nothing changed: Bruce Lee is so already\n", "\(again.err)")
    }
    let plain = try await almanac.run("people", "edit", anna, "--birthday", "--04-07", "--config", config)
    #expect(plain.err.isEmpty)
    let future = try await almanac.run("people", "edit", anna, "--birthday", "2126-04-07", "--config", config)
    #expect(future.err == "the birthday 2126-04-07 is in the future; it is stored but not sent\n")
    try await almanac.run("people", "send", anna, "--config", config, exits: 64, err: "2126-04-07 is in the future")
    let removed = try await almanac.run("people", "remove", id, "--yes", "--config", config)
    #expect(removed.err.hasPrefix("removed Bruce Lee locally\nthe server keeps the person"), "\(removed.err)")
    #expect(removed.err.hasSuffix("; 'almanac undo --config \(config)' takes this back\n"), "\(removed.err)")
    let other = try await almanac.run("people", "remove", anna, "--yes", "--config", config)
    #expect(other.err == "removed Anna Berg locally\n")
    try await almanac.run("people", "fetch", "--config", config, exits: 0)
    #expect(try await people("fullName ~ Lee").isEmpty)
    #expect(try await people("firstName = 小龙").isEmpty)
  }
}

/// A server that refuses one edit for good, as the shipped program meets it.
@Suite final class RefusedEditTests: ProgramTests {
  @Test func onePermanent422DelaysNoOtherTarget() async throws {
    var options = UpstreamOptions()
    options.people = 0
    options.userIDs = ["u0", "u1", "u2", "u3"]
    options.faults = [
      FaultRule(.status(422), method: "PUT", path: "/user/u0", times: nil),
      FaultRule(.status(422), method: "POST", path: "/people"),
    ]
    let upstream = try Upstream(options)
    defer { upstream.stop() }
    let servers = ["--server", "users=\(upstream.url)", "--server", "people=\(upstream.url)", "--format", "json"]
    try await almanac.run(["sync"] + options.userIDs.map { "users/\($0)" } + servers, exits: 0)
    for user in options.userIDs { try await almanac.run("profile", "set", user, "--name", "New \(user)", exits: 0) }
    for name in ["A", "B", "C"] {
      try await almanac.run("people", "add", "--first", name, "--birthday", "2000-01-01", exits: 0)
    }
    let sent = try await almanac.run(["people", "send"] + servers, exits: 0)
    #expect(try sent.object() as? [String: Int] == ["sent": 2, "pending": 0, "conflict": 0, "refused": 1])
    let sync = try await almanac.run(["sync", "--send"] + servers, exits: 0)
    #expect(try sync.object()["outbox"] as? [String: Int] == ["sent": 3, "pending": 0, "conflict": 0, "refused": 2])
    for user in ["u1", "u2", "u3"] { #expect(upstream.user(user)?.name == "New \(user)") }
    #expect(upstream.peopleCount == 2)
    // What was refused is not tried again by itself.
    let writes = upstream.log.filter { $0.method != "GET" }.count
    #expect(writes == 4 + 3)
    try await almanac.run(["sync", "--send"] + servers, exits: 0)
    #expect(upstream.log.filter { $0.method != "GET" }.count == writes)
    // And goes out once somebody says so.
    upstream.setFaults([])
    try await almanac.run("outbox", "retry", exits: 0)
    let again = try await almanac.run(["sync", "--send"] + servers).object()
    #expect(again["outbox"] as? [String: Int] == ["sent": 2, "pending": 0, "conflict": 0, "refused": 0])
    #expect(upstream.user("u0")?.name == "New u0" && upstream.peopleNames.sorted() == ["A ", "B ", "C "])
  }
}

/// Edits that a server does not take now: a job under cron hears of them, and so does whoever asks.
@Suite struct UnsentEditTests {
  /// A profile with an edit that waits.
  private func edited() async throws -> (Scene, String) {
    let scene = try Scene()
    let config = try scene.config(["users"], follows: ["users/bo"])
    for command in [["sync", "users/ada", "users/bo"], ["profile", "set", "ada", "--name", "Ada K"]] {
      try await scene.almanac.run(command + ["--config", config, "--quiet"], exits: 0)
    }
    return (scene, config)
  }

  @Test(
    "a sync says it in one line, also in JSON, and ends with the reason's code",
    arguments: [("table", Int32(69)), ("json", 75)])
  func sync(format: String, status: Int32) async throws {
    let (scene, config) = try await edited()
    defer { scene.end() }
    // Where the server says when to come back, it is not asked again within the call.
    let fault = status == 75 ? Fault.status(503, retryAfter: "3000") : .reset
    scene.upstream.setFaults([FaultRule(fault, path: "/user/ada", times: nil)])
    let sync = try await scene.almanac.run("sync", "--quiet", "--format", format, "--config", config, exits: status)
    let lines = sync.err.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].contains("1 edit could not be sent: "), "\(sync.err)")
    if format == "json" {
      let error = try #require(JSONSerialization.jsonObject(with: Data(sync.err.utf8)) as? [String: Any])
      #expect(error["part"] as? String == "outbox" && error["retryable"] as? Bool == true)
      let report = try #require(JSONSerialization.jsonObject(with: Data(sync.out.utf8)) as? [String: Any])
      #expect(report["outbox"] as? [String: Int] == ["sent": 0, "pending": 1, "conflict": 0, "refused": 0])
    } else {
      #expect(lines[0].hasPrefix("almanac: outbox: 1 edit"), "\(sync.err)")
      #expect(sync.out.isEmpty)
    }
    scene.upstream.setFaults([])
    let again = ["sync", "--quiet", "--config", config]
    // It waits as long as the server asked for, unless somebody wants it now.
    if status == 75 { try await scene.almanac.run(again, exits: 75, err: "asked to wait until") }
    let sent = try await scene.almanac.run(again + (status == 75 ? ["--now"] : []), exits: 0)
    #expect(sent.err.isEmpty, "\(sent.err)")
  }

  @Test func theDaemonDoctorAndStatusSayItToo() async throws {
    let (scene, config) = try await edited()
    defer { scene.end() }
    scene.upstream.setFaults([FaultRule(.status(503, retryAfter: "3000"), path: "/user/ada", times: nil)])
    try await scene.daemon.run(
      "--once", "--quiet", "--config", config, "--store", scene.almanac.store, exits: 75,
      err: "edits could not be sent", "503")
    let doctor = try await scene.almanac.run("doctor", "--format", "json", "--config", config, exits: 69)
    let findings = try #require(try doctor.object()["findings"] as? [[String: String]])
    let finding = try #require(findings.first { $0["part"] == "outbox" }, "\(doctor.out)")
    #expect(finding["severity"] == "error" && finding["message"]?.contains("profiles/ada") == true, "\(finding)")
    let status = try await scene.almanac.run("status", "--quiet", "--config", config)
    #expect(status.out.contains("edits that could not be sent: 1; profiles/ada: "), "\(status.out)")
    #expect(status.out.filter { $0 != "\n" }.contains("asked to wait until"), "\(status.out)")
    let edits = try await scene.almanac.records("outbox")
    #expect(edits.first?["retryAt"] is String, "\(edits)")
  }

  @Test func anEditIsNamedByTheBeginningOfItsIDOrItsTarget() async throws {
    let (scene, _) = try await edited()
    defer { scene.end() }
    let almanac = scene.almanac
    try await almanac.run("profile", "set", "bo", "--name", "Bo B", exits: 0)
    let ids = try await almanac.records("outbox")
      .sorted { "\($0["target"]!)" < "\($1["target"]!)" }.map { "\($0["id"]!)" }
    let common = zip(ids[0], ids[1]).prefix { $0 == $1 }.map(\.0)
    try await almanac.run(
      "outbox", "discard", String(common), exits: 64, err: "matches 2 edits", "\(ids[0]) (profiles/ada, pending)")
    try await almanac.run("outbox", "discard", "profiles/none", exits: 66)
    let first = try await almanac.run("outbox", "discard", String(ids[0].prefix(common.count + 1)), "--yes", exits: 0)
    #expect(first.err.hasPrefix("discarded the edit of profiles/ada ("), "\(first.err)")
    try await almanac.run("outbox", "discard", "profiles/bo", "--yes", exits: 0)
    #expect(try await almanac.records("outbox").isEmpty)
  }
}
