import AlmanacTesting
import Foundation
import Models
import Testing
import UpstreamKit

@testable import almanac

/// What a person meets who does not know the program: mistyped words and paths, and what to do next.
@Suite final class FirstUseTests: ProgramTests {
  /// An empty answer would hide that the path is wrong.
  @Test(arguments: [
    ["list", "people"], ["show", "people", "1"], ["search", "x"], ["charts", "top", "app-store/us/top-free"],
    ["photos"], ["media"], ["media", "fetch"], ["birthdays"], ["outbox"], ["changes"], ["compact"],
    ["export", "people", "--to", "jsonl"], ["people", "remove", "x"], ["profile", "show", "x"], ["status"],
  ])
  func aStoreThatDoesNotExistIsNotAnEmptyOne(arguments: [String]) async throws {
    let missing = almanac.folder + "/typo"
    try await almanac.run(arguments + ["--store", missing], exits: 66, err: "there is no store in \(missing)")
    #expect(!FileManager.default.fileExists(atPath: missing))
    #expect(!FileManager.default.fileExists(atPath: almanac.store))
  }

  @Test func theVariableOfAStoreThatDoesNotExistIsNamed() async throws {
    let list = try await almanac.run(
      "list", "people", exits: 66, err: "there is no store in \(almanac.store)",
      "check ALMANAC_STORE, or move the store back")
    #expect(list.out.isEmpty && !FileManager.default.fileExists(atPath: almanac.store), "\(list)")
  }

