public import Models
public import Ports

/// Refuses every edit, in a program that cannot edit such records.
public struct NoEditor: ProposalEditor, PersonRestorer {
  public init() {}

  public func check(_ proposal: Proposal) throws(Failure) { throw Self.refusal(proposal.collection) }

  public func apply(
    _ proposal: Proposal, ifStored current: [UInt8]?, alongside note: CommitNote
  ) async throws(Failure) { throw Self.refusal(proposal.collection) }

  public func photo(_ photo: ContactPhoto, in cards: [StoredCard]) -> ContactPhoto? { nil }

  public func restore(
    _ restoration: Restoration, card: StoredCard?, in books: [FollowedBook]
  ) async throws(Failure) -> Person { throw Self.refusal(restoration.collection) }

  private static func refusal(_ collection: CollectionName) -> Failure {
    Failure(
      .config, .usage, "this program cannot edit records of \(collection)", code: .own(.notEditable),
      path: collection.rawValue)
  }
}
