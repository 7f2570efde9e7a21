import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// `almanac config`, and keys that a program prints.
@Suite final class ConfigCommandTests: ProgramTests {
  private func program(_ text: String? = nil) throws -> (Program, String) {
    var almanac = try Program("almanac")
    let config = almanac.folder + "/config.json"
    almanac.environment["ALMANAC_CONFIG"] = config
    if let text { _ = try almanac.file("config.json", text) }
    return (almanac, config)
  }

  @Test("a collection of notifications that does not exist is named with its line")
  func unknownCollectionOfNotifications() async throws {
    let config = try almanac.file(
      "config.json",
      #"{"daemon": {"notifications": ["# + "\n"
        + #"{"name": "a", "webhook": "https://x.example/", "on": {"changes": ["people", "invoices"]}}]}}"#)
    let check = try await almanac.run("config", "check", "--config", config, exits: 78)
    #expect((check.out + check.err).contains("config.json:2:"), "\(check)")
    let text = check.out + check.err
    #expect(text.contains("there is no collection 'invoices'") && !text.contains("'people'"), "\(check)")
  }

  @Test func aSettingIsSetReadAndRemoved() async throws {
    let (almanac, config) = try program()
    defer { almanac.clean() }
    #expect(try await almanac.run("config", "path").out == config + "\n")
    try await almanac.run("config", "set", "servers.people.url", "https://people.example.com", exits: 0)
    #expect(
      try contents(config)
        == "{\n  \"servers\": {\n    \"people\": {\"url\": \"https://people.example.com\"}\n  }\n}\n")
    try await almanac.run("config", "set", "daemon.openMetrics", "true", exits: 0)
    #expect(try await almanac.run("config", "get", "servers.people.url").out == "https://people.example.com\n")
    #expect(try await almanac.run("config", "get", "daemon.openMetrics", "--format", "json").out == "true\n")
    #expect(try await almanac.run("config", "get").out.contains("servers.people.url"))
    try await almanac.run("config", "unset", "servers.people.url", exits: 0)
    try await almanac.run("config", "get", "servers.people.url", exits: 66, err: "is not set in \(config)")
    try await almanac.run("config", "unset", "servers.people.url", exits: 66)
  }

  @Test("commands that change the config at the same moment lose nothing, also where they make its folder")
  func changesAtOnce() async throws {
    var almanac = try Program("almanac")
    defer { almanac.clean() }
    let config = almanac.folder + "/new/config.json"
    almanac.environment["ALMANAC_CONFIG"] = config
    let paths = (1...12).map { "users/\($0)" }
    let settings = [
      ["servers.people.url", "https://people.example.com"], ["servers.users.url", "https://users.example.com"],
      ["daemon.openMetrics", "true"], ["daemon.listen", "127.0.0.1:7500"],
    ]
    let commands = paths.map { ["follow", $0] } + settings.map { ["config", "set"] + $0 }
    for one in try commands.map({ try almanac.start($0) }) { #expect(try await one.result().status == 0) }
    // Two changes of one follow are two changes.
    for one in try [["--pause"], ["--every", "2h"]].map({ try almanac.start(["follow", paths[0]] + $0) }) {
      #expect(try await one.result().status == 0)
    }
    let follows = try await almanac.run("following", "--format", "json").records()
    #expect(Set(follows.compactMap { $0["follow"] as? String }) == Set(paths))
    let first = try #require(follows.first { $0["follow"] as? String == paths[0] })
    #expect(first["paused"] as? Bool == true && first["every"] as? String == "2h")
    for setting in settings { try await almanac.run("config", "get", setting[0], exits: 0, out: setting[1]) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: almanac.folder + "/new") == ["config.json"])
  }

  @Test func aWrongValueChangesNothing() async throws {
    let text = #"{"follows": [{"follow": "app-store/us/top-free"}]}"#
    let (almanac, config) = try program(text)
    defer { almanac.clean() }
    for (place, value, message) in [
      ("server.people.url", "https://x.example", "did you mean \"servers\"?"),
      ("follows[0].limit", "500", "out of range"),
      ("follows[3].limit", "5", "follows[3].limit"), ("..", "5", "is not the place of a value"),
    ] {
      let result = try await almanac.run(
        "config", "set", place, value, exits: 78, err: message, "\(place) cannot be changed; the config file")
      #expect(!result.err.contains("line "))
    }
    #expect(try contents(config) == text)
  }

