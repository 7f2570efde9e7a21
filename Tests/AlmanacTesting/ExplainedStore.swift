import Models
package import Ports

/// A store that refuses commits without a cause, unless all they change is what the program keeps for itself.
package struct ExplainedStore: WrappedStore, LoadsAtOnce {
  package let base: any RecordStore

  package init(_ base: any RecordStore) { self.base = base }

  package func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> {
    try await base.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Result in
      var watching: any StoreTransaction = WatchingTransaction(base: transaction)
      let value = try body(&watching)
      guard let done = watching as? WatchingTransaction else { return value }
      transaction = done.base
      if let name = done.changed, transaction.cause == nil {
        throw StoreError(.aborted, "a commit changes \(name) and does not say why")
      }
      return value
    }
  }
}

private struct WatchingTransaction: WrappedTransaction {
  var base: any StoreTransaction
  /// A collection that needs a cause and was changed.
  private(set) var changed: CollectionName?

  init(base: any StoreTransaction) { self.base = base }

  mutating func put(_ record: [UInt8], id: String, in collection: CollectionName) throws(StoreError) {
    try watch(collection, id, record)
    try base.put(record, id: id, in: collection)
  }

  mutating func delete(_ collection: CollectionName, _ id: String) throws(StoreError) {
    try watch(collection, id, nil)
    try base.delete(collection, id)
  }

  private mutating func watch(_ collection: CollectionName, _ id: String, _ record: [UInt8]?) throws(StoreError) {
    if ![.state, .runs, .rejects].contains(collection), try base.record(collection, id) != record {
      changed = collection
    }
  }
}
