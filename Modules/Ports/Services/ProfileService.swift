public import Models

/// Reads and edits profiles.
public protocol ProfileService: Sendable {
  /// The local version of a profile, including pending edits.
  ///
  /// - Throws: `Failure`: `notFound` if the profile was never pulled.
  func profile(_ id: String) throws(Failure) -> Profile

  /// Edits a profile locally and queues the edit, in one commit. If no field changes, nothing is queued. An entry of
  /// the same profile that was never sent is extended by the edit.
  ///
  /// - Parameter current: the expected stored record; `nil` for any.
  /// - Throws: `Failure`: `notFound` if the profile was never pulled; `usage` if the name or the address would be empty, and
  ///   with the code `changed` if the stored record is another one.
  func edit(_ id: String, _ change: ProfileChange, ifStored current: [UInt8]?) async throws(Failure) -> Profile
}

extension ProfileService {
  /// Edits the profile, whatever the stored record is.
  ///
  /// - Throws: `Failure`: `notFound` if the profile was never pulled; `usage` if the name or the address would be empty.
  public func edit(_ id: String, _ change: ProfileChange) async throws(Failure) -> Profile {
    try await edit(id, change, ifStored: nil)
  }
}

/// A change of a profile. Properties that are `nil` do not change.
public struct ProfileChange: Hashable, Sendable {
  public enum Text: Hashable, Sendable {
    /// Replaces the description.
    case set(String)
    /// Removes the description.
    case clear
  }

  public var name: String?
  /// The new mail address.
  public var email: String?
  public var description: Text?

  public init(name: String? = nil, email: String? = nil, description: Text? = nil) {
    self.name = name
    self.email = email
    self.description = description
  }
}
