/// A subscription to data of a source: the path and the interval between two syncs.
public struct Follow: Hashable, Sendable {
  /// The source and its parameters: `app-store/fr/top-paid`.
  @ExactString public var path: String { didSet { match = nil } }
  /// The maximum number of records; `nil` for the default of the source.
  public var limit: Int? { didSet { match = nil } }
  /// The interval between two syncs of the daemon; `nil` for `defaultInterval`.
  public var every: Interval?
  /// The values of the options that the source declares, by name, such as `feed` for the App Store.
  public var options: JSONObject { didSet { match = nil } }
  /// Whether it is synced only when it is named: it stays in the config, and its records in the store.
  public var isPaused: Bool
  /// Where it is kept, with a store on a server; `nil` where only the config file can have it.
  public var origin: Origin?
  /// What its source read of it, so that no other place reads it again; `nil` until `Source.check` has accepted it, and after
  /// a change of the path, the limit or an option.
  public package(set) var match: FollowMatch?

  /// Creates a follow without checking it; its source does.
  public init(
    path: String, limit: Int? = nil, every: Interval? = nil, options: JSONObject = [:], isPaused: Bool = false
  ) { (self.path, self.limit, self.every, self.options, self.isPaused) = (path, limit, every, options, isPaused) }

  /// The source's name: the path up to the first `/`.
  public var source: SourceName { SourceName(rawValue: path.firstPart) }

  public var parameters: [String] { Array(path.parts.dropFirst()) }

  public var fields: JSONObject {
    let own: JSONObject = [
      "follow": .string(path), "limit": .of(limit), "every": .of(every?.description),
      "paused": .of(isPaused ? true : nil),
    ]
    return own.adding(options)
  }

  /// Reads the members of an entry; `nil` without a path. What they mean to the source is not checked.
  public init?(fields: JSONObject) {
    guard let path = fields["follow"]?.string else { return nil }
    self.init(path: path)
    for member in fields.members {
      switch member.key {
      case "follow": break
      case "limit": limit = member.value.int
      case "every": every = member.value.string.flatMap { Interval($0) }
      case "paused": isPaused = member.value.bool ?? false
      default: options.append(member.key, member.value)
      }
    }
  }

  /// The members of its entry, and where it is kept.
  public var listed: JSONObject { fields.adding(["origin": .of(origin?.rawValue)]) }

  /// Whether both ask for the same; what was checked does not matter.
  public static func == (lhs: Follow, rhs: Follow) -> Bool {
    (lhs.$path, lhs.limit, lhs.every, lhs.options, lhs.isPaused, lhs.origin)
      == (rhs.$path, rhs.limit, rhs.every, rhs.options, rhs.isPaused, rhs.origin)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine($path)
    hasher.combine(limit)
  }

  public enum Origin: String, Hashable, Sendable, CaseIterable {
    /// In the config file of this machine.
    case config
    /// In the store on a server, for all its daemons.
    case store
  }

  /// The interval that the daemon uses by default: one hour.
  public static let defaultInterval = Interval(seconds: 3600)

  /// The longest wait after failures, in seconds, unless the follow's own interval is longer.
  public static let longestBackOff = 3600

  /// Seconds from the end of one sync to the next one: the interval, or up to a tenth less, after a success; after
  /// failures a wait that doubles from 30 s (or from the interval where that is shorter), with jitter of up to a half.
  /// A server that says when it wants to be asked again is asked then, and not before the first of these waits.
  ///
  /// - Parameters:
  ///   - failures: how many syncs in a row have failed.
  ///   - retryAfter: how many seconds the server asked to wait; a day counts at most.
  ///   - chance: the jitter: a random number below 1, or 1 for the latest time that is possible.
  public func wait(afterFailures failures: Int, retryAfter: Int? = nil, chance: Double = 1) -> Int {
    let every = (every ?? Self.defaultInterval).seconds
    guard failures > 0 else { return Swift.max(1, Int((Double(every) * (0.9 + chance / 10)).rounded())) }
    let limit = Swift.max(Self.longestBackOff, every)
    let doublings = retryAfter == nil ? failures - 1 : 0
    let wait = doublings > 19 ? limit : Swift.min(limit, Swift.min(30, every) << doublings)
    return Swift.max(1, Swift.min(86_400, retryAfter ?? 0), Int(Double(wait) * (0.5 + chance / 2)))
  }

  /// Seconds until the next try of a follow that was not asked for, because its host or its budget is paused: what is
  /// left of the pause, with jitter of up to a half, so that not every follow of a host comes back at once.
  ///
  /// - Parameters:
  ///   - retryAfter: what is left of the pause; 30 s where it is not known.
  ///   - chance: the jitter, as for `wait(afterFailures:retryAfter:chance:)`.
  public static func wait(afterPause retryAfter: Int?, chance: Double = 1) -> Int {
    let pause = Swift.max(2, Swift.min(86_400, retryAfter ?? 30))
    return pause + Int(Double(Swift.min(pause, 60)) * chance / 2)
  }

  /// Whether the last success is missing or older than three intervals, at least 5 seconds. A success in the future was
  /// recorded by a wrong clock and is ignored. A paused follow is never stale.
  public func isStale(lastSuccess: Timestamp?, now: Timestamp) -> Bool {
    if isPaused { return false }
    guard let lastSuccess, lastSuccess <= now else { return true }
    return now - lastSuccess > Swift.max(5, 3 * (every ?? Self.defaultInterval).seconds)
  }
}

