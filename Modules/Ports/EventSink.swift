public import Models

/// Receives the events of modules, which do not log or print themselves.
///
/// Any number of tasks may report at the same time. A sink receives the events of one task in order. Events of two
/// tasks are ordered only if one was reported before the report of the other began. A sink with limited memory
/// documents its limit and drops the oldest events. A sink without receivers drops all events.
public protocol EventSink: Sendable {
  /// Receives an event. It returns promptly without waiting for receivers and never fails, whatever text and numbers
  /// the event contains, because they may come from a server.
  func report(_ event: Event)
}

public enum Event: Hashable, Sendable {
  /// A request is sent; `attempt` counts from 1.
  case requestStarted(method: String, url: String, attempt: Int)
  case requestFinished(method: String, url: String, status: Int, bytes: Int, duration: Duration)
  case requestFailed(method: String, url: String, code: TransportError.Code, duration: Duration)
  case retryScheduled(url: String, attempt: Int, delay: Duration, reason: String)
  case budgetWait(name: String, seconds: Int)
  case budgetTaken(name: String, remaining: Int)
  /// A circuit breaker changed its state; `pause` is the seconds until a request probes the host; `nil` for none.
  case breakerChanged(host: String, state: CircuitState, pause: Int? = nil)
  case redirect(from: String, to: String, followed: Bool)
  case syncStarted(run: String, follows: [String])
  case followStarted(follow: String)
  case pageCommitted(follow: String, done: Int, total: Int?)
  case rejected(follow: String, path: String, expected: String, found: String)
  case followFinished(report: FollowReport, duration: Duration)
  case syncFinished(run: String, report: SyncReport)
  case edit(id: String, target: String, outcome: EditOutcome)
  case picture(done: Int, total: Int)
  case compacted(bytes: Int, duration: Duration)
  /// A program that a source runs printed a line on standard error. It has no secrets.
  case program(source: String, line: String)
  /// Work that nobody waits for failed: `what` names it.
  case failed(what: String, failure: Failure)
  case warning(message: Advice)
}

public enum EditOutcome: String, Sendable, CaseIterable {
  case accepted
  /// The remote has the edited values already, so nothing is left to send.
  case settled
  /// The remote had a newer record; the edit is sent based on that record.
  case merged
  case pending
  /// The remote changed the same field, or one side removed the record.
  case conflict
  case refused
  /// The remote made the new record, and what it answered cannot be read.
  case made
  case waiting
  /// The edit was sent, and no response arrived.
  case unknown
  case retry
  case discarded
  case resolvedMine = "resolved-mine"
  case resolvedTheirs = "resolved-theirs"
  case resolvedByField = "resolved-by-field"

  public init(_ state: OutboxEntry.State) {
    self =
      switch state {
      case .pending: .pending
      case .conflict: .conflict
      case .refused: .refused
      }
  }
}

public enum CircuitState: String, Sendable, CaseIterable {
  case closed
  case open
  /// One request probes the host.
  case halfOpen
}
