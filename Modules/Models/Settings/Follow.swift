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

/// A span of time in whole seconds, written `90s`, `15m`, `1h`, `7d` or `2w`; parts may follow one another: `1h30m`.
public struct Interval: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// At least 1.
  public let seconds: Int

  /// A span of so many seconds.
  public init(seconds: Int) { self.seconds = seconds }

  /// Reads a span; `nil` where the text is none, is shorter than a second or longer than 100 years.
  public init?(_ text: some StringProtocol) {
    var total = 0
    var digits: [UInt8] = []
    for character in text.utf8 {
      if (0x30...0x39).contains(character) {
        digits.append(character)
        continue
      }
      guard let unit = Self.units[character], let count = decimal(digits), count <= 3_153_600_000 else { return nil }
      total += count * unit
      digits = []
      guard total <= 3_153_600_000 else { return nil }
    }
    guard digits.isEmpty, total >= 1 else { return nil }
    seconds = total
  }

  private static let units: [UInt8: Int] = [
    UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600, UInt8(ascii: "d"): 86_400,
    UInt8(ascii: "w"): 604_800,
  ]

  /// The span in the largest unit that divides it.
  public var description: String {
    for (unit, letter) in [(604_800, "w"), (86_400, "d"), (3600, "h"), (60, "m")] where seconds % unit == 0 {
      return "\(seconds / unit)\(letter)"
    }
    return "\(seconds)s"
  }

  /// Shorter comes first.
  public static func < (lhs: Interval, rhs: Interval) -> Bool { lhs.seconds < rhs.seconds }
}

/// The name of a source, the first part of a follow's path.
public struct SourceName: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Lower-case letters and `-`.
  public let rawValue: String

  /// Makes a name; whether there is such a source is known to the list of sources alone.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// App Store charts.
  public static let appStore = SourceName(rawValue: "app-store")
  /// Flickr.
  public static let flickr = SourceName(rawValue: "flickr")
  /// A REST user API.
  public static let users = SourceName(rawValue: "users")
  /// A people-and-birthdays API.
  public static let people = SourceName(rawValue: "people")

  /// The name.
  public var description: String { rawValue }

  /// Orders by name.
  public static func < (lhs: SourceName, rhs: SourceName) -> Bool { lhs.rawValue.exact < rhs.rawValue.exact }

  /// Compares by the bytes of the name.
  public static func == (lhs: SourceName, rhs: SourceName) -> Bool { lhs.rawValue.exact == rhs.rawValue.exact }

  /// Hashes the bytes of the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue.exact) }
}
