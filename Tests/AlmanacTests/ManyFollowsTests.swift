import AlmanacTesting
import Testing
import UpstreamKit

/// Commands that take many follows at once: paths, patterns, names of sources, and lines of standard input.
@Suite struct ManyFollowsTests {
  private static let ids = ["ada", "bo", "plokmijn"]

  private func followed(_ ids: [String] = ids) async throws -> (scene: Scene, almanac: Program) {
    let scene = try Scene()
    let almanac = try scene.configured(["users", "people"], follows: [])
    try await almanac.run(["follow"] + ids.map { "users/\($0)" } + ["people"], exits: 0)
    return (scene, almanac)
  }

  private func following(_ almanac: Program) async throws -> [String] {
    try await almanac.records("following").compactMap { $0["follow"] as? String }
  }

  @Test("several paths are followed together, or none of them")
  func together() async throws {
    let (scene, almanac) = try await followed()
    defer { scene.end() }
    #expect(try await following(almanac) == ["users/ada", "users/bo", "users/plokmijn", "people"])
    try await almanac.run("follow", "users/dora", "users", "users/eve", exits: 64)
    #expect(try await following(almanac).count == 4)
    try await almanac.run("follow", "users/dora", "users/*", exits: 64, err: "'users/*' is a pattern")
    let rows = try await almanac.records("follow", "users/ada", "users/dora", "--every", "2h")
    #expect(rows.compactMap { $0["outcome"] as? String } == ["changed", "added"])
    try await almanac.run("config", "set", "servers.users.apiKey", "k", exits: 0, err: "requests to users carry no key")
  }

  @Test("the lines of standard input are paths; blank lines and comments are left out")
  func lines() async throws {
    let (scene, almanac) = try await followed()
    defer { scene.end() }
    try await almanac.shell("printf '# mine\\n\\n users/x \\nusers/y\\n' | $PROGRAM follow -", exits: 0)
    #expect(try await following(almanac).suffix(2) == ["users/x", "users/y"])
    let ended = try await almanac.shell("printf 'users/x\\nusers/y\\n' | $PROGRAM unfollow - --format json")
    #expect(try ended.records().compactMap { $0["follow"] as? String } == ["users/x", "users/y"])
    for command in ["follow", "unfollow", "sync", "status"] {
      try await almanac.shell("$PROGRAM \(command) - < /dev/null", exits: 64, err: "standard input names no follow")
    }
  }

  @Test("a pattern or the name of a source means its follows, but those that are paused are not fetched for it")
  func patterns() async throws {
    let (scene, almanac) = try await followed()
    defer { scene.end() }
    try await almanac.run("follow", "users/bo", "--pause", exits: 0)
    func synced(_ arguments: String...) async throws -> [String] {
      try await almanac.run(["sync", "--format", "json"] + arguments).object().follows
        .compactMap { $0["follow"] as? String }
    }
    #expect(try await synced("users/*") == ["users/ada", "users/plokmijn"])
    #expect(try await synced("users", "people") == ["users/ada", "users/plokmijn", "people"])
    #expect(try await synced("users/[ab]*", "users/bo") == ["users/ada", "users/bo"])
    for command in ["unfollow", "sync", "status"] {
      try await almanac.run(command, "flickr/*", exits: 66, err: "no follow matches 'flickr/*'")
    }
    let status = try await almanac.object("status", "users/?da")
    #expect(status.follows.count == 1)
    try await almanac.run("status", "users/none", exits: 66)
    try await almanac.run("unfollow", "users/*", exits: 0)
    #expect(try await following(almanac) == ["people"])
  }

  @Test("records that two follows share go with the second, and one unknown path leaves all as they are")
  func purged() async throws {
    let (scene, almanac) = try await followed()
    defer { scene.end() }
    // A dry run names the records.
    let plan = try await almanac.run("sync", "--dry-run").out
    #expect(plan.contains("23 records would change; nothing was written:\nchange  record "), "\(plan)")
    #expect(plan.contains("\n7 more: 'almanac sync --dry-run --all' lists every record\n"), "\(plan)")
    #expect(try await almanac.run("sync", "--dry-run", "--all").out.contains("\nadded   profiles/ada "))
    try await almanac.run("sync", exits: 0)
    try await almanac.run("unfollow", "users/ada", "users/none", "--purge", "--yes", exits: 66)
    #expect(try await following(almanac).count == 4)
    let asked = try await almanac.shell("printf 'n\\n' | script -qec \"$PROGRAM unfollow users --purge\" /dev/null")
    #expect(
      asked.out.contains("stop following users/ada, users/bo, users/plokmijn and remove their records?"), "\(asked)")
    // One that never succeeded has brought nothing, and holds up no other.
    try await almanac.run("follow", "users/nobody", exits: 0)
    #expect(try await almanac.run("sync", "users/nobody").status != 0)
    try await almanac.run("unfollow", "users", "--purge", "--yes", exits: 0)
    #expect(try await almanac.records("list", "profiles").isEmpty)
    #expect(try await following(almanac) == ["people"])
  }

  @Test("of many follows, status and sync print totals and problems")
  func totals() async throws {
    let (scene, almanac) = try await followed((1...30).map { "u\($0)" } + ["nobody"])
    defer { scene.end() }
    let synced = try await almanac.run("sync")
    let lines = synced.out.split(separator: "\n")
    #expect(lines[0].hasPrefix("follows: 32; "), "\(synced)")
    #expect(lines.count <= 28, "\(synced)")
    let again = try await almanac.run("sync", "--all").out.split(separator: "\n")
    #expect(again.count > 32)
    let status = try await almanac.run("status")
    let shown = status.out.split(separator: "\n")
    #expect(shown[0].hasPrefix("follows: 32; ") && shown.count <= 28, "\(status)")
    #expect(status.out.contains("'almanac status --all' lists every follow"))
    #expect(try await almanac.run("status", "--all").out.split(separator: "\n").count > 32)
    #expect(try await almanac.run("status", "users/*").out.split(separator: "\n").count > 31)
  }
}

extension [String: Any] {
  fileprivate var follows: [[String: Any]] { self["follows"] as? [[String: Any]] ?? [] }
}
