import AlmanacTesting
import Models
import Networking
import Ports
import PostgreSQLStore
import Testing

@Suite(
  "The store on PostgreSQL keeps the contract",
  .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed; .ci/install-tools installs it"))
struct ContractTests {
  @Test(arguments: RecordStoreContract.checks, [2, 2000])
  func keeps(_ check: RecordStoreContract.Check, _ pageSize: Int) async throws {
    let address = try StoreAddress(await PostgreSQLServer.shared().newAddress())
    try await check(on: PostgreSQLStore(address, time: SystemTimeSource(), pageSize: pageSize))
  }

  @Test("compacted after every commit", arguments: RecordStoreContract.checks.filter { !$0.needsCompleteFeed })
  func compacted(_ check: RecordStoreContract.Check) async throws {
    let address = try StoreAddress(await PostgreSQLServer.shared().newAddress())
    try await check(on: CompactedStore(PostgreSQLStore(address, time: SystemTimeSource())))
  }
}

/// A store that is compacted after each commit, except for what a snapshot that is in use still needs.
private struct CompactedStore: WrappedStore {
  let store: PostgreSQLStore
  var base: any RecordStore { store }

  init(_ store: PostgreSQLStore) { self.store = store }

  func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> {
    // Two commits are kept: a check may hold the snapshot or the cursor before them.
    let committed = try await store.write(body)
    try await store.compact(to: Int64(try store.snapshot().sequence) - 2)
    return committed
  }

  func load(
    _ collection: CollectionName, because cause: ChangeCause?, _ next: () async throws(StoreError) -> LoadBatch?
  ) async throws(StoreError) -> LoadCounts {
    let counts = try await store.load(collection, because: cause, next)
    try await store.compact(to: Int64(try store.snapshot().sequence) - 2)
    return counts
  }
}
