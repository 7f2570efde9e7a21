import AlmanacTesting
import Foundation
import Testing

/// The program is killed before each call by which it changes files or sends, and started again until nothing is left to
/// do, against Radicale; the attempts to send against every server that is installed.
///
/// By default a few places; with `ALMANAC_KILL_CARDS=300` every place of a first sync of 300 cards, with
/// `ALMANAC_KILL_PUSHES=20` every place of 20 changes, new people and removals. `ALMANAC_KILL_CHAIN=100` kills every
/// attempt to send 100 of them.
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
      shim = try template.killLibrary()
      let password = try template.file("password", "secret\n")
      let account = #"{"url": "\#(server.url)", "user": "ann", "password": {"file": "\#(password)"}}"#
      _ = try template.file(
        "config.json",
        #"{"servers": {"carddav": {"accounts": {"home": \#(account)}}}, "#
          + #""follows": [{"follow": "carddav/home/\#(server.bookName)"}]}"#)
      try template.makeStore()
    }

    /// A copy of the store, for one place.
    func place() throws -> Program {
      var almanac = try Program("almanac")
      almanac.environment["ALMANAC_CONFIG"] = template.folder + "/config.json"
      try FileManager.default.copyItem(atPath: template.store, toPath: almanac.store)
      return almanac
    }

    func sync(_ almanac: Program, killedAt call: Int) async throws -> (Program.Result, log: String) {
      (try await almanac.killed(at: call, by: shim).run("sync", "--format", "json"), almanac.killLog)
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

  private func with(
    _ kind: RealServer.Kind = .radicale, _ body: (RealServer, Scene) async throws -> Void
  ) async throws {
    try await RealServer.with(kind) { server in
      let scene = try Scene(server)
      defer { scene.template.clean() }
      try await body(server, scene)
    }
  }

  /// Kills a sync before some of its calls, each time from the start, and lets it go on.
  ///
  /// - Parameters:
  ///   - all: whether it is killed before every call; otherwise at a few places.
  ///   - reset: makes the server as it was.
  ///   - check: looks at the end of each run; `place` names it.
  private func sweep(
    _ scene: Scene, _ name: String, all: Bool, reset: () throws -> Void = {},
    _ check: (_ almanac: Program, _ place: String) async throws -> Void
  ) async throws {
    let whole = try scene.place()
    let (_, calls) = try await scene.sync(whole, killedAt: .max)
    whole.clean()
    let last = try #require(Int(calls))
    var killed = 0
    for number in all ? Array(1...last) : Array(stride(from: 3, through: last, by: max(1, last / 6))) {
      try reset()
      let almanac = try scene.place()
      let (result, log) = try await scene.sync(almanac, killedAt: number)
      if result.status == 128 + SIGKILL { killed += 1 }
      let place = "place \(number), before \(log)"
      let wrong = try await scene.goOn(almanac)
      #expect(wrong == nil, "\(place): \(wrong ?? "")")
      try await check(almanac, place)
      almanac.clean()
    }
    if all { print("kill sweep of \(name): killed at \(killed) of \(last) places") }
    #expect(killed > 0)
  }

  private static func wanted(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }

  @Test func aFirstSyncGoesOnWhereverItIsKilled() async throws {
    let wanted = Self.wanted("ALMANAC_KILL_CARDS")
    let count = wanted ?? 20
    try await with { server, scene in
      try server.fill((100..<100 + count).map { ("c\($0).vcf", vCard("P\($0) Q", "X-NUMBER:\($0)")) })
      let expected = (100..<100 + count).map { "P\($0) Q" }
      try await sweep(scene, "a sync of \(count) cards", all: wanted != nil) { almanac, place in
        #expect(try await scene.names(almanac) == expected, "\(place)")
        let cards = try await almanac.run("export", "people", "--to", "vcf").out
        #expect(cards.split(separator: "X-NUMBER:").count == count + 1, "\(place)")
      }
    }
  }

  /// Changes, new people and removals that wait to be sent to an address book; a new, a renamed and a removed group too.
  private struct Pushes {
    let changed: Range<Int>
    let removed: Range<Int>
    let new: Range<Int>
    let cards: [(name: String, card: String)]
    private let server: RealServer

    init(_ count: Int, _ server: RealServer) {
      changed = 100..<100 + count * 2 / 5
      removed = changed.upperBound..<changed.upperBound + count * 3 / 10
      new = 0..<count - changed.count - removed.count
      cards = (100..<removed.upperBound + 2).map {
        (name: "c\($0).vcf", card: vCard("P\($0) Q", uid: "u\($0)", "X-NUMBER:\($0)"))
      }
      self.server = server
    }

    private static let groups = ["Old", "Gone"].map { name in
      (
        name: "\(name).vcf",
        card: vCard(
          name, uid: "g-\(name)", "X-ADDRESSBOOKSERVER-KIND:group", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u100")
      )
    }

    private var left: [Int] { (100..<100 + cards.count).filter { !removed.contains($0) } }
    var names: [String] { (left.map { "P\($0) Q" } + new.map { "N\($0) O" }).sorted() }

    func reset() throws {
      let folder = "\(server.folder)/data/collection-root\(server.book)"
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".vcf") {
        try FileManager.default.removeItem(atPath: folder + name)
      }
      try server.fill(cards + Self.groups)
    }

    func queue(_ template: Program) async throws {
      var almanac = template
      almanac.environment["ALMANAC_CONFIG"] = almanac.folder + "/config.json"
      func check(_ words: String...) async throws {
        let result = try await almanac.run(words)
        try #require(result.status == 0, "\(words): \(result.err)")
      }
      try server.fill(cards + Self.groups)
      try await check("sync")
      let book = "carddav/home/\(server.bookName)"
      for number in changed { try await check("people", "edit", "P\(number) Q", "--nickname", "new") }
      for number in removed { try await check("people", "remove", "P\(number) Q", "--yes") }
      for number in new {
        try await check("people", "add", "--first", "N\(number)", "--last", "O", "--to", book)
      }
      try await check("people", "group", "create", "New", "P100 Q", "--to", book)
      try await check("people", "group", "rename", "Old", "Renamed")
      try await check("people", "group", "delete", "Gone", "--yes")
    }

    /// Every edit is at the server, once, and nothing else changed.
    func check(_ almanac: Program, _ scene: Scene, _ place: String) async throws {
      #expect(try await scene.names(almanac) == names, "\(place)")
      let groups = try await almanac.run("people", "group", "list", "--format", "json").records()
      #expect(groups.map { $0["group"] as? String } == ["New", "Renamed"], "\(place): \(groups)")
      #expect(groups.allSatisfy { $0["people"] as? Int == 1 && $0["missing"] == nil }, "\(place): \(groups)")
      let all = try await server.cards()
      let there = all.filter { !$0.contains("KIND:group") }
      let named = all.filter { $0.contains("KIND:group") && $0.contains("urn:uuid:u100") }
      #expect(named.count == 2 && all.count == there.count + 2, "\(place): \(named)")
      for name in ["New", "Renamed"] { #expect(named.contains { $0.contains("FN:\(name)\r\n") }, "\(place)") }
      #expect(there.count == names.count, "\(place): \(there.count) cards")
      #expect(there.filter { $0.contains("NICKNAME:new") }.count == changed.count, "\(place)")
      #expect(there.filter { $0.contains("X-NUMBER:") }.count == left.count, "\(place)")
    }
  }

  @Test func everyEditArrivesOnceWhereverTheProgramIsKilled() async throws {
    let wanted = Self.wanted("ALMANAC_KILL_PUSHES")
    try await with { server, scene in
      let pushes = Pushes(wanted ?? 5, server)
      try await pushes.queue(scene.template)
      try await sweep(scene, "\(wanted ?? 5) pushes", all: wanted != nil, reset: pushes.reset) { almanac, place in
        try await pushes.check(almanac, scene, place)
      }
    }
  }

  /// The program is killed again and again: at its first call, then at the second, and so on; after each edit that arrived
  /// it begins with the first call again. The work grows with the number of edits, not with its square.
  @Test(
    .enabled(if: CardDAVKillTests.wanted("ALMANAC_KILL_CHAIN") != nil, "ALMANAC_KILL_CHAIN is not set"),
    arguments: RealServer.installed)
  func everyEditArrivesOnceWhenEveryAttemptIsKilled(_ kind: RealServer.Kind) async throws {
    let count = try #require(Self.wanted("ALMANAC_KILL_CHAIN"))
    try await with(kind) { server, scene in
      let pushes = Pushes(count, server)
      try await pushes.queue(scene.template)
      let almanac = try scene.place()
      var (place, killed) = (1, 0)
      var waiting = try await almanac.run("outbox", "--format", "json").records().count
      while waiting > 0 {
        let (result, log) = try await scene.sync(almanac, killedAt: place)
        if result.status == 128 + SIGKILL { killed += 1 }
        let left = try await almanac.run("outbox", "--format", "json").records()
        #expect(left.allSatisfy { $0["state"] as? String == "pending" }, "place \(place), before \(log): \(left)")
        (place, waiting) = (left.count < waiting ? 1 : place + 1, left.count)
      }
      let wrong = try await scene.goOn(almanac)
      #expect(wrong == nil, "\(wrong ?? "")")
      try await pushes.check(almanac, scene, "the end")
      almanac.clean()
      print("kill chain of \(count) pushes to \(kind): killed \(killed) times")
      #expect(killed > count)
    }
  }
}
