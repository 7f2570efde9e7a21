/// What is kept up to date: a path that a source understands, and how often it is asked for.
public struct Follow: Hashable, Sendable {
  /// The source and its parameters: `app-store/fr/top-paid`.
  @ExactString public var path: String
  /// How many records at most; the source's default where absent.
  public var limit: Int?
  /// Seconds between two syncs of the daemon; 3600 where absent.
  public var every: Interval?
  /// What else its source declares, by the names of the options: `feed` of the App Store.
  public var options: JSONObject

  /// Makes a follow. It is checked by its source.
  public init(path: String, limit: Int? = nil, every: Interval? = nil, options: JSONObject = [:]) {
    self.path = path
    self.limit = limit
    self.every = every
    self.options = options
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
