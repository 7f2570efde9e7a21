public import Models

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
  public func edit(_ id: String, _ change: ProfileChange) async throws(Failure) -> Profile {
    try await edit(id, change, ifStored: nil)
  }
}
