import AlmanacTesting
import Foundation
import Models
import Persistence
import Ports
import Testing

@Suite("What another process commits")
struct OtherProcessTests {
  private func worker(commits: Int, in folder: TemporaryFolder) throws -> Process {
    let worker = Process()
    worker.executableURL = URL(filePath: try Program("storeworker").path)
    worker.arguments = ["commits", folder.path + "/store", "\(commits)", "w"]
    worker.standardOutput = Pipe()
    try worker.run()
    return worker
  }

  @Test("is handed on without polling", .timeLimit(.minutes(5)))
  func observed() async throws {
    let folder = TemporaryFolder()
    // The store does not exist yet, and its clock never sleeps: whatever comes is reported by the system.
    let time = ManualTime()
    let store = try JSONFileStore(folder: folder.path + "/store", time: time)
    var changes = store.changes(after: nil).makeAsyncIterator()
    let worker = try worker(commits: 3, in: folder)
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
    try worker(commits: 1, in: folder).waitUntilExit()
    let lock = Lock(path: folder.path + "/store/lock")
    defer { lock.unlock() }
    let store = try JSONFileStore(folder: folder.path + "/store", time: ManualTime())
    await expectError(.busy, saying: "another process is writing") { try await store.put("b") }
  }
}
