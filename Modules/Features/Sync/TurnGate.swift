import Models
import Synchronization

/// An asynchronous lock per key, which waiting tasks acquire in the order of their requests.
final class TurnGate: Sendable {
  private struct Waiter {
    var id: Int
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var nextID = 0
    var taken: [ExactString: [Waiter]] = [:]
    /// Tasks that were cancelled before they began to wait.
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  init() {}

  /// Locks the key, waiting until it is free; `leave` unlocks it.
  ///
  /// - Throws: `CancellationError` if the task was cancelled first.
  func enter(_ key: String) async throws(CancellationError) {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let entered = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        let answer: Bool? = state.withLock { state in
          if state.cancelled.remove(id) != nil { return false }
          if state.taken[key.exact] == nil {
            state.taken[key.exact] = []
            return true
          }
          state.taken[key.exact]?.append(Waiter(id: id, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        if let index = state.taken[key.exact]?.firstIndex(where: { $0.id == id }) {
          return state.taken[key.exact]?.remove(at: index)
        }
        state.cancelled.insert(id)
        return nil
      }
      waiter?.continuation.resume(returning: false)
    }
    state.withLock { _ = $0.cancelled.remove(id) }
    if !entered { throw CancellationError() }
  }

  func leave(_ key: String) {
    let next = state.withLock { state -> Waiter? in
      guard var waiters = state.taken[key.exact] else { return nil }
      if waiters.isEmpty {
        state.taken[key.exact] = nil
        return nil
      }
      let first = waiters.removeFirst()
      state.taken[key.exact] = waiters
      return first
    }
    next?.continuation.resume(returning: true)
  }
}
