import AlmanacTesting
import Assembly
import Foundation
import Models
import Persistence
import Ports
import Synchronization
import Testing
import UpstreamKit

@Suite("Sources that a file describes, as programs use them", .timeLimit(.minutes(5)))
final class DeclaredSourceTests: SceneTests {
  /// The chart of the upstream server, described by a file.
  private static let chart = """
    {
      "almanac": 1,
      "source": "chart",
      "url": "https://charts.example",
      "auth": {"kind": "header", "name": "X-Chart-Key", "optional": true},
      "collections": {
        "hits": {
          "id": "$.id.attributes['im:id']",
          "fields": {
            "name": "text $['im:name'].label", "artist": "text? $['im:artist'].label",
            "imageURL": "url? $['im:image'][0].label", "at": "text $$.feed.id.label"
          },
          "table": ["name", "artist"], "media": ["imageURL"]
        }
      },
      "follows": {
        "{storefront}/{chart}": {
          "get": "/{storefront}/rss/{chart}/limit={limit}/json",
          "with": {"chart": {"values": ["topfreeapplications", "toppaidapplications"]}},
          "take": {"records": "$.feed.entry", "into": "hits"}, "limit": {"default": 10, "most": 50}
        }
      }
    }
    """

  /// The CLI with a config file, which the definitions are beside.
  private func almanac(_ scene: Scene, _ config: String) throws -> Program {
    var almanac = scene.almanac
    almanac.environment["ALMANAC_CONFIG"] = try scene.almanac.file("config.json", config)
    return almanac
  }

  private func write(_ text: String, _ scene: Scene) throws -> String {
    let folder = scene.almanac.folder + "/sources"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return try scene.almanac.file("sources/chart.json", text)
  }

  @Test("definitions of the gallery and files are added, and removed once they are not followed")
  func addAndRemove() async throws {
    let almanac = try almanac(scene, "{}")
    let gallery = try await almanac.records("source", "list", "--gallery")
    #expect(gallery.count >= 20)
    #expect(gallery.contains { $0["source"] as? String == "github" && $0["key"] as? String == "optional" })

    try await almanac.run("source", "add", "githb", exits: 66, err: "did you mean 'github'?")
    try await almanac.run(
      "source", "add", "github", exits: 0, out: "almanac follow github/repos/OWNER",
      err: "for example 'almanac follow github/repos/swiftlang")
    let strava = try await almanac.run("source", "add", "strava")
    #expect(strava.err.contains("it needs a key ID:SECRET"), "\(strava)")
    try await almanac.run("source", "add", "github", exits: 64, err: "there is a source github already")
    let file = try scene.almanac.file("other.json", Self.chart)
    #expect(try await almanac.run("source", "add", file).out.contains("almanac follow chart/STOREFRONT/CHART"))
    try await almanac.run("source", "add", try scene.almanac.file("bad.json", "{}"), exits: 78)

    try await almanac.run("follow", "github/repos/ada", exits: 0)
    try await almanac.run("source", "remove", "github", exits: 64, err: "almanac unfollow github/repos/ada")
    try await almanac.run("unfollow", "github/repos/ada", exits: 0)
    let same = try await almanac.run("source", "remove", "github", exits: 0)
    #expect(!same.err.contains("kept"), "\(same)")
    try await almanac.run("source", "remove", "github", exits: 66)
    #expect(try await !almanac.run("source", "list").out.contains("github"))
  }

  @Test("the commands of definitions need no config file, not even one that was named")
  func withoutConfig() async throws {
    var almanac = scene.almanac
    almanac.environment["ALMANAC_CONFIG"] = scene.almanac.folder + "/none/config.json"
    let server = "chart=\(scene.upstream.url)"
    try await almanac.run("source", "add", try scene.almanac.file("chart.json", Self.chart), exits: 0)
    for words in [["list"], ["check"], ["show", "chart"]] { try await almanac.run(["source"] + words, exits: 0) }
    try await almanac.run("source", "try", "chart/us/topfreeapplications", "--server", server, exits: 0)
    let removed = try await almanac.run("source", "remove", "chart")
    // Nobody else has this file.
    let kept = scene.almanac.folder + "/none/sources/.removed/chart.json"
    #expect(removed.status == 0 && removed.err.contains("it is kept as \(kept)"), "\(removed)")
    try await almanac.run("source", "add", kept, exits: 0)
    try await almanac.run("following", exits: 0)
    try await almanac.run("following", "--config", almanac.folder + "/none/config.json", exits: 78)
  }

