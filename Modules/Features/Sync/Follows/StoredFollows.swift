public import Models
public import Ports

/// The follows that a store on a server keeps for all its daemons: records of `state`, `follows/PATH`, each with the entry
/// that a config file would have.
public struct StoredFollows: Sendable {
  private let store: any RecordStore
  private let coder: any RecordCoder

  public init(store: any RecordStore, coder: any RecordCoder) {
    (self.store, self.coder) = (store, coder)
  }

  /// All follows, by path.
  public func all() throws(StoreError) -> [Follow] { try all(in: store.snapshot()) }

  private func all(in reader: some RecordReader) throws(StoreError) -> [Follow] {
    try reader.states(.follows, coder) { _, fields in
      var follow = fields["entry"]?.object.flatMap { Follow(fields: $0) }
      follow?.origin = .store
      return follow
    }
  }

  /// Follows paths; of one that the store follows already, changes only what is named.
  ///
  /// - Returns: the follows, and what each was before; `nil` for a new one.
  /// - Throws: `Failure`: `usage` if a source refuses its follow; if the store cannot be written.
  func follow(
    _ changes: [FollowChange], checking check: @Sendable (Follow) throws(FollowError) -> Follow
  ) async throws(Failure) -> [(follow: Follow, earlier: Follow?)] {
    typealias Outcome = Result<[(follow: Follow, earlier: Follow?)], FollowError>
    let outcome = try await store.commit { (transaction) throws(StoreError) -> Outcome in
      var changed: [(follow: Follow, earlier: Follow?)]
      let known = try all(in: transaction)
      do throws(FollowError) { changed = try changes.applied(to: known, checking: check) } catch {
        return .failure(error)
      }
      for index in changed.indices {
        changed[index].follow.origin = .store
        let follow = changed[index].follow
        guard follow != changed[index].earlier else { continue }
        try transaction.setState(StateKey(.follows, follow.path), to: ["entry": .object(follow.fields)], coder)
      }
      return .success(changed)
    }
    return try Failure.from { () throws(FollowError) in try outcome.get() }
  }

  /// Ends a follow: what it listed keeps no record any more.
  ///
  /// - Parameter isOurs: whether it is one of the store; otherwise one of a config file, which the store may have as well.
  /// - Returns: whether there was one.
  func end(_ path: String, isOurs: Bool = true) async throws(Failure) -> Bool {
    try await store.commit { (transaction) throws(StoreError) -> Bool in
      let isThere = try transaction.hasState(StateKey(.follows, path))
      if isOurs { try transaction.clearState(StateKey(.follows, path)) }
      if isOurs == isThere { try FollowState.change(path, in: &transaction, coder) { $0.isEnded = true } }
      return isThere
    }
  }
}
