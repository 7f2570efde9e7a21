import AlmanacTesting
import Foundation
import Synchronization
import Testing
import UpstreamKit

/// Charts of several storefronts, through the program.
@Suite struct StorefrontTests {
  static let storefronts = ["us", "gb", "fr", "de", "it", "es", "nl", "jp", "se", "ch"]

  private func follows(_ report: Program.Result) throws -> [[String: Any]] {
    try report.object()["follows"] as? [[String: Any]] ?? []
  }

  private func totals(_ report: Program.Result) throws -> [String: Int] {
    try report.object()["totals"] as? [String: Int] ?? [:]
  }

  private func ids(_ almanac: Program, _ collection: String = "apps") async throws -> [String] {
    try await almanac.run("list", collection, "--format", "json").records().compactMap { $0["id"] as? String }
  }

  @Test func aSecondSyncOfTenStorefrontsChangesNothing() async throws {
    var options = UpstreamOptions()
    options.apps = 60
    let upstream = try Upstream(options)
    let almanac = try Program("almanac")
    defer {
      almanac.clean()
      upstream.stop()
    }
    let sync =
      ["sync", "--full", "--format", "json", "--server", "app-store=\(upstream.url)"]
      + Self.storefronts.map { "app-store/\($0)/top-free" }
    let first = try await almanac.run(sync)
    #expect(first.status == 0, "\(first.err)")
    let apps = try await almanac.run("list", "apps", "--format", "json")
    let shared = Dictionary(grouping: try apps.records()) { $0["appID"] as? String ?? "" }
    #expect(shared.values.contains { $0.count == Self.storefronts.count })
    #expect(try apps.records().allSatisfy { ($0["url"] as? String ?? "").contains("/\($0["storefront"] ?? "")/") })
    let second = try await almanac.run(sync)
    for name in ["added", "updated", "removed"] { #expect(try totals(second)[name] == 0, "\(name): \(second.out)") }
    #expect(try await almanac.run("list", "apps", "--format", "json").out == apps.out)
  }

  @Test func aPriceThatIsWrittenInAnotherWayIsTheSame() async throws {
    let answers = Mutex(["0", "0.00", "0.00000", "0.01"])
    let server = try LocalServer { _ in
      let amount = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
      return Reply.json(Self.feed([Self.entry("7", amount: amount)]))
    }
    let almanac = try Program("almanac")
    defer {
      almanac.clean()
      server.stop()
    }
    var updated: [Int?] = []
    for _ in 0..<4 {
      let sync = try await almanac.run(
        "sync", "--format", "json", "app-store/us/top-free", "--server", "app-store=\(server.url)")
      updated.append(try totals(sync)["updated"])
    }
    #expect(updated == [0, 0, 0, 1])
    let free = ["list", "apps", "--where", "price.amount = 0.010", "--format", "json"]
    #expect(try await almanac.run(free).records().count == 1)
  }

  /// A store as an earlier version left it: bare ids, one record for two storefronts, and apps that left the charts.
  private func oldStore(_ almanac: Program) async throws {
    let apps = ["1", "2", "3"].map {
      #"{"id":"\#($0)","bundleID":"b.\#($0)","name":"Old \#($0)","artist":"A","thumbnailURL":"t","artworkURL":"a","url":"https://apps.apple.com/de/app/x/id\#($0)"}"#
    }
    let charts = [("de", #"["2","1"]"#), ("fr", #"["1"]"#)].map {
      #"{"id":"\#($0.0)/top-free/2026-01-01T00:00:00Z","storefront":"\#($0.0)","chart":"top-free","observedAt":"2026-01-01T00:00:00Z","lastObservedAt":"2026-01-01T00:00:00Z","ranks":\#($0.1)}"#
    }
    for (name, lines) in [("apps", apps), ("charts", charts)] {
      let file = try almanac.file("\(name).jsonl", lines.joined(separator: "\n") + "\n")
      let imported = try await almanac.run("import", file)
      #expect(imported.status == 0, "\(imported.err)")
    }
  }

  @Test func recordsOfAnEarlierVersionAreTakenOverWithTheNextSync() async throws {
    let server = try LocalServer { _ in Reply.json(Self.feed([Self.entry("1", amount: "0")])) }
    let almanac = try Program("almanac")
    defer {
      almanac.clean()
      server.stop()
    }
    try await oldStore(almanac)
    #expect(try await ids(almanac) == ["1", "2", "3"])
    let before = try await almanac.run("charts", "top", "app-store/de/top-free", "--format", "json").records()
    #expect(before.compactMap { $0["name"] as? String } == ["Old 2", "Old 1"])
    let sync = [
      "sync", "--format", "json", "app-store/fr/top-free", "app-store/de/top-free", "--server",
      "app-store=\(server.url)",
    ]
    let planned = try await almanac.run(sync + ["--dry-run"])
    #expect(planned.status == 0, "\(planned.err)")
    #expect(try await ids(almanac) == ["1", "2", "3"])
    let first = try await almanac.run(sync)
    #expect(first.status == 0, "\(first.err)")
    #expect(try await ids(almanac) == ["de/1", "de/2", "de/3", "fr/1"])
    let app = try await almanac.run("show", "apps", "fr/1", "--format", "json").object()
    #expect(app["name"] as? String == "App 1" && app["bundleID"] as? String == "b.1" && app["appID"] as? String == "1")
    let movers = try await almanac.run(
      "charts", "movers", "app-store/de/top-free", "--since", "4w", "--format", "json")
    #expect(try movers.records().compactMap { $0["name"] as? String } == ["App 1", "Old 2"])
    let second = try await almanac.run(sync)
    for name in ["added", "updated", "removed"] { #expect(try totals(second)[name] == 0, "\(name): \(second.out)") }
  }

  @Test func aFollowSaysOfWhichCollectionTheNewRecordsAre() async throws {
    let server = try LocalServer { _ in Reply.json(Self.feed((1...50).map { Self.entry("\($0)", amount: "0") })) }
    let almanac = try Program("almanac")
    defer {
      almanac.clean()
      server.stop()
    }
    let sync = ["sync", "app-store/us/top-free", "--server", "app-store=\(server.url)"]
    let table = try await almanac.run(sync + ["--store", almanac.folder + "/other"])
    #expect(table.out.contains("51 (50 apps, 1 chart)"), "\(table.out)")
    let report = try #require(try follows(await almanac.run(sync + ["--format", "json"])).first)
    #expect(report["added"] as? Int == 51)
    #expect(report["collections"] as? NSDictionary == ["apps": ["added": 50], "charts": ["added": 1]])
    let again = try await almanac.run(sync)
    #expect(!again.out.contains("("), "\(again.out)")
  }

  static func feed(_ entries: [String]) -> String { #"{"feed":{"entry":[\#(entries.joined(separator: ","))]}}"# }

  static func entry(_ id: String, amount: String) -> String {
    """
    {"im:name":{"label":"App \(id)"},"im:image":[{"label":"http://img.test/\(id).png","attributes":{"height":"53"}}],\
    "im:price":{"label":"Get","attributes":{"amount":"\(amount)","currency":"USD"}},\
    "id":{"label":"http://apps.test/id\(id)","attributes":{"im:id":"\(id)"}},"im:artist":{"label":"Maker"}}
    """
  }
}
