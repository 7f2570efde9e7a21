import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

@testable import almanacd

/// What the log says of who has access, who used it, and how the daemon began and ended.
@Suite struct AuditTests {
  @Test func accessIsLoggedWithWhoChangedIt() async throws {
    let (daemon, client) = try await Daemon(follows: []).withClient
    func line(_ message: String, _ words: String...) async throws {
      let log = try await daemon.log(holds: message)
      let line = log.split(separator: "\n").first { $0.contains(message) } ?? ""
      for word in words + ["client=127.0.0.1"] { #expect(line.contains(word), "\(word)\n\(log)") }
    }
    let made = try await client.post("/api/v1/tokens", #"{"name": "phone", "rights": "read"}"#).object()
    try await line("token made", #"by="the daemon's token""#, "token=phone", "rights=read")
    let phone = WebClient(place: client.place, host: client.host, token: try #require(made["token"] as? String))
    #expect(try await phone.post("/api/v1/tokens", #"{"name": "x", "rights": "full"}"#).status == 403)
    try await line("refused", #"by="token phone""#, "why=read-only")
    let code = try await client.post("/api/v1/login-codes", "{}").object()["code"] as? String ?? ""
    try await line("login code made", #"by="the daemon's token""#)
    #expect(try await client.anonymous.get("/login?code=\(code)").status == 303)
    try await line("signed in", "session=", "browser=")
    #expect(try await client.send("DELETE", "/api/v1/sessions").status == 204)
    try await line("session revoked", "session=all", #"by="the daemon's token""#)
    #expect(try await client.send("DELETE", "/api/v1/tokens/phone").status == 204)
    try await line("token revoked", "token=phone")
    let revoked = try await phone.get("/api/v1/status")
    #expect(revoked.status == 401 && revoked.body.contains("revoked"), "\(revoked.body)")
    #expect(try await client.post("/api/v1/token-rotations", "{}").status == 201)
    try await line("the daemon's token replaced", #"by="the daemon's token""#)
  }

  @Test func theLogSaysWhichVersionBeganAndWhatEndedIt() async throws {
    let daemon = try await Daemon(follows: [])
    let log = try await daemon.stop(SIGINT).err
    #expect(log.contains("started") && log.contains("version=\(DaemonVersion.current)"), "\(log)")
    #expect(log.contains("stopped signal=SIGINT"), "\(log)")
  }

  @Test func aConfigFileThatOnlyTheEnvironmentNamesMayBeMissing() async throws {
    var program = try Program("almanacd")
    defer { program.clean() }
    let config = program.folder + "/none/config.json"
    try await program.run("--once", "--config", config, exits: 78)
    program.environment["ALMANAC_CONFIG"] = config
    let result = try await program.run("--once", "--store", program.store, exits: 0)
    #expect(result.err.components(separatedBy: "there is no config file yet").count == 2, "\(result)")
  }

  @Test(.enabled(if: Daemon.hasCLI)) func statusShowsTheProblemsOfTheDaemon() async throws {
    let daemon = try await Daemon(config: #"{"follows": []}"#)
    #expect(try await daemon.program.almanac("status --check").status == 0)
    // The arguments say where it listens, so that only another mistake is refused: here, certificates that are not there.
    try daemon.write(config: #"{"follows": [], "servers": {"users": {"caFile": "gone.pem"}}}"#)
    _ = try await daemon.log(holds: "the new config is refused")
    let status = try await daemon.program.almanac("status --check --format json")
    let problems = try status.object()["problems"] as? [[String: Any]] ?? []
    #expect(status.status == 75 && problems.map { $0["part"] as? String } == ["config"], "\(status)")
    let table = try await daemon.program.almanac("status --check --quiet")
    #expect(table.status == 75 && table.out.contains("daemon: config: "), "\(table)")
  }

  @Test func followsCanBeLeftOutOfTheMetrics() async throws {
    let daemon = try await Daemon(follows: ["people"])
    try await daemon.log(holds: "synced")
    #expect(try await daemon.client.get("/metrics").body.contains("almanac_follow_stale{"))
    let short = try await daemon.client.get("/metrics?follows=0").body
    #expect(!short.contains("almanac_follow_") && short.contains("almanac_store_records"), "\(short)")
  }

  @Test(.enabled(if: Daemon.hasCLI)) func aRestoreNamesTheEditsThatItLeavesBehind() async throws {
    var options = UpstreamOptions()
    options.faults = [FaultRule(.status(503), method: "PUT", times: nil)]
    let daemon = try await Daemon(arguments: ["--settling", "300"], options: options)
    let program = daemon.program
    try await daemon.log(holds: "synced", times: 2)
    #expect(try await program.almanac("backup kept").status == 0)
    #expect(try await program.almanac("profile set ada --name Late").status == 0)
    let restored = try await program.almanac("restore kept --yes --format json")
    let left = try restored.object()["leftBehind"] as? [[String: Any]] ?? []
    #expect(left.map { $0["target"] as? String } == ["profiles/ada"], "\(restored)")
    let previous = try restored.object()["previous"] as? String ?? "-"
    #expect(restored.err.contains("profiles/ada") && restored.err.contains(previous), "\(restored)")
    let log = try await daemon.log(holds: "edits that waited in the store before")
    #expect(log.contains("targets=profiles/ada"), "\(log)")
  }
}
