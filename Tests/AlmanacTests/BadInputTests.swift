import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// What goes wrong gets its exit code and an error that says what and where, and what was in the store stays.
@Suite final class BadInputTests: ProgramTests {
  /// Arguments, the exit code, and words that must stand in the error.
  @Test(
    arguments: [
      ("follow app-store/zz/top-free", 64, ["zz", "storefront"]),
      ("follow app-store/us/top-fre", 64, ["top-fre", "top-free"]),
      ("follow app-store/us/top-free --limit 201", 64, ["201", "200"]),
      ("follow app-store/us/top-free --limit 101 --feed marketing", 64, ["100"]),
      ("follow app-store/us/new --feed marketing", 64, ["top-free"]),
      ("follow app-store/us/top-free --option fed=x", 64, ["unknown option 'fed'", "did you mean 'feed'?"]),
      ("follow app-store/us/top-free --option feed", 64, ["'feed' is not an option", "--option NAME=VALUE"]),
      ("follow nowhere/x", 64, ["nowhere", "app-store", "flickr", "users", "people"]),
      ("follow app-store", 64, ["app-store/"]), ("follow flickr/person/nobody", 64, ["nobody"]),
      ("follow people --every never", 64, ["never", "15m"]),
      ("follow people --config /dev/full/config.json", 73, []), ("unfollow people", 66, ["people", "following"]),
      ("unfollow people --config none.json", 78, []), ("following --config none.json", 78, []),
      ("sync app-store/zz/top-free", 64, ["zz"]), ("sync --jobs 0", 64, ["--jobs"]), ("sync", 0, []),
      ("sync nowhere", 64, []), ("sync people --seed missing.har", 66, ["missing.har"]),
      ("sync people --seed /dev/null", 65, []), ("sync people --server people", 64, ["--server"]),
      ("sync people", 78, ["servers.people.url"]), ("sync flickr/interestingness", 77, ["ALMANAC_FLICKR_KEY"]),
      ("sync people --server people=http://127.0.0.1:1", 69, []),
      ("sync people flickr/interestingness --server people=http://127.0.0.1:1", 1, []),
      ("list nothing", 64, ["nothing", "apps", "people"]), ("list peple", 64, ["did you mean 'people'?", "rejects"]),
      ("list apps --where name", 64, ["FIELD OP VALUE"]), ("list apps --format yaml", 64, ["yaml", "jsonl"]),
      ("show apps 1", 66, ["us/1", "appID = 1"]), ("show nothing none", 64, []),
      ("charts top app-store/us/top-free", 66, ["app-store/us/top-free"]), ("charts top people", 64, []),
      ("charts movers app-store/us/top-free", 66, []), ("charts movers app-store/us/top-free --since soon", 64, []),
      ("charts history 1", 66, []), ("birthdays --on soon", 64, []), ("birthdays --ics /nowhere/b.ics", 73, []),
      ("birthdays --ics - --alarm soon", 64, []), ("birthdays --ics - --days 2", 64, []),
      ("birthdays --alarm 9h", 64, []), ("people add", 64, []),
      ("people add --first A --birthday 1985-02-30", 64, ["1985-02-30"]), ("people edit none", 64, []),
      ("people edit none --first A", 66, []), ("people send none", 78, []), ("people remove 1", 66, ["1"]),
      ("people import missing.vcf", 66, ["missing.vcf"]), ("people import /dev/null", 65, []),
      ("people fetch", 78, []), ("profile show none", 66, []), ("profile set ada", 64, ["--name"]),
      ("profile set none --name A", 66, []), ("outbox retry none", 66, []), ("outbox discard none", 66, []),
      ("outbox resolve none --take mine", 66, []), ("outbox resolve none --take both", 64, []),
      ("media fetch", 0, []), ("import records.txt", 64, ["--collection"]), ("import people.jsonl", 66, []),
      ("import /dev/null", 64, []), ("import /dev/null --collection people", 0, []),
      ("restore nope", 66, ["nope", "there is no such folder"]),
      ("restore /usr", 66, ["there is no store in this folder"]),
      ("export apps --to vcf", 64, ["people"]),
      ("export people --to xlsx", 64, ["'xlsx'", "of the following: jsonl, csv, json, vcf, ics, html, singer"]),
      ("export people --to jsonl --out /nowhere/p", 73, []), ("changes --since garbage", 64, []), ("dashboard", 66, []),
      ("status --config missing.json", 78, ["missing.json"]), ("doctor --config none.json", 78, []),
    ] as [(String, Int32, [String])])
  func isRefused(line: String, status: Int32, words: [String]) async throws {
    try almanac.makeStore()
    let result = try await almanac.run(line.split(separator: " ").map(String.init), exits: status)
    for word in words { #expect(result.err.contains(word), "'\(word)' in: \(result.err)") }
    #expect(status == 0 || !result.err.isEmpty || line.hasPrefix("doctor"), "says why")
    #expect(!FileManager.default.fileExists(atPath: almanac.store + "/apps.jsonl"))
  }

  @Test(arguments: [
    ("people.jsonl", String.Encoding.isoLatin1, "line 2: expected text in UTF-8, found byte 0xE9 at column 25"),
    ("people.jsonl", .utf16, "iconv -f CP1252 -t UTF-8"),
    ("people.csv", .isoLatin1, "found byte 0xE9 (line 2, column 6, byte 21)"),
    ("people.csv", .isoLatin1, "--charset latin1"),
  ])
  func aFileThatIsNotUTF8IsNamedWithItsByte(name: String, encoding: String.Encoding, words: String) async throws {
    let isTable = name.hasSuffix(".csv")
    let text =
      isTable
      ? "First Name,Note\nAda,xé\n" : "{\"id\":\"p1\",\"firstName\":\"A\"}\n{\"id\":\"p2\",\"firstName\":\"é\"}\n"
    let file = almanac.folder + "/" + name
    try #require(text.data(using: encoding)).write(to: URL(fileURLWithPath: file))
    try await almanac.run(isTable ? ["people", "import", file] : ["import", file], exits: 65, err: words)
  }

  @Test func groupsHaveNames() async throws {
    try await almanac.run("people", "add", "Ada", "--group", "club", exits: 0)
    for (arguments, status, words) in [
      (["add", " ", "Ada"], Int32(64), "' ' is no name"), (["rename", "club", ""], 64, "'' is no name"),
      (["list", "clob"], 66, "did you mean 'club'?"),
    ] { try await almanac.run(["people", "group"] + arguments, exits: status, err: words) }
  }

  @Test(arguments: [
    (Reply.html("<!doctype html><title>Down for maintenance</title>"), Int32(65), "parsing"),
    (.json("{}", status: 429, headers: ["retry-after": "3600"]), 75, "http"),
  ])
  func aBadAnswerKeepsWhatWasThere(answer: Reply, status: Int32, kind: String) async throws {
    try await almanac.run(
      "sync", "app-store/us/top-free", "--seed", almanac.file("good.har", try Self.feed(.good)), exits: 0)
    let before = try await almanac.run("list", "apps", "--format", "json").out

    let server = try LocalServer { _ in answer }
    defer { server.stop() }
    let sync = try await almanac.run(
      "sync", "app-store/us/top-free", "--server", "app-store=\(server.url)", "--format", "json", exits: status)
    let report = try sync.object()
    let follow = try #require((report["follows"] as? [[String: Any]])?.first)
    #expect(follow["status"] as? String == "failed")
    let error = try #require(follow["error"] as? [String: Any])
    #expect(error["kind"] as? String == kind)
    #expect(error["message"] as? String != "")
    #expect(error["retryable"] is Bool)
    #expect(try await almanac.run("list", "apps", "--format", "json").out == before)
  }

  @Test func manyMalformedEntriesAreCountedAndTheFirstAreKept() async throws {
    let list = "[\(Array(repeating: "0", count: 1_500).joined(separator: ","))]"
    let seed = try almanac.file("seed.har", try Recording.har([.init("http://people.test/people", list)]))
    let sync = ["sync", "people", "--seed", seed, "--server", "people=http://people.test"]
    try await almanac.run(
      sync, exits: 65, err: "almanac: people: all 1500 records were rejected",
      "people: the first 1000 of 1500 rejected records are kept")
    let report = try await almanac.run(sync + ["--format", "json"]).object()
    let follow = try #require((report["follows"] as? [[String: Any]])?.first)
    #expect(follow["rejected"] as? Int == 1_500)
    #expect(follow["rejectsKept"] as? Int == 1_000)
    #expect(try await almanac.records("list", "rejects").count == 1_000)
  }

  @Test func aMalformedEntryIsSetAsideAndTheOthersStay() async throws {
    let seed = try almanac.file("seed.har", try Self.feed(.oneBadEntry))
    let sync = try await almanac.run("sync", "app-store/us/top-free", "--seed", seed, "--format", "json", exits: 0)
    let totals = try #require(try sync.object()["totals"] as? [String: Any])
    #expect(totals["rejected"] as? Int == 1)
    let follow = try #require((try sync.object()["follows"] as? [[String: Any]])?.first)
    #expect(follow["status"] as? String == "partial")
    #expect(try await almanac.records("list", "apps").count == 2)
    let rejects = try await almanac.records("list", "rejects")
    #expect(rejects.count == 1)
    #expect(rejects.first?["index"] as? Int == 1)
    #expect(rejects.first?["follow"] as? String == "app-store/us/top-free")
    #expect((rejects.first?["raw"] as? String)?.contains("broken") == true)

    try await almanac.run("sync", "app-store/us/top-free", "--seed", seed, "--strict", exits: 65)
    #expect(try await almanac.records("list", "rejects").count == 1)
  }

  @Test func anUnreachableServerIs69() async throws {
    let server = try LocalServer { _ in Reply.json("{}") }
    let url = server.url
    server.stop()
    try await almanac.run("sync", "people", "--server", "people=\(url)", exits: 69, err: url)
  }

  @Test func aStoreThatCannotBeMadeOrReadSaysSo() async throws {
    let file = try almanac.file("file", "no folder")
    try await almanac.run(
      "people", "add", "--first", "A", "--birthday", "2000-01-01", "--store", "\(file)/store", exits: 73,
      err: "\(file)/store")

    _ = try await almanac.run("people", "add", "--first", "A", "--birthday", "2000-01-01")
    _ = try await almanac.run("compact")
    let path = almanac.store + "/people.jsonl"
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[bytes.count / 2] ^= 0x01
    try FileManager.default.removeItem(atPath: path)
    try bytes.write(to: URL(filePath: path))
    try await almanac.run("doctor", exits: 74, out: "people.jsonl")
  }

  private enum Feed { case good, oneBadEntry }

  private static func feed(_ feed: Feed) throws -> String {
    var entries = ["1", "3"].map { StorefrontTests.entry($0, amount: "0.00") }
    if feed == .oneBadEntry { entries.insert(#"{"im:name":{"label":"broken"},"id":{"label":"no id"}}"#, at: 1) }
    return try Recording.har([
      .init("https://itunes.apple.com/us/rss/topfreeapplications/limit=100/json", StorefrontTests.feed(entries))
    ])
  }
}

/// Answers without end, plain and compressed, through the shipped program: they are refused, and cost no more memory
/// than the largest answer that is allowed and 32 MiB for everything else.
@Suite(.serialized) final class BombTests: ProgramTests {
  @Test(.timeLimit(.minutes(10)), arguments: BombServer.bombs.indices)
  func costsNoMoreThanTheLimit(_ index: Int) async throws {
    let bomb = BombServer.bombs[index]
    // Every source meets it, one after another; then one request is held, so that the memory can be looked at.
    let bombs = try BombServer(bomb, holding: "last")
    let server = bombs.server
    let servers = ["app-store", "flickr", "users", "people"].flatMap { ["--server", "\($0)=\(server.url)"] }
    var program = almanac
    program.environment["ALMANAC_FLICKR_KEY"] = "anykey"
    let follows = ["people", "users/first", "flickr/search/cats", "app-store/us/top-free"]
    let running = try program.start(["sync"] + follows + ["users/last", "--jobs", "1", "--format", "json"] + servers)
    bombs.watch(running)
    let result = try await running.result()
    server.stop()
    let peak = bombs.peak(of: "almanac")
    #expect(peak > 0 && peak <= BombServer.mostKilobytes, "\(peak) KiB")
    let reports = try #require(try result.object()["follows"] as? [[String: Any]])
    #expect(reports.count == follows.count + 1)
    for report in reports.dropLast() {
      let error = try #require(report["error"] as? [String: Any], "\(report)")
      #expect(error["code"] as? String == bomb.code && report["requests"] as? Int == 1, "\(report)")
    }
    #expect(reports.last?["status"] as? String == "ok")
  }
}
