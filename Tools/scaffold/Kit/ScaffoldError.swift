/// Why nothing was written.
public struct ScaffoldError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong.
  public enum Kind: Sendable {
    /// The call is not one.
    case usage
    /// The tree is not as expected, or a name is taken.
    case refused
    /// A file could not be read or written.
    case file
  }

  /// What went wrong.
  public var kind: Kind
  /// The file, and the line where there is one: `Package.swift:7`.
  public var place: String?
  /// The problem, and what to do about it.
  public var message: String

  /// Makes an error.
  public init(_ kind: Kind, _ message: String, place: String? = nil) {
    self.kind = kind
    self.message = message
    self.place = place
  }

  /// `Package.swift:7: …`
  public var description: String { (place.map { "\($0): " } ?? "") + message }
}