  @Test func mistakesAreCorrectedOneByOne() async throws {
    almanac.environment["ALMANAC_CONFIG"] = try almanac.file(
      "config.json", #"{"servers": {"users": {"url": "ftp://u"}, "people": {"url": "nope"}}}"#)
    let worse = try await almanac.run(
      "config", "set", "servers.flickr.url", "nope", exits: 78, err: "servers.flickr.url", "nothing was changed")
    #expect(!worse.err.contains("servers.users"), "\(worse)")
    try await almanac.run(
      "config", "set", "servers.users.url", "https://u.example", exits: 0, err: "warning: ", "servers.people.url")
    let second = try await almanac.run("config", "unset", "servers.people.url", exits: 0)
    #expect(!second.err.contains("warning"), "\(second)")
    try await almanac.run("config", "check", exits: 0)
  }

  /// A mistake elsewhere stays, and is named; one that the change would make is refused.
  @Test func followsAndAccountsAreEditedBesideMistakes() async throws {
    let (almanac, config) = try program(
      """
      {"servers": {"users": {"url": 5}, "flickr": {"apiKey": "k"},
       "carddav": {"accounts": {"home": {"url": "http://127.0.0.1:1", "usr": "a"}, "work": {"url": "nope"}}}},
       "follows": [{"follow": "people", "limt": 3}, {"follow": "flickr/search/cats"}, {"follow": "carddav/home/x"}]}
      """)
    defer { almanac.clean() }
    func done(_ arguments: String...) async throws {
      try await almanac.run(
        arguments, exits: 0, err: "warning: the config file \(config) has", "servers.users.url: expected a string")
    }
    try await done("follow", "app-store/us/top-free", "--limit", "5")
    try await done("follow", "flickr/search/cats", "--limit", "7")
    try await almanac.run("follow", "people", "--every", "1h", exits: 78, err: "follows[0].limt")
    try await done("unfollow", "people")
    try await done("account", "remove", "work", "--yes")
    try await done("account", "remove", "home", "--yes")
    #expect(
      try contents(config) == """
        {"servers": {"users": {"url": 5}, "flickr": {"apiKey": "k"}},
         "follows": [{"follow": "flickr/search/cats", "limit": 7}, {"follow": "app-store/us/top-free", "limit": 5}]}
        """)
    try await almanac.run("following", exits: 0)
  }

