import AlmanacTesting
import Models
import Testing

/// Ids that are the same text in other bytes are ids of two records, from the server to the store and back.
@Suite struct LookAlikeTests {
  @Test func aSecondSyncKeepsThemAll() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let people = LookAlikes.ids.enumerated().map { index, id in
      #"{"id":"\#(id)","firstName":"P\#(index)","lastName":"L","birthday":"--01-01"}"#
    }
    let list = "[\(people.joined(separator: ","))]"
    let reversed = "[\(people.reversed().joined(separator: ","))]"
    let seed = try almanac.file(
      "seed.har",
      try Recording.har([list, reversed, list].map { .init("http://people.test/people", $0) }))
    let sync = ["sync", "people", "--server", "people=http://people.test", "--format", "json"]
    for run in 0..<3 {
      let rest = try almanac.file(
        "seed-\(run).har", try Recording.har([.init("http://people.test/people", run == 1 ? reversed : list)]))
      let totals = try #require(
        try await almanac.run(sync + ["--seed", rest]).object()["totals"] as? [String: Any])
      #expect(totals["added"] as? Int == (run == 0 ? people.count : 0), "run \(run)")
      #expect(totals["unchanged"] as? Int == (run == 0 ? 0 : people.count), "run \(run)")
      #expect(totals["removed"] as? Int == 0, "run \(run)")
      #expect(try await almanac.run("list", "people", "--format", "json").records().count == people.count)
    }
    let plan = try await almanac.run(sync + ["--seed", seed, "--dry-run"]).object()
    #expect((plan["plan"] as? [Any])?.isEmpty == true)
  }

  @Test func importTakesThemAll() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let lines = LookAlikes.ids.map { #"{"id":"\#($0)","name":"N","email":"e"}"# }
    let file = try almanac.file("profiles.jsonl", lines.joined(separator: "\n"))
    let first = try await almanac.run("import", file, "--format", "json")
    #expect(first.status == 0, "\(first.err)")
    #expect(try first.object()["added"] as? Int == lines.count)
    #expect(try await almanac.run("import", file, "--format", "json").object()["unchanged"] as? Int == lines.count)
    let out = try await almanac.run("export", "profiles", "--to", "jsonl").out
    let expected = lines.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    #expect(Array(out.utf8) == Array((expected.joined(separator: "\n") + "\n").utf8))
    for id in LookAlikes.ids {
      let shown = try await almanac.run("show", "profiles", id, "--format", "json")
      #expect(shown.status == 0)
      let found = try shown.object()["id"] as? String
      #expect(found.map { Array($0.utf8) } == Array(id.utf8))
    }
  }
}
