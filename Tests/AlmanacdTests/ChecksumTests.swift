import AlmanacTesting
import Foundation
import Logging
import Models
import Ports
import Synchronization
import Testing

@testable import almanacd

/// When the daemon verifies the checksums of its store.
@Suite struct ChecksumTests {
  @Test("a repair is seen at once, however long the check took that found the damage")
  func repairAfterLongCheck() async throws {
    let folder = NSTemporaryDirectory() + "almanac-repair-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let root = CompositionRoot(options: try DaemonOptions.reading(["--store", folder]), environment: [:])
    let services = try root.services(over: ScriptedTransport([HTTPResponse(status: 503, url: "")]))
    _ = try await services.store.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Bool in
      try transaction.put(Array(#"{"id":"a","firstName":"Ada"}"#.utf8), id: "a", in: .people)
      return true
    }
    _ = try await services.store.compact()
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: folder).first {
        $0.hasPrefix("people.") && $0.hasSuffix(".records")
      })
    let whole = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
    func write(_ data: Data) throws {
      let file = try #require(FileHandle(forUpdatingAtPath: "\(folder)/\(name)"))
      try file.write(contentsOf: data)
      try file.close()
    }
    var damaged = whole
    damaged[damaged.count / 2] ^= 1
    try write(damaged)
    // Every look at the clock takes 100 s, and a check two looks.
    let health = Health(folder: folder, time: SlowClock(), logger: Logger(label: "test"), feed: nil)
    func isWell(_ wanted: Bool) async -> Bool {
      let end = Date().addingTimeInterval(60)
      while health.problems.isEmpty != wanted, Date() < end { await Task.yield() }
      return health.problems.isEmpty
    }
    health.checkFiles(services)
    #expect(await !isWell(false))
    try write(whole)
    health.checkFiles(services)
    #expect(await isWell(true))
  }

  /// A clock by which every look takes 100 s.
  private final class SlowClock: TimeSource {
    private let looks = Mutex(0)
    let now = Timestamp(secondsSinceEpoch: 1_000_000)
    var uptime: Duration {
      looks.withLock { looks in
        looks += 1
        return .seconds(100 * looks)
      }
    }
    func sleep(for duration: Duration) async throws(CancellationError) {}
  }
}
