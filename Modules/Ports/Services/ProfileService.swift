public import Models

/// Shows and edits profiles.
public protocol ProfileService: Sendable {
  /// The profile as it stands here.
  ///
  /// - Throws: `Failure`, `notFound` where it was never pulled.
  func profile(_ id: String) throws(Failure) -> Profile

  /// Edits the profile here and queues the edit, in one commit. Fields that already have the value change nothing;
  /// where nothing changes, nothing is queued. An entry of the same target that was never sent takes the edit up.
  ///
  /// - Throws: `Failure`, `notFound` where it was never pulled; `usage` where name or address would be empty.
  func edit(_ id: String, _ change: ProfileChange) async throws(Failure) -> Profile
}

/// What changes about a profile; absent means that it stays.
public struct ProfileChange: Hashable, Sendable {
  /// What becomes of the description.
  public enum Text: Hashable, Sendable {
    /// This text.
    case set(String)
    /// None any more.
    case clear
  }

  /// The new name.
  public var name: String?
  /// The new mail address.
  public var email: String?
  /// The new description.
  public var description: Text?

  /// Makes a change.
  public init(name: String? = nil, email: String? = nil, description: Text? = nil) {
    self.name = name
    self.email = email
    self.description = description
  }
}
