/// One thing that is kept: a source with its parameters, and how often it is looked at.
public struct Follow: Hashable, Sendable {
  /// The source and its parameters: `app-store/fr/top-paid`.
  @ExactString public var path: String
  /// How many records at most; the source's default where absent.
  public var limit: Int?
  /// Seconds between two syncs of the daemon; 3600 where absent.
  public var every: Interval?
  /// A chart's genre as the config file or `--genre` names it; the source makes it a part of the path.
  public var genre: String?
  /// Which feed of the source: `marketing` for the App Store's newer one.
  public var feed: String?

  /// Makes a follow. It is checked by its source.
  public init(
    path: String, limit: Int? = nil, every: Interval? = nil, genre: String? = nil, feed: String? = nil
  ) {
    self.path = path
    self.limit = limit
    self.every = every
    self.genre = genre
    self.feed = feed
  }

  /// The source's name: the path up to the first `/`.
  public var source: SourceName { SourceName(rawValue: path.firstPart) }

  /// The parts of the path after the source.
  public var parameters: [String] {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
      .map { String(Substring($0)) }
  }

  /// What the daemon uses where `every` is absent.
  public static let defaultInterval = Interval(seconds: 3600)

  /// When a success at `time` is too old: after three times its `every`, at least 5 seconds. One in the future was noted
  /// by a clock that was wrong, and counts as none.
  public func isStale(lastSuccess: Timestamp?, now: Timestamp) -> Bool {
    guard let lastSuccess, lastSuccess <= now else { return true }
    return now - lastSuccess > Swift.max(5, 3 * (every ?? Self.defaultInterval).seconds)
  }
}
