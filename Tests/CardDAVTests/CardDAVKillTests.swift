import AlmanacTesting
import Foundation
import Testing

/// The program is killed before each call by which it changes files or sends, and started again until nothing is left to
/// do, against Radicale.
///
/// By default a few places; with `ALMANAC_KILL_CARDS=300` every place of a first sync of 300 cards, with
/// `ALMANAC_KILL_PUSHES=20` every place of 20 changes, new people and removals.
@Suite(.serialized, .enabled(if: RealServer.Kind.radicale.program != nil, "Radicale is not installed"))
struct CardDAVKillTests {
  /// A store with a config file, with which every place begins.
  private struct Scene {
    let server: RealServer
    let template: Program
    let shim: String

    init(_ server: RealServer) throws {
      self.server = server
      template = try Program("almanac")
      shim = template.folder + "/kill_at.so"
      let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "AlmanacTests/kill_at.c").path
      let clang = try Process.run(
        URL(filePath: "/usr/bin/env"), arguments: ["clang", "-shared", "-fPIC", "-O1", "-o", shim, source])
      clang.waitUntilExit()
      try #require(clang.terminationStatus == 0)
      let password = try template.file("password", "secret\n")
      let account = #"{"url": "\#(server.url)", "user": "ann", "password": {"file": "\#(password)"}}"#
      _ = try template.file(
        "config.json",
        #"{"servers": {"carddav": {"accounts": {"home": \#(account)}}}, "follows": [{"follow": "carddav/home/book"}]}"#)
      try template.makeStore()
    }

    /// A copy of the store, for one place.
    func place() throws -> Program {
      var almanac = try Program("almanac")
      almanac.environment["ALMANAC_CONFIG"] = template.folder + "/config.json"
      try FileManager.default.copyItem(atPath: template.store, toPath: almanac.store)
      return almanac
    }

    /// Syncs, and is killed before a call.
    func sync(_ almanac: Program, killedAt call: Int) async throws -> (Program.Result, log: String) {
      var almanac = almanac
      let log = almanac.folder + "/kill.log"
      almanac.environment["LD_PRELOAD"] = shim
      almanac.environment["KILL_AT"] = String(call)
      almanac.environment["KILL_AT_LOG"] = log
      let result = try await almanac.run("sync", "--format", "json")
      return (result, (try? String(contentsOfFile: log, encoding: .utf8)) ?? "")
    }

    /// Syncs until nothing is left to do; what is wrong.
    func goOn(_ almanac: Program) async throws -> String? {
      for _ in 0..<10 {
        let result = try await almanac.run("sync", "--format", "json")
        let answer = try result.object()
        let counts = answer["outbox"] as? [String: Int] ?? [:]
        if counts["conflict"] ?? 0 > 0 || counts["refused"] ?? 0 > 0 { return "\(counts) \(result.err)" }
        let follow = (answer["follows"] as? [[String: Any]])?.first
        if result.status == 0, counts["pending"] ?? 0 == 0, counts["sent"] ?? 0 == 0,
          follow?["status"] as? String == "unchanged"
        {
          return nil
        }
      }
      return "the syncs do not end"
    }

    func names(_ almanac: Program) async throws -> [String] {
      try await almanac.run("list", "people", "--format", "json").records().compactMap { $0["fullName"] as? String }
        .sorted()
    }
  }

  private func with(_ body: (RealServer, Scene) async throws -> Void) async throws {
    let server = try await RealServer.started(.radicale)
    let scene = try Scene(server)
    do { try await body(server, scene) } catch {
      await server.end()
      scene.template.clean()
      throw error
    }
    await server.end()
    scene.template.clean()
  }

  private func places(_ last: Int, all: Bool) -> [Int] {
    all ? Array(1...last) : Array(stride(from: 3, through: last, by: max(1, last / 6)))
  }

