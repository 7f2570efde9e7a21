import Ports
import Synchronization

/// Holds an answer back until a test lets it go.
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

  /// The most requests that were under way at the same time.
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
