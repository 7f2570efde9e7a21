import AlmanacTesting
import Ports
import Synchronization

/// Decides at random which requests fail.
final class FaultDice: Sendable {
  private struct State {
    var odds = 0.0
    var count = 0
  }

  private let random: SeededRandom
  private let faults: [FakeSourceServer.Fault]
  private let state = Mutex(State())

  init(_ random: SeededRandom, faults: [FakeSourceServer.Fault] = FakeSourceServer.Fault.allCases) {
    self.random = random
    self.faults = faults
  }

  /// The average number of requests per fault; 0 for no faults.
  var odds: Double {
    get { state.withLock { $0.odds } }
    set { state.withLock { $0.odds = newValue } }
  }

  /// The number of faults so far.
  var count: Int { state.withLock { $0.count } }

  func next(_ request: HTTPRequest) -> FakeSourceServer.Fault {
    state.withLock { state in
      guard state.odds > 0, Double(random.below(1_000_000)) * state.odds < 1_000_000 else { return .none }
      let fault = random.pick(faults)
      if fault != .none { state.count += 1 }
      return fault
    }
  }
}

/// Delays a response until a test releases it.
final class SlowTransport: HTTPTransport {
  private struct State {
    var isArmed = false
    var isHeld = false
    var waiting: CheckedContinuation<Void, Never>?
    var watcher: CheckedContinuation<Void, Never>?
    var running = 0
    var most = 0
  }

  private let inner: any HTTPTransport
  private let state = Mutex(State())

  init(_ inner: any HTTPTransport) { self.inner = inner }

  /// The largest number of concurrent requests.
  var most: Int { state.withLock { $0.most } }

  func holdNextAnswer() { state.withLock { $0.isArmed = true } }

  func waitUntilHeld() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let isHeld = state.withLock { state in
        if !state.isHeld { state.watcher = continuation }
        return state.isHeld
      }
      if isHeld { continuation.resume() }
    }
  }

  func release() {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    state.withLock { state in
      state.running += 1
      state.most = max(state.most, state.running)
    }
    defer { state.withLock { $0.running -= 1 } }
    let response = try await inner.send(request)
    let isArmed = state.withLock { state in
      defer { state.isArmed = false }
      return state.isArmed
    }
    if isArmed {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let watcher = state.withLock { state in
          state.waiting = continuation
          state.isHeld = true
          defer { state.watcher = nil }
          return state.watcher
        }
        watcher?.resume()
      }
    } else {
      for _ in 0..<5 { await Task.yield() }
    }
    return response
  }
}