  /// What is left of an account or a source that was removed would be a mistake, or tell what is not there any more.
  @Test func nothingIsLeftOfWhatIsRemoved() async throws {
    let (almanac, config) = try program()
    defer { almanac.clean() }
    let account = ["config", "set", "servers.carddav.accounts.home", #"{"url": "https://dav.example"}"#]
    try await almanac.run(account, exits: 0)
    try await almanac.run("account", "remove", "home", "--yes", exits: 0)
    #expect(try contents(config) == "{\n  \"servers\": {}\n}\n")
    try await almanac.run("source", "add", "github", exits: 0)
    try await almanac.run(["config", "set", "servers.github.apiKey"], input: "k\n", exits: 0)
    try await almanac.run("source", "remove", "github", exits: 0, err: "servers.github is not set any more")
    #expect(!FileManager.default.fileExists(atPath: almanac.folder + "/keys/github"))
    #expect(try await almanac.run("config", "check").out == "\(config): no mistakes\n")
  }

  @Test func everyMistakeIsNamedWithItsPlace() async throws {
    let (almanac, config) = try program("{\n\"followz\": [],\n\"daemon\": {\"openMetrics\": 1}}")
    defer { almanac.clean() }
    try await almanac.run("config", "check", exits: 78, out: "\(config):2:1: followz: unknown key", "\(config):3:")
    let fields = try await almanac.object("config", "check")
    #expect(fields["ok"] as? Bool == false && (fields["problems"] as? [Any])?.count == 2)
    _ = try almanac.file("config.json", "{}")
    #expect(try await almanac.run("config", "check").out == "\(config): no mistakes\n")
    // What the file says is right, and cannot work.
    let key = try almanac.file("key", "secret")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
    _ = try almanac.file(
      "config.json",
      """
      {"servers": {"users": {"url": "http://127.0.0.1:1", "caFile": "none.pem"}}}
      """)
    try await almanac.run("config", "check", exits: 78, out: "\(config):1:63: servers.users.caFile: ", "none.pem")
    _ = try almanac.file(
      "config.json",
      """
      {"servers": {
        "flickr": {"apiKey": {"file": "nokey"}},
        "carddav": {"accounts": {"home": {"url": "http://127.0.0.1:1", "user": "a", "password": {"file": "key"}}}}},
       "daemon": {"socketGroup": "no-such-group", "sendmail": "/none", "notifications": [
        {"name": "hook", "webhook": "http://127.0.0.1:1/", "secret": {"file": "nosecret"}, "on": {"stale": true}},
        {"name": "post", "mail": "a@example.com", "on": {"stale": true}}]},
       "follows": [{"follow": "users/ada"},
        {"follow": "people"}]}
      """)
    let found = try await almanac.run("config", "check", exits: 78)
    for words in [
      ":2:24: the file ", "nokey cannot be read: No such file or directory; change servers.flickr.apiKey in",
      ":3:100: ", "can be read by other users of this machine",
      ":4:28: daemon.socketGroup: there is no group 'no-such-group'",
      "daemon.sendmail: the program /none cannot be run",
      ":5:64: the file \(almanac.folder)/nosecret cannot be read: No such file or directory; change daemon.notifications[0].secret in",
      ":7:25: follows[0].follow: users/ada cannot be fetched: no server is set for users",
      "'almanac config set servers.users.url https://…' sets its address",
      ":8:14: follows[1].follow: people cannot be fetched: no server is set for people",
    ] { #expect(found.out.contains(words), "'\(words)' in \(found.out)") }
    let lines = try await almanac.object("config", "check")["problems"] as? [[String: Any]]
    #expect(lines?.compactMap { $0["line"] as? Int } == [2, 3, 4, 4, 5, 7, 8], "\(lines ?? [])")
    // A key in the environment of the daemon alone, and what others can read, are notes.
    _ = try almanac.file("config.json", #"{"follows": [{"follow": "flickr/interestingness"}]}"#)
    try await almanac.run("config", "check", exits: 0, out: "flickr needs an API key")
    // The editor is called with the file, and what it left is checked.
    var editing = almanac
    editing.environment["EDITOR"] = "cp '\(try almanac.file("new.json", #"{"x": 1}"#))'"
    try await editing.run("config", "edit", exits: 78, out: "unknown key \"x\"")
    (editing.environment["EDITOR"], editing.environment["VISUAL"]) = ("", "")
    try await editing.run("config", "edit", input: "", exits: 64, err: "needs a terminal")
    editing.environment["EDITOR"] = "false"
    #expect(try await editing.run("config", "edit").err.contains("the editor 'false' failed"))
  }

  /// A key does not have to be an argument, which the shell keeps, and is never printed.
  @Test func aKeyIsTypedAndHidden() async throws {
    let scene = try Scene()
    defer { scene.end() }
    var almanac = scene.almanac
    let config = try scene.config(["flickr"], follows: ["flickr/search/cats"])
    almanac.environment["ALMANAC_CONFIG"] = config
    func key() throws -> String { try contents(almanac.folder + "/keys/flickr") }
    try await almanac.run("config", "set", "servers.flickr.apiKey", input: "12345\n", exits: 0)
    #expect(try contents(config).contains(#"{"file": "keys/flickr"}"#))
    for (path, expected) in [("keys", 0o700), ("keys/flickr", 0o600)] {
      let facts = try FileManager.default.attributesOfItem(atPath: "\(almanac.folder)/\(path)")
      #expect(facts[.posixPermissions] as? Int == expected)
    }
    #expect(try key() == "12345\n")
    try await almanac.run("sync", exits: 0)
    #expect(scene.upstream.server.requests.contains { $0.target.contains("api_key=12345") })
    // An argument is the setting itself.
    try await almanac.run("config", "set", "servers.flickr.apiKey", "inline-key", exits: 0)
    for arguments in [["get"], ["get", "servers.flickr.apiKey"], ["get", "--format", "json"], ["get", "servers"]] {
      let shown = try await almanac.run(["config"] + arguments)
      #expect(shown.out.contains("(hidden)") && !shown.out.contains("inline-key"), "\(shown)")
    }
    try await almanac.run("config", "set", "servers.flickr.apiKey", input: "", exits: 64)
    // script(1) gives the program a terminal, in which the key is typed once it was asked for.
    let typed = try await almanac.shell(
      """
      : > typed
      (until grep -q 'apiKey: ' typed; do :; done; printf 'secret-67\\n') |
        timeout 60 script -qfec "'$PROGRAM' config set servers.flickr.apiKey" typed
      """)
    #expect(typed.out.contains("servers.flickr.apiKey: ") && !typed.out.contains("secret-67"), "\(typed)")
    #expect(typed.status == 0 && typed.out.contains("flickr takes the key"), "\(typed)")
    #expect(try key() == "secret-67\n", "\(typed)")
    // A question that is interrupted leaves a screen that shows what is typed.
    let stopped = try await almanac.shell(
      """
      : > stopped
      seen() { timeout 60 sh -c "until grep -q '$1' stopped; do :; done"; }
      (seen 'apiKey: '; printf '\\003'; seen 'ends now') |
        timeout 60 script -qfec "trap : INT; '$PROGRAM' config set servers.flickr.apiKey; stty -a; echo ends no''w" stopped
      """)
    #expect(stopped.out.contains(" echo ") && !stopped.out.contains("-echo "), "\(stopped)")
    // Another key elsewhere still needs its own file; the setting of this one takes the file with it.
    try await almanac.run("config", "unset", "servers.flickr.url", exits: 0)
    #expect(try key() == "secret-67\n")
    try await almanac.run(
      "config", "unset", "servers.flickr", exits: 0, err: "the key in \(almanac.folder)/keys/flickr is removed")
    #expect(!FileManager.default.fileExists(atPath: almanac.folder + "/keys/flickr"))
    // So does another value.
    try await almanac.run("config", "set", "servers.flickr.apiKey", input: "12345\n", exits: 0)
    try await almanac.run("config", "set", "servers.flickr.apiKey", #"{"env": "KEY"}"#, exits: 0)
    #expect(!FileManager.default.fileExists(atPath: almanac.folder + "/keys/flickr"))
    // A file of the user's own stays.
    let own = try almanac.file("own-key", "12345\n")
    try await almanac.run("config", "set", "servers.flickr.apiKey", #"{"file": "own-key"}"#, exits: 0)
    try await almanac.run("config", "unset", "servers.flickr.apiKey", exits: 0)
    #expect(FileManager.default.fileExists(atPath: own))
  }

  /// A password that is typed goes where `account add` keeps it, or where the old one is.
  @Test func aPasswordIsKeptOutsideTheConfig() async throws {
    let (almanac, config) = try program(
      #"{"servers": {"carddav": {"accounts": {"home": {"url": "http://127.0.0.1:1", "user": "ada", "password": {"file": "keys/carddav-home"}}}}}}"#
    )
    defer { almanac.clean() }
    let setting = "servers.carddav.accounts.home.password"
    func text(_ path: String) throws -> String { try contents(path) }
    let before = try text(config)
    try await almanac.run(["config", "set", setting], input: "new word\n", exits: 0)
    #expect(try text(config) == before)
    #expect(try text(almanac.folder + "/keys/carddav-home") == "new word\n")
    let unset = try await almanac.run("config", "unset", setting)
    #expect(unset.err.contains("the password in \(almanac.folder)/keys/carddav-home is removed"), "\(unset)")
    // In the keyring it stays there.
    var keyring = almanac
    let tool = try almanac.file("secret-tool", "#!/bin/sh\n[ \"$1\" = store ] && exec cat > \"$HOME/ring\"\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: tool)
    keyring.environment["PATH"] = "\(almanac.folder):/usr/bin:/bin"
    try await keyring.run(["config", "set", setting, "--keyring"], input: "ringed\n", exits: 0)
    #expect(try text(almanac.folder + "/ring") == "ringed")
    try await keyring.run(["config", "set", setting], input: "other\n", exits: 0)
    #expect(try text(almanac.folder + "/ring") == "other")
    #expect(!FileManager.default.fileExists(atPath: almanac.folder + "/keys/carddav-home"))
  }

  @Test func aKeyIsKeptInTheKeyring() async throws {
    let scene = try Scene()
    defer { scene.end() }
    var almanac = scene.almanac
    let config = try scene.config(["flickr"], follows: ["flickr/search/cats"])
    almanac.environment["ALMANAC_CONFIG"] = config
    let set = ["config", "set", "servers.flickr.apiKey", "--keyring"]
    almanac.environment["PATH"] = "/nonexistent"
    try await almanac.run(set, input: "12345\n", exits: 78, err: "secret-tool")
    // A keyring that is a file.
    let tool = try almanac.file(
      "secret-tool",
      """
      #!/bin/sh
      word=$1
      shift
      [ "$word" = store ] && { echo "$*" > "$HOME/words"; exec cat > "$HOME/ring"; }
      [ "$word $*" = "clear service almanac source flickr" ] && exec rm "$HOME/ring"
      [ "$*" = "service almanac source flickr" ] && exec cat "$HOME/ring"
      exit 1
      """)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: tool)
    almanac.environment["PATH"] = "\(almanac.folder):/usr/bin:/bin"
    try await almanac.run(set, input: "12345\n", exits: 0)
    #expect(try contents(almanac.folder + "/ring") == "12345")
    let words = try contents(almanac.folder + "/words")
    #expect(words == "--label=Almanac: flickr service almanac source flickr\n")
    #expect(!(try contents(config).contains("12345")))
    try await almanac.run("sync", exits: 0)
    #expect(scene.upstream.server.requests.contains { $0.target.contains("api_key=12345") })
    try await almanac.run(
      "config", "set", "servers.people.url", "--keyring", input: "x\n", exits: 64,
      err: "--keyring takes the key of a source")
    let unset = try await almanac.run("config", "unset", "servers.flickr.apiKey")
    #expect(unset.err.contains("the key is removed from the keyring"), "\(unset)")
    #expect(!FileManager.default.fileExists(atPath: almanac.folder + "/ring"))
  }

  @Test func aKeyComesFromACommand() async throws {
    let scene = try Scene()
    defer { scene.end() }
    var almanac = scene.almanac
    let script = try almanac.file("key.sh", "echo called >> \"$HOME/calls\"; printf 'the-key\\nmore\\n'")
    func config(_ words: String) throws -> String {
      try scene.config(
        ["flickr"], settings: ["flickr": #""apiKey": {"command": \#(words)}"#], follows: ["flickr/search/cats"])
    }
    almanac.environment["ALMANAC_CONFIG"] = try config(#"["sh", "\#(script)"]"#)
    try await almanac.run("sync", exits: 0)
    #expect(scene.upstream.server.requests.contains { $0.target.contains("api_key=the-key") })
    let doctor = try await almanac.run("doctor")
    #expect(doctor.out.contains("flickr takes the key from the command 'sh'"), "\(doctor.out)")
    // What asks no server asks for no passphrase either.
    func calls() -> Int {
      (try? contents(almanac.folder + "/calls").split(separator: "\n").count) ?? 0
    }
    let before = calls()
    for command in ["status", "following", "photos", "outbox"] { try await almanac.run(command, exits: 0) }
    #expect(calls() == before)
    for (words, message) in [
      (#"["sh", "-c", "exit 3"]"#, "the command 'sh' failed with status 3"),
      (#"["no-such-program-here"]"#, "cannot be started: No such file"),
      (#"["true"]"#, "the command 'true' printed nothing"),
    ] {
      almanac.environment["ALMANAC_CONFIG"] = try config(words)
      try await almanac.run("sync", exits: 77, err: message)
    }
    almanac.environment["ALMANAC_CONFIG"] = try config("[]")
    #expect(try await almanac.run("config", "check").out.contains("expected a program and its arguments"))
  }

  @Test func commonOptionsAreListedOnce() async throws {
    let help = try await almanac.run("help", "options", exits: 0, out: "--store", "--no-color", "\n\nOPTIONS:\n")
    #expect(!help.out.contains("USAGE"), "\(help)")
    for arguments in [["help", "list"], ["list", "--help"], ["help", "people", "add"]] {
      let help = try await almanac.run(arguments, exits: 0)
      #expect(help.out.hasSuffix("'almanac help options' lists the options of every command.\n"))
      #expect(help.out.hasPrefix("OVERVIEW: ") && !help.out.contains("--no-color") && help.out.contains("OPTIONS:"))
    }
    #expect(try await almanac.run("--version").out.hasPrefix("almanac "))
  }
}
