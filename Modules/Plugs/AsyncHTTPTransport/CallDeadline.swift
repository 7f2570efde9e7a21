import AsyncHTTPClient
import NIOCore
import Ports
import Synchronization

/// Ends calls that take longer than they may.
///
/// All calls have the same limit, so one timer serves them all: it waits for the oldest call's end, and where that is
/// over meanwhile, for the oldest of those that are under way then. A timer for each call would cost as much as the
/// rest of the exchange.
final class CallDeadline: Sendable {
  private struct Call {
    var end: ContinuousClock.Instant
    var task: HTTPClient.Task<HTTPResponse>
  }

  private struct State {
    var calls: [UInt64: Call] = [:]
    var next: UInt64 = 0
    var timer: Task<Void, Never>?
  }

  /// How long a call may take.
  let limit: Duration
  private let state = Mutex(State())

  init(_ limit: Duration) { self.limit = limit }

  deinit { state.withLock { $0.timer?.cancel() } }

  /// Waits for a call that was started; cancelling the caller cancels the call.
  ///
  /// - Throws: `Passed` where the limit was reached, and what the call throws.
  func response(of task: HTTPClient.Task<HTTPResponse>) async throws -> HTTPResponse {
    let end = ContinuousClock.now + limit
    let number = state.withLock { state in
      state.next += 1
      state.calls[state.next] = Call(end: end, task: task)
      if state.timer == nil { state.timer = timer(until: end) }
      return state.next
    }
    defer { state.withLock { _ = $0.calls.removeValue(forKey: number) } }
    return try await withTaskCancellationHandler {
      try await task.futureResult.get()
    } onCancel: {
      task.fail(reason: CancellationError())
    }
  }

  /// A call took longer than it may.
  struct Passed: Error {}

  private func timer(until end: ContinuousClock.Instant) -> Task<Void, Never> {
    // Not held by its own timer, so that it ends with the transport.
    Task { [weak self] in
      var next: ContinuousClock.Instant? = end
      while let end = next, (try? await Task.sleep(until: end, clock: .continuous)) != nil {
        next = self?.endLate()
      }
    }
  }

  /// Ends the calls whose time is over; gives the next one's time, or nothing where the timer is to stop.
  private func endLate() -> ContinuousClock.Instant? {
    let now = ContinuousClock.now
    let (late, next) = state.withLock { state in
      let late = state.calls.filter { $0.value.end <= now }
      for number in late.keys { state.calls[number] = nil }
      let next = state.calls.values.map(\.end).min()
      if next == nil { state.timer = nil }
      return (late.values.map(\.task), next)
    }
    for task in late { task.fail(reason: Passed()) }
    return next
  }
}
