/// One setting: its name, what it may be, and where its value goes. The reader, `config set`, completion, the keys that are
/// allowed and the table of settings follow from it.
public struct SettingRow<Root>: Sendable {
  /// The name in the object that has the setting; `retention.charts` for one in an object of its own.
  public let name: String
  public let form: SettingForm
  /// What it does, as a part of a sentence.
  public let help: String
  /// Whether a daemon that runs does not take up a change.
  public let needsRestart: Bool
  public let put: @Sendable (any Sendable, inout Root) -> Void

  init<Value>(
    _ name: String, _ form: SettingForm, _ place: any WritableKeyPath<Root, Value> & Sendable, _ help: String,
    needsRestart: Bool = false
  ) {
    (self.name, self.form, self.help, self.needsRestart) = (name, form, help, needsRestart)
    put = { value, root in if let value = value as? Value { root[keyPath: place] = value } }
  }
}

/// What a setting may be, with the type of its value.
public enum SettingForm: Hashable, Sendable {
  /// `true` or `false`, a `Bool`.
  case flag
  /// A `String` that is not empty.
  case text
  /// A base URL, a `String`.
  case url
  /// The same, whose path does not begin with one of the daemon's own.
  case publicURL
  /// `host:port`, a `String`.
  case listenAddress
  /// Hosts, with or without a port, as `[String]`.
  case hosts
  /// Permission bits, an `Int` that is written as octal digits.
  case mode
  case interval
  /// A number of bytes, an `Int` that may be written as `500M`.
  case size
  /// An `Int` from 1.
  case count
  /// A `Settings.Secret`; the text says what it is, for messages.
  case secret(String)
  /// The path of a file with certificates or a key, a `String`.
  case file
  /// `[ExactString: String]`.
  case texts
  /// `[Settings.Account]`.
  case accounts
  /// `[NotificationTarget]`.
  case notifications
  /// `[Int]`.
  case days
  /// `[NotificationRules.Chart]`.
  case charts
  /// `[CollectionName]`.
  case collections
  /// Collections and paths of follows, as `[String]`.
  case places

  public var words: String {
    switch self {
    case .flag: "true or false"
    case .text: "text"
    case .url, .publicURL: "a URL"
    case .listenAddress: "`host:port`"
    case .hosts: "a list of hosts"
    case .mode: "octal digits: `\"0660\"`"
    case .interval: "a time: `\"1h\"`"
    case .size: "bytes: `\"500M\"`"
    case .count: "a whole number"
    case .secret: "a secret"
    case .file: "a path"
    case .accounts, .texts: "an object"
    case .notifications: "a list of receivers"
    case .days: "a list of days"
    case .charts: "a list of charts"
    case .collections: "a list of collections"
    case .places: "a list of collections and paths"
    }
  }
}

/// All settings but those that only one source has: its options.
public enum SettingSchema {
  /// The rows of a table in Markdown: place, form and help of every setting.
  public static var table: [String] {
    func lines<Root>(_ place: String, _ rows: [SettingRow<Root>]) -> [String] {
      rows.map { row in
        let restart = row.needsRestart ? "; the daemon has to be restarted" : ""
        return "| `\(place).\(row.name)` | \(row.form.words) | \(row.help)\(restart) |"
      }
    }
    return lines("servers.NAME", server) + lines("follows[0]", follow) + lines("daemon", daemon) + lines("mcp", mcp)
      + lines("daemon.notifications[0].on", events)
  }

  public static let daemon: [SettingRow<Settings.Daemon>] = [
    .init(
      "listen", .listenAddress, \.listen, "the address to listen on; 127.0.0.1:7423 by default", needsRestart: true),
    .init("openMetrics", .flag, \.openMetrics, "whether `/metrics` needs no token"),
    .init("publicURL", .publicURL, \.publicURL, "the URL behind a reverse proxy; it may have a path"),
    .init("trustedHosts", .hosts, \.trustedHosts, "further values of `Host` that are accepted"),
    .init("socketMode", .mode, \.socketMode, "the mode of the Unix socket; 0600 by default"),
    .init("socketGroup", .text, \.socketGroup, "the group of the Unix socket"),
    .init("accessLog", .flag, \.accessLog, "whether each request is logged"),
    .init(
      "retention.charts", .interval, \.retention.charts,
      "how long snapshots of charts are kept; the newest one of each stays"),
    .init("retention.runs", .interval, \.retention.runs, "how long reports of syncs are kept"),
    .init("notifications", .notifications, \.notifications, "who is told about what"),
    .init("sendmail", .text, \.sendmail, "the program that sends mail; `/usr/sbin/sendmail` by default"),
    .init("mediaLimit", .size, \.mediaLimit, "the most bytes of images in a store; 1 GiB by default"),
  ]

  public static let mcp: [SettingRow<Settings.Assistants>] = [
    .init("http", .flag, \.http, "whether the daemon answers assistants at `/mcp`"),
    .init("hide", .places, \.hide, "the collections and follows that assistants do not see"),
    .init(
      "approve", .collections, \.approve,
      "the collections in which edits of up to \(Settings.Assistants.smallEdit) fields need no approval"),
    .init("ask", .flag, \.ask, "whether a client that can ask its user may get the approval of an edit from there"),
  ]

  public static let server: [SettingRow<Settings.Server>] = [
    .init("url", .url, \.url, "the base URL in place of the source's own"),
    .init("apiKey", .secret("key"), \.apiKey, "the key"),
    .init("with", .texts, \.with, "what the definition of the source lets one choose: `{\"region\": \"eu\"}`"),
    .init("caFile", .file, \.caFile, "further authorities that are trusted for this server (PEM)"),
    .init("certFile", .file, \.certFile, "the client certificate with its chain (PEM)"),
    .init("keyFile", .file, \.keyFile, "its private key (PEM); without it, `certFile` contains both"),
    .init("accounts", .accounts, \.accounts, "the accounts, by name, of sources that have accounts"),
  ]

  /// The settings of a follow that every source has.
  public static let follow: [SettingRow<Follow>] = [
    .init("follow", .text, \.path, "the path"),
    .init("limit", .count, \.limit, "the maximum number of records"),
    .init("every", .interval, \.every, "the interval between two syncs; an hour by default"),
    .init("paused", .flag, \.isPaused, "whether it is synced only when it is named"),
  ]

  /// What a receiver of notifications is told: `on`.
  public static let events: [SettingRow<NotificationRules>] = [
    .init("birthdays", .days, \.birthdays, "how many days before a birthday"),
    .init("stale", .flag, \.stale, "whether a follow is stale, and not any more"),
    .init("conflicts", .flag, \.conflicts, "edits in conflict and refused edits"),
    .init("charts", .charts, \.charts, "the top of charts"),
    .init("changes", .collections, \.changes, "the collections whose changes are told"),
  ]
}
