public import Models
public import Ports

/// A store whose commits have a cause, unless their body gives another one.
public struct ExplainingStore: WrappedStore {
  public let base: any RecordStore
  private let cause: ChangeCause

  public init(_ base: any RecordStore, because cause: ChangeCause) { (self.base, self.cause) = (base, cause) }

  public func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> {
    try await base.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Result in
      transaction.explain(cause)
      return try body(&transaction)
    }
  }

  public func load(
    _ collection: CollectionName, because other: ChangeCause?, _ next: () async throws(StoreError) -> LoadBatch?
  ) async throws(StoreError) -> LoadCounts { try await base.load(collection, because: other ?? cause, next) }
}