extension [Follow] {
  /// The follow with a path, in any spelling that its source accepts; a new one if there is none.
  ///
  /// - Parameter check: checks a follow with its source, and returns its canonical form.
  public func named(
    _ path: String, checking check: (Follow) throws(FollowError) -> Follow
  ) throws(FollowError) -> Follow {
    if let known = first(where: { $0.path.exact == path.exact }) { return known }
    let follow = try check(Follow(path: path))
    return first { $0.$path == follow.$path } ?? follow
  }
}

/// A follow as a user names it: what is not named stays as it is.
public struct FollowChange: Hashable, Sendable {
  @ExactString public var path: String
  public var limit: Int?
  public var every: Interval?
  public var options: JSONObject = [:]
  public var isPaused: Bool?
  /// The names of what is taken away: `limit`, `every` and options, which then have the default of the source.
  public var removed: Set<ExactString> = []

  /// - Parameter path: the path, with or without white space around it.
  public init(_ path: String) { self.path = path.trimmed }

  /// The follow that is made where the path is not followed yet.
  public var follow: Follow {
    Follow(path: path, limit: limit, every: every, options: options, isPaused: isPaused ?? false)
  }

  /// The changed follow in its canonical form, with what was not named as it was before.
  public func completing(_ follow: Follow, from earlier: Follow) -> Follow {
    var follow = follow
    follow.limit = follow.limit ?? (removed.contains("limit") ? nil : earlier.limit)
    follow.every = follow.every ?? (removed.contains("every") ? nil : earlier.every)
    follow.isPaused = isPaused ?? earlier.isPaused
    for option in earlier.options.members
    where follow.options[option.key] == nil && !removed.contains(option.key.exact) {
      follow.options.append(option.key, option.value)
    }
    return follow
  }
}

extension [FollowChange] {
  /// The follows that the changes make one after the other, and what each was before; `nil` for a new one. O(n).
  public func applied(
    to known: [Follow], checking check: (Follow) throws(FollowError) -> Follow
  ) throws(FollowError) -> [(follow: Follow, earlier: Follow?)] {
    var known = Dictionary(known.map { ($0.$path, $0) }) { first, _ in first }
    return try map { (change) throws(FollowError) in
      var follow = try check(change.follow)
      let earlier = known[follow.$path]
      if let earlier {
        follow = try check(change.completing(follow, from: earlier))
        follow.origin = earlier.origin
      }
      known[follow.$path] = follow
      return (follow, earlier)
    }
  }
}

/// A duration in whole seconds, at most 100 years, written `90s`, `15m`, `1h`, `7d` or `2w`, as a combination: `1h30m`, or in
/// words: `2 hours`.
public struct Interval: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let seconds: Int

  /// Creates the interval of so many seconds: 0 where they are negative, and 100 years where they are more.
  public init(seconds: Int) { self.seconds = Swift.min(Swift.max(seconds, 0), Self.longest) }

  /// 100 years, in seconds.
  package static let longest = 3_153_600_000

  /// Parses an interval, with or without white space around it; `nil` if the text is not one, or if it is shorter than a
  /// second or longer than 100 years.
  public init?(_ text: some StringProtocol) {
    var total = 0
    var rest = String(text).trimmed.utf8[...]
    while !rest.isEmpty {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest[digits.endIndex...].drop { $0 == 0x20 }
      let word = rest.prefix { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
      rest = rest[word.endIndex...].drop { $0 == 0x20 }
      guard let unit = Self.units[String(Substring(word)).lowercased()], let count = decimal(Array(digits)),
        count <= Self.longest
      else { return nil }
      total += count * unit
      guard total <= Self.longest else { return nil }
    }
    guard total >= 1 else { return nil }
    seconds = total
  }

  private static let units = [
    "s": 1, "second": 1, "seconds": 1, "m": 60, "min": 60, "minute": 60, "minutes": 60, "h": 3600, "hour": 3600,
    "hours": 3600, "d": 86_400, "day": 86_400, "days": 86_400, "w": 604_800, "week": 604_800, "weeks": 604_800,
    "y": 31_536_000, "year": 31_536_000, "years": 31_536_000,
  ]

  /// The interval in the largest unit that divides it.
  public var description: String {
    for (unit, letter) in [(604_800, "w"), (86_400, "d"), (3600, "h"), (60, "m")] where seconds % unit == 0 {
      return "\(seconds / unit)\(letter)"
    }
    return "\(seconds)s"
  }

  public static func < (lhs: Interval, rhs: Interval) -> Bool { lhs.seconds < rhs.seconds }
}

public struct SourceName: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Lower-case letters and `-`.
  public let rawValue: String

  /// Whether a text can name a source or a collection of a definition: a-z, 0-9 and `-`, at most 48 bytes, a letter first.
  public static func isDefinable(_ text: String) -> Bool {
    guard let first = text.utf8.first, (0x61...0x7A).contains(first), text.utf8.count <= 48 else { return false }
    return text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
  }

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let appStore = SourceName(rawValue: "app-store")
  public static let flickr = SourceName(rawValue: "flickr")
  public static let users = SourceName(rawValue: "users")
  public static let people = SourceName(rawValue: "people")
  public static let cardDAV = SourceName(rawValue: "carddav")
  public static let calDAV = SourceName(rawValue: "caldav")

  public var description: String { rawValue }

  public static func < (lhs: SourceName, rhs: SourceName) -> Bool { lhs.rawValue.exact < rhs.rawValue.exact }

  public static func == (lhs: SourceName, rhs: SourceName) -> Bool { lhs.rawValue.exact == rhs.rawValue.exact }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue.exact) }
}
