import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// What the doctor says of servers, before anybody finds out by a sync.
@Suite final class DoctorTests: ProgramTests {
  @Test(arguments: [
    (#"{"follows": [{"follow": "flickr/interestingness"}]}"#, Int32(77), "flickr needs an API key"),
    (
      #"{"servers": {"flickr": {"apiKey": {"env": "NO_SUCH_KEY"}}}, "follows": [{"follow": "flickr/interestingness"}]}"#,
      77, "NO_SUCH_KEY is not set"
    ),
    (#"{"follows": [{"follow": "people"}]}"#, 78, "no server is set for people"),
    (#"{"servers": {"people": {"url": "http://127.0.0.1:9"}}, "follows": [{"follow": "people"}]}"#, 69, "refused"),
  ])
  func namesWhatASyncWouldMeet(config: String, status: Int32, words: String) async throws {
    let file = try almanac.file("config.json", config)
    let result = try await almanac.run("doctor", "--config", file, "--format", "json", exits: status, out: words)
    #expect(try result.object()["ok"] as? Bool == false)
  }

  @Test func aRepairedStoreIsWell() async throws {
    for name in ["A", "B"] { _ = try await almanac.run("people", "add", "--first", name, "--birthday", "2000-01-01") }
    let journal = try #require(
      try FileManager.default.contentsOfDirectory(atPath: almanac.store).first { $0.hasPrefix("journal") })
    let path = "\(almanac.store)/\(journal)"
    var bytes = try Data(contentsOf: URL(filePath: path))
    for place in 60..<80 { bytes[place] = 0x20 }
    try bytes.write(to: URL(filePath: path))
    try await almanac.run("doctor", exits: 74)
    let repair = try await almanac.run("doctor", "--repair", "--format", "json", exits: 74)
    let report = try repair.object()
    #expect(report["ok"] as? Bool == false)
    let findings = try #require(report["findings"] as? [[String: Any]])
    #expect(findings.contains { ($0["mend"] as? String)?.contains("\(journal).damaged") == true }, "\(repair.out)")
    #expect(!repair.out.contains("--repair"), "nobody is told to do what was just done")
    try await almanac.run("doctor", exits: 0)
    // What was before is not known, and said to be so: not everybody was added since.
    #expect(repair.out.contains("the states before commit 2"), "\(repair.out)")
    for command in [["list", "people", "--at", "commit:1"], ["diff", "commit:1"]] {
      try await almanac.run(command, exits: 74, err: "the state after commit 1 is not known")
    }
    #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
    // Later runs say what the repair kept, until it is removed.
    try await almanac.run(
      "doctor", exits: 0, out: "a repair kept", ".damaged", "*.damaged in the store's folder can be removed")
    for name in try FileManager.default.contentsOfDirectory(atPath: almanac.store) where name.hasSuffix(".damaged") {
      try FileManager.default.removeItem(atPath: "\(almanac.store)/\(name)")
    }
    #expect(try await !almanac.run("doctor").out.contains(".damaged"))
    // So does what another program had changed.
    try Data("{}\n".utf8).write(to: URL(filePath: "\(almanac.store)/people.jsonl.changed"))
    try await almanac.run(
      "doctor", exits: 0, out: "the changed file people.jsonl.changed",
      "'almanac import \(almanac.store)/people.jsonl.changed", "*.changed in the store's folder can be removed")
    try Data("{".utf8).write(to: URL(filePath: "\(almanac.store)/cut.journal.0000000000000001.20"))
    try FileManager.default.createDirectory(atPath: almanac.store + ".part", withIntermediateDirectories: false)
    try await almanac.run(
      "doctor", exits: 0, out: "kept the end of a journal whose write was broken off: cut.journal.0000000000000001.20",
      "\(almanac.store).part is what a backup or a restore that was broken off left")
    #expect(try await almanac.records("list", "people").count == 1)
  }

  /// What the store lost comes back with the next sync, although the server says that nothing changed.
  @Test func whatWasLostIsReadAgain() async throws {
    let server = try LocalServer { request in
      if request.headers["if-none-match"] != nil { return Reply(status: 304, body: []) }
      let list = #"[{"id":"1","firstName":"Jane","lastName":"Doe","birthday":"1985-03-04"}]"#
      return .json(list, headers: ["ETag": "\"1\""])
    }
    defer { server.stop() }
    let sync = ["sync", "people", "--server", "people=\(server.url)"]
    try await almanac.run(sync, exits: 0)
    let journal = try #require(
      try FileManager.default.contentsOfDirectory(atPath: almanac.store).first { $0.hasPrefix("journal") })
    let path = URL(filePath: "\(almanac.store)/\(journal)")
    var bytes = try Data(contentsOf: path)
    let name = try #require(bytes.range(of: Data("Jane".utf8)))
    bytes[name.lowerBound] = 0x4A ^ 1
    try bytes.write(to: path)
    try await almanac.run("doctor", "--repair", exits: 74)
    try await almanac.run(sync, exits: 0)
    #expect(try await almanac.records("list", "people").map { $0["firstName"] as? String } == ["Jane"])
  }

  @Test(
    "a disk without room for a commit, or for a compaction, is named with its free bytes",
    .enabled(if: Tool.canMount, "no name space for mounts"))
  func fullDisk() async throws {
    let long = String(repeating: "l", count: 80)
    let lines = (0..<9000).map { #"{"id":"\#(1000 + $0)","firstName":"F","lastName":"\#(long)"}"# }
    let file = try almanac.file("people.jsonl", lines.joined(separator: "\n"))
    let mounted = """
      mkdir "$ALMANAC_STORE" && mount -t tmpfs -o size=4m tmpfs "$ALMANAC_STORE" || exit 1
      "$PROGRAM" import \(file) && "$PROGRAM" compact && "$PROGRAM" people add --first A
      "$PROGRAM" doctor --format json > roomy; echo $? >> roomy
      cat /dev/zero > "$ALMANAC_STORE/zeros" 2> zeros
      "$PROGRAM" doctor --format json > full; echo $? >> full
      """
    let result = try await almanac.shell("exec unshare -rm sh -c '\(mounted)'")
    func text(_ name: String) throws -> String {
      try contents(almanac.folder + "/" + name)
    }
    let (roomy, full) = (try text("roomy"), try text("full"))
    #expect(roomy.contains("the next compaction writes") && roomy.hasSuffix("\n0\n"), "\(roomy)\(result)")
    #expect(full.contains("the disk is full, or the quota is used up: 0 bytes are free"), "\(full)")
    #expect(full.contains(almanac.store) && full.hasSuffix("\n74\n"), "\(full)")
  }

  @Test(
    "a file system that is mounted for reading only, or full, is named as that by every command, and nobody's rights are",
    .enabled(if: Tool.canMount, "no name space for mounts"), arguments: [true, false])
  func readOnlyDisk(isReadOnly: Bool) async throws {
    let names = ["doctor", "sync", "add", "follow", "ics", "export", "all", "pictures"]
    let mounted = """
      mkdir disk && mount -t tmpfs -o size=1m tmpfs disk || exit 1
      export ALMANAC_STORE=$PWD/disk/store ALMANAC_CONFIG=$PWD/disk/config.json
      "$PROGRAM" people add --first A && "$PROGRAM" follow people --quiet
      \(isReadOnly ? "mount -o remount,ro disk" : "cat /dev/zero > disk/zeros 2> zeros")
      run() { out=$1; shift; "$PROGRAM" "$@" --server people=http://127.0.0.1:1 > $out 2>&1; }
      run doctor doctor; run sync sync; run add people add --first B --note $(head -c 20000 /dev/zero | tr "\\\\0" x)
      run follow follow users/ada; run ics birthdays --ics disk/a.ics
      run export export people --to csv --out disk/people.csv; run all export --all disk/all --to csv
      run pictures media export disk/pictures/deep
      """
    let result = try await almanac.shell("exec unshare -rm sh -c '\(mounted)'")
    let words = isReadOnly ? "mounted for reading only: mount it for writing" : "free some space"
    for name in names {
      let text = (try? contents(almanac.folder + "/" + name)) ?? "\(result)"
      // A full disk has room for what needs none.
      let isNamed = isReadOnly ? name != "pictures" : ["doctor", "add", "follow", "ics", "export"].contains(name)
      #expect(!isNamed || text.contains(words), "\(name): \(text)")
      #expect(!text.contains("as its owner") && !text.contains("check who owns"), "\(name): \(text)")
    }
  }

  @Test("a damaged store is one finding, also where a source keeps its budget there")
  func onceOnly() async throws {
    _ = try await almanac.run("people", "add", "--first", "A", "--birthday", "2000-01-01")
    try Data("x".utf8).write(to: URL(filePath: almanac.store + "/manifest"))
    let config = try almanac.config(
      "http://127.0.0.1:9", ["flickr"], settings: ["flickr": #""apiKey": "k""#], follows: ["flickr/interestingness"])
    let result = try await almanac.run("doctor", "--config", config, "--format", "json", exits: 74)
    let parts = try #require(try result.object()["findings"] as? [[String: Any]]).compactMap { $0["part"] as? String }
    #expect(parts.count { $0 == "store" } == 1 && !parts.contains("server"), "\(result.out)")
  }

  @Test("every damaged file is named at once")
  func allFiles() async throws {
    let profiles = try almanac.file("profiles.jsonl", #"{"id":"g","name":"G","email":"g@x.example"}"#)
    for command in [["people", "add", "A"], ["import", profiles], ["compact"]] {
      #expect(try await almanac.run(command).status == 0)
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: almanac.store).filter {
      $0.hasSuffix(".records") && ($0.hasPrefix("people.") || $0.hasPrefix("profiles."))
    }
    for file in files {
      let path = "\(almanac.store)/\(file)"
      var bytes = try Data(contentsOf: URL(filePath: path))
      bytes[5] ^= 1
      try bytes.write(to: URL(filePath: path))
    }
    let result = try await almanac.run("doctor", exits: 74)
    #expect(files.count == 2, "\(result)")
    #expect(files.allSatisfy { result.out.contains($0) }, "\(result.out)")
  }

  @Test("a check of a store that is not there yet makes none")
  func leavesTheFolder() async throws {
    let config = try almanac.config(
      "http://127.0.0.1:9", ["flickr"], settings: ["flickr": #""apiKey": "k""#], follows: ["flickr/interestingness"])
    _ = try await almanac.run("doctor", "--config", config)
    #expect(!FileManager.default.fileExists(atPath: almanac.store))
  }

  /// A server without client certificates: nginx answers 400 to every request then.
  @Test(arguments: [400, 401, 403, 500, 404, 405])
  func anAnswerThatRefusesEveryRequestIsAFinding(code: Int) async throws {
    let server = try LocalServer { _ in .json("{}", status: code) }
    defer { server.stop() }
    let config = try almanac.config(server.url, ["people"], follows: ["people"])
    let doctor = try await almanac.run("doctor", "--config", config)
    let isRefused = ![404, 405].contains(code)
    #expect(doctor.status == (isRefused ? [401, 403].contains(code) ? 77 : 69 : 0), "\(doctor.out)")
    #expect(doctor.out.contains("answered \(code)") == isRefused, "\(doctor.out)")
  }

  @Test func followsThatNeverSucceededAreFindings() async throws {
    let scene = try Scene()
    defer { scene.end() }
    let config = try scene.config(["people", "users"], follows: ["people", "users/ada", "users/nobody-here"])
    func findings() async throws -> [[String: String]] {
      let doctor = try await scene.almanac.run("doctor", "--config", config, "--format", "json")
      return try (doctor.object()["findings"] as? [[String: String]] ?? []).filter { $0["part"] == "follow" }
    }
    let fresh = try await findings()
    #expect(fresh.map { $0["severity"] } == ["note"])
    #expect(fresh.first?["message"] == "people and 2 more have not been synced yet", "\(fresh)")
    try await scene.almanac.run("sync", "--config", config, exits: 66)
    let failed = try await findings()
    #expect(failed.count == 1 && failed.first?["severity"] == "error", "\(failed)")
    #expect(failed.first?["message"]?.hasPrefix("users/nobody-here failed at 2") == true, "\(failed)")
    #expect(failed.first?["message"]?.hasSuffix("; it has never worked") == true, "\(failed)")
    try await scene.almanac.run("doctor", "--config", config, exits: 66)
    // The exit code of a repair is the store's: nothing was lost.
    let repair = try await scene.almanac.run("doctor", "--repair", "--config", config, "--format", "json", exits: 0)
    let findings = try repair.object()["findings"] as? [[String: String]] ?? []
    #expect(findings.filter { $0["part"] == "follow" }.map { $0["severity"] } == ["note"], "\(findings)")
  }

  /// A failure whose reason is gone is a note with its time.
  @Test func aFailureOfTheNetworkIsOverWhenTheServerAnswers() async throws {
    let scene = try Scene()
    defer { scene.end() }
    let config = try scene.config(["people"], follows: ["people"])
    try await scene.almanac.run("sync", "--config", config, "--server", "people=http://127.0.0.1:1", exits: 69)
    let status = try await scene.almanac.run("status", "--config", config)
    #expect(status.out.contains("failed at 2"), "\(status.out)")
    let doctor = try await scene.almanac.run("doctor", "--config", config, "--format", "json", exits: 0)
    let finding = try #require((doctor.object()["findings"] as? [[String: String]])?.first { $0["part"] == "follow" })
    #expect(finding["severity"] == "note" && finding["message"]?.contains("failed at 2") == true, "\(finding)")
  }

  @Test func variablesThatNameNothingAreNotes() async throws {
    for (name, value, isFound) in [
      ("SSL_CERT_FILE", "/nowhere.pem", true), ("SSL_CERT_FILE", "/dev/null", false), ("SSL_CERT_FILE", "", false),
      ("SSL_CERT_DIR", "/nowhere:/nowhere-else", true), ("SSL_CERT_DIR", "/nowhere:/", false),
    ] {
      almanac.environment = [name: value]
      let doctor = try await almanac.run("doctor", "--format", "json", exits: 0)
      #expect(doctor.out.contains("\(name) names /nowhere") == isFound, "\(name)=\(value): \(doctor.out)")
    }
  }
}

@Suite("doctor: fields of the servers' answers that drifted")
final class DriftReportTests: ProgramTests {
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

    try await almanac.run("sync", "--config", config, "--seed", first, exits: 0)
    let before = try await almanac.run("doctor", "--format", "json", "--config", config, "--seed", first, exits: 0)
    #expect(try before.object()["drift"] as? [[String: String]] == [])

    _ = try await almanac.run("sync", "--config", config, "--seed", second)
    let after = try await almanac.run("doctor", "--format", "json", "--config", config, "--seed", second, exits: 0)
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
}
