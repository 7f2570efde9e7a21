import Ports
import Synchronization

/// Ends calls that take longer than they may, or in which nothing moves for too long.
///
/// All calls have the same limits, so one timer serves them all: it waits until the first of them can be late, and looks
/// again. A timer for each call, set anew with every piece, would cost as much as the rest of the exchange.
final class CallWatch: Sendable {
  private struct Call {
    var end: ContinuousClock.Instant
    var reception: Reception
  }

  private struct State {
    var calls: [UInt64: Call] = [:]
    var next: UInt64 = 0
    var timer: Task<Void, Never>?
    var isClosed = false
  }

  /// How long a call may take.
  let limit: Duration
  /// How long nothing may move between the moment at which a request is sent and the end of its answer.
  let silence: Duration
  private let state = Mutex(State())

  init(limit: Duration, silence: Duration) {
    self.limit = limit
    self.silence = silence
  }

  deinit { state.withLock { $0.timer?.cancel() } }

  /// From now on calls may be refused without a word to their reception.
  func close() { state.withLock { $0.isClosed = true } }

  /// Waits for the answer of a call that was started; cancelling the caller cancels the call.
  ///
  /// - Throws: `Late` where a limit was reached, and what the call throws.
  func response(of reception: Reception) async throws -> HTTPResponse {
    let now = ContinuousClock.now
    let (number, isClosed) = state.withLock { state in
      state.next += 1
      state.calls[state.next] = Call(end: now + limit, reception: reception)
      if state.timer == nil { state.timer = timer(until: now + min(limit, silence)) }
      return (state.next, state.isClosed)
    }
    defer { state.withLock { _ = $0.calls.removeValue(forKey: number) } }
    if isClosed { reception.watchTask() }
    return try await withTaskCancellationHandler {
      try await reception.response()
    } onCancel: {
      reception.fail(CancellationError())
    }
  }

  /// Why a call was ended.
  enum Late: Error {
    /// It took longer than it may.
    case passed
    /// Nothing moved for too long.
    case silent
  }

  private func timer(until end: ContinuousClock.Instant) -> Task<Void, Never> {
    // Not held by its own timer, so that it ends with the transport.
    Task { [weak self] in
      var next: ContinuousClock.Instant? = end
      while let end = next, (try? await Task.sleep(until: end, clock: .continuous)) != nil {
        next = self?.endLate()
      }
    }
  }

  /// Ends the calls whose time is over; gives the next time to look, or nothing where the timer is to stop.
  private func endLate() -> ContinuousClock.Instant? {
    let now = ContinuousClock.now
    let (late, next) = state.withLock { state in
      var late: [(Reception, Late)] = []
      // A call that begins to be sent after this look cannot be late before.
      var next = now + min(limit, silence)
      for (number, call) in state.calls {
        let silent = call.reception.lastMove.map { $0 + silence }
        if call.end <= now || silent.map({ $0 <= now }) == true {
          late.append((call.reception, call.end <= now ? .passed : .silent))
          state.calls[number] = nil
        } else {
          next = min(next, call.end, silent ?? call.end)
        }
      }
      guard !state.calls.isEmpty else {
        state.timer = nil
        return (late, ContinuousClock.Instant?.none)
      }
      return (late, next)
    }
    for (reception, reason) in late { reception.fail(reason) }
    return next
  }
}
