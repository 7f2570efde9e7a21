/// What `config.json` says.
public struct Settings: Hashable, Sendable {
  /// Servers by source; a source that is absent uses its defaults.
  public var servers: [SourceName: Server]
  /// What is kept.
  public var follows: [Follow]
  /// The daemon's own settings.
  public var daemon: Daemon

  /// Settings, empty by default.
  public init(servers: [SourceName: Server] = [:], follows: [Follow] = [], daemon: Daemon = Daemon()) {
    self.servers = servers
    self.follows = follows
    self.daemon = daemon
  }

  /// One source's server.
  public struct Server: Hashable, Sendable {
    /// The base URL in place of the source's default, without a trailing `/`.
    public var url: String?
    /// Where its key comes from.
    public var apiKey: Secret?

    /// A file of authorities that are trusted for this server beside the system's.
    public var caFile: String?
    /// The certificate with which the program shows itself to this server.
    public var certFile: String?
    /// The certificate's key; where absent, it is in `certFile`.
    public var keyFile: String?

    /// A server.
    public init(
      url: String? = nil, apiKey: Secret? = nil, caFile: String? = nil, certFile: String? = nil, keyFile: String? = nil
    ) {
      self.url = url.map(Self.withoutSlashes)
      self.apiKey = apiKey
      self.caFile = caFile
      self.certFile = certFile
      self.keyFile = keyFile
    }

    private static func withoutSlashes(_ url: String) -> String {
      var url = url
      while url.hasSuffix("/") { url.removeLast() }
      return url
    }
  }

  /// Where a secret comes from.
  public enum Secret: Hashable, Sendable {
    /// It stands in the file.
    case literal(String)
    /// The environment variable of this name.
    case environment(String)
    /// The first line of this file.
    case file(String)
  }

  /// The daemon's own settings.
  public struct Daemon: Hashable, Sendable {
    /// `host:port`; `127.0.0.1:7423` where absent.
    public var listen: String?
    /// Whether `/metrics` needs no token.
    public var openMetrics: Bool
    /// The address under which a reverse proxy shows the daemon, without a trailing `/`; it may have a path.
    public var publicURL: String?
    /// Further names, as `host` or `host:port`, by which requests may call the daemon.
    public var trustedHosts: [String]
    /// The permission bits of the Unix socket; 0600 where absent.
    public var socketMode: Int?
    /// The group that owns the Unix socket, by name.
    public var socketGroup: String?

    /// Settings of the daemon.
    public init(
      listen: String? = nil, openMetrics: Bool = false, publicURL: String? = nil, trustedHosts: [String] = [],
      socketMode: Int? = nil, socketGroup: String? = nil
    ) {
      self.listen = listen
      self.openMetrics = openMetrics
      self.publicURL = publicURL
      self.trustedHosts = trustedHosts
      self.socketMode = socketMode
      self.socketGroup = socketGroup
    }
  }
}

/// A mistake in the config file.
public struct SettingsProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  public var line: Int
  /// The column in bytes, from 1.
  public var column: Int
  /// The JSON path: `follows[0].limit`; empty for the whole file.
  public var path: String
  /// What is wrong, and what is allowed.
  public var message: String

  /// Makes a problem.
  public init(line: Int, column: Int, path: String, message: String) {
    self.line = line
    self.column = column
    self.path = path
    self.message = message
  }

  /// `line 3, column 7, follows[0].limit: …`
  public var description: String {
    "line \(line), column \(column)\(path.isEmpty ? "" : ", \(path)"): \(message)"
  }
}
