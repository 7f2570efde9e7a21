import Models
import Parsing
import Ports
import Synchronization
import Testing

@Suite("Config: reading")
struct SettingsReadingTests {
  private func read(_ text: String) throws(SettingsProblems) -> Settings {
    try JSONSettingsFormat(sources: KnownSources(SettingsSources.all)).read(Array(text.utf8))
  }

  @Test("everything that can be said")
  func everything() throws {
    let settings = try read(
      #"""
      {
        "servers": {
          "app-store": {"url": "http://127.0.0.1:8080"},
          "flickr": {"url": "https://example.org/flickr/", "apiKey": {"env": "MY_KEY"}},
          "users": {"apiKey": "abc"},
          "people": {"apiKey": {"file": "/etc/key"}}
        },
        "follows": [
          {"follow": "app-store/fr/top-paid", "limit": 50, "every": "1h30m", "genre": "6014", "feed": "marketing"},
          {"follow": "flickr/search/cats", "every": 90, "pages": 7, "public": true}, {"follow": "app-store/fr/new", "genre": 7},
          {"follow": "people", "paused": true}
        ],
        "daemon": {"listen": "[::1]:7423", "openMetrics": true}
      }
      """#)
    #expect(
      settings.servers == [
        .appStore: .init(url: "http://127.0.0.1:8080"),
        .flickr: .init(url: "https://example.org/flickr", apiKey: .environment("MY_KEY")),
        .users: .init(apiKey: .literal("abc")), .people: .init(apiKey: .file("/etc/key")),
      ])
    #expect(
      settings.follows == [
        Follow(
          path: "app-store/fr/top-paid", limit: 50, every: Interval(seconds: 5400),
          options: ["genre": "6014", "feed": "marketing"]),
        Follow(
          path: "flickr/search/cats", every: Interval(seconds: 90), options: ["pages": .int(7), "public": .bool(true)]),
        Follow(path: "app-store/fr/new", options: ["genre": "7"]), Follow(path: "people", isPaused: true),
      ])
    var daemon = Settings.Daemon()
    (daemon.listen, daemon.openMetrics) = ("[::1]:7423", true)
    #expect(settings.daemon == daemon)
  }

  @Test("only the sources of follows, and of servers with further keys, are asked for")
  func askedSources() throws {
    let asked = Mutex<[String]>([])
    let known = KnownSources(names: SettingsSources.all.map(\.name)) { name in
      asked.withLock { $0.append(name.rawValue) }
      return SettingsSources.all.first { $0.name == name }
    }
    let format = JSONSettingsFormat(sources: known)
    let text = #"{"servers": {"x": {"url": "https://x.example"}}, "follows": [{"follow": "users/1"}]}"#
    #expect(try format.read(Array(text.utf8)).servers.count == 1)
    #expect(asked.withLock { $0 } == ["users"])
    #expect(throws: SettingsProblems.self) { try format.read(Array(#"{"servers": {"y": {"accounts": {}}}}"#.utf8)) }
    #expect(asked.withLock { $0 } == ["users", "y"])
  }

  @Test("a file of certificates that cannot be used is a mistake at its place, where files are looked at")
  func files() throws {
    let text = #"{"servers": {"users": {"caFile": "good.pem", "certFile": "bad.pem"}}}"#
    let format = JSONSettingsFormat(
      sources: KnownSources(SettingsSources.all),
      fileCheck: { setting, path in path.hasPrefix("bad") ? "\(setting) \(path) cannot be read" : nil })
    #expect(try read(text).servers[.users]?.certFile == "bad.pem")
    do throws(SettingsProblems) {
      _ = try format.read(Array(text.utf8))
      Issue.record("accepted")
    } catch {
      #expect(
        error.problems.map(\.description) == [
          "line 1, column 58, servers.users.certFile: certFile bad.pem cannot be read"
        ])
    }
  }

  @Test(
    "nothing, and empty parts, are empty settings",
    arguments: [
      "", " \r\n\t", "{}", "\u{FEFF}", "\u{FEFF}{}", #"{"servers": {}, "follows": [], "daemon": {}}"#,
      #"{"daemon": {"openMetrics": false}}"#,
    ])
  func empty(text: String) throws { #expect(try read(text) == Settings()) }

  @Test(
    "addresses that are taken",
    arguments: ["http://a", "HTTPS://A.B:65535/c/d%20e", "http://[::1]:80/x", "http://a:0", "https://a/"])
  func addresses(url: String) throws {
    let settings = try read(#"{"servers": {"x": {"url": "\#(url)"}}}"#)
    // The scheme's case means nothing (RFC 3986 section 3.1).
    let expected = url.replacing("HTTPS://", with: "https://")
    #expect(settings.servers["x".source]?.url == (expected.hasSuffix("/") ? String(expected.dropLast()) : expected))
  }

  @Test("behind a proxy: the public address, further names, and who may open the socket")
  func proxy() throws {
    let text =
      #"{"daemon": {"publicURL": "https://Home.example/almanac/", "trustedHosts": ["Almanac.lan", "nas:7423", "[::1]", "10.0.0.2"], "socketMode": "0660", "socketGroup": "www-data"}}"#
    var daemon = Settings.Daemon()
    daemon.publicURL = "https://Home.example/almanac"
    daemon.trustedHosts = ["almanac.lan", "nas:7423", "[::1]", "10.0.0.2"]
    (daemon.socketMode, daemon.socketGroup) = (0o660, "www-data")
    #expect(try read(text).daemon == daemon)
  }

  @Test("each setting of the schema is read into a place of its own")
  func everySetting() {
    func value(_ form: SettingForm) -> String {
      switch form {
      case .flag: "true"
      case .text, .file, .secret: #""x""#
      case .url, .publicURL: #""http://x""#
      case .listenAddress: #""x:1""#
      case .hosts: #"["x"]"#
      case .mode: #""0600""#
      case .interval, .size, .count: "1"
      case .accounts: #"{"x": {"url": "http://x"}}"#
      case .notifications: #"[{"name": "x", "mail": "x@y", "on": {"stale": true}}]"#
      case .texts: ##"{"x": ["a", 1, true]}"##
      case .days: "[1]"
      case .charts: #"[{"chart": "app-store/x", "top": 1}]"#
      case .collections, .places: #"["people"]"#
      }
    }
    /// As many different settings as there are rows, none of which is the default.
    func check<Root>(_ rows: [SettingRow<Root>], _ text: (String) -> String) {
      func settings(_ member: String) -> Settings? {
        // A key without a certificate is a mistake, and is read nevertheless.
        do throws(SettingsProblems) { return try JSONSettingsFormat().read(Array(text(member).utf8)) } catch {
          return error.readable
        }
      }
      let read = rows.map { row in
        let parts = row.name.split(separator: ".").map(String.init)
        let inner = parts.dropFirst().reversed().reduce(value(row.form)) { #"{"\#($1)": \#($0)}"# }
        return settings(#""\#(parts[0])": \#(inner)"#)
      }
      let unknown = settings(#""?": 1"#)
      #expect(Set(read).count == rows.count && !read.contains(unknown), "\(read)")
    }
    check(SettingSchema.daemon) { #"{"daemon": {\#($0)}}"# }
    check(SettingSchema.mcp) { #"{"mcp": {\#($0)}}"# }
    check(SettingSchema.server) { #"{"servers": {"x": {\#($0)}}}"# }
    check(SettingSchema.follow.filter { $0.name != "follow" }) { #"{"follows": [{"follow": "x", \#($0)}]}"# }
    check(SettingSchema.events) {
      #"{"daemon": {"notifications": [{"name": "x", "mail": "x@y", "on": {\#($0)}}]}}"#
    }
  }

  @Test("listening", arguments: ["127.0.0.1:0", "localhost:7423", "[::1]:1", "0.0.0.0:65535"])
  func listening(address: String) throws {
    #expect(try read(#"{"daemon": {"listen": "\#(address)"}}"#).daemon.listen == address)
  }
}

extension String {
  fileprivate var source: SourceName { SourceName(rawValue: self) }
}

/// Sources that the tests of the config file know.
enum SettingsSources {
  static let all = [
    source("app-store", [.init("genre", .label, help: ""), .init("feed", allowed: ["marketing"], help: "")]),
    source("flickr", [.init("pages", .whole(1...9), help: ""), .init("public", .flag, help: "")]), source("users"),
    source("people"), source("x"), source("y"), source("a"), source("x y"),
  ]

  private static func source(_ name: String, _ options: [FollowOption] = []) -> SourceDescriptor {
    SourceDescriptor(
      name: SourceName(rawValue: name), summary: "", forms: [.init("\(name)/{+rest}", ""), .init(name, "")],
      options: options, collections: [])
  }
}
