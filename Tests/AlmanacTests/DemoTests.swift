import AlmanacTesting
import Foundation
import Testing

@Suite struct DemoTests {
  @Test func showsEverySource() async throws {
    var almanac = try Program("almanac")
    defer { almanac.clean() }
    // Whoever would open a connection would fail.
    almanac.environment["http_proxy"] = "http://127.0.0.1:1"
    almanac.environment["https_proxy"] = "http://127.0.0.1:1"
    let demo = try await almanac.run("demo", "--store", almanac.store)
    #expect(demo.status == 0, "\(demo.err)")
    for follow in ["app-store/us/top-paid", "flickr/interestingness", "users/ada", "people"] {
      #expect(demo.out.contains(follow))
    }
    #expect(demo.out.contains("▲"))
    #expect(!demo.out.contains("failed"))

    let top = try await almanac.run("charts", "top", "app-store/us/top-paid", "--format", "json")
    let entries = try top.records()
    #expect(entries.count == 100)
    #expect(entries.compactMap { $0["rank"] as? Int } == Array(1...100))
    let movers = try await almanac.run(
      "charts", "movers", "app-store/us/top-paid", "--since", "1d", "--format", "json")
    let changes = Set(try movers.records().compactMap { $0["change"] as? String })
    #expect(changes == ["up", "down", "new", "out"])
  }

  @Test func countsAsJSON() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let demo = try await almanac.run("--format", "json", "demo", "--store", almanac.store)
    let object = try demo.object()
    #expect(object["charts"] as? Int == 2)
    for name in ["apps", "photos", "owners", "profiles", "people"] {
      #expect(object[name] as? Int ?? 0 > 0, "\(name)")
    }
    let follows = (object["sync"] as? [String: Any])?["follows"] as? [[String: Any]] ?? []
    #expect(follows.compactMap { $0["status"] as? String }.filter { $0 == "failed" }.isEmpty)
    #expect(follows.count == 4)
  }

  @Test func refusesAFolderThatIsAStore() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    #expect(try await almanac.run("people", "add", "--first", "A", "--birthday", "2000-01-02").status == 0)
    let before = try await almanac.run("export", "people", "--to", "jsonl").out
    let demo = try await almanac.run("demo", "--store", almanac.store)
    #expect(demo.status == 73, "\(demo.err)")
    #expect(demo.err.contains("store") && demo.err.contains("almanac status --store \(almanac.store)"), "\(demo.err)")
    #expect(try await almanac.run("list", "apps", "--format", "json").records().isEmpty)
    #expect(try await almanac.run("export", "people", "--to", "jsonl").out == before)
    // An empty folder, and one with other things in it, will do.
    let empty = almanac.folder + "/empty"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    #expect(try await almanac.run("demo", "--store", empty, "--format", "json").status == 0)
    #expect(try await almanac.run("demo", "--store", empty, "--format", "json").status == 73)
  }

  @Test func keepsATemporaryStoreThatItNames() async throws {
    var almanac = try Program("almanac")
    defer { almanac.clean() }
    almanac.environment["TMPDIR"] = almanac.folder
    let demo = try await almanac.run("demo")
    #expect(demo.status == 0, "\(demo.err)")
    #expect(demo.out.contains("\(almanac.folder)/almanac-demo."))
  }
}
