public import Models
public import Ports

/// The store as it was after a commit, which cannot be changed.
public struct PastStore: RecordStore {
  private let past: any StoreSnapshot

  public init(_ past: any StoreSnapshot) { self.past = past }

  public func snapshot() -> any StoreSnapshot { past }

  public func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Committed<Result> { throw Self.refusal }

  public func load(
    _ collection: CollectionName, because cause: ChangeCause?, _ next: () async throws(StoreError) -> LoadBatch?
  ) throws(StoreError) -> LoadCounts { throw Self.refusal }

  /// None: nothing changes in the past.
  public func changes(since cursor: ChangeCursor?, limit: Int) -> [StoreChange] { [] }

  private static var refusal: StoreError { StoreError(.cannotWrite, "the past cannot be changed") }
}
