import Synchronization

/// One result that several tasks race for; the first one counts and one waiter gets it.
package final class Race<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Value, Never>)
    case finished(Value)
    case taken
  }

  private let state = Mutex(State.open)

  /// A race that nobody has won yet.
  package init() {}

  /// Gives the result; later ones are passed over.
  package func finish(_ value: Value) {
    let waiter: CheckedContinuation<Value, Never>? = state.withLock { state in
      switch state {
      case .open:
        state = .finished(value)
        return nil
      case .waiting(let continuation):
        state = .taken
        return continuation
      case .finished, .taken:
        return nil
      }
    }
    waiter?.resume(returning: value)
  }

  /// Waits for the first result. Only one task may wait, once.
  package func result() async -> Value {
    await withCheckedContinuation { continuation in
      let value: Value? = state.withLock { state in
        if case .finished(let value) = state {
          state = .taken
          return value
        }
        state = .waiting(continuation)
        return nil
      }
      if let value { continuation.resume(returning: value) }
    }
  }
}
