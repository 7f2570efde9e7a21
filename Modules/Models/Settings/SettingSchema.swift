/// One setting: its name, what it may be, and where its value goes. The reader, `config set`, completion, the keys that are
/// allowed and the table of settings follow from it.
public struct SettingRow<Root>: Sendable {
  /// The name in the object that has the setting; `retention.charts` for one in an object of its own.
  public let name: String
  /// What it may be.
  public let form: SettingForm
  /// What it does, as a part of a sentence.
  public let help: String
  /// Whether a daemon that runs does not take up a change.
  public let needsRestart: Bool
  /// Puts a value of the form into the settings.
  public let put: @Sendable (SettingValue, inout Root) -> Void

  /// A setting whose value goes to `place`.
  ///
  /// - Parameter value: the value of `place` for one of the form; `nil` for others.
  init<Value>(
    _ name: String, _ form: SettingForm, _ place: any WritableKeyPath<Root, Value> & Sendable,
    _ value: @escaping @Sendable (SettingValue) -> Value?, _ help: String, needsRestart: Bool = false
  ) {
    self.name = name
    self.form = form
    self.help = help
    self.needsRestart = needsRestart
    put = { read, root in if let value = value(read) { root[keyPath: place] = value } }
  }
}

/// What a setting may be.
public enum SettingForm: Hashable, Sendable {
  /// `true` or `false`.
  case flag
  /// A text that is not empty.
  case text
  /// A base URL.
  case url
  /// A base URL whose path does not begin with one of the daemon's own.
  case publicURL
  /// `host:port`.
  case listenAddress
  /// Hosts, with or without a port.
  case hosts
  /// Permission bits as octal digits.
  case mode
  /// A time, such as `1h`.
  case interval
  /// A number of bytes, such as `500M`.
  case size
  /// A whole number from 1.
  case count
  /// The place of a secret; the text says what it is, for messages.
  case secret(String)
  /// The path of a file with certificates or a key.
  case file
  /// The accounts at a server, by name.
  case accounts
  /// Receivers of notifications.
  case notifications
  /// Numbers of days.
  case days
  /// Charts, and how many of their ranks are watched.
  case charts
  /// Names of collections.
  case collections

  /// What is written, for pages.
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
    case .accounts: "an object"
    case .notifications: "a list of receivers"
    case .days: "a list of days"
    case .charts: "a list of charts"
    case .collections: "a list of collections"
    }
  }
}

/// The value of a setting.
public enum SettingValue: Sendable {
  case flag(Bool)
  case number(Int)
  case text(String)
  case texts([String])
  case interval(Interval)
  case secret(Settings.Secret)
  case accounts([Settings.Account])
  case notifications([NotificationTarget])
  case days([Int])
  case charts([NotificationRules.Chart])
  case collections([CollectionName])

  var flag: Bool? { if case .flag(let value) = self { value } else { nil } }
  var number: Int?? { if case .number(let value) = self { value } else { nil } }
  var text: String?? { if case .text(let value) = self { value } else { nil } }
  var texts: [String]? { if case .texts(let value) = self { value } else { nil } }
  var interval: Interval?? { if case .interval(let value) = self { value } else { nil } }
  var secret: Settings.Secret?? { if case .secret(let value) = self { value } else { nil } }
  var accounts: [Settings.Account]? { if case .accounts(let value) = self { value } else { nil } }
  var notifications: [NotificationTarget]? { if case .notifications(let value) = self { value } else { nil } }
  var days: [Int]? { if case .days(let value) = self { value } else { nil } }
  var charts: [NotificationRules.Chart]? { if case .charts(let value) = self { value } else { nil } }
  var collections: [CollectionName]? { if case .collections(let value) = self { value } else { nil } }
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
    return lines("servers.NAME", server) + lines("follows[0]", follow) + lines("daemon", daemon)
      + lines("daemon.notifications[0].on", events)
  }

  /// The settings of `daemon`.
  public static let daemon: [SettingRow<Settings.Daemon>] = [
    .init(
      "listen", .listenAddress, \.listen, \.text, "the address to listen on; 127.0.0.1:7423 by default",
      needsRestart: true),
    .init("openMetrics", .flag, \.openMetrics, \.flag, "whether `/metrics` needs no token"),
    .init(
      "publicURL", .publicURL, \.publicURL, \.text, "the URL behind a reverse proxy; it may have a path"),
    .init("trustedHosts", .hosts, \.trustedHosts, \.texts, "further values of `Host` that are accepted"),
    .init("socketMode", .mode, \.socketMode, \.number, "the mode of the Unix socket; 0600 by default"),
    .init("socketGroup", .text, \.socketGroup, \.text, "the group of the Unix socket"),
    .init("accessLog", .flag, \.accessLog, \.flag, "whether each request is logged"),
    .init(
      "retention.charts", .interval, \.retention.charts, \.interval,
      "how long snapshots of charts are kept; the newest one of each stays"),
    .init("retention.runs", .interval, \.retention.runs, \.interval, "how long reports of syncs are kept"),
    .init("notifications", .notifications, \.notifications, \.notifications, "who is told about what"),
    .init("sendmail", .text, \.sendmail, \.text, "the program that sends mail; `/usr/sbin/sendmail` by default"),
    .init("mediaLimit", .size, \.mediaLimit, \.number, "the most bytes of images in a store; 1 GiB by default"),
  ]

  /// The settings of a server.
  public static let server: [SettingRow<Settings.Server>] = [
    .init("url", .url, \.url, \.text, "the base URL in place of the source's own"),
    .init("apiKey", .secret("key"), \.apiKey, \.secret, "the key"),
    .init("caFile", .file, \.caFile, \.text, "further authorities that are trusted for this server (PEM)"),
    .init("certFile", .file, \.certFile, \.text, "the client certificate with its chain (PEM)"),
    .init("keyFile", .file, \.keyFile, \.text, "its private key (PEM); without it, `certFile` contains both"),
    .init("accounts", .accounts, \.accounts, \.accounts, "the accounts, by name, of sources that have accounts"),
  ]

  /// The settings of a follow that every source has.
  public static let follow: [SettingRow<Follow>] = [
    .init("follow", .text, \.path, { $0.text ?? nil }, "the path"),
    .init("limit", .count, \.limit, \.number, "the maximum number of records"),
    .init("every", .interval, \.every, \.interval, "the interval between two syncs; an hour by default"),
    .init("paused", .flag, \.isPaused, \.flag, "whether it is synced only when it is named"),
  ]

  /// What a receiver of notifications is told: `on`.
  public static let events: [SettingRow<NotificationRules>] = [
    .init("birthdays", .days, \.birthdays, \.days, "how many days before a birthday"),
    .init("stale", .flag, \.stale, \.flag, "whether a follow is stale, and not any more"),
    .init("conflicts", .flag, \.conflicts, \.flag, "edits in conflict and refused edits"),
    .init("charts", .charts, \.charts, \.charts, "the top of charts"),
    .init("changes", .collections, \.changes, \.collections, "the collections whose changes are told"),
  ]
}
