import Ports
import Synchronization

/// Fails exchanges that exceed the total time limit, or that make no progress for too long.
///
/// All exchanges have the same limits, so one timer serves them all: it sleeps until the first of them can time out and
/// looks again. A timer per exchange, reset with every piece, would cost as much as the rest of a small exchange.
final class TimeoutMonitor: Sendable {
  private struct Entry {
    var deadline: ContinuousClock.Instant
    var collector: ResponseCollector
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    var lastID: UInt64 = 0
    var timer: Task<Void, Never>?
    var isClosed = false
  }

  let limit: Duration
  /// The longest pause between sending a request and the end of its response.
  let idleLimit: Duration
  private let state = Mutex(State())

  init(limit: Duration, silence: Duration) { (self.limit, idleLimit) = (limit, silence) }

  deinit { state.withLock { $0.timer?.cancel() } }

  /// Declares that the clients shut down: they may then reject a request without calling its collector.
  func close() { state.withLock { $0.isClosed = true } }

  /// Waits for the response of an exchange that was started. Cancelling the caller cancels the exchange.
  ///
  /// - Throws: `Timeout`, and the errors of the exchange.
  func response(of collector: ResponseCollector) async throws -> HTTPResponse {
    let now = ContinuousClock.now
    let (id, isClosed) = state.withLock { state in
      state.lastID += 1
      state.entries[state.lastID] = Entry(deadline: now + limit, collector: collector)
      if state.timer == nil { state.timer = timer(until: now + min(limit, idleLimit)) }
      return (state.lastID, state.isClosed)
    }
    defer { state.withLock { _ = $0.entries.removeValue(forKey: id) } }
    if isClosed { collector.observeTask() }
    return try await withTaskCancellationHandler {
      try await collector.response()
    } onCancel: {
      collector.fail(CancellationError())
    }
  }

  enum Timeout: Error {
    case total
    case idle
  }

  private func timer(until end: ContinuousClock.Instant) -> Task<Void, Never> {
    // A strong reference would keep the transport alive as long as its own timer.
    Task { [weak self] in
      var next: ContinuousClock.Instant? = end
      while let end = next {
        do { try await Task.sleep(until: end, clock: .continuous) } catch { return }
        next = self?.failExpired()
      }
    }
  }

  /// Fails the exchanges whose time is over; returns the next time to look, `nil` to stop the timer.
  private func failExpired() -> ContinuousClock.Instant? {
    let now = ContinuousClock.now
    let (expired, next) = state.withLock { state in
      var expired: [(ResponseCollector, Timeout)] = []
      // An exchange that starts after this look cannot expire before.
      var next = now + min(limit, idleLimit)
      for (id, entry) in state.entries {
        let idleDeadline = entry.collector.lastActivity.map { $0 + idleLimit }
        if entry.deadline <= now || idleDeadline.map({ $0 <= now }) == true {
          expired.append((entry.collector, entry.deadline <= now ? .total : .idle))
          state.entries[id] = nil
        } else {
          next = min(next, entry.deadline, idleDeadline ?? entry.deadline)
        }
      }
      guard !state.entries.isEmpty else {
        state.timer = nil
        return (expired, ContinuousClock.Instant?.none)
      }
      return (expired, next)
    }
    for (collector, reason) in expired { collector.fail(reason) }
    return next
  }
}
