package import Ports

/// A store with something between it and the reader of its snapshots; everything else goes to the store as it is.
package struct InterceptedStore<Base: ObservableRecordStore>: ObservableRecordStore, LoadsAtOnce {
  private let base: Base
  private let reading: @Sendable (Base) throws(StoreError) -> any StoreSnapshot

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - base: the store.
  ///   - reading: makes a snapshot, or fails.
  package init(_ base: Base, reading: @escaping @Sendable (Base) throws(StoreError) -> any StoreSnapshot) {
    self.base = base
    self.reading = reading
  }

  package func snapshot() throws(StoreError) -> any StoreSnapshot { try reading(base) }

  package func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> { try await base.write(body) }

  package func changes(since cursor: ChangeCursor?, limit: Int) throws(StoreError) -> [StoreChange] {
    try base.changes(since: cursor, limit: limit)
  }

  package func changes(after cursor: ChangeCursor?) -> AsyncThrowingStream<[StoreChange], any Error> {
    base.changes(after: cursor)
  }
}
