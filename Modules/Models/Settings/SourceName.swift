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
