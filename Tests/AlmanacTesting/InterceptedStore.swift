package import Ports

/// A store with something between it and the reader of its snapshots; everything else goes to the store as it is.
package struct InterceptedStore: WrappedStore, LoadsAtOnce {
  package let base: any RecordStore
  private let reading: @Sendable (any RecordStore) throws(StoreError) -> any StoreSnapshot

  /// - Parameter reading: makes a snapshot, or fails.
  package init(
    _ base: any RecordStore, reading: @escaping @Sendable (any RecordStore) throws(StoreError) -> any StoreSnapshot
  ) {
    (self.base, self.reading) = (base, reading)
  }

  package func snapshot() throws(StoreError) -> any StoreSnapshot { try reading(base) }

  package func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> { try await base.write(body) }
}
