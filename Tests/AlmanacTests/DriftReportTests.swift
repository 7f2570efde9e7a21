import AlmanacTesting
import Foundation
import Testing

@Suite("doctor: fields of the servers' answers that drifted")
struct DriftReportTests {
  private let chart = "http://store.test/fr/rss/toppaidapplications/limit=3/json"

  private func entry(_ id: Int, _ more: String) -> String {
    """
    {"im:name": {"label": "App \(id)"}, "im:artist": {"label": "Maker"}, \(more)
     "im:image": [{"label": "http://img.test/\(id)", "attributes": {"height": "53"}}],
     "id": {"label": "http://app.test/id\(id)", "attributes": {"im:id": "\(id)"}}}
    """
  }

  private func seed(_ almanac: Program, _ name: String, _ more: [String], user: String) throws -> String {
    let entries = more.enumerated().map { entry($0.offset + 1, $0.element) }.joined(separator: ",")
    return try almanac.file(
      name,
      Recording.har([
        Recording.Exchange(chart, "{\"feed\": {\"entry\": [\(entries)]}}"),
        Recording.Exchange("http://users.test/user/ann", user),
        Recording.Exchange("http://users.test/", "", method: "HEAD"),
        Recording.Exchange("http://store.test/", "", method: "HEAD"),
      ]))
  }

  @Test func aTypeThatChangedAndAFieldThatVanishedAreTold() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let config = try almanac.file(
      "config.json",
      """
      {"servers": {"app-store": {"url": "http://store.test"}, "users": {"url": "http://users.test"}},
       "follows": [{"follow": "app-store/fr/top-paid", "limit": 3}, {"follow": "users/ann"}]}
      """)
    let price = #""im:price": {"label": "1", "attributes": {"amount": "0.99", "currency": "EUR"}},"#
    let number = #""im:price": {"label": "1", "attributes": {"amount": 0.99, "currency": "EUR"}},"#
    let summary = #""summary": {"label": "S"}, "#
    // The second entry never had a price, and the third one a summary: they are optional.
    let first = try seed(
      almanac, "first.har",
      [price + summary, summary + #""rights": {"label": "R"},"#, price + #""rights": {"label": "R"},"#],
      user: #"{"data": {"userId": "ann", "name": "Ann", "email": "a@b.c"}}"#)
    let second = try seed(
      almanac, "second.har", [number, "", number],
      user: #"{"data": {"userId": 7, "name": "Ann", "email": "a@b.c", "description": null}}"#)

    #expect(try await almanac.run("sync", "--config", config, "--seed", first).status == 0)
    let before = try await almanac.run("doctor", "--format", "json", "--config", config, "--seed", first)
    #expect(before.status == 0, "\(before.out)\(before.err)")
    #expect(try before.object()["drift"] as? [[String: String]] == [])

    _ = try await almanac.run("sync", "--config", config, "--seed", second)
    let after = try await almanac.run("doctor", "--format", "json", "--config", config, "--seed", second)
    #expect(after.status == 0, "a source that drifts is no fault of the installation: \(after.out)\(after.err)")
    let drift = try #require(try after.object()["drift"] as? [[String: Any]])
    func text(_ one: [String: Any], _ name: String) -> String {
      one[name] as? String ?? (one[name] as? [String])?.joined(separator: "|") ?? "?"
    }
    let told = drift.map { one in
      ["source", "field", "change", "was", "is"].map { text(one, $0) }.joined(separator: " ")
    }
    #expect(
      told == [
        "app-store $.feed.entry[]['im:price'].attributes.amount kind string number",
        "users $.data.userId kind string number",
      ])
    for one in drift {
      let firstSeen = try #require(one["firstSeen"] as? String)
      let at = try #require(one["at"] as? String)
      #expect(firstSeen <= at && at.hasSuffix("Z") && (one["follow"] as? String)?.contains("/") == true)
    }
    let table = try await almanac.run("doctor", "--config", config, "--seed", second)
    #expect(table.out.contains("drift: 2 fields"), "\(table.out)")
    #expect(table.out.contains("field") && table.out.contains("firstSeen") && table.out.contains("$.data.userId"))
  }

  @Test func aFieldThatEveryRecordHadAndNoneHasIsGoneUntilItComesBack() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let config = try almanac.file(
      "config.json",
      """
      {"servers": {"app-store": {"url": "http://store.test"}},
       "follows": [{"follow": "app-store/fr/top-paid", "limit": 3}]}
      """)
    let summary = #""summary": {"label": "S"},"#
    let user = #"{"data": {}}"#
    let with = try seed(almanac, "with.har", [summary, summary, summary], user: user)
    let some = try seed(almanac, "some.har", [summary, "", ""], user: user)
    let without = try seed(almanac, "without.har", ["", "", ""], user: user)
    func fields(after seed: String) async throws -> [String] {
      #expect(try await almanac.run("sync", "--config", config, "--seed", seed).status == 0)
      let report = try await almanac.run("doctor", "--format", "json", "--config", config, "--seed", seed).object()
      return (report["drift"] as? [[String: Any]] ?? []).map { "\($0["field"] ?? "") \($0["change"] ?? "")" }
    }
    #expect(try await fields(after: with) == [])
    #expect(try await fields(after: some) == [], "absent in some records is what optional fields are")
    #expect(try await fields(after: without) == ["$.feed.entry[].summary vanished"])
    #expect(try await fields(after: with) == [], "it came back")
    #expect(try await fields(after: without) == [], "and is optional from then on")
    #expect(try await almanac.run("sync", "--full", "--config", config, "--seed", with).status == 0)
    #expect(try await fields(after: without) == ["$.feed.entry[].summary vanished"], "--full begins anew")
  }
}
