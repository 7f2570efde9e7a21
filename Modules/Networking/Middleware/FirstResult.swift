import Synchronization

/// A value that several tasks may deliver and one task waits for. The first value delivered is used.
package final class FirstResult<Value: Sendable>: Sendable {
  private enum State {
    case pending
    case waiting(CheckedContinuation<Value, Never>)
    case resolved(Value)
    case consumed
  }

  private let state = Mutex(State.pending)

  package init() {}

  /// Delivers the value. Later values are ignored.
  package func resolve(_ value: Value) {
    let waiter: CheckedContinuation<Value, Never>? = state.withLock { state in
      switch state {
      case .pending:
        state = .resolved(value)
        return nil
      case .waiting(let continuation):
        state = .consumed
        return continuation
      case .resolved, .consumed: return nil
      }
    }
    waiter?.resume(returning: value)
  }

  /// Waits for the first value. Only one task may wait, once.
  package func value() async -> Value {
    await withCheckedContinuation { continuation in
      let value: Value? = state.withLock { state in
        if case .resolved(let value) = state {
          state = .consumed
          return value
        }
        state = .waiting(continuation)
        return nil
      }
      if let value { continuation.resume(returning: value) }
    }
  }
}
