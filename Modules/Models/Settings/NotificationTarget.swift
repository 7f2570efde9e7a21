public struct NotificationTarget: Hashable, Sendable {
  public enum Channel: Hashable, Sendable {
    /// JSON is posted to this URL, signed with the secret.
    case webhook(url: String, secret: Settings.Secret?)
    /// A topic of an ntfy server, `https://ntfy.sh/topic`, and the access token.
    case ntfy(url: String, token: Settings.Secret?)
    case mail(String)
  }

  /// A unique name. Deliveries that wait belong to it, also if the address changes.
  @ExactString public var name: String
  public var channel: Channel
  public var rules: NotificationRules

  public init(name: String, channel: Channel, rules: NotificationRules) {
    (self.name, self.channel, self.rules) = (name, channel, rules)
  }
}

public struct NotificationRules: Hashable, Sendable {
  public struct Chart: Hashable, Sendable {
    /// The path of the chart: `app-store/us/top-free`.
    @ExactString public var path: String
    public var top: Int

    public init(path: String, top: Int) { (self.path, self.top) = (path, top) }
  }

  /// How many days before a birthday it is told; 0 is the day itself.
  public var birthdays: [Int]
  public var stale: Bool
  public var conflicts: Bool
  public var charts: [Chart]
  public var changes: [CollectionName]

  public init(
    birthdays: [Int] = [], stale: Bool = false, conflicts: Bool = false, charts: [Chart] = [],
    changes: [CollectionName] = []
  ) {
    (self.birthdays, self.stale, self.conflicts) = (birthdays, stale, conflicts)
    (self.charts, self.changes) = (charts, changes)
  }

  public var isEmpty: Bool { self == NotificationRules() }
}
