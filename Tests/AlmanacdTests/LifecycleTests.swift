import AlmanacTesting
import CLibrary
import Foundation
import Testing
import UpstreamKit

@testable import almanacd

/// How the daemon begins, reloads and ends.
@Suite struct LifecycleTests {
  @Test("SIGHUP takes a new config; a bad one is refused and the old one stays")
  func reload() async throws {
    let daemon = try await Daemon(follows: ["people"])
    let url = daemon.upstream?.url ?? ""
    try await daemon.log(holds: "synced")
    try daemon.write(config: Daemon.config(["people", "users/ada"], url: url))
    daemon.running.signal(SIGHUP)
    try await daemon.log(holds: "config read again follows=2")
    _ = try await daemon.eventually("/api/v1/collections/profiles/ada") { $0.status == 200 }
    try daemon.write(config: #"{"follows": [{"follow": "people", "every": "soon"}], "x": 1}"#)
    daemon.running.signal(SIGHUP)
    let log = try await daemon.log(holds: "config mistake", times: 2)
    #expect(log.contains("the new config is refused"))
    #expect(log.contains("config.json:1:44 path=follows[0].every"), "\(log)")
    daemon.running.signal(SIGHUP)
    try await daemon.log(holds: "the config is still refused")
    #expect(try await daemon.client.get("/api/v1/status").list("follows").count == 2)
  }

  @Test("SIGHUP while the daemon starts does not end it")
  func earlyReload() async throws {
    let program = try Program("almanacd")
    defer { program.clean() }
    let running = try program.start(["--store", program.store, "--listen", "127.0.0.1:0"])
    defer { running.signal(SIGKILL) }
    _ = try await Daemon.waitFor(running, running.errorPath, "started")
    // Until it takes one.
    while running.isRunning, try !String(contentsOfFile: running.errorPath, encoding: .utf8).contains("read again") {
      running.signal(SIGHUP)
    }
    running.signal(SIGTERM)
    #expect(try await running.result().status == 0)
  }

  @Test("SIGHUP tries again what was refused, and another server is asked at once whatever the first one asked to wait")
  func refusedKey() async throws {
    var options = UpstreamOptions()
    options.faults = [
      FaultRule(.status(403), path: "/user/ada", times: 3),
      FaultRule(.status(429, retryAfter: "7200"), path: "/user/bo", times: nil),
    ]
    let daemon = try await Daemon(follows: ["users/ada", "users/bo"], options: options)
    for times in 1...3 {
      _ = try await daemon.eventually("/api/v1/status") { reply in
        try reply.list("follows").first?["failures"] as? Int == times
      }
      daemon.running.signal(SIGHUP)
    }
    _ = try await daemon.eventually("/api/v1/collections/profiles/ada") { $0.status == 200 }
    let other = try Upstream(UpstreamOptions())
    defer { other.stop() }
    #expect(try await daemon.client.get("/api/v1/collections/profiles/bo").status == 404)
    try daemon.write(config: Daemon.config(["users/ada", "users/bo"], url: other.url))
    _ = try await daemon.eventually("/api/v1/collections/profiles/bo") { $0.status == 200 }
  }

  @Test("a paused follow is not synced, is not stale, and is synced when it is resumed")
  func paused() async throws {
    let (daemon, client) = try await Daemon(follows: ["people", "users/ada"]).withClient
    try await daemon.log(holds: "synced", times: 2)
    let made = try await client.post("/api/v1/follows", #"{"follow": "users/bo", "paused": true, "every": "1s"}"#)
    #expect(try made.status == 201 && made.object()["paused"] as? Bool == true, "\(made.body)")
    let file = daemon.program.folder + "/config.json"
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains(#""paused": true"#))
    // Everything that is followed, but those that are paused.
    let run = try await client.post("/api/v1/sync", "{}").object()["run"] as? String ?? ""
    let report = try await daemon.eventually("/api/v1/runs/\(run)") { try $0.object()["state"] as? String == "done" }
    #expect(try report.list("follows").compactMap { $0["follow"] as? String }.sorted() == ["people", "users/ada"])
    let status = try await client.get("/api/v1/status").list("follows").first { $0["follow"] as? String == "users/bo" }
    #expect(status?["paused"] as? Bool == true && status?["stale"] as? Bool == false && status?["next"] == nil)
    #expect(try await client.get("/follows/users/bo").body.contains("Resume users/bo"))
    #expect(try await client.get("/metrics").body.contains(#"almanac_follow_paused{follow="users/bo"} 1"#))
    #expect(try await client.get("/api/v1/collections/profiles/bo").status == 404)
    #expect(try await client.post("/api/v1/follows", #"{"follow": "users/bo", "paused": 1}"#).status == 422)
    // What is not named stays: it is still paused.
    let changed = try await client.post("/api/v1/follows", #"{"follow": "users/bo", "every": "1h"}"#)
    #expect(try changed.object()["paused"] as? Bool == true)
    _ = try await client.post("/api/v1/follows", #"{"follow": "users/bo", "paused": false}"#)
    _ = try await daemon.eventually("/api/v1/collections/profiles/bo") { $0.status == 200 }
    #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("paused"))
  }

  @Test("the files that people read follow when a sync is over, also the last one before the end")
  func publishedFiles() async throws {
    let daemon = try await Daemon(follows: ["people"])
    func count() -> Int {
      let text = try? String(contentsOfFile: daemon.program.store + "/people.jsonl", encoding: .utf8)
      return text?.split(separator: "\n").count ?? 0
    }
    let status = try await daemon.eventually("/api/v1/status") { _ in count() == 20 }
    #expect((try status.object()["store"] as? [String: Any])?["behind"] is [String])
    let person = #"{"firstName":"Last","lastName":"Minute","birthday":"2000-01-01"}"#
    _ = try await daemon.client.post("/api/v1/collections/people", person)
    try await daemon.stop()
    #expect(count() == 21)
  }

  @Test(
    "SIGINT, as SIGTERM, ends it within 5 s in the middle of a sync, with a whole store")
  func stop() async throws {
    var options = UpstreamOptions()
    options.photos = 2000
    options.faults = [FaultRule(.hang, path: "/services/rest/", after: 3, times: nil)]
    let daemon = try await Daemon(follows: ["flickr/interestingness"], arguments: ["--verbose"], options: options)
    await daemon.upstream?.server.waitForRequests(4)
    let begun = ContinuousClock.now
    let result = try await daemon.stop(SIGINT)
    #expect(ContinuousClock.now - begun < PromisedTime.bound(.seconds(5)))
    #expect(result.status == 0, "\(result.err)")
    #expect(result.err.contains("stopped"))
    let left = try FileManager.default.contentsOfDirectory(atPath: daemon.program.store)
    #expect(!left.contains("daemon.json"))
    // What is there can be read by the next one, to the last record.
    try await daemon.program.run("--once", "--config", daemon.program.folder + "/none.json", exits: 78)
    try await daemon.program.run("--once", exits: 0)
  }

  @Test("a port that is taken ends it with 69 and says so; an address that is none with 64")
  func takenPort() async throws {
    let server = try LocalServer { _ in .text("taken") }
    defer { server.stop() }
    let program = try Program("almanacd")
    defer { program.clean() }
    let taken = try await program.run(
      ["--listen", "127.0.0.1:\(server.port)"], exits: 69, err: "choose one with --listen")
    #expect(taken.err.contains(": Address already in use"), "\(taken.err)")
    #expect(!FileManager.default.fileExists(atPath: program.store), "nothing may be left behind")
    #expect(try await program.run(["--listen", "nonsense"]).status == 64)
  }

  @Test("what systemd must not start again, by the unit that is shipped, and a mistake of the config in JSON")
  func mistakes() async throws {
    let program = try Program("almanacd")
    defer { program.clean() }
    let config = try program.file("config.json", "{\"follows\": [\n{\"follow\": \"peopel\"}]}")
    let refused = try await program.run(["--config", config, "--once", "--log-format", "json"])
    let line = try #require(JSONSerialization.jsonObject(with: Data(refused.err.utf8)) as? [String: Any])
    #expect(line["level"] as? String == "critical" && line["kind"] as? String == "config", "\(refused.err)")
    #expect((line["hint"] as? String)?.contains("\(config):2:") == true, "\(refused.err)")
    let unit = try String(
      contentsOfFile: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Apps/almanacd/deploy/almanacd.service").standardized.path, encoding: .utf8)
    let prevented = unit.split(separator: "\n").first { $0.hasPrefix("RestartPreventExitStatus=") }?.split {
      " =".contains($0)
    }
    for status in [refused.status, try await program.run(["--nope"]).status] {
      #expect(prevented?.contains("\(status)") == true, "\(status): \(prevented ?? [])")
    }
  }

  @Test(
    "arguments that are wrong are named as by almanac",
    arguments: [
      (["--bogus"], "unknown option '--bogus'", "its options are --store, --state, --config"),
      (["extra"], "unexpected argument 'extra'", "'almanacd --help' explains the options"),
    ])
  func wrongArguments(arguments: [String], message: String, hint: String) async throws {
    let program = try Program("almanacd")
    defer { program.clean() }
    let result = try await program.run(arguments, exits: 64)
    #expect(result.out.isEmpty, "\(result)")
    #expect(result.err.hasPrefix("almanacd: \(message)\n  ") && result.err.contains(hint), "\(result.err)")
    #expect(result.err.split(separator: "\n").count == 2, "\(result.err)")
    let json = try await program.run(arguments + ["--log-format", "json"])
    let line = try #require(JSONSerialization.jsonObject(with: Data(json.err.utf8)) as? [String: Any])
    #expect(line["message"] as? String == message, "\(json.err)")
  }

  @Test("a store named from the working folder is told to others by its whole path")
  func relativeStore() async throws {
    let daemon = try await Daemon(follows: [], arguments: ["--store", "store"])
    let text = try String(contentsOfFile: daemon.program.store + "/daemon.json", encoding: .utf8)
    #expect(text.contains(#""socket":"/"#), "\(text)")
  }

  @Test("a daemon that is stopped is said to run, without a long wait", .enabled(if: Daemon.hasCLI))
  func stoppedDaemon() async throws {
    let daemon = try await Daemon(follows: [])
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    daemon.running.signal(SIGSTOP)
    let reply = try await almanac.run("dashboard", "--store", daemon.program.store)
    daemon.running.signal(SIGCONT)
    #expect(reply.status == 69 && reply.err.contains("does not answer: process \(daemon.running.pid)"), "\(reply.err)")
  }

  @Test("a copy of the store does not lead to the daemon of the original", .enabled(if: Daemon.hasCLI))
  func copiedStore() async throws {
    let daemon = try await Daemon(follows: [])
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let copy = almanac.folder + "/copy"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    for name in ["daemon.json", "token"] {
      try FileManager.default.copyItem(atPath: "\(daemon.program.store)/\(name)", toPath: "\(copy)/\(name)")
    }
    let own = try await almanac.run("dashboard", "--store", daemon.program.store, exits: 0)
    #expect(own.out.hasPrefix("http://"), "\(own.err)")
    try await almanac.run("dashboard", "--store", copy, exits: 66, err: "a copy of the one in \(daemon.program.store)")
    // The folder is what counts, not the path by which it is named.
    let link = almanac.folder + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: daemon.program.store)
    #expect(try await almanac.run("dashboard", "--store", link).status == 0)
  }

  @Test("systemd hears READY, STATUS, WATCHDOG, RELOADING with a time, READY again, and STOPPING")
  func notify() async throws {
    let socket = try NotifySocket()
    defer { socket.close() }
    let daemon = try await Daemon(follows: [], environment: ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "200000"])
    #expect(try socket.next() == "READY=1")
    var seen = Set<String>()
    while seen.count < 2 { seen.insert(String(try socket.next().prefix { $0 != "=" })) }
    #expect(seen == ["STATUS", "WATCHDOG"])
    daemon.running.signal(SIGHUP)
    var told: [String] = []
    while told.count < 2 {
      let message = try socket.next()
      if !message.hasPrefix("STATUS"), !message.hasPrefix("WATCHDOG") { told.append(message) }
    }
    #expect(told[0].hasPrefix("RELOADING=1\nMONOTONIC_USEC=") && told[1] == "READY=1")
    daemon.running.signal(SIGTERM)
    while try socket.next() != "STOPPING=1" {}
  }

  @Test(
    "an edit that somebody makes beside the daemon is sent soon",
    .enabled(if: Daemon.hasCLI, "the CLI is not built beside the tests"))
  func editBeside() async throws {
    let daemon = try await Daemon(follows: ["users/ada"])
    _ = try await daemon.eventually("/api/v1/collections/profiles/ada") { $0.status == 200 }
    #expect(try await daemon.program.almanac("profile set ada --name 'Ada King'").status == 0)
    let begun = ContinuousClock.now
    _ = try await daemon.eventually("/api/v1/collections/outbox") { try $0.list("items").isEmpty }
    #expect(daemon.upstream?.user("ada")?.name == "Ada King")
    #expect(ContinuousClock.now - begun < PromisedTime.bound(.seconds(4)))
  }

  @Test("a store that cannot be read, or is of a newer format, ends the start with 74 and the reason")
  func unreadableStore() async throws {
    let program = try Program("almanacd")
    defer { program.clean() }
    try program.makeStore()
    for (text, words) in [("almanac-store 9.0\n", "format 9.0"), ("", "manifest")] {
      _ = try program.file("store/manifest", text)
      let result = try await program.run("--listen", "127.0.0.1:0", exits: 74, err: words)
      #expect(!result.err.contains("listening"))
    }
  }

  @Test("the first start makes what it needs in a home that is empty")
  func emptyHome() async throws {
    for once in [false, true] {
      var program = try Program("almanacd")
      defer { program.clean() }
      program.environment = ["HOME": program.folder + "/home/of/somebody", "ALMANAC_STORE": "", "XDG_DATA_HOME": ""]
      let store = program.folder + "/home/of/somebody/.local/share/almanac"
      if once {
        try await program.run(["--once"], exits: 0)
        continue
      }
      let running = try program.start(["--listen", "127.0.0.1:0"])
      _ = try await Daemon.waitFor(running, running.errorPath, "listening")
      running.signal(SIGTERM)
      let result = try await running.result()
      #expect(result.status == 0, "\(result.err)")
      let attributes = try FileManager.default.attributesOfItem(atPath: store)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
      #expect(FileManager.default.fileExists(atPath: store + "/token"))
    }
  }

  @Test("each follow of a host keeps its own reason: 401, 404, and 429 with its time and the next try")
  func reasons() async throws {
    var options = UpstreamOptions()
    options.faults = [
      FaultRule(.status(401, retryAfter: "9"), path: "/user/ada", times: nil),
      FaultRule(.status(404), path: "/user/bo", times: nil),
      FaultRule(.status(429, retryAfter: "7200"), path: "/people", times: nil),
    ]
    let daemon = try await Daemon(follows: ["people", "users/ada", "users/bo", "users/plokmijn"], options: options)
    let status = try await daemon.eventually("/api/v1/status") { reply in
      try reply.list("follows").allSatisfy { $0["error"] != nil || $0["lastSuccess"] != nil }
    }
    var codes: [String: String] = [:]
    for follow in try status.list("follows") {
      codes[follow["follow"] as? String ?? ""] = (follow["error"] as? [String: Any])?["code"] as? String
    }
    let people = try #require(try status.list("follows").first { $0["follow"] as? String == "people" })
    #expect((people["error"] as? [String: Any])?["retryAfter"] as? Int == 7200)
    let next = try await daemon.eventually("/api/v1/status") { reply in
      let next = try reply.list("follows").first { $0["follow"] as? String == "people" }?["next"] as? String
      let time = next.flatMap { ISO8601DateFormatter().date(from: $0) }
      return (time?.timeIntervalSinceNow ?? 0) > 3600
    }
    #expect(next.status == 200)
    #expect(codes == ["users/ada": "http-401", "users/bo": "http-404", "people": "http-429"], "\(status.body)")
    let ada = try #require(try status.list("follows").first { $0["follow"] as? String == "users/ada" })
    let refusal = try #require(ada["error"] as? [String: Any])
    #expect(refusal["retryAfter"] == nil && (refusal["hint"] as? String)?.contains("key") == true, "\(refusal)")
    let metrics = try await daemon.client.get("/metrics").body
    for line in [
      // The follow with 401 may have been tried again meanwhile.
      #"almanac_http_requests_total{outcome="401"} "#, #"almanac_http_requests_total{outcome="429"} 1"#,
      #"almanac_follow_errors_total{follow="people",error="http-429"} 1"#,
    ] { #expect(metrics.contains(line), "\(line)\n\(metrics)") }
    let due = metrics.firstMatch(of: /almanac_follow_next_timestamp_seconds{follow="people"} (\d+)/)?.1
    #expect((due.flatMap { Double($0) } ?? 0) > Date().timeIntervalSince1970 + 3600)
  }
}
