/// The content of `config.json`.
public struct Settings: Hashable, Sendable {
  /// The servers by source; a source that is missing uses its defaults.
  public var servers: [SourceName: Server]
  /// The follows: those of the config file, then those of a store on a server.
  public var follows: [Follow]
  /// All follows of a store on a server, also those that the config file has; `nil` for other stores.
  public private(set) var storeFollows: [Follow]?
  public var daemon: Daemon
  public var mcp = Assistants()

  public init(servers: [SourceName: Server] = [:], follows: [Follow] = [], daemon: Daemon = Daemon()) {
    (self.servers, self.follows, self.daemon) = (servers, follows, daemon)
  }

  /// The settings with the follows of a store on a server in the place of those that were added before. If the config file
  /// has the same path, its follow counts on this machine.
  public func adding(storeFollows: [Follow]) -> Settings {
    var settings = self
    settings.storeFollows = storeFollows
    settings.follows = follows.filter { $0.origin != .store }
    for index in settings.follows.indices { settings.follows[index].origin = .config }
    let configured = Set(settings.follows.map(\.$path))
    settings.follows += storeFollows.filter { !configured.contains($0.$path) }
    return settings
  }

  public var followsInBoth: [Follow] {
    let stored = Set((storeFollows ?? []).map(\.$path))
    return stored.isEmpty ? [] : follows.filter { $0.origin == .config && stored.contains($0.$path) }
  }

  public struct Server: Hashable, Sendable {
    /// The base URL that replaces the default of the source, without a trailing `/`.
    public var url: String?
    public var apiKey: Secret?
    /// What the definition of the source lets the user choose.
    public var with: [ExactString: String] = [:]

    /// A file of certificate authorities that are trusted for this server in addition to those of the system.
    public var caFile: String?
    public var certFile: String?
    /// The key of the client certificate; by default it is in `certFile`.
    public var keyFile: String?
    /// The accounts in the order of the file, of a source whose follows name one.
    public var accounts: [Account] = []

    public init(url: String? = nil, apiKey: Secret? = nil) { (self.url, self.apiKey) = (url?.withoutSlashes, apiKey) }
  }

  public struct Account: Hashable, Sendable {
    /// The name in paths of follows.
    @ExactString public var name: String
    /// The URL of the server, or of something at it.
    public var url: String
    /// The user name; `nil` for a server without logins.
    public var user: String?
    public var password: Secret?
    /// How the server is told who it is.
    public var login = Login.basic
    /// A file of certificate authorities that are trusted for its server, in addition to those of the source.
    public var caFile: String?

    public init(name: String, url: String, user: String? = nil, password: Secret? = nil) {
      (self.name, self.url, self.user, self.password) = (name, url, user, password)
    }

    public enum Login: String, Sendable, CaseIterable {
      /// User and password with each request (RFC 7617); a server that asks for a digest instead gets one.
      case basic
      /// A digest of the password alone (RFC 7616): the password is never sent.
      case digest
      /// The password is a token (RFC 6750).
      case bearer
    }

    /// Whether a text can be the name of an account: ASCII letters, digits, `-` and `_`.
    public static func isName(_ text: String) -> Bool {
      !text.isEmpty
        && text.utf8.allSatisfy { byte in
          switch byte {
          case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
          default: false
          }
        }
    }
  }

  public enum Secret: Hashable, Sendable {
    /// The value itself, in the config file.
    case literal(String)
    /// An environment variable of this name.
    case environment(String)
    /// The first line of this file.
    case file(String)
    /// The first line that a program prints, with its arguments: `pass show flickr`.
    case command([String])
  }

  public struct Daemon: Hashable, Sendable {
    /// The address to listen on, `host:port`; `127.0.0.1:7423` by default.
    public var listen: String?
    public var openMetrics = false
    /// The public URL of the daemon behind a reverse proxy, without a trailing `/`; it may have a path.
    public var publicURL: String?
    /// The first parts of the daemon's paths. A public URL whose path begins with one of them would be ambiguous.
    public static let ownPaths: Set = [
      "access", "activity", "add", "api", "apps", "assets", "birthdays", "calendars", "charts", "collections", "do",
      "export", "follows", "healthz", "large", "login", "mcp", "media", "metrics", "more", "openapi.json", "outbox",
      "outcome", "photos", "readyz", "search",
    ]
    /// Additional values of the `Host` header that are accepted, as `host` or `host:port`.
    public var trustedHosts: [String] = []
    /// The permission bits of the Unix socket; 0600 by default.
    public var socketMode: Int?
    public var socketGroup: String?
    public var accessLog = false
    public var retention = Retention()
    public var notifications: [NotificationTarget] = []
    /// The most bytes of images in a store; 1 GiB by default.
    public var mediaLimit: Int?
    /// The program that sends mail; `/usr/sbin/sendmail` by default.
    public var sendmail: String?

    public init() {}
  }

  public struct Assistants: Hashable, Sendable {
    /// Whether the daemon answers them at `/mcp`.
    public var http = false
    /// The collections, and the paths of follows, that they do not see.
    public var hide: [String] = []
    /// The collections whose small edits need no approval.
    public var approve: [CollectionName] = []
    /// Whether a client may ask its user to approve what it proposes. What it says of the answer is believed.
    public var ask = false

    public static let smallEdit = 3

    public init() {}
  }

  /// How long history is kept; for ever where nothing is set.
  public struct Retention: Hashable, Sendable {
    /// Snapshots of charts, from when they were last observed. The newest one of each chart stays.
    public var charts: Interval?
    /// Reports of runs, from when they ended.
    public var runs: Interval?

    public init(charts: Interval? = nil, runs: Interval? = nil) { (self.charts, self.runs) = (charts, runs) }
  }
}

public struct SettingsProblem: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Severity: Hashable, Sendable {
    case mistake
    /// The setting names a file that cannot be used now: only what needs the file fails.
    case unusableFile
  }

  /// The line, from 1.
  public var line: Int
  /// The column in bytes, from 1.
  public var column: Int
  /// The JSON path: `follows[0].limit`; empty for the whole file.
  public var path: String
  public var message: String
  public var severity: Severity
  /// The path of the setting that an unknown key probably means; `nil` where none is near.
  public var meant: String?

  public init(
    line: Int, column: Int, path: String, message: String, severity: Severity = .mistake, meant: String? = nil
  ) {
    (self.line, self.column, self.path, self.message) = (line, column, path, message)
    (self.severity, self.meant) = (severity, meant)
  }

  /// `line 3, column 7, follows[0].limit: …`
  public var description: String { "line \(line), column \(column)\(path.isEmpty ? "" : ", \(path)"): \(message)" }

  /// `shop.json:3:7: follows[0].limit: …`, as editors find the place.
  public func text(in file: String, kind: String = "") -> String {
    "\(file):\(line):\(column): \(kind)\(path.isEmpty ? "" : "\(path): ")\(message)"
  }
}
