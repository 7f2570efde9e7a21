import AlmanacTesting
import Ports
import Testing

@testable import Persistence

@Suite("Writers of several processes are served in the order in which they came")
struct QueueTests {
  /// A process that wants the lock again and again.
  private final class Writer {
    let lock: LockFile
    var queue: WriterQueue?
    var hasLock = false
    var passedOver = 0
    /// When it looks, gives back or comes again.
    var wakes: Duration
    var since: Duration?
    var served = 0
    var longest = Duration.zero

    init(_ disk: Disk, wakes: Duration) throws {
      lock = try LockFile.open(on: disk)
      self.wakes = wakes
    }
  }

  /// Lets writers run on one clock, the next one to wake first, until somebody was served so often.
  ///
  /// - Parameters:
  ///   - hold: how long a commit takes.
  ///   - event: called before every step; it may take writers away.
  private func run(
    _ writers: inout [Writer], turns: Int, hold: Duration, chance: inout Chance, _ event: (Int, inout [Writer]) -> Void
  ) throws {
    var step = 0
    while writers.allSatisfy({ $0.served < turns }) {
      step += 1
      event(step, &writers)
      let writer = writers.min { $0.wakes < $1.wakes }!
      let now = writer.wakes
      if writer.hasLock {
        // It gives the lock back and wants it again at once, before anybody else looks.
        writer.lock.unlock()
        writer.hasLock = false
        writer.since = nil
      }
      if writer.queue == nil {
        writer.since = now
        writer.queue = WriterQueue(lock: writer.lock, passedOver: writer.passedOver)
      }
      if writer.queue!.isNext(at: now), try writer.lock.tryLock() {
        writer.passedOver = writer.queue!.nowPassedOver
        writer.queue!.leave()
        writer.queue = nil
        writer.hasLock = true
        writer.served += 1
        writer.longest = max(writer.longest, now - writer.since!)
        writer.wakes = now + hold
      } else {
        writer.queue!.enter(at: now)
        // A busy machine wakes nobody in time.
        writer.wakes = now + writer.queue!.pause + .microseconds(chance.below(2000))
      }
    }
  }

  private func writers(_ count: Int, on disk: Disk) throws -> [Writer] {
    try (0..<count).map { try Writer(disk, wakes: .seconds(1) + .microseconds($0 * 10)) }
  }

  private func disk() throws -> Disk {
    let disk = Disk(system: InMemoryFileSystem())
    _ = try disk.openFolder(create: true)
    return disk
  }

  @Test(arguments: [2, 3, 16, 64])
  func nobodyFallsBehind(_ count: Int) throws {
    var chance = Chance(UInt64(count))
    var writers = try writers(count, on: try disk())
    // Longer commits than what anybody may be overtaken for.
    try run(&writers, turns: 25, hold: .milliseconds(12), chance: &chance) { _, _ in }
    for writer in writers { #expect(writer.served >= 23) }
  }

  @Test("who is overtaken by short commits waits no longer than all others take")
  func shortCommits() throws {
    var chance = Chance(5)
    var writers = try writers(2, on: try disk())
    try run(&writers, turns: 1000, hold: .microseconds(100), chance: &chance) { _, _ in }
    for writer in writers {
      #expect(writer.served > 500)
      #expect(writer.longest < .milliseconds(25))
    }
  }

  @Test func theKilledAreNotWaitedFor() throws {
    var chance = Chance(9)
    var deaths = Chance(10)
    var writers = try writers(40, on: try disk())
    try run(&writers, turns: 100, hold: .milliseconds(12), chance: &chance) { step, writers in
      // A process ends: with the lock, in the queue or before either.
      if step % 50 == 0, writers.count > 8 { writers.remove(at: deaths.below(writers.count)) }
    }
    #expect(writers.count == 8)
    // Everybody's turn comes after those of at most forty others, which take 15 ms with the time to wake.
    for writer in writers { #expect(writer.longest < .milliseconds(40 * 15)) }
  }

  @Test func whoWasStoppedIsPassedOver() throws {
    var chance = Chance(3)
    let disk = try disk()
    var writers = try writers(8, on: disk)
    // One that stands in the queue and never looks again.
    let stopped = try Writer(disk, wakes: .seconds(1_000_000))
    var queue = WriterQueue(lock: stopped.lock, passedOver: 0)
    queue.enter(at: .milliseconds(900))
    try run(&writers, turns: 100, hold: .milliseconds(12), chance: &chance) { _, _ in }
    #expect(queue.ticket != nil)
    for writer in writers {
      #expect(writer.served >= 95)
      // Once: each finds out for itself, in half a second, and they one after another.
      #expect(writer.longest < .seconds(5))
    }
  }
}
