import Synchronization

/// Lets the tasks of one process write one after another, in the order in which they came.
final class Turn: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var next = 0
  }

  private let state = Mutex(State())

  /// Waits for the turn.
  func take() async {
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

  /// Hands the turn to the next one.
  func give() {
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