  @Test("follow, sync, list, show, export and media work; records outlive the definition")
  func everyCommand() async throws {
    var options = UpstreamOptions()
    options.drift = false
    let scene = try Scene(options)
    defer { scene.end() }
    let almanac = try almanac(scene, #"{"servers": {"chart": {"url": "\#(scene.upstream.url)"}}}"#)
    let file = try write(Self.chart, scene)

    try await almanac.run("source", "check", file, exits: 0, out: "almanac follow chart/STOREFRONT/CHART")
    // What was added is the same source under another name of its file.
    try await almanac.run("source", "check", almanac.file("copy.json", Self.chart), exits: 0, out: "chart fills hits")
    #expect(try await almanac.run("source", "list").out.contains("chart/STOREFRONT/CHART"))

    try await almanac.run(
      "follow", "chart/us/topapplications", exits: 64, err: #"expected "topfreeapplications" or "toppaidapplications""#)
    try await almanac.run("follow", "chart/us/topfreeapplications", "--limit", "5", exits: 0)

    let sync = try await almanac.run("sync", "--format", "json", exits: 0)
    #expect((try sync.object()["totals"] as? [String: Any])?["added"] as? Int == 5)
    let again = try await almanac.run("sync", "--format", "json")
    #expect((try again.object()["totals"] as? [String: Any])?["updated"] as? Int == 0)

    let records = try await almanac.records("list", "hits")
    #expect(records.count == 5)
    let id = try #require(records.first?["id"] as? String)
    #expect(try await almanac.run("list", "hits").out.contains("artist"))
    try await almanac.run("list", "hits", "--where", "nme = x", exits: 64, err: "name")
    #expect(try await almanac.records("list", "hits", "--where", "id = \(id)").count == 1)
    #expect(try await almanac.run("show", "hits", id).out.contains("imageURL"))
    #expect(try await almanac.run("export", "hits", "--to", "csv").out.hasPrefix("id,name,artist,imageURL,at\n"))
    #expect(try await almanac.run("export", "hits", "--to", "singer").out.contains(#""stream":"hits""#))
    let media = try await almanac.object("media", "fetch")
    #expect((media["fetched"] as? Int ?? 0) > 0)

    try FileManager.default.removeItem(atPath: file)
    _ = try scene.almanac.file("config.json", "{}")
    #expect(try await almanac.records("list", "hits").count == 5)
    let words = "warning: the columns of hits are not known"
    #expect(try await almanac.run("list", "hits").err.contains(words))
    _ = try write(Self.chart.replacing("text? $['im:artist']", with: "txt? $['im:artist']"), scene)
    try await almanac.run(
      "export", "hits", "--to", "csv", exits: 0, err: words, "chart.json:10:", "'almanac source check'")
    let all = try await almanac.run("export", "--all", "all", "--to", "html")
    #expect(all.err.components(separatedBy: words).count == 2, "\(all.err)")
    try FileManager.default.removeItem(atPath: file)
    #expect(try await almanac.object("show", "hits", id)["id"] as? String == id)
    try await almanac.run("list", "nothing", exits: 64)
  }

  @Test("a followed source without its file fails its own follows alone, and can be unfollowed")
  func missingFile() async throws {
    let almanac = try almanac(
      scene,
      #"{"servers": {"users": {"url": "\#(scene.upstream.url)"}, "chart": {"apiKey": "k"}}, "follows": [{"follow": "chart/us/x", "storey": "z"}, {"follow": "users/ada"}]}"#
    )
    try await almanac.run("sync", exits: 78, err: "sources/chart.json", "almanac source add", "almanac unfollow")
    #expect(try await almanac.records("list", "profiles").count == 1)
    #expect(try await almanac.records("following").count == 2)
    #expect(try await almanac.run("doctor").out.contains("sources/chart.json"))
    try await almanac.run("follow", "chrt/us/x", exits: 64)
    try await almanac.run("config", "check", exits: 78, out: "sources/chart.json")
    try await almanac.run("unfollow", "chart/us/x", exits: 0, err: "almanac config unset servers.chart")
    try await almanac.run("config", "unset", "servers.chart", exits: 0)
    #expect(try await almanac.records("following").count == 1)
  }

  @Test("a plan shows the first records that it rejects, and does not send users to a list that lacks them")
  func rejectsOfPlans() async throws {
    let server = try LocalServer { _ in
      .json("[" + (0..<7).map { #"{"id": \#($0), "link": "x\#($0)"}"# }.joined(separator: ",") + "]")
    }
    defer { server.stop() }
    let almanac = try almanac(scene, "{}")
    _ = try write(
      """
      {"almanac": 1, "source": "chart", "url": "\(server.url)",
       "collections": {"hits": {"id": "$.id", "fields": {"link": "url $.link"}}},
       "follows": {"hits": {"get": "/", "take": {"into": "hits"}}}}
      """, scene)
    let tried = try await almanac.run("source", "try", "chart/hits")
    #expect(tried.status != 0 && tried.err.contains("all 7 records were rejected"), "\(tried)")
    #expect(!(tried.out + tried.err).contains("almanac list rejects"), "\(tried)")
    let found = tried.out.split(separator: "\n").filter {
      $0.hasPrefix("rejected: $[") && $0.contains(".link: expected")
    }
    #expect(found.count == 5 && tried.out.contains(#"{"id": 4, "link": "x4"}"#), "\(tried)")
    #expect(!tried.out.contains("x5") && tried.out.contains("2 more records were rejected"), "\(tried)")
    let report = try await almanac.object("source", "try", "chart/hits")
    let follow = try #require((report["follows"] as? [[String: Any]])?.first)
    #expect((follow["rejects"] as? [[String: Any]])?.count == 5, "\(follow)")
    try await almanac.run("follow", "chart/hits", exits: 0)
    let plan = try await almanac.run("sync", "--dry-run")
    #expect(plan.err.contains("rejected: $[0].link") && !plan.err.contains("almanac list rejects"), "\(plan)")
    #expect(try await almanac.run("sync").err.contains("almanac list rejects"))
  }

  @Test("names that are not known bring the nearest one, and a definition with mistakes is what is said to be wrong")
  func nearNamesAndMistakes() async throws {
    let almanac = try almanac(
      scene, #"{"servers": {"carddav": {"accounts": {"home": {"url": "https://dav.example"}}}}}"#)
    _ = try write(Self.chart, scene)
    try await almanac.run("source", "check", "chart", exits: 0)
    for words in [["source", "show"], ["source", "check"], ["source", "remove"], ["source", "trust"]] {
      try await almanac.run(words + ["chrt"], exits: 66, err: "did you mean 'chart'?")
    }
    for word in ["show", "remove"] {
      try await almanac.run("account", word, "hom", exits: 66, err: "did you mean 'home'?")
    }
    for url in ["notaurl", "https://", "ftp://x.example/"] {
      let result = try await almanac.run(
        "source", "new", url, exits: 64, err: "begins with http:// or https://, not '\(url)'")
      #expect(result.err.split(separator: "http:// or https://").count == 2, "\(result)")
    }
    try await almanac.run("follow", "chart/us/topfreeapplications", exits: 0)
    _ = try write(Self.chart.replacing("https://charts", with: "htp://charts"), scene)
    let purge = try await almanac.run(
      "unfollow", "chart/us/topfreeapplications", "--purge", "--yes", exits: 78, err: "htp://charts")
    #expect(!purge.err.contains("complete"), "\(purge)")
    let follow = try await almanac.run("follow", "chart/us/toppaidapplications")
    #expect(follow.err.contains("htp://charts") && !follow.err.contains("no server is set"), "\(follow)")
  }

  @Test("every command that meets a definition with mistakes names the file, each mistake, and the command for all")
  func mistakesEverywhere() async throws {
    // Limits and options, which only the definition explains, do not keep the config file from being read.
    let almanac = try almanac(
      scene, #"{"follows": [{"follow": "chart/us/topfreeapplications", "limit": 7, "shelf": "top", "deep": true}]}"#)
    let file = try write(Self.chart.replacing("https://charts", with: "htp://charts"), scene)
    #expect(try await almanac.run("following").out.contains("chart/us/topfreeapplications"))
    let commands = [
      ["list", "hits"], ["show", "hits", "1"], ["edit", "hits", "1", "--set", "a=b"], ["search", "a", "--in", "hits"],
      ["export", "hits", "--to", "jsonl"], ["import", "x.jsonl", "--collection", "hits"], ["open", "hits", "1"],
      ["media", "list", "--in", "hits"], ["follow", "chart/all", "--option", "shelf=x", "--limit", "3"],
      ["sync", "chart/all"],
      ["source", "try", "chart/all", "--option", "shelf=x"], ["source", "show", "chart"], ["source", "trust", "chart"],
      ["unfollow", "chart/all", "--purge"], ["doctor"], ["config", "check"],
    ]
    for command in commands {
      let result = try await almanac.run(command)
      let text = (result.out + result.err).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      for part in ["\(file):4:", "htp://charts", "'almanac source check"] {
        #expect(text.contains(part), "\(command): \(part) is not in \(result)")
      }
      if command[0] == "follow" { #expect(result.err.contains("\n  'almanac source check"), "\(result)") }
      #expect(
        command[0] == "follow" ? result.status == 0 : [64, 78].contains(result.status), "\(command) \(result.status)")
    }
    try await almanac.run("follow", "chart/all", "--pause", exits: 0)
    try await almanac.run("unfollow", "chart/all", exits: 0)
  }

  @Test("definitions are read only for a program that needs one of them")
  func readLate() throws {
    func invocation(_ config: String) throws -> Invocation {
      Invocation(
        program: "test", store: scene.almanac.folder + "/store", config: try scene.almanac.file("config.json", config),
        seeds: [], servers: [], environment: [:])
    }
    let plain = try invocation(#"{"follows": [{"follow": "app-store/us/top-free"}]}"#)
    _ = try write("{}", scene)
    let follows = try plain.settingsFile.load().strict().follows
    #expect(plain.sources(of: follows).map(\.name.rawValue) == SourceList.compiled.descriptors.map(\.name.rawValue))
    // What was not read yet is read as it is now.
    _ = try write(Self.chart, scene)
    #expect(plain.sources.descriptors.map(\.name.rawValue).contains("chart"))
    #expect(plain.wrongDefinitions.isEmpty)

    let chart = try invocation(
      #"{"servers": {"chart": {"apiKey": "k"}}, "follows": [{"follow": "chart/us/topfreeapplications", "limit": 7}]}"#)
    let charts = try chart.settingsFile.load().strict().follows
    #expect(charts.first?.limit == 7)
    #expect(chart.sources(of: charts).last?.name.rawValue == "chart")
    // Now it was read, and stays.
    _ = try write("{}", scene)
    #expect(chart.wrongDefinitions.isEmpty)
    #expect(throws: Failure.self) { try invocation(#"{"servers": {"charts": {}}}"#).settingsFile.load().strict() }
  }

  @Test("a proposal with mistakes is not saved, doctor names the mistakes of a definition, and its own pictures come")
  func mistakesAndPictures() async throws {
    let picture = Data(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0] + Array("IEND".utf8) + [0, 0, 0, 0])
    let place = Mutex("")
    let server = try LocalServer { request in
      if request.path.hasSuffix(".png") { return Reply(headers: ["Content-Type": "image/png"], body: Array(picture)) }
      return .json(#"{"items": [{"id": 1, "name": "a", "image": "\#(place.withLock { $0 })/a.png"}], "total": 1}"#)
    }
    defer { server.stop() }
    place.withLock { $0 = server.url }
    let almanac = try almanac(scene, "{}")
    try await almanac.run(
      "source", "new", server.url + "/items", "--name", "Shop", "--save", exits: 78,
      err: "the proposal has mistakes, and is not saved", "a source has a name of a-z")
    #expect(!FileManager.default.fileExists(atPath: scene.almanac.folder + "/sources/Shop.json"))
    try await almanac.run(
      "source", "new", server.url + "/items", "--name", "Shop", exits: 0, err: "a mistake to correct")

    try await almanac.run(
      "source", "new", server.url + "/items", "--name", "shop", "--save", exits: 0, err: "complete true")
    try await almanac.run("follow", "shop/items", exits: 0)
    try await almanac.run("sync", exits: 0)
    let media = try await almanac.object("media", "fetch")
    #expect(media["fetched"] as? Int == 1, "\(media)")

    _ = try scene.almanac.file("sources/shop.json", #"{"almanac": 1, "source": "shop"}"#)
    let doctor = try await almanac.run("doctor", "--format", "json", exits: 78)
    let findings = try #require(try doctor.object()["findings"] as? [[String: Any]])
    let finding = try #require(findings.first { ($0["message"] as? String)?.contains("shop.json has") == true })
    #expect(finding["part"] as? String == "config")
    #expect((finding["mend"] as? String)?.contains("\"collections\" is missing") == true, "\(finding)")
    #expect(!doctor.out.contains("no address"))
  }
}
