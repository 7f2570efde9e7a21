import Models
import Synchronization
import Testing

@Suite struct ConcurrentMapTests {
  @Test(arguments: [1, 2, 5, .max]) func resultsAreInOrderAndNoMoreRunThanTheLimit(limit: Int) async {
    let running = Mutex((now: 0, most: 0))
    let values = await (0..<40).concurrentMap(limit: limit) { number in
      running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      for _ in 0..<(40 - number) { await Task.yield() }
      running.withLock { $0.now -= 1 }
      return number * 2
    }
    #expect(values == (0..<40).map { $0 * 2 })
    #expect(running.withLock { $0.most } <= limit)
  }

  @Test func theNextOperationRunsWhileTheFirstOneWaits() async {
    let (stream, ended) = AsyncStream<Void>.makeStream()
    let values = await [1, 2].concurrentMap(limit: 2) { number in
      if number == 1 { for await _ in stream {} } else { ended.finish() }
      return number
    }
    #expect(values == [1, 2])
  }
}
