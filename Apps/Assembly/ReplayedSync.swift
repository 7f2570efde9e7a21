public import Models
public import Ports

/// The sync service of a program whose responses come from recordings: it fetches, and sends no edit. A response in a
/// recording is that to another edit, and would count as the acceptance of this one.
public struct ReplayedSync: SyncService {
  private let sync: any SyncService

  public init(_ sync: any SyncService) { self.sync = sync }

  public func check(_ follow: Follow) throws(FollowError) -> Follow { try sync.check(follow) }

  /// Pulls the follows, and leaves the edits in the outbox.
  ///
  /// - Throws: as the wrapped service.
  public func sync(_ follows: [Follow], _ options: SyncOptions) async throws(Failure) -> SyncReport {
    var options = options
    options.sendsEdits = false
    return try await sync.sync(follows, options)
  }

  /// Sends nothing.
  ///
  /// - Returns: the counts of the outbox.
  /// - Throws: `Failure`, `usage` for edits that somebody wants to be sent.
  public func flush(only entries: Set<ExactString>?, to server: ExactString?) async throws(Failure) -> OutboxCounts {
    guard entries == nil else {
      throw Failure(
        .recording, .usage, "the edits wait: responses come from a recording, to which no edit is sent",
        hint: "run the command without --seed, or unset ALMANAC_SEED", code: .own(.replay))
    }
    return try sync.status([]).outbox
  }

  public func waitingEdits() throws(Failure) -> [ExactString: Set<ExactString>] { try sync.waitingEdits() }

  public func status(_ follows: [Follow]) throws(Failure) -> SyncStatus { try sync.status(follows) }
}
