import AlmanacTesting
import Foundation
import Models
import Persistence
import Ports
import Testing

@Suite("Every record store keeps the contract")
struct ContractTests {
  @Test("in memory", arguments: RecordStoreContract.checks)
  func inMemory(_ check: RecordStoreContract.Check) async throws { try await check(on: InMemoryRecordStore()) }

  @Test("within another store", arguments: RecordStoreContract.checks)
  func wrapped(_ check: RecordStoreContract.Check) async throws {
    try await check(on: KilledStore(inner: InMemoryRecordStore(), kill: Kill(after: nil)))
  }

  /// The suite finds a store that keeps the cause of a commit to itself, and one that announces no commit.
  @Test(arguments: [("the cause", false), ("each commit after", true)])
  func contractFinds(_ check: String, _ isDeaf: Bool) async throws {
    let check = try #require(RecordStoreContract.checks.first { $0.description.hasPrefix(check) })
    let error = await #expect(throws: ContractViolation.self) {
      try await check(on: FaultyStore(isDeaf: isDeaf), within: isDeaf ? .milliseconds(1) : longestCheck)
    }
    #expect(error?.description.contains(isDeaf ? "ends within" : "found nil") == true)
  }

  @Test("in files that are in memory", arguments: RecordStoreContract.checks)
  func inMemoryFiles(_ check: RecordStoreContract.Check) async throws {
    try await check(on: JSONFileStore(system: InMemoryFileSystem(), time: ManualTime()))
  }

  @Test("in files", arguments: RecordStoreContract.checks)
  func inFiles(_ check: RecordStoreContract.Check) async throws {
    let folder = TemporaryFolder()
    try await check(on: JSONFileStore(folder: folder.path + "/store", time: ManualTime()))
  }

  private static let lives = ProcessInfo.processInfo.environment["ALMANAC_HISTORIES"].flatMap { UInt64($0) } ?? 6

  /// `ALMANAC_HISTORIES` is the number of lives.
  @Test("every state that ever was, in random lives", arguments: 1...lives)
  func everyState(_ seed: UInt64) async throws {
    let time = ManualTime()
    let memory = InMemoryRecordStore(time: time)
    try await HistoryContract.check(seed: seed, time: time, on: memory) { store, _ in store }
    let system = InMemoryFileSystem()
    let open = { try JSONFileStore(system: system, history: .keep(), time: time, limits: .tiny) }
    try await HistoryContract.check(seed: seed, time: time, on: open()) { store, number in
      if number < 2 { _ = try await open().compact() }
      return number < 4 ? try open() : store
    }
    #expect(try open().verify() == [])
  }

  @Test("in files, compacted at every commit", arguments: RecordStoreContract.checks.filter { !$0.needsCompleteFeed })
  func compacted(_ check: RecordStoreContract.Check) async throws {
    let folder = TemporaryFolder()
    var limits = Limits()
    limits.compactJournal = 0
    limits.compactAlways = 0
    let system = RealFileSystem(path: folder.path + "/a/b/store")
    try await check(on: JSONFileStore(system: system, time: ManualTime(), limits: limits))
  }
}

private struct FaultyStore: WrappedStore, LoadsAtOnce {
  let base: any RecordStore = InMemoryRecordStore()
  let isDeaf: Bool

  struct Transaction: WrappedTransaction {
    var base: any StoreTransaction
    var cause: ChangeCause?

    mutating func put(_ record: [UInt8], id: String, in collection: CollectionName) throws(StoreError) {
      try base.put(record, id: id, in: collection)
    }

    mutating func delete(_ collection: CollectionName, _ id: String) throws(StoreError) {
      try base.delete(collection, id)
    }
  }

  func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> {
    try await base.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Result in
      var own: any StoreTransaction = Transaction(base: transaction)
      let value = try body(&own)
      transaction = (own as? Transaction)?.base ?? transaction
      return value
    }
  }

  func changes(after cursor: ChangeCursor?) -> AsyncThrowingStream<[StoreChange], any Error> {
    isDeaf ? AsyncThrowingStream { _ in } : AsyncThrowingStream { nil }
  }
}

/// A folder of its own for a test, removed with everything in it.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("almanac-test-\(UUID().uuidString)").path
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
