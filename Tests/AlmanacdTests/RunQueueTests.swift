import Models
import Testing

@testable import almanacd

/// Runs that wait for their turn.
@Suite struct RunQueueTests {
  private let now = Timestamp(secondsSinceEpoch: 0)
  private let a = Follow(path: "a")
  private let b = Follow(path: "b")

  @Test("a run starts when its follows are at rest, and one that waits longer goes first")
  func order() {
    var queue = RunQueue()
    #expect(queue.add([a, b], id: "1", now: now) && queue.add([b], id: "2", now: now))
    #expect(queue.start(besides: ["a"], now: now) == nil)
    #expect(queue.start(besides: [], now: now)?.id == "1")
    #expect(queue.start(besides: [], now: now) == nil)
    queue.finish("1")
    #expect(queue.start(besides: [], now: now)?.id == "2")
    #expect(queue.paths == ["b"])
  }

  @Test("a run that failed without a report is remembered, and keeps no follow busy")
  func failure() {
    var queue = RunQueue()
    _ = queue.add([a], id: "1", now: now)
    _ = queue.start(besides: [], now: now)
    queue.fail("1", Failure(.store, .inputOutput, "no"), now: now + 1)
    #expect(queue["1"]?.state == .failed && queue.paths.isEmpty)
    #expect(queue["1"]?.fields["finishedAt"]?.string == "1970-01-01T00:00:01Z")
  }

  @Test("no more than 64 wait")
  func limit() {
    var queue = RunQueue()
    for number in 0..<64 {
      let isTaken = queue.add([a], id: "\(number)", now: now)
      #expect(isTaken)
    }
    let isOneMoreTaken = queue.add([b], id: "more", now: now)
    #expect(!isOneMoreTaken)
  }
}
