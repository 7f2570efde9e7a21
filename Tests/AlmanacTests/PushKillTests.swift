import AlmanacTesting
import Foundation
import Synchronization
import Testing
import UpstreamKit

/// The program is killed before each call by which it changes files or sends, while 30 % of the replies are lost; then
/// it is started again until nothing waits. Every edit must be at the server once.
///
/// By default a few places of two pushes; with `ALMANAC_PUSHES=100` every place of 100, half of them people, half of
/// them profiles. `ALMANAC_KILL_JOBS` says how many places are played side by side.
@Suite struct PushKillTests {
  @Test(arguments: PushScene.allCases)
  func everyEditArrivesOnceWhereverTheProcessIsKilled(scene: PushScene) async throws {
    let variables = ProcessInfo.processInfo.environment
    let pushes = variables["ALMANAC_PUSHES"].flatMap { Int($0) }
    let sweep = try await PushSweep(scene: scene, edits: (pushes ?? 4) / 2)
    defer { sweep.almanac.clean() }
    let last = try await sweep.calls()
    // The small form takes other places of each scene.
    let places = pushes == nil ? Array(stride(from: 2 + scene.rawValue, through: last, by: last / 3)) : Array(1...last)
    let tally = try await sweep.play(places, jobs: variables["ALMANAC_KILL_JOBS"].flatMap { Int($0) } ?? 3)
    print("push kill sweep, \(scene): \(sweep.edits) edits, \(tally)")
    #expect(tally.wrong.isEmpty, "\(tally.wrong.joined(separator: "\n"))")
    #expect(tally.killed.values.reduce(0, +) > places.count / 2)
    #expect(pushes == nil || tally.lostReplies > 0)
  }
}

/// What is sent to which kind of server.
enum PushScene: Int, CaseIterable, Sendable {
  /// `people send` to a server that honours the Idempotency-Key.
  case peopleWithKeys
  /// `people send` to one that does not.
  case peopleWithoutKeys
  /// Edits of profiles to a server with entity tags.
  case profilesWithTags
  case profilesWithoutTags

  var isPeople: Bool { self == .peopleWithKeys || self == .peopleWithoutKeys }
}

struct PushTally: CustomStringConvertible {
  /// How often the process was killed before each call.
  var killed: [String: Int] = [:]
  var lostReplies = 0
  var restarts = 0
  var wrong: [String] = []

  var description: String {
    let calls = killed.sorted { $0.key < $1.key }.map { "\($0.value) before \($0.key)" }.joined(separator: ", ")
    return "killed at \(killed.values.reduce(0, +)) places (\(calls)), \(lostReplies) replies lost, "
      + "\(restarts) restarts: \(wrong.count) violations"
  }

  static func += (lhs: inout PushTally, rhs: PushTally) {
    lhs.killed.merge(rhs.killed, uniquingKeysWith: +)
    lhs.lostReplies += rhs.lostReplies
    lhs.restarts += rhs.restarts
    lhs.wrong += rhs.wrong
  }
}

/// A store with edits that wait, and the places at which their sender is killed.
struct PushSweep {
  let scene: PushScene
  let edits: Int
  /// Its store is the one with which every place begins.
  let almanac: Program
  /// What is loaded before the program to kill it.
  let shim: String

  init(scene: PushScene, edits: Int) async throws {
    self.scene = scene
    self.edits = edits
    almanac = try Program("almanac")
    shim = try almanac.killLibrary()
    let upstream = try upstream(seed: 0, faults: false)
    defer { upstream.stop() }
    if scene.isPeople {
      let cards = (0..<edits).map { number in
        "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:P\(number) Q\r\nN:Q;P\(number);;;\r\nBDAY:20000101\r\nEND:VCARD\r\n"
      }
      let file = try almanac.file("all.vcf", cards.joined())
      try await check("people", "import", file)
    } else {
      try await check(["sync"] + users.map { "users/\($0)" } + servers(upstream))
      for user in users { try await check("profile", "set", user, "--name", "New \(user)") }
    }
  }

  var users: [String] { scene.isPeople ? [] : (0..<edits).map { "u\($0)" } }

  /// The names of the people to send. They were imported, so each of them is named.
  var names: [String] { scene.isPeople ? (0..<edits).map { "P\($0) Q" } : [] }

  private func check(_ arguments: String...) async throws { try await check(arguments) }

  private func check(_ arguments: [String]) async throws {
    let result = try await almanac.run(arguments)
    try #require(result.status == 0, "\(arguments): \(result.err)")
  }

  func upstream(seed: Int, faults: Bool) throws -> Upstream {
    var options = UpstreamOptions()
    options.people = 0
    options.drift = false
    options.userIDs = users
    options.honoursIdempotencyKeys = scene != .peopleWithoutKeys
    if scene == .profilesWithoutTags { options.validators = .none }
    if faults { options.faultMix = FaultMix(rate: 0.3, kinds: [.lostReply], seed: UInt64(seed)) }
    return try Upstream(options)
  }

  func servers(_ upstream: Upstream) -> [String] {
    ["--server", "people=\(upstream.url)", "--server", "users=\(upstream.url)"]
  }

  /// By how many calls a whole run changes files or sends.
  func calls() async throws -> Int {
    let place = try PushPlace(sweep: self, number: 0)
    defer { place.almanac.clean() }
    _ = try await place.send(killedAt: .max)
    return try #require(Int(place.almanac.killLog))
  }

  /// Plays the places, some of them side by side.
  func play(_ places: [Int], jobs: Int) async throws -> PushTally {
    try await withThrowingTaskGroup(of: PushTally.self) { group in
      var tally = PushTally()
      var rest = places.makeIterator()
      func next() {
        guard let number = rest.next() else { return }
        group.addTask { try await PushPlace(sweep: self, number: number).play() }
      }
      for _ in 0..<jobs { next() }
      while let part = try await group.next() {
        tally += part
        next()
      }
      return tally
    }
  }
}

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

  private var command: [String] {
    (sweep.scene.isPeople ? ["people", "send"] + sweep.names : ["sync", "--send"]) + ["--format", "json"]
      + sweep.servers(upstream)
  }

  func send(killedAt call: Int?) async throws -> Program.Result {
    try await (call.map { almanac.killed(at: $0, by: sweep.shim) } ?? almanac).run(command)
  }

  func play() async throws -> PushTally {
    defer {
      upstream.stop()
      almanac.clean()
    }
    var tally = PushTally()
    if try await send(killedAt: number).status == 128 + SIGKILL { tally.killed[almanac.killLog] = 1 }
    try await goOn(&tally)
    tally.lostReplies = upstream.faultCounts["lost-reply"] ?? 0
    // What nobody may see is over: from here on every reply arrives.
    let wrong = blind() + (sweep.scene.isPeople ? try await people() : try await profiles())
    tally.wrong += wrong.map { "\(sweep.scene), place \(number), before \(almanac.killLog): \($0)" }
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
    let here = try await almanac.records("list", "people")
    let names = here.compactMap { $0["fullName"] as? String }.sorted()
    if names != expected { wrong.append("here are \(names)") }
    let ids = Set(here.compactMap { $0["remoteID"] as? String })
    if ids.count != sweep.edits { wrong.append("of \(sweep.edits) people \(ids.count) are linked") }
    return wrong
  }

  private func profiles() async throws -> [String] {
    var wrong: [String] = []
    let here = try await almanac.records("list", "profiles")
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