  @Test func aFirstSyncGoesOnWhereverItIsKilled() async throws {
    let wanted = ProcessInfo.processInfo.environment["ALMANAC_KILL_CARDS"].flatMap { Int($0) }
    let count = wanted ?? 20
    try await with { server, scene in
      try server.fill((100..<100 + count).map { ("c\($0).vcf", vCard("P\($0) Q", "X-NUMBER:\($0)")) })
      let expected = (100..<100 + count).map { "P\($0) Q" }
      let whole = try scene.place()
      let (_, calls) = try await scene.sync(whole, killedAt: .max)
      whole.clean()
      let last = try #require(Int(calls))
      var killed = 0
      for number in places(last, all: wanted != nil) {
        let almanac = try scene.place()
        let (result, log) = try await scene.sync(almanac, killedAt: number)
        if result.status == 128 + SIGKILL { killed += 1 }
        let wrong = try await scene.goOn(almanac)
        #expect(wrong == nil, "place \(number), before \(log): \(wrong ?? "")")
        #expect(try await scene.names(almanac) == expected, "place \(number), before \(log)")
        let cards = try await almanac.run("export", "people", "--to", "vcf").out
        #expect(cards.split(separator: "X-NUMBER:").count == count + 1, "place \(number), before \(log)")
        almanac.clean()
      }
      if wanted != nil { print("kill sweep of a sync of \(count) cards: killed at \(killed) of \(last) places") }
      #expect(killed > 0)
    }
  }

  @Test func everyEditArrivesOnceWhereverTheProgramIsKilled() async throws {
    let wanted = ProcessInfo.processInfo.environment["ALMANAC_KILL_PUSHES"].flatMap { Int($0) }
    let pushes = wanted ?? 5
    let (changed, removed) = (pushes * 2 / 5, pushes * 3 / 10)
    let new = pushes - changed - removed
    let stored = changed + removed + 2
    try await with { server, scene in
      let cards = (100..<100 + stored).map {
        (name: "c\($0).vcf", card: vCard("P\($0) Q", uid: "u\($0)", "X-NUMBER:\($0)"))
      }
      let folder = "\(server.folder)/data/collection-root/ann/book/"
      func reset() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".vcf") {
          try FileManager.default.removeItem(atPath: folder + name)
        }
        try server.fill(cards)
      }
      try reset()
      var almanac = scene.template
      almanac.environment["ALMANAC_CONFIG"] = almanac.folder + "/config.json"
      func check(_ words: String...) async throws {
        let result = try await almanac.run(words)
        try #require(result.status == 0, "\(words): \(result.err)")
      }
      try await check("sync")
      for number in 100..<100 + changed { try await check("people", "edit", "P\(number) Q", "--nickname", "new") }
      for number in 100 + changed..<100 + changed + removed {
        try await check("people", "remove", "P\(number) Q", "--yes")
      }
      for number in 0..<new {
        try await check("people", "add", "--first", "N\(number)", "--last", "O", "--to", "carddav/home/book")
      }
      let left = (100..<100 + stored).filter { !(100 + changed..<100 + changed + removed).contains($0) }
      let expected = (left.map { "P\($0) Q" } + (0..<new).map { "N\($0) O" }).sorted()
      let whole = try scene.place()
      let (_, calls) = try await scene.sync(whole, killedAt: .max)
      whole.clean()
      let last = try #require(Int(calls))
      var killed = 0
      for number in places(last, all: wanted != nil) {
        try reset()
        let almanac = try scene.place()
        let (result, log) = try await scene.sync(almanac, killedAt: number)
        if result.status == 128 + SIGKILL { killed += 1 }
        let wrong = try await scene.goOn(almanac)
        #expect(wrong == nil, "place \(number), before \(log): \(wrong ?? "")")
        #expect(try await scene.names(almanac) == expected, "place \(number), before \(log)")
        let there = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".vcf") }
          .map { try String(contentsOfFile: folder + $0, encoding: .utf8) }
        #expect(there.count == expected.count, "place \(number), before \(log): \(there.count) cards")
        #expect(there.filter { $0.contains("NICKNAME:new") }.count == changed, "place \(number), before \(log)")
        #expect(there.filter { $0.contains("X-NUMBER:") }.count == left.count, "place \(number), before \(log)")
        almanac.clean()
      }
      if wanted != nil { print("kill sweep of \(pushes) pushes: killed at \(killed) of \(last) places") }
      #expect(killed > 0)
    }
  }
}
