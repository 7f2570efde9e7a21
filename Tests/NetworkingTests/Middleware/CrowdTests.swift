import AlmanacTesting
import Models
import Networking
import Parsing
import Ports
import Synchronization
import Testing

/// The combined behaviour of ten thousand clients, under simulated clocks.
@Suite struct CrowdTests {
  @Test func jitterIsUniform() async throws {
    // 10,000 programs, each with a clock of its own, meet a server that fails three times.
    let random = SeededRandom(seed: 42)
    let policy = RetryPolicy(base: .seconds(1), cap: .seconds(100), timeout: nil)
    var buckets = [Int](repeating: 0, count: 10)
    for _ in 0..<10_000 {
      let time = ManualTime()
      let network = RetryTests.answers(503, 503, 503, 200)
      let stack = TransportStack(network, [Retry(policy, time: time, random: random)])
      _ = try await stack.send(HTTPRequest(.get, "http://h/"))
      for (index, sleep) in time.sleeps.enumerated() {
        let share = sleep / .seconds(1 << index)
        buckets[min(9, Int(share * 10))] += 1
      }
    }
    let expected = Double(buckets.reduce(0, +)) / 10
    let worst = buckets.map { abs(Double($0) - expected) / expected }.max() ?? 1
    print("jitter: \(Int(expected * 10)) waits in 10 buckets, worst \((worst * 1000).rounded() / 10) % from uniform")
    #expect(expected == 3000 && worst < 0.05)
  }

  @Test func retriesStayATenth() async {
    // 10,000 requests of one program to a server that always fails.
    let time = ManualTime()
    let network = RetryTests.answers(503)
    let stack = TransportStack(network, [Retry(.interactive, time: time, random: SeededRandom())])
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<10 {
        group.addTask { for _ in 0..<1000 { _ = try? await stack.send(HTTPRequest(.get, "http://h/")) } }
      }
    }
    let retries = network.requests.count - 10_000
    print("retry budget: \(retries) retries for 10,000 requests")
    #expect(retries > 900 && Double(retries) <= 0.1 * Double(network.requests.count))
  }

  @Test func rollingHourHoldsAcrossRestarts() async throws {
    // 1,000 calls of a tenth of the hour, with a new process every 50 calls that shares only the store.
    let time = ManualTime()
    let store = InMemoryRecordStore()
    let budget = RateBudget(name: "flickr", calls: 360, window: Interval(seconds: 360))
    let calls = Mutex<[Int]>([])
    let network = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      calls.withLock { $0.append(time.now.secondsSinceEpoch) }
      return HTTPResponse(status: 200, url: request.url)
    }
    let random = SeededRandom(seed: 3)
    for _ in 0..<20 {
      let ledger = StoredBudgetLedger(store: store, coder: JSONRecordCoder())
      let stack = TransportStack(network, [RateBudgetMiddleware(ledger, longestWait: 7200, time: time)])
      for _ in 0..<50 {
        time.advance(by: .milliseconds(Int(random.next() % 1000)))
        _ = try await stack.send(HTTPRequest(.get, "http://h/", budget: budget))
      }
    }
    let times = calls.withLock { $0 }
    var start = 0
    var most = 0
    for end in times.indices {
      while times[end] - times[start] >= 360 { start += 1 }
      most = max(most, end - start + 1)
    }
    print("rolling hour: \(times.count) calls in \(times[999] - times[0]) s, at most \(most) in any six minutes")
    #expect(times.count == 1000 && most <= 360)
  }
}

/// Calls a closure for every request.
struct Counter: HTTPMiddleware {
  let count: @Sendable () -> Void

  func intercept(_ request: HTTPRequest, next: @escaping HTTPNext) async throws(TransportError) -> HTTPResponse {
    count()
    return try await next(request)
  }
}

/// Makes callers wait until it is opened.
final class Gate: Sendable {
  private let state = Mutex<(isOpen: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}
