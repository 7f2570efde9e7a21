public struct HistoryPolicy: Hashable, Sendable {
  public enum Keep: Hashable, Sendable {
    case none
    case forever
    /// States that are not older than so many days.
    case days(Int)
  }

  public var keep: Keep
  /// Top-level fields of which one value a day (UTC) is kept, such as counters.
  public var daily: [String]
  /// Top-level fields of which only the present value is kept; past states lack them.
  public var quiet: [String]

  public init(_ keep: Keep = .forever, daily: [String] = [], quiet: [String] = []) {
    (self.keep, self.daily, self.quiet) = (keep, daily, quiet)
  }

  public static let none = HistoryPolicy(.none)
  public static let forever = HistoryPolicy(.forever)
}

extension HistoryPolicy.Keep: CustomStringConvertible {
  /// Reads `none`, `forever`, or an interval of whole days; `nil` for another text.
  public init?(_ text: String) {
    switch text {
    case "none": self = .none
    case "forever": self = .forever
    default:
      guard let interval = Interval(text), interval.seconds % 86_400 == 0 else { return nil }
      self = .days(interval.seconds / 86_400)
    }
  }

  public var description: String {
    switch self {
    case .none: "none"
    case .forever: "forever"
    case .days(let days): days % 365 == 0 ? "\(days / 365)y" : "\(days)d"
    }
  }
}
