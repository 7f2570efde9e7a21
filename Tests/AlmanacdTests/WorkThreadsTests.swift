import CLibrary
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
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

  @Test("threads that began because others waited end after a rest, and jobs still find one")
  func surplus() async throws {
    let threads = WorkThreads(most: 8, active: 1, rest: 10)
    let gate = Monitor(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<5 {
        group.addTask { try await threads.run { gate.wait { $0 ? () : nil } } }
      }
      // Each waits, as for a disk: one more begins, until the sixth opens the gate.
      while threads.count < 5 { await Task.yield() }
      try await threads.run {
        gate.withLock { $0 = true }
        for _ in 0..<5 { gate.signal { _ in ((), true) } }
      }
      try await group.waitForAll()
    }
    while threads.count > 1 { await Task.yield() }
    for number in 0..<100 { #expect(try await threads.run { number } == number) }
    // A busy machine may have let others begin again.
    while threads.count > 1 { await Task.yield() }
  }

  @Test("a connection is served on the thread of its event loop, and comes back to it from a thread that may wait")
  func eventLoop() async throws {
    struct Connection: ServerChildChannel {
      let found: AsyncStream<[Bool]>.Continuation

      func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeSucceededFuture(Value(channel: channel))
      }

      func handle(value: Value, logger: Logger) async {
        let loop = value.channel.eventLoop
        let before = loop.inEventLoop
        let aside = try? await WorkThreads(most: 1).run { loop.inEventLoop }
        found.yield([before, aside ?? true, loop.inEventLoop])
      }
    }
    struct Value: ServerChildChannelValue { let channel: any Channel }
    let channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .bind(host: "127.0.0.1", port: 0).get()
    let (found, continuation) = AsyncStream.makeStream(of: [Bool].self)
    await OnEventLoop(connection: Connection(found: continuation))
      .handle(value: Value(channel: channel), logger: Logger(label: "test"))
    for await places in found.prefix(1) { #expect(places == [true, false, true]) }
    try await channel.close()
  }

  @Test("threads that wait for a disk are replaced, up to the maximum; without one that waits, few work")
  func blocked() async throws {
    let (threads, disk) = (WorkThreads(most: 4, active: 1), Monitor(false))
    let free: @Sendable () async throws -> UInt = { Self.thread }
    var seen: Set<UInt> = []
    for _ in 0..<100 { seen.insert(try await threads.run(free)) }
    #expect(seen.count == 1)
    try await withThrowingTaskGroup(of: Void.self) { group in
      let (waiting, wait) = AsyncStream.makeStream(of: Void.self)
      for _ in 0..<3 {
        group.addTask {
          try await threads.run {
            wait.yield()
            disk.wait { $0 ? () : nil }
          }
        }
      }
      for await _ in waiting.prefix(3) {}
      seen.insert(try await threads.run(free))
      #expect(seen.count == 2)
      for _ in 0..<3 {
        disk.signal { isFree -> (result: Void, wakes: Bool) in
          isFree = true
          return ((), true)
        }
      }
      try await group.waitForAll()
    }
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
