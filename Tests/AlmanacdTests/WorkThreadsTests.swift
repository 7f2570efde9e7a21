import Glibc
import Testing

@testable import almanacd

/// Threads for what may wait for a disk.
@Suite struct WorkThreadsTests {
  private struct Broken: Error {}

  /// The name of this thread, which threads of ours give to nobody else.
  private static var thread: UInt { UInt(pthread_self()) }

  @Test("what runs on threads of our own runs there from its first line on, also after waiting and in actors")
  func place() async throws {
    actor Counter { func thread() -> UInt { WorkThreadsTests.thread } }
    let (threads, counter) = (WorkThreads(most: 1), Counter())
    // One line alone, as the routes have it: nothing else may be what makes it change threads.
    let own = try await threads.run { Self.thread }
    let inside = try await threads.run { () async throws -> [UInt] in
      let first = Self.thread
      await Task.yield()
      return [first, Self.thread, await counter.thread()]
    }
    #expect(inside == [own, own, own])
    let call: @Sendable () async throws -> UInt = { Self.thread }
    #expect(try await threads.run { try await call() } == own)
    #expect(try await Self.elsewhere { try await threads.run { try await call() } } == own)
    #expect(try await Self.elsewhere(call) != own)
  }

  @concurrent private static func elsewhere(_ body: @Sendable () async throws -> UInt) async throws -> UInt {
    try await body()
  }

  @Test("errors come back, and who is cancelled cancels what runs there")
  func ends() async throws {
    let threads = WorkThreads(most: 1)
    await #expect(throws: Broken.self) { try await threads.run { throw Broken() } }
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await threads.run {
        start.finish()
        while !Task.isCancelled { await Task.yield() }
        return true
      }
    }
    for await _ in started {}
    task.cancel()
    #expect(try await task.value)
  }
}
