public import Models

/// Takes what the modules report: they log nothing and print nothing themselves.
///
/// Any number of tasks may report at the same time. The events of one of them are taken in its order; between two of
/// them there is no order but that of an event which was reported before another one began to be. A sink that cannot
/// keep everything that nobody takes says how much it keeps, and loses the oldest. Where nobody is left to tell, a sink
/// drops what it is told.
public protocol EventSink: Sendable {
  /// Takes one event. It returns soon, waits for nobody who is told, and never fails, whatever texts and numbers the
  /// event brings along: they may come from a server.
  func report(_ event: Event)
}

/// Something that happened.
public enum Event: Hashable, Sendable {
  /// A request goes out; `attempt` counts from 1.
  case requestStarted(method: String, url: String, attempt: Int)
  /// An answer came.
  case requestFinished(method: String, url: String, status: Int, bytes: Int, duration: Duration)
  /// There was no answer.
  case requestFailed(method: String, url: String, code: TransportError.Code, duration: Duration)
  /// The same request will be sent again after a while, as try number `attempt`.
  case retryScheduled(url: String, attempt: Int, delay: Duration, reason: String)
  /// A call waits for its rate budget.
  case budgetWait(name: String, seconds: Int)
  /// A call was taken out of a rate budget.
  case budgetTaken(name: String, remaining: Int)
  /// A circuit breaker changed: `closed`, `open`, `halfOpen`.
  case breakerChanged(host: String, state: String)
  /// A redirect was followed or refused.
  case redirect(from: String, to: String, followed: Bool)
  /// A sync begins.
  case syncStarted(run: String, follows: [String])
  /// A follow begins.
  case followStarted(follow: String)
  /// A page was committed; `done` of `total` records, where the total is known.
  case pageCommitted(follow: String, done: Int, total: Int?)
  /// A record was set aside.
  case rejected(follow: String, path: String, expected: String, found: String)
  /// A follow ended.
  case followFinished(report: FollowReport, duration: Duration)
  /// A sync ended.
  case syncFinished(run: String, report: SyncReport)
  /// An edit was sent, refused or met a conflict.
  case edit(id: String, target: String, outcome: String)
  /// The store was compacted.
  case compacted(bytes: Int, duration: Duration)
  /// Something that somebody should know and that stops nothing.
  case warning(message: String)
}
