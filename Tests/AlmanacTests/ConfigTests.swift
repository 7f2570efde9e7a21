import AlmanacTesting
import Assembly
import CLibrary
import Foundation
import Models
import Testing
import UpstreamKit

@Suite final class ConfigTests: ProgramTests {
  @Test("status shows what can be read beside the mistakes of the config")
  func statusBesideMistakes() async throws {
    try await almanac.run("people", "add", "--first", "Ada", "--quiet", exits: 0)
    let config = try almanac.file(
      "wrong.json",
      #"{"follows": [{"follow": "users/ada"}, {"follow": "users/bo", "every": "7 parsecs"}], "daemon": {"listen": 7}}"#)
    try await almanac.run(
      "status", "--config", config, exits: 78, out: "users/ada", err: "follows[1].every", "daemon.listen")
    let object = try await almanac.object("status", "--config", config)
    #expect((object["store"] as? [String: Any])?["records"] as? Int == 1, "\(object)")
    #expect((object["problems"] as? [[String: Any]])?.first?["part"] as? String == "config", "\(object)")
  }

  @Test func followAndUnfollowKeepTheRest() async throws {
    let text = """
      { "daemon" : {"listen": "127.0.0.1:9000"},
          "follows": [ {"follow":"people",   "every":"2h"} ] }

      """
    let config = try almanac.file("config.json", text)
    var result = try await almanac.run("follow", "app-store/fr/top-paid", "--limit", "50", "--config", config)
    #expect(result.status == 0, "\(result.err)")
    let edited = try contents(config)
    #expect(edited.contains(#"{ "daemon" : {"listen": "127.0.0.1:9000"},"#))
    #expect(edited.contains(#"{"follow":"people",   "every":"2h"}"#))
    let following = try await almanac.records("following", "--config", config)
    #expect(following.compactMap { $0["follow"] as? String } == ["people", "app-store/fr/top-paid"])
    #expect(following.last?["limit"] as? Int == 50)
    // What was set can be taken away again.
    _ = try await almanac.run(
      "follow", "app-store/fr/top-paid", "--every", "3h", "--option", "feed=marketing", "--config", config)
    try await almanac.run(
      "follow", "app-store/fr/top-paid", "--limit", "none", "--every", "none", "--option", "feed=", "--config", config,
      exits: 0, err: "changed: no limit (was 50), no every (was 3h), no feed (was marketing)")
    let last = try await almanac.records("following", "--config", config).last
    #expect(last?.keys.sorted() == ["follow"], "\(last ?? [:])")
    let nothing = try await almanac.run("follow", "app-store/fr/top-paid", "--limit", "none", "--config", config)
    #expect(nothing.err.contains("nothing changed"), "\(nothing.err)")
    for words in [["--limit", "few"], ["--option", "fed="]] {
      try await almanac.run(["follow", "app-store/fr/top-paid", "--config", config] + words, exits: 64)
    }
    result = try await almanac.run("unfollow", "app-store/fr/top-paid", "--config", config)
    #expect(result.status == 0, "\(result.err)")
    #expect(try contents(config) == text)
  }

  @Test func aFollowWithoutAServerIsSaid() async throws {
    let words = "warning: people cannot be fetched yet: no server is set for people\n"
    let follow = try await almanac.run("follow", "people", "--quiet", exits: 0)
    #expect(follow.err.hasPrefix(words), "\(follow.err)")
    #expect(follow.err.contains("'almanac config set servers.people.url https://…' sets"), "\(follow.err)")
    let given = try await almanac.run(
      "follow", "people", "--every", "2h", "--server", "people=http://127.0.0.1:1", exits: 0)
    #expect(!given.err.contains(words), "\(given.err)")
    #expect(try await almanac.run("follow", "app-store/us/top-free", "--quiet").err.isEmpty)
  }

  @Test("an address book is not followed before there is an account") func aFollowNeedsAnAccount() async throws {
    try await almanac.run(
      "follow", "carddav/home/none", exits: 66, err: "there is no account 'home' of carddav",
      "'almanac account add carddav URL")
    #expect(!FileManager.default.fileExists(atPath: almanac.folder + "/.config/almanac/config.json"))
  }

  @Test func aFollowWithoutAKeyIsSaid() async throws {
    let words = "warning: flickr/interestingness cannot be fetched yet: flickr needs an API key"
    let follow = try await almanac.run("follow", "flickr/interestingness", "--quiet", exits: 0)
    #expect(follow.err.hasPrefix(words), "\(follow.err)")
    #expect(follow.err.contains("ALMANAC_FLICKR_KEY"), "\(follow.err)")
    almanac.environment["ALMANAC_FLICKR_KEY"] = "key"
    let keyed = try await almanac.run("follow", "flickr/interestingness", "--limit", "9", exits: 0)
    #expect(!keyed.err.contains("warning"), "\(keyed.err)")
  }

  @Test func globalOptionsStandBeforeOrAfter() async throws {
    let store = almanac.folder + "/other"
    _ = try await almanac.run("--store", store, "people", "add", "--first", "B", "--birthday", "--02-29")
    _ = try await almanac.run("people", "--store=\(store)", "add", "--first", "A", "--birthday", "2000-02-29")
    let before = try await almanac.run("--format", "json", "list", "people", "--sort", "-firstName", "--store", store)
    #expect(try before.records().compactMap { $0["firstName"] as? String } == ["B", "A"], "\(before.err)")
  }

  @Test func theFirstFollowMakesTheFileThatWasNamed() async throws {
    let config = almanac.folder + "/new/config.json"
    try await almanac.run("following", "--config", config, exits: 78)
    try await almanac.run("follow", "nowhere", "--config", config, exits: 64)
    #expect(!FileManager.default.fileExists(atPath: config))
    try await almanac.run("follow", "people", "--config", config, exits: 0)
    #expect(
      try await almanac.run("following", "--config", config, "--format", "jsonl").out == "{\"follow\":\"people\"}\n")
    #expect(!FileManager.default.fileExists(atPath: almanac.store), "a follow is no business of the store's")
  }

