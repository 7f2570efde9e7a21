import Synchronization

/// Excludes the tasks of one process from one another, first come, first served.
final class WriteMutex: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var next = 0
  }

  private let state = Mutex(State())

  /// Waits until the mutex is free, and takes it.
  func lock() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.isTaken else {
          state.isTaken = true
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  /// Hands the mutex to the next task that waits.
  func unlock() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.next < state.waiting.count else {
        state.isTaken = false
        state.waiting.removeAll(keepingCapacity: true)
        state.next = 0
        return nil
      }
      state.next += 1
      let next = state.waiting[state.next - 1]
      if state.next == 1024 {
        state.waiting.removeFirst(state.next)
        state.next = 0
      }
      return next
    }
    next?.resume()
  }
}
