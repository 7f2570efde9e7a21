public import Models

/// Edits what is followed: the follows of a machine's config file and, with a store on a server, those of the store, which
/// all its daemons have.
public protocol FollowService: Sendable {
  /// Follows paths; of one that is followed already, changes only what is named.
  ///
  /// A follow is changed where it is kept: in the config file if that has it. A new one is kept in the store if that is on a
  /// server, and in the config file otherwise.
  /// - Returns: the follows in the order of the changes, and what each was before; `nil` for a new one.
  /// - Throws: `Failure`: `usage` if a source refuses a follow; `config`, `cannotCreate` or `inputOutput` if the config
  ///   file cannot be read or written; if the store cannot be written. Nothing was changed then.
  func follow(_ changes: [FollowChange]) async throws(Failure) -> [(follow: Follow, earlier: Follow?)]

  /// Ends a follow, whose records stay. If both the config file and the store have it, that of the config file ends.
  ///
  /// - Returns: where it was kept; `nil` if there is no such follow.
  /// - Throws: as `follow(_:)`, except `usage`.
  func unfollow(_ path: String) async throws(Failure) -> Follow.Origin?
}

extension FollowService {
  public func follow(_ change: FollowChange) async throws(Failure) -> (follow: Follow, earlier: Follow?) {
    try await follow([change])[0]
  }
}