  @Test func whatASourceRefusesIsNamedWithItsPlace() async throws {
    let config = try almanac.file(
      "config.json",
      """
      {"follows": [
        {"follow": "app-store/zz/top-free"},
        {"follow": "app-store/us/top-free", "limit": 500},
        {"follow": "users/ada", "genre": "6014"}]}
      """)
    for command in ["sync", "following", "doctor"] {
      let result = try await almanac.run(command, "--config", config, exits: (command == "following" ? 0 : 78))
      for words in [
        ":2:14: follows[0].follow: the App Store has no storefront 'zz'",
        ":3:48: follows[1].limit: the limit 500 is out of range; a limit of 1 to 200",
        #":4:27: follows[2].genre: unknown option "genre"; allowed are "follow", "limit", "every", "paused""#,
      ] { #expect((result.out + result.err).contains(words), "\(command): \(result.out)\(result.err)") }
    }
  }
}

/// Options of follows, on the command line and in the config file, as the sources declare them.
@Suite final class FollowOptionTests: ProgramTests {
  @Test(arguments: [["--option", "feed=marketing"], ["--feed", "marketing"]])
  func areKept(_ arguments: [String]) async throws {
    try await almanac.run(["follow", "app-store/us/top-free"] + arguments, exits: 0)
    let following = try await almanac.run("following", "--format", "jsonl")
    #expect(following.out == #"{"follow":"app-store/us/top-free","feed":"marketing"}"# + "\n")
  }

