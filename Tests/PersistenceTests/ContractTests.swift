import AlmanacTesting
import Foundation
import Persistence
import Ports
import Testing

@Suite("Every record store keeps the contract")
struct ContractTests {
  @Test("in memory", arguments: RecordStoreContract.checks)
  func inMemory(_ check: RecordStoreContract.Check) async throws {
    try await check(on: InMemoryRecordStore())
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

  @Test("every state that ever was, in random lives", arguments: 1...20)
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

/// A folder of its own for a test, removed with everything in it.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("almanac-test-\(UUID().uuidString)").path
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
