import AlmanacTesting
import Foundation
import Models
import Persistence
import Ports
import Testing

@Suite("What another process commits")
struct OtherProcessTests {
  @Test("is handed on without polling", .timeLimit(.minutes(5)))
  func observed() async throws {
    let folder = TemporaryFolder()
    // The store does not exist yet, and its clock never sleeps: whatever comes is reported by the system.
    let time = ManualTime()
    let store = try JSONFileStore(folder: folder.path + "/store", time: time)
    var changes = store.changes(after: nil).makeAsyncIterator()
    let worker = Process()
    worker.executableURL = URL(filePath: try Program("storeworker").path)
    worker.arguments = ["commits", folder.path + "/store", "3", "w"]
    worker.standardOutput = Pipe()
    try worker.run()
    var found: Set<String> = []
    while found.count < 5, let batch = try await changes.next() {
      found.formUnion(batch.map { "\($0.collection)/\($0.id)" })
    }
    worker.waitUntilExit()
    #expect(worker.terminationStatus == 0)
    #expect(found == ["people/left", "people/right", "apps/w-1", "apps/w-2", "apps/w-3"])
    #expect(time.sleeps.isEmpty)
  }

  @Test("is not in progress once it has ended, when a lock is held by somebody else", .timeLimit(.minutes(5)))
  func ended() async throws {
    let folder = TemporaryFolder()
    let worker = Process()
    worker.executableURL = URL(filePath: try Program("storeworker").path)
    worker.arguments = ["commits", folder.path + "/store", "1", "w"]
    worker.standardOutput = Pipe()
    try worker.run()
    worker.waitUntilExit()
    let lock = Lock(path: folder.path + "/store/lock")
    defer { lock.unlock() }
    let store = try JSONFileStore(folder: folder.path + "/store", time: ManualTime())
    await #expect { try await store.put("b") } throws: {
      ($0 as? StoreError)?.message.hasPrefix("another process is writing") == true
    }
  }
}
