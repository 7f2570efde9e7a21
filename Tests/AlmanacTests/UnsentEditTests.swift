import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// Edits that a server does not take now: a job under cron hears of them, and so does whoever asks.
@Suite struct UnsentEditTests {
  /// A profile with an edit that waits.
  private func edited() async throws -> (Scene, String) {
    let scene = try Scene()
    let config = try scene.config(["users"], follows: ["users/bo"])
    for command in [["sync", "users/ada", "users/bo"], ["profile", "set", "ada", "--name", "Ada K"]] {
      let result = try await scene.almanac.run(command + ["--config", config, "--quiet"])
      #expect(result.status == 0, "\(result.err)")
    }
    return (scene, config)
  }

  @Test(
    "a sync says it in one line in every format, and ends with the reason's code",
    arguments: ["table", "json", "jsonl", "csv"], [Int32(69), 75])
  func sync(format: String, status: Int32) async throws {
    let (scene, config) = try await edited()
    defer { scene.end() }
    // Where the server says when to come back, it is not asked again within the call.
    let fault = status == 75 ? Fault.status(503, retryAfter: "3000") : .reset
    scene.upstream.setFaults([FaultRule(fault, path: "/user/ada", times: nil)])
    let sync = try await scene.almanac.run("sync", "--quiet", "--format", format, "--config", config)
    #expect(sync.status == status, "\(sync.out)\(sync.err)")
    let lines = sync.err.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].contains("1 edit could not be sent: "), "\(sync.err)")
    if format.hasPrefix("json") {
      let error = try #require(JSONSerialization.jsonObject(with: Data(sync.err.utf8)) as? [String: Any])
      #expect(error["part"] as? String == "outbox" && error["retryable"] as? Bool == true)
      let report = try #require(JSONSerialization.jsonObject(with: Data(sync.out.utf8)) as? [String: Any])
      #expect(report["outbox"] as? [String: Int] == ["sent": 0, "pending": 1, "conflict": 0, "refused": 0])
    } else {
      #expect(lines[0].hasPrefix("almanac: outbox: 1 edit"), "\(sync.err)")
      #expect(sync.out.isEmpty == (format == "table"))
    }
    scene.upstream.setFaults([])
    let again = try await scene.almanac.run("sync", "--quiet", "--config", config)
    #expect(again.status == 0 && again.err.isEmpty, "\(again.err)")
  }

  @Test func theDaemonDoctorAndStatusSayItToo() async throws {
    let (scene, config) = try await edited()
    defer { scene.end() }
    scene.upstream.setFaults([FaultRule(.status(503, retryAfter: "3000"), path: "/user/ada", times: nil)])
    let once = try await scene.daemon.run(
      "--once", "--quiet", "--config", config, "--store", scene.almanac.store)
    #expect(once.status == 75, "\(once.err)")
    #expect(once.err.contains("edits could not be sent") && once.err.contains("503"), "\(once.err)")
    let doctor = try await scene.almanac.run("doctor", "--format", "json", "--config", config)
    #expect(doctor.status == 69, "\(doctor.out)")
    let findings = try #require(try doctor.object()["findings"] as? [[String: String]])
    let finding = try #require(findings.first { $0["part"] == "outbox" }, "\(doctor.out)")
    #expect(finding["severity"] == "error" && finding["message"]?.contains("profiles/ada") == true, "\(finding)")
    let status = try await scene.almanac.run("status", "--quiet", "--config", config)
    #expect(status.out.contains("edits that could not be sent: 1; profiles/ada: "), "\(status.out)")
  }

  @Test func anEditIsNamedByTheBeginningOfItsIDOrItsTarget() async throws {
    let (scene, _) = try await edited()
    defer { scene.end() }
    let almanac = scene.almanac
    #expect(try await almanac.run("profile", "set", "bo", "--name", "Bo B").status == 0)
    let ids = try await almanac.run("outbox", "--format", "json").records().compactMap { $0["id"] as? String }
    #expect(ids.count == 2)
    let common = zip(ids[0], ids[1]).prefix { $0 == $1 }.map(\.0)
    let several = try await almanac.run("outbox", "discard", String(common))
    #expect(several.status == 64 && several.err.contains("matches 2 edits"), "\(several.err)")
    #expect(several.err.contains("\(ids[0]) (profiles/ada)"), "\(several.err)")
    #expect(try await almanac.run("outbox", "discard", "profiles/none").status == 66)
    let first = try await almanac.run("outbox", "discard", String(ids[0].prefix(common.count + 1)))
    #expect(first.status == 0 && first.err == "dropped the edit of profiles/ada\n", "\(first.err)")
    let second = try await almanac.run("outbox", "discard", "profiles/bo")
    #expect(second.status == 0, "\(second.err)")
    #expect(try await almanac.run("outbox", "--format", "json").records().isEmpty)
  }
}
