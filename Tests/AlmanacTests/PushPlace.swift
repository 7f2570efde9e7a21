import AlmanacTesting
import Foundation
import UpstreamKit

/// One place of a sweep: the program is killed there, and goes on until nothing waits.
struct PushPlace {
  let sweep: PushSweep
  let number: Int
  let almanac: Program
  private let upstream: Upstream

  init(sweep: PushSweep, number: Int) throws {
    self.sweep = sweep
    self.number = number
    almanac = try Program("almanac")
    upstream = try sweep.upstream(seed: number, faults: true)
    try FileManager.default.copyItem(atPath: sweep.almanac.store, toPath: almanac.store)
  }

  private var logFile: String { almanac.folder + "/kill.log" }

  /// The name of the call before which it was killed, or the number of calls of a run that ended.
  var log: String { (try? String(contentsOfFile: logFile, encoding: .utf8)) ?? "" }

  private var command: [String] {
    (sweep.scene.isPeople ? ["people", "send"] : ["sync"]) + ["--format", "json"] + sweep.servers(upstream)
  }

  /// Sends what waits.
  func send(killedAt call: Int?) async throws -> Program.Result {
    var almanac = almanac
    if let call {
      almanac.environment["LD_PRELOAD"] = sweep.shim
      almanac.environment["KILL_AT"] = String(call)
      almanac.environment["KILL_AT_LOG"] = logFile
    }
    return try await almanac.run(command)
  }

  /// Plays it to the end.
  func play() async throws -> PushTally {
    defer {
      upstream.stop()
      almanac.clean()
    }
    var tally = PushTally()
    if try await send(killedAt: number).status == 128 + SIGKILL { tally.killed[log] = 1 }
    try await goOn(&tally)
    tally.lostReplies = upstream.faultCounts["lost-reply"] ?? 0
    // What nobody may see is over: from here on every reply arrives.
    let wrong = blind() + (sweep.scene.isPeople ? try await people() : try await profiles())
    tally.wrong += wrong.map { "\(sweep.scene), place \(number), before \(log): \($0)" }
    return tally
  }

  /// Starts the program again until nothing waits.
  private func goOn(_ tally: inout PushTally) async throws {
    for _ in 0..<40 {
      tally.restarts += 1
      let result = try await send(killedAt: nil)
      let answer = try result.object()
      guard let counts = (answer["outbox"] ?? answer) as? [String: Int] else { break }
      if counts["conflict"] != 0 || counts["refused"] != 0 {
        tally.wrong.append("place \(number): \(counts), \(result.err)")
        return
      }
      if result.status == 0, counts["pending"] == 0, counts["sent"] == 0 { return }
    }
    tally.wrong.append("place \(number): edits still wait after \(tally.restarts) runs")
  }

  /// Edits that were sent again although an earlier try may have arrived, without a look at the server in between that
  /// was answered. A PUT with an entity tag needs none: the server itself refuses the second one.
  private func blind() -> [String] {
    var unsure: Set<String> = []
    var wrong: [String] = []
    for entry in upstream.log {
      let path = String(entry.target.prefix { $0 != "?" })
      if entry.method == "GET", entry.fault == nil { unsure = unsure.filter { !$0.hasPrefix(path + " ") } }
      guard entry.method == "POST" || sweep.scene == .profilesWithoutTags && entry.method == "PUT" else { continue }
      if !unsure.insert("\(path) \(entry.idempotencyKey ?? "")").inserted {
        wrong.append("\(entry.method) \(path) \(entry.idempotencyKey ?? "") was sent again without a look")
      }
    }
    return wrong
  }

  private func people() async throws -> [String] {
    var wrong: [String] = []
    let expected = (0..<sweep.edits).map { "P\($0) Q" }.sorted()
    let there = upstream.peopleNames.sorted()
    if there != expected { wrong.append("the server has \(there)") }
    let here = try await almanac.run("list", "people", "--format", "json").records()
    let names = here.compactMap { $0["fullName"] as? String }.sorted()
    if names != expected { wrong.append("here are \(names)") }
    let ids = Set(here.compactMap { $0["remoteID"] as? String })
    if ids.count != sweep.edits { wrong.append("of \(sweep.edits) people \(ids.count) are linked") }
    return wrong
  }

  private func profiles() async throws -> [String] {
    var wrong: [String] = []
    let here = try await almanac.run("list", "profiles", "--format", "json").records()
    for user in sweep.users {
      let name = "New \(user)"
      if upstream.user(user)?.name != name { wrong.append("the edit of \(user) is lost") }
      if upstream.userVersion(user) != 2 { wrong.append("\(user) has version \(upstream.userVersion(user) ?? 0)") }
      let local = here.first { $0["id"] as? String == user }?["name"] as? String
      if local != name { wrong.append("\(user) is \(local ?? "gone") here") }
    }
    return wrong
  }
}
