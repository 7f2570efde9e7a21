import AlmanacTesting
import CLibrary
import Foundation
import Logging
import Models
import Testing
import UpstreamKit

@testable import almanacd

/// What the daemon says about a config that is refused, deleted or needs a restart.
@Suite struct ConfigHealthTests {
  @Test("a refused config is said by page, metrics, API and log, until it is mended")
  func refusedConfig() async throws {
    let daemon = try await Daemon(follows: ["people"])
    let good = try String(contentsOfFile: daemon.program.folder + "/config.json", encoding: .utf8)
    // Certificates are read with the config, although what it says is well formed.
    try daemon.write(config: good.replacing(#""users": {"#, with: #""users": {"caFile": "gone.pem", "#))
    let log = try await daemon.log(holds: "config mistake")
    #expect(log.contains("path=servers.users.caFile") && log.contains("gone.pem cannot be read"), "\(log)")
    #expect(log.contains("the new config is refused"), "\(log)")
    let client = daemon.client
    let metrics = try await client.get("/metrics").body
    #expect(metrics.contains(#"almanac_problem{part="config"} 1"#))
    // One change of a file may be reported twice.
    #expect(metrics.contains(/almanac_config_reloads_total\{result="refused"\} [1-9]/))
    #expect(try await client.get("/").body.contains("The new config is refused."))
    #expect(try await client.get("/api/v1/status").list("problems").first?["part"] as? String == "config")
    #expect(try await client.get("/readyz").status == 200)
    // It would not be in use after an edit either.
    let edit = try await client.post("/api/v1/follows", #"{"follow": "users/bo"}"#)
    #expect(edit.status == 409 && edit.body.contains("mistake"), "\(edit.body)")
    try daemon.write(config: good)
    _ = try await daemon.eventually("/metrics") { $0.body.contains(#"almanac_problem{part="config"} 0"#) }
    #expect(try await !client.get("/").body.contains("The new config is refused."))
    // Nor does a source that was followed without a definition leave a problem.
    try daemon.write(config: good.replacing("\"follows\": [", with: "\"follows\": [{\"follow\": \"ghost/x\"}, "))
    _ = try await daemon.eventually("/metrics") { $0.body.contains(#"almanac_problem{part="config"} 1"#) }
    try daemon.write(config: good)
    _ = try await daemon.eventually("/metrics") { $0.body.contains(#"almanac_problem{part="config"} 0"#) }
  }

  @Test("a daemon that starts beside mistakes says that what they concern fails, and that the rest is in use")
  func mistakesAtTheStart() async throws {
    let daemon = try await Daemon(
      config: """
        {"servers": {"users": {"url": "https://127.0.0.1:1", "caFile": "none.pem"}},
         "follows": [{"follow": "gone/x"}]}
        """)
    let log = try await daemon.log(holds: "there is no definition")
    #expect(
      log.components(separatedBy: "sources with mistakes fail; the rest of the config is in use").count == 3, "\(log)")
    #expect(log.contains("config.json:1:64 path=servers.users.caFile"), "\(log)")
    #expect(!log.contains("the old one stays"), "\(log)")
    let page = try await daemon.client.get("/").body
    #expect(page.contains("The definition of a source has mistakes.") && !page.contains("is refused."), "\(page)")
  }

  @Test("every mistake of a refused config has a line with its place; a config file that is gone is noticed")
  func everyMistake() async throws {
    let daemon = try await Daemon(follows: ["people"])
    let path = daemon.program.folder + "/config.json"
    let good = try String(contentsOfFile: path, encoding: .utf8)
    try daemon.write(
      config: "{\"follows\": [\n{\"follow\": \"people\", \"every\": \"soon\"},\n{\"limit\": 0}], \"x\": 1}")
    let log = try await daemon.log(holds: "config mistake", times: 4)
    for place in [":2:31 path=follows[0].every", ":3:1 path=follows[1]", ":3:11 path=follows[1].limit", ":3:16 path=x"]
    {
      #expect(log.contains("at=\(path)\(place)"), "\(place)\n\(log)")
    }
    let state = try await daemon.client.get("/api/v1/status").object()["config"] as? [String: Any]
    #expect(state?["result"] as? String == "refused" && state?["refusedAt"] is String, "\(state ?? [:])")
    // Other mistakes of the same number are said as well.
    try daemon.write(config: "{\"a\": 1, \"b\": 1, \"c\": 1,\n\"d\": 1}")
    try await daemon.log(holds: "config mistake", times: 8)
    try FileManager.default.removeItem(atPath: path)
    try await daemon.log(holds: "was deleted", seconds: Double(ConfigWatcher.pause) - 3)
    let client = daemon.client
    #expect(try await client.get("/api/v1/follows").list("items").count == 1)
    // An edit would make a file with this follow alone, and without any server.
    let edit = try await client.post("/api/v1/follows", #"{"follow": "users/bo"}"#)
    #expect(edit.status == 409 && edit.body.contains("restore it"), "\(edit.body)")
    #expect(try await client.send("DELETE", "/api/v1/follows/people").status == 409)
    if Daemon.hasCLI {
      for call in ["follow users/cy", "config check", "doctor"] {
        let answer = try await daemon.program.almanac(call)
        #expect(answer.status == 78 && "\(answer)".contains("was deleted"), "\(answer)")
      }
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try await client.get("/metrics").body.contains("almanac_config_last_reload_successful 0"))
    try daemon.write(config: good)
    try await daemon.log(holds: "problem solved")
    #expect(try await client.get("/metrics").body.contains("almanac_config_last_reload_successful 1"))
    #expect(try await client.get("/api/v1/status").object()["config"].map { "\($0)".contains("refused") } == false)
    // A full disk leaves an empty file.
    try daemon.write(config: "")
    try await daemon.log(holds: "is empty now")
    #expect(try await client.get("/api/v1/follows").list("items").count == 1)
  }

  @Test("a changed listen is said to need a restart; the modes of secrets are mended; a torn journal is named")
  func start() async throws {
    let program = try Program("almanacd")
    defer { program.clean() }
    let upstream = try Upstream(UpstreamOptions())
    defer { upstream.stop() }
    func config(_ listen: String) -> String {
      Daemon.config(["people"], url: upstream.url, every: "1s", more: #","daemon": {"listen": "\#(listen)"}"#)
    }
    let path = try program.file("config.json", config("127.0.0.1:0"))
    try await program.run(["--once", "--config", path], exits: 0)
    let journal = try #require(
      FileManager.default.contentsOfDirectory(atPath: program.store).first { $0.hasPrefix("journal.") })
    let file = try #require(FileHandle(forWritingAtPath: program.store + "/" + journal))
    try file.seekToEnd()
    try file.write(contentsOf: Data("{\"commit\":".utf8))
    try file.close()
    let list = program.store + "/access.json"
    try Data(#"{"sessions":[],"tokens":[]}"#.utf8).write(to: URL(filePath: list))
    #expect(chmod(list, 0o644) == 0)
    let running = try program.start(["--config", path])
    let error = running.errorPath
    _ = try await Daemon.waitFor(running, error, "listening")
    let mode = try FileManager.default.attributesOfItem(atPath: list)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    // The first write finds it: the next sync notes when it was.
    let log = try await Daemon.waitFor(running, error, "was interrupted")
    #expect(log.contains(journal), "\(log)")
    _ = try program.file("config.json", config("127.0.0.1:1"))
    _ = try await Daemon.waitFor(running, error, "restart almanacd")
    running.signal(SIGTERM)
    #expect(try await running.result().status == 0)
  }

  @Test("a problem whose words change, and not its cause, is the same one")
  func sameCause() {
    let time = ManualTime()
    let health = Health(folder: nil, time: time, logger: Logger(label: "test"), feed: nil)
    func failure(_ message: String, _ code: StoreCode = .unreachable) -> Failure {
      Failure(.store, .tryLater, message, hint: "\(message)", code: .store(code))
    }
    #expect(health.set(.store, failure("no answer for 3 s")))
    let begun = time.now
    time.advance(by: .seconds(60))
    #expect(!health.set(.store, failure("no answer for 63 s")) && health.problems.first?.since == begun)
    #expect(health.problems.first?.failure.message == "no answer for 63 s")
    #expect(health.set(.store, failure("no answer for 63 s", .denied)) && health.problems.first?.since == time.now)
    #expect(health.set(.notifications, failure("down"), of: ["a"]))
    #expect(health.set(.notifications, failure("down"), of: ["a", "b"]))
    #expect(health.set(.store, nil) && !health.set(.store, nil))
  }

  @Test("a config that is refused again for the same reason was refused when it was first")
  func refusedSince() {
    let time = ManualTime()
    let health = Health(
      folder: nil, time: time, logger: Logger(label: "test"), feed: nil,
      wording: Wording(options: { _ in ["--store", "/srv/store"] }))
    func refuse(_ message: String, at path: String) -> Timestamp? {
      time.advance(by: .seconds(60))
      health.reloaded(
        Failure(.config, .config, message, hint: "run \(command: "config", "check")"),
        mistakes: [Mistake(place: "config.json:1:1", path: path, message: message)])
      return health.config.refusedAt
    }
    let first = refuse("a mistake", at: "follows")
    #expect(first == time.now && refuse("a mistake in other words", at: "follows") == first)
    let second = refuse("a mistake", at: "daemon")
    #expect(second == time.now)
    health.reloaded(nil)
    #expect(health.config.refusedAt == nil && refuse("a mistake", at: "daemon") == time.now)
  }
}
