import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// `unfollow --purge` removes what only this follow brought.
@Suite final class PurgeTests: ProgramTests {
  private func ids(_ collection: String, _ almanac: Program) async throws -> Set<String> {
    Set(try await almanac.records("list", collection).compactMap { $0["id"] as? String })
  }

  @Test func appsOfAnotherChartStay() async throws {
    func feed(_ ids: [String]) -> String { StorefrontTests.feed(ids.map { StorefrontTests.entry($0, amount: "0") }) }
    let (paid, free) = (feed(["1", "2", "3"]), feed(["3", "4"]))
    let server = try LocalServer { request in Reply.json(request.path.contains("toppaid") ? paid : free) }
    defer { server.stop() }
    let config = try almanac.file(
      "config.json",
      """
      {"servers": {"app-store": {"url": "\(server.url)"}},
       "follows": [{"follow": "app-store/us/top-paid"}, {"follow": "app-store/us/top-free"}]}
      """)
    try await almanac.run("sync", "--config", config, exits: 0)
    #expect(try await ids("apps", almanac) == ["us/1", "us/2", "us/3", "us/4"])
    try await almanac.shell(
      "printf 'n\\n' | script -qec \"$PROGRAM unfollow app-store/us/top-paid --purge --config \(config)\" /dev/null",
      exits: 1, out: "and remove its records? [y/N]")
    #expect(try await ids("apps", almanac).count == 4)
    let purged = try await almanac.run(
      "unfollow", "app-store/us/top-paid", "--purge", "--yes", "--config", config, "--format", "json")
    #expect(try purged.object()["records"] as? [String: Int] == ["apps": 2, "charts": 1], "\(purged)")
    #expect(try await ids("apps", almanac) == ["us/3", "us/4"])
    #expect(try await ids("charts", almanac).allSatisfy { $0.hasPrefix("us/top-free/") })
    #expect(try await almanac.records("following", "--config", config).count == 1)
    // Followed again, it comes again as a whole.
    try await almanac.run("follow", "app-store/us/top-paid", "--config", config, exits: 0)
    try await almanac.run("sync", "--config", config, exits: 0)
    #expect(try await ids("apps", almanac) == ["us/1", "us/2", "us/3", "us/4"])
    try await almanac.run("doctor", "--quiet", "--config", config, exits: 0)
  }

  @Test func anEditThatWaitsKeepsItsRecord() async throws {
    let scene = try Scene()
    defer { scene.end() }
    let almanac = scene.almanac
    let config = try scene.config(
      ["users", "people", "flickr"], settings: ["flickr": #""apiKey": "k""#],
      follows: ["users/ada", "users/bo", "people", "flickr/search/cats"])
    try await almanac.run("sync", "--config", config, exits: 0)
    try await almanac.run("profile", "set", "ada", "--name", "Ada King", exits: 0)
    #expect(
      try await almanac.run("unfollow", "users/bo", "--purge", "--yes", "--config", config).err.contains(
        "removed 1 of profiles")
    )
    try await almanac.run(
      "unfollow", "users/ada", "--purge", "--yes", "--config", config, exits: 0, err: "no record was removed",
      "1 record with edits stays (profiles/ada)")
    #expect(try await ids("profiles", almanac) == ["ada"])
    // It waits as before: nothing was removed at the server.
    let edits = try await almanac.records("outbox")
    #expect(edits.compactMap { $0["state"] as? String } == ["pending"], "\(edits)")
    try await almanac.run("outbox", "discard", "profiles/ada", "--yes", "--config", config, exits: 0)
    try await almanac.run("unfollow", "users/ada", "--purge", "--yes", "--config", config, exits: 0)
    #expect(try await ids("profiles", almanac).isEmpty)
    // Where nobody knows which records came from the follow alone, nothing is changed.
    let refused = try await almanac.run(
      "unfollow", "people", "--purge", "--yes", "--config", config, exits: 64,
      err: "does not know which records came from people")
    #expect(!refused.err.contains("complete"), "\(refused)")
    let unasked = try await almanac.shell(
      "printf 'y\\n' | script -qec \"$PROGRAM unfollow people --purge --config \(config)\" /dev/null")
    #expect(unasked.out.contains("does not know which") && !unasked.out.contains("[y/N]"), "\(unasked)")
    #expect(try await ids("photos", almanac).count > 0)
    try await almanac.run(
      "unfollow", "flickr/search/cats", "--purge", "--yes", "--config", config, exits: 0, err: "of photos")
    #expect(try await ids("photos", almanac).isEmpty)
    #expect(try await ids("owners", almanac).isEmpty)
    let left = try await almanac.records("following", "--config", config)
    #expect(left.compactMap { $0["follow"] as? String } == ["people"])
    // What was never followed is no question.
    for path in ["users/nobody", "app-store/de/top-paid", "flickr/search/dogs", "nowhere"] {
      try await almanac.run("unfollow", path, "--purge", "--config", config, exits: 66, err: "\(path) is not followed")
    }
  }
}
