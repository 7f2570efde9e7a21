/// The name of a collection: records of one kind in the store, kept in a file of the same name.
public struct CollectionName: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Lower-case letters, digits and `-`, as it stands in the file name.
  public let rawValue: String

  /// Makes a name; it is not checked here, the store refuses names that are no file names.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Apps of an app store.
  public static let apps = CollectionName(rawValue: "apps")
  /// Chart snapshots: who stood where, and when.
  public static let charts = CollectionName(rawValue: "charts")
  /// Photos.
  public static let photos = CollectionName(rawValue: "photos")
  /// Owners of photos.
  public static let owners = CollectionName(rawValue: "owners")
  /// User profiles.
  public static let profiles = CollectionName(rawValue: "profiles")
  /// People with their birthdays.
  public static let people = CollectionName(rawValue: "people")
  /// Edits that a remote must still accept.
  public static let outbox = CollectionName(rawValue: "outbox")
  /// Records that a parser set aside, with place and reason.
  public static let rejects = CollectionName(rawValue: "rejects")
  /// Reports of past syncs.
  public static let runs = CollectionName(rawValue: "runs")
  /// The system's own memory: cursors, validators, budgets. Not shown to users.
  public static let state = CollectionName(rawValue: "state")

  /// Whether it holds the system's own memory, which users do not see.
  public var isInternal: Bool { self == .state }

  /// The collection's name.
  public var description: String { rawValue }

  /// Orders by name.
  public static func < (lhs: CollectionName, rhs: CollectionName) -> Bool { lhs.rawValue.exact < rhs.rawValue.exact }

  /// Compares by the bytes of the name.
  public static func == (lhs: CollectionName, rhs: CollectionName) -> Bool { lhs.rawValue.exact == rhs.rawValue.exact }

  /// Hashes the bytes of the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue.exact) }
}