  /// Help is derived from what the sources say about themselves.
  @Test func helpNamesEveryFormAndOption() async throws {
    let help = try await almanac.run("help", "follow").out
    for source in SourceList.compiled.descriptors {
      for form in source.forms { #expect(help.contains("\n  \(form.text) "), "\(form.text)\n\(help)") }
      for option in source.options { #expect(help.contains("\n  \(source.name): \(option.name) "), "\(option.name)") }
    }
  }
}

/// Keys: where they come from, and what one that is missing or refused stops.
@Suite final class KeyTests: SceneTests {
  /// A config with a key for Flickr, one follow of Flickr and one of people.
  private func config(_ key: String, in scene: Scene) throws -> String {
    try scene.config(
      ["flickr", "people"], settings: key.isEmpty ? [:] : ["flickr": #""apiKey": \#(key)"#],
      follows: [#"{"follow": "flickr/interestingness", "limit": 3}"#, "people"])
  }

  private static func scene() throws -> Scene {
    var options = UpstreamOptions()
    options.apiKey = "right-key"
    return try Scene(options)
  }

  @Test(arguments: [
    ("", "ALMANAC_FLICKR_KEY"), (#"{"env": "NO_SUCH_KEY"}"#, "NO_SUCH_KEY is not set"),
    (#"{"file": "/no/such/key"}"#, "/no/such/key cannot be read"), (#""wrong-key""#, "Invalid API Key"),
    (#"{"file": "/dev/null"}"#, "is empty"),
  ])
  func aMissingKeyFailsItsFollowsAlone(key: String, words: String) async throws {
    let scene = try Self.scene()
    let (almanac, daemon) = (scene.almanac, scene.daemon)
    defer { scene.end() }
    let file = try config(key, in: scene)
    let sync = try await almanac.run("sync", "--config", file, "--format", "json", exits: 77)
    let follows = try #require(try sync.object()["follows"] as? [[String: Any]])
    #expect(follows.map { $0["status"] as? String } == ["failed", "ok"])
    #expect(sync.out.contains(words), "\(sync.out)")
    // What the other commands say of it is not another thing for another key.
    guard words == "Invalid API Key" else { return }
    #expect(sync.err.contains("; the key is from servers.flickr.apiKey in \(file)"), "\(sync.err)")

    let status = try await almanac.run("status", "--config", file, "--format", "json", exits: 75)
    #expect(try (status.object()["follows"] as? [[String: Any]])?.count == 2)

    let doctor = try await almanac.run("doctor", "--config", file, "--format", "json", exits: 77)
    let findings = try #require(try doctor.object()["findings"] as? [[String: Any]])
      .compactMap { $0["message"] as? String }.filter { $0.contains("http") || $0.contains("key") }
    #expect(findings.filter { !$0.contains("can be read by") }.count == 1, "\(findings)")
    #expect(findings.contains { $0.hasPrefix("flickr/") }, "\(findings)")

    let once = try await daemon.run("--once", "--config", file, exits: 77)
    let records = try await almanac.records("list", "people", "--store", daemon.store)
    #expect(!records.isEmpty, "\(once.err)")
  }

  @Test func aKeyThatNobodyAsksForIsNotMissed() async throws {
    let (almanac, daemon) = (scene.almanac, scene.daemon)
    let file = try scene.config(
      ["flickr", "people"], settings: ["flickr": #""apiKey": {"env": "NO_SUCH_KEY"}"#], follows: ["people"])
    for arguments in [["sync"], ["status"], ["doctor"]] {
      try await almanac.run(arguments + ["--config", file], exits: 0)
    }
    try await daemon.run("--once", "--config", file, exits: 0)
  }

  @Test func theDoctorProvesTheKeyAndSaysWhereItIsFrom() async throws {
    var scene = try Self.scene()
    defer { scene.end() }
    scene.almanac.environment["ALMANAC_FLICKR_KEY"] = "right-key"
    scene.almanac.environment["MY_KEY"] = "right-key"
    let almanac = scene.almanac
    let keyFile = try almanac.file("key", "right-key\n")
    chmod(keyFile, 0o600)
    try await almanac.run("sync", "--config", config("", in: scene), exits: 0)
    for (key, place) in [
      ("", "the environment variable ALMANAC_FLICKR_KEY"), (#"{"env": "MY_KEY"}"#, "the environment variable MY_KEY"),
      (#"{"file": "\#(keyFile)"}"#, "the file \(keyFile)"), (#"{"file": "key"}"#, "the file \(keyFile)"),
      (#"{"file": "~/key"}"#, "the file \(keyFile)"), (#""right-key""#, "servers.flickr.apiKey in "),
    ] {
      let file = try config(key, in: scene)
      chmod(file, 0o600)
      let before = scene.upstream.log.count
      let doctor = try await almanac.run("doctor", "--config", file, "--format", "json", exits: 0)
      #expect(try (doctor.object()["findings"] as? [Any])?.isEmpty == true, "\(doctor.out)")
      let keys = try #require(try doctor.object()["keys"] as? [[String: String]])
      #expect(keys.count == 1 && keys[0]["source"] == "flickr" && keys[0]["from"]?.hasPrefix(place) == true, "\(keys)")
      #expect(scene.upstream.log.count == before + 2)
      #expect(try await almanac.run("doctor", "--config", file).out.contains(place))
    }
  }

  @Test func aPlainKeyThatOthersCanReadIsAFinding() async throws {
    let almanac = scene.almanac
    let keyFile = try almanac.file("key", "any-key\n")
    for (mode, key, isFound) in [
      (mode_t(0o644), #""any-key""#, true), (0o640, #""any-key""#, true), (0o600, #""any-key""#, false),
      (0o644, #"{"env": "PATH"}"#, false), (0o604, #"{"file": "key"}"#, true), (0o600, #"{"file": "key"}"#, false),
    ] {
      let file = try config(key, in: scene)
      for path in [file, keyFile] { chmod(path, mode) }
      let doctor = try await almanac.run("doctor", "--config", file, "--format", "json")
      let open = key.contains("file") ? keyFile : file
      #expect(doctor.out.contains("chmod 600 \(open)") == isFound, "\(doctor.out)\(doctor.err)")
      #expect(!doctor.out.contains("any-key"))
    }
  }

  @Test func theVariableOfOneSourceIsNoOthers() async throws {
    var almanac = try Program("almanac")
    defer { almanac.clean() }
    almanac.environment["ALMANAC_FLICKR_KEY"] = "a-key-for-flickr"
    let server = try LocalServer { request in
      request.path == "/people" ? .json("[]") : .json("{}", status: 404)
    }
    defer { server.stop() }
    try await almanac.run("sync", "people", "--server", "people=\(server.url)", exits: 0)
    for request in server.requests { #expect(!"\(request.target) \(request.headers)".contains("a-key-for-flickr")) }
  }
}