  @Test func theFirstStartWithoutANamedStoreFindsNothing() async throws {
    almanac.environment["ALMANAC_STORE"] = ""
    let first = try await almanac.run("list", "people")
    let place = "\(almanac.folder)/.local/share/almanac"
    #expect(
      first.status == 0 && first.err.hasPrefix("no people: there is no store in \(place) yet; 'almanac sync'"),
      "\(first)")
    try await almanac.run("status", exits: 0)
    #expect(try await almanac.run("people", "add", "--first", "Ada", "--quiet").err == "")
  }

  @Test func anEmptyFolderIsAnEmptyStore() async throws {
    try almanac.makeStore()
    for command in [["list", "people"], ["photos"], ["birthdays"], ["search", "ada"]] {
      try await almanac.run(command, exits: 0, err: ": the store in \(almanac.store) is empty; ")
    }
  }

  @Test func aPictureIsSentInPieces() {
    let bytes = [UInt8](repeating: 7, count: 5000)
    let kitty = Thumbnail.sequence(of: bytes, type: "image/png", for: .kitty) ?? ""
    #expect(kitty.hasPrefix("\u{1B}_Ga=T,f=100,r=12,q=2,m=1;") && kitty.matches(of: /\u{1B}_G/).count == 2)
    #expect(kitty.contains("\u{1B}_Gm=0;") && Thumbnail.sequence(of: bytes, type: "image/jpeg", for: .kitty) == nil)
    #expect(Thumbnail.Terminal(environment: ["TERM": "xterm-kitty"]) == .kitty)
    #expect(Thumbnail.Terminal(environment: ["TERM_PROGRAM": "iTerm.app"]) == .iTerm)
    #expect(Thumbnail.Terminal(environment: ["TERM": "xterm-kitty", "TMUX": "/tmp/x"]) == nil)
    #expect(Thumbnail.Terminal(environment: ["TERM": "xterm-256color"]) == nil)
  }

  @Test(arguments: [
    ("9.0.0", "0.2.0", true), ("v0.2.1", "0.2.0", true), ("0.10.0", "0.9.9", true), ("0.2.0", "0.2.0", false),
    ("0.1.9", "0.2.0", false), ("1.0.0-beta.1", "0.2.0", false), ("nightly", "0.2.0", false),
  ])
  func versionsAreCompared(new: String, old: String, isNewer: Bool) {
    #expect(Version.isNewer(new, than: old) == isNewer)
  }

  @Test func aNewerVersionIsNamed() async throws {
    let server = try LocalServer { request in
      Reply.json(request.path == "/newer" ? #"{"tag_name": "v99.0.0"}"# : "{}")
    }
    defer { server.stop() }
    #expect(try await almanac.run("version").out == "almanac \(AlmanacVersion.current)\n")
    try await almanac.run("version", "--check", "--from", server.url + "/newer", exits: 0, out: "; 99.0.0 is available")
    try await almanac.run("version", "--check", exits: 64)
    // Without a network, nothing goes wrong.
    for url in [server.url + "/other", "http://127.0.0.1:1/x"] {
      let unknown = try await almanac.run("version", "--check", "--from", url, "--format", "json")
      let fields = try unknown.object()
      #expect(unknown.status == 0 && fields["newest"] == nil && fields["problem"] is String, "\(unknown)")
    }
    #expect(!FileManager.default.fileExists(atPath: almanac.store))
  }

  @Test func doctorSaysThatTheStoreDoesNotExist() async throws {
    let missing = almanac.folder + "/typo"
    let named = try await almanac.run(
      "doctor", "--store", missing, exits: 66, out: "error: store: there is no store in \(missing)")
    let variable = try await almanac.run("doctor", "--format", "json")
    let findings = try variable.object()["findings"] as? [[String: Any]] ?? []
    #expect(variable.status == 0 && findings.first?["severity"] as? String == "note", "\(variable.out)")
    #expect(findings.count { $0["part"] as? String == "store" } == 1, "\(variable.out)")
    #expect(named.out.ranges(of: "there is no store").count == 1, "\(named.out)")
    #expect(!FileManager.default.fileExists(atPath: missing) && !FileManager.default.fileExists(atPath: almanac.store))
  }

  @Test func aNameThatIsNearIsNamed() async throws {
    try await almanac.load(
      "people", #"{"id":"p1","firstName":"Erika","lastName":"Mueller","fullName":"Erika Mueller"}"#)
    for arguments in [
      ["people", "edit", "Müller", "--first", "E"], ["people", "remove", "Erik"], ["people", "send", "Ericka Mueller"],
      ["show", "people", "p2"],
    ] {
      try await almanac.run(arguments, exits: 66, err: "did you mean p1 (Erika Mueller)?")
    }
    // A whole word of the name is enough for a change, but not for what cannot be taken back.
    try await almanac.run("people", "edit", "mueller", "--note", "x", exits: 0, out: "Erika Mueller")
    try await almanac.run("people", "remove", "Mueller", exits: 66)
    try await almanac.run("people", "remove", "Xaver", exits: 66, err: "'almanac list people' shows names and ids")
    try await almanac.run("follow", "users/ada", exits: 0)
    try await almanac.run("unfollow", "users/adda", exits: 66, err: "did you mean 'users/ada'?")
  }

  @Test func aRemovedFileIsMissing() async throws {
    try await almanac.run("people", "add", "--first", "Ada", exits: 0)
    try FileManager.default.removeItem(atPath: almanac.store + "/people.jsonl")
    let status = try await almanac.run("status")
    #expect(status.out.contains("files that are missing: people.jsonl; 'almanac compact' writes them"), "\(status.out)")
    #expect(!status.out.contains("latest commits"))
    let store = try await almanac.object("status")["store"] as? [String: Any]
    #expect(store?["missing"] as? [String] == ["people"] && store?["behind"] as? [String] == [])
    let doctor = try await almanac.run("doctor")
    #expect(doctor.out.contains("people.jsonl is missing; the store has its records"), "\(doctor.out)")
    try await almanac.run("compact", exits: 0)
    #expect(!(try await almanac.run("status").out.contains("missing")))
  }

  @Test func aNewStoreIsSaid() async throws {
    let place = almanac.folder + "/new"
    let add = ["people", "add", "--first", "Ada", "--birthday", "1815-12-10", "--store", place]
    #expect(try await almanac.run(add).err == "created a new store in \(place)\n")
    let second = ["people", "add", "--first", "Grace", "--birthday", "1906-12-09", "--store", place]
    #expect(try await almanac.run(second).err == "")
    #expect(
      try await almanac.run("people", "add", "--first", "Alan").err == "created a new store in \(almanac.store)\n")
    #expect(try await almanac.run("people", "add", "--first", "Kurt").err == "")
  }

  @Test func imagesAreFoundByTheirRecords() async throws {
    let scene = try Scene()
    defer { scene.end() }
    let config = try scene.config(
      ["flickr"], settings: ["flickr": #""apiKey": "k""#], follows: [#"{"follow": "flickr/search/cats", "limit": 5}"#])
    var almanac = scene.almanac
    almanac.environment["ALMANAC_CONFIG"] = config
    try await almanac.run("sync", exits: 0)
    #expect(try await almanac.run("media").err.contains("'almanac media fetch'"))
    let fetched = try await almanac.object("media", "fetch")
    let count = (fetched["fetched"] as? Int ?? 0) + (fetched["known"] as? Int ?? 0)
    let rows = try await almanac.records("media", "list")
    #expect(count > 0 && rows.count >= count, "\(fetched), \(rows.count) rows")
    for row in rows {
      let size = try FileManager.default.attributesOfItem(atPath: row["file"] as? String ?? "")[.size] as? Int
      #expect(size != nil && size == row["bytes"] as? Int && (row["type"] as? String)?.hasPrefix("image/") == true)
    }
    #expect(try await almanac.records("media", "list", "--in", "photos", "--limit", "1").count == 1)
    let photo = try #require(try await almanac.records("photos", "--limit", "1").first)
    let photos = try await almanac.records("photos")
    #expect(photos.contains { $0["takenAt"] is String }, "\(photo)")
    let sorted = try await almanac.run("list", "photos", "--sort", "-imageURL", "--limit", "1")
    #expect(sorted.out.split(separator: "\n").first?.contains("imageURL") == true, "\(sorted.out)")
    let (id, file) = (try #require(photo["id"] as? String), try #require(photo["thumbnailFile"] as? String))
    #expect(rows.contains { $0["id"] as? String == id && $0["file"] as? String == file })
    #expect(try await almanac.run("show", "photos", id).out.contains("thumbnailFile"))
    // The record itself stays what an import takes.
    #expect(!(try await almanac.run("show", "photos", id, "--format", "json").out.contains("thumbnailFile")))
    #expect(try await almanac.run("photos", "--limit", "2", "--format", "csv").out.split(separator: "\n").count == 3)
    let page = try await almanac.run("export", "photos", "--to", "html").out
    #expect(page.contains("<img src=\"data:image/") && page.contains("<a href=\"https://www.flickr.com/photos/"))
    #expect(!page.contains("src=\"http") && page.hasSuffix("</html>\n"), "\(page.prefix(3000))")
    // A terminal that shows pictures, one that does not, and none.
    let here = "open photos \(id) --picture --here"
    try await almanac.shell(
      "TERM_PROGRAM=WezTerm TERM=xterm script -qec \"$PROGRAM \(here)\" /dev/null", exits: 0,
      out: "\u{1B}]1337;File=inline=1;size=")
    try await almanac.shell(
      "TERM=xterm script -qec \"$PROGRAM \(here)\" /dev/null", exits: 69, out: "this terminal does not show image/")
    try await almanac.shell("TERM_PROGRAM=WezTerm $PROGRAM \(here)", exits: 69)
    try await almanac.run("photos", "--owner", "nobody at all", exits: 66, err: "the owners are ")
    let owner = try #require(photo["owner"] as? String)
    #expect(try await almanac.records("photos", "--owner", owner.uppercased()).count > 0)
  }

  /// A setting that names a missing file is found before it matters, also where no request would read the file.
  @Test func aMissingFileOfAServerIsNamed() async throws {
    let scene = try Scene()
    defer { scene.end() }
    for (setting, name, commands) in [
      (#""certFile": "gone.pem""#, "certFile", [["doctor"]]),
      (#""certFile": "config.json", "keyFile": "gone.key""#, "keyFile", [["doctor"]]),
      (#""apiKey": {"file": "gone.key"}"#, "apiKey", [["doctor"], ["sync"], ["follow", "people"]]),
    ] {
      let almanac = try scene.configured(["people"], settings: ["people": setting], follows: ["people"])
      for command in commands {
        let result = try await almanac.run(command, exits: (command == ["doctor"] ? 78 : 0))
        let text = result.out + result.err
        for word in ["servers.people.\(name)", "gone.", almanac.folder + "/config.json"] {
          #expect(text.contains(word), "\(command): \(text)")
        }
        #expect(name != "apiKey" || command != ["doctor"] || text.contains("requests to people carry no key"))
      }
    }
  }

  @Test(arguments: [
    (401, "servers.people.certFile", 77), (403, "servers.people.certFile", 77), (404, "servers.people.url", 66),
  ])
  func aRefusalSaysWhichSettingCounts(status: Int, setting: String, code: Int32) async throws {
    var options = UpstreamOptions()
    options.faults = [FaultRule(.status(status), path: "/people", times: nil)]
    let scene = try Scene(options)
    defer { scene.end() }
    let config = try scene.config(["people"], follows: ["people"])
    try await scene.almanac.run("sync", "--config", config, exits: code, err: setting)
  }

  /// Whom only case and accents tell apart is the same person, unless it is said that it is another one.
  @Test func anotherPersonOfTheSameNames() async throws {
    let words = ["people", "add", "--first", "Zoë", "--last", "Quill", "--birthday", "2000-01-01"]
    try await almanac.run(words, exits: 0)
    try await almanac.run(
      words.map { $0 == "Zoë" ? "ZOE" : $0 }, exits: 64, err: "Zoë Quill, born 2000-01-01, exists already",
      "--new adds another person", "almanac show people")
    try await almanac.run(words + ["--new"], exits: 0)
    #expect(try await almanac.records("list", "people").count == 2)
  }

  /// A line that was deleted in the published file cannot delete the record: it is said what does.
  @Test func aDeletedLineOfAPublishedFile() async throws {
    for name in ["Ada", "Grace", "Emmy"] {
      try await almanac.run("people", "add", "--first", name, "--birthday", "2000-01-01", exits: 0)
    }
    let file = almanac.store + "/people.jsonl"
    let lines = try contents(file).split(separator: "\n")
    try FileManager.default.removeItem(atPath: file)
    let left = lines.filter { !$0.contains("Ada") }.joined(separator: "\n")
    try (left + "\n").write(toFile: file, atomically: false, encoding: .utf8)
    let status = try await almanac.run("status")
    #expect(status.out.contains("another program changed: people.jsonl; 'almanac doctor'"), "\(status.out)")
    #expect(!status.out.contains("almanac compact"), "\(status.out)")
    let store = try await almanac.object("status")["store"] as? [String: Any]
    #expect(store?["changed"] as? [String] == ["people"] && store?["behind"] as? [String] == [])
    try await almanac.run("doctor", exits: 0, out: "'almanac people remove NAME'")
    let add = try await almanac.run("people", "add", "--first", "Alan", "--birthday", "2000-01-01")
    #expect(add.err.contains("'almanac people remove NAME' removes a person"), "\(add.err)")
    try await almanac.run("people", "remove", "Ada", "--yes", exits: 0)
    #expect(try contents(file).split(separator: "\n").count == 3)
    #expect(!(try await almanac.run("doctor").out.contains("was changed from outside")))
  }

  @Test func anExpiredCursorSaysWhatToDo() async throws {
    _ = try await almanac.run("people", "add", "--first", "Ada", "--birthday", "2000-01-01")
    let first = try await almanac.run("changes").out.split(separator: "\"")[3]
    // More than 16 MiB of records are loaded without the journal.
    let note = String(repeating: "n", count: 20_000)
    try await almanac.load(
      "people", (0..<1000).map { #"{"id":"\#($0)","firstName":"P","birthday":"2000-01-01","note":"\#(note)"}"# })
    let changes = try await almanac.run("changes", "--since", String(first), exits: 64, err: "without --since")
    #expect(changes.out.isEmpty, "\(changes.err)")
    #expect(changes.err.contains("were deleted meanwhile"))
  }

  @Test(arguments: [
    ("https://api.shop.example/v1/items", "shop"), ("http://10.0.0.2:8080/v1/posts.json?limit=5", "posts"),
    ("http://127.0.0.1/people", "source"), ("http://127.0.0.1/", "source"), ("http://127.0.0.1/a_b", "source"),
  ])
  func aProposedSourceIsNamedAfterItsServerOrPath(url: String, name: String) {
    #expect(SourceCommand.New.name(of: url, besides: [.people]) == name)
  }

  @Test func whoseServerASourceHasIsSaidWhereItIsAdded() async throws {
    try await almanac.run("source", "add", "jsonfeed", exits: 0, err: "its server is servers.jsonfeed.url")
  }
}
