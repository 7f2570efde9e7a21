import Logging
import Models
import Ports
import Synchronization

/// Hands every event to all listeners: the log, the metrics, and open event streams.
final class EventHub: EventSink {
  private struct State {
    var sinks: [any EventSink] = []
    var streams: [Int: AsyncStream<Event>.Continuation] = [:]
    var nextStream = 0
  }

  private let state: Mutex<State>

  /// A hub for listeners that stay.
  init(_ sinks: [any EventSink]) { state = Mutex(State(sinks: sinks)) }

  /// Adds a listener that stays.
  func add(_ sink: any EventSink) { state.withLock { $0.sinks.append(sink) } }

  func report(_ event: Event) {
    let (sinks, streams) = state.withLock { ($0.sinks, Array($0.streams.values)) }
    for sink in sinks { sink.report(event) }
    for stream in streams { stream.yield(event) }
  }

  /// A listener that comes and goes; one that is slow loses the oldest events.
  func listen() -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(256))
    let number = state.withLock { state in
      state.nextStream += 1
      state.streams[state.nextStream] = continuation
      return state.nextStream
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.streams.removeValue(forKey: number) }
    }
    return stream
  }
}

/// Writes events to the log. A record that is rejected by every sync is logged once, as long as it lasts.
final class EventLog: EventSink {
  /// Where they go.
  private let logger: Logger
  private let rejects = Mutex(LastingRejects())

  /// A log of events.
  init(logger: Logger) { self.logger = logger }

  func report(_ event: Event) {
    switch event {
    case .followFinished(let report, let duration): log(report, duration)
    case .syncFinished(_, let report):
      if let unsent = report.outbox.unsent { log(unsent: unsent, report.outbox.pending) }
    case .warning(let message): logger.warning("\(message)")
    case .retryScheduled(let url, let attempt, let delay, let reason):
      logger.info(
        "sends again",
        metadata: [
          "url": "\(url)", "try": .stringConvertible(attempt), "in": .stringConvertible(delay), "why": "\(reason)",
        ])
    case .budgetWait(let name, let seconds):
      logger.info("waits for a rate budget", metadata: ["budget": "\(name)", "seconds": .stringConvertible(seconds)])
    case .breakerChanged(let host, let state):
      logger.warning("circuit breaker", metadata: ["host": "\(host)", "state": "\(state.rawValue)"])
    case .edit(let id, let target, let outcome):
      logger.info("edit", metadata: ["id": "\(id)", "target": "\(target)", "outcome": "\(outcome.rawValue)"])
    case .rejected(let follow, let path, let expected, let found):
      guard rejects.withLock({ $0.isNew("\(path) \(expected) \(found)", of: follow) }) else { return }
      logger.notice(
        "record rejected",
        metadata: ["follow": "\(follow)", "path": "\(path)", "expected": "\(expected)", "found": "\(found)"])
    case .compacted(let bytes, let duration):
      logger.info(
        "compacted", metadata: ["bytes": .stringConvertible(bytes), "duration": .stringConvertible(duration)])
    case .requestFinished(let method, let url, let status, let bytes, let duration):
      logger.debug(
        "request",
        metadata: [
          "method": "\(method)", "url": "\(url)", "status": .stringConvertible(status),
          "bytes": .stringConvertible(bytes), "duration": .stringConvertible(duration),
        ])
    case .requestFailed(let method, let url, let code, let duration):
      logger.debug(
        "request failed",
        metadata: [
          "method": "\(method)", "url": "\(url)", "code": "\(code.rawValue)", "duration": .stringConvertible(duration),
        ])
    default: break
    }
  }

  /// Why edits wait; also where only warnings are logged, as under cron.
  private func log(unsent: Failure, _ count: Int) {
    var metadata: Logger.Metadata = ["edits": .stringConvertible(count), "error": "\(unsent.message)"]
    metadata["url"] = unsent.url.map { "\($0)" }
    metadata["hint"] = unsent.hint.map { "\($0)" }
    logger.warning("edits could not be sent", metadata: metadata)
  }

  private func log(_ report: FollowReport, _ duration: Duration) {
    rejects.withLock { $0.finish(report) }
    var metadata: Logger.Metadata = [
      "follow": "\(report.follow)", "status": "\(report.status.rawValue)",
      "added": .stringConvertible(report.counts.added), "updated": .stringConvertible(report.counts.updated),
      "removed": .stringConvertible(report.counts.removed), "rejected": .stringConvertible(report.counts.rejected),
      "requests": .stringConvertible(report.counts.requests), "duration": .stringConvertible(duration),
    ]
    if let error = report.error {
      metadata["error"] = "\(error.message)"
      metadata["hint"] = error.hint.map { "\($0)" }
      logger.warning("sync failed", metadata: metadata)
    } else {
      logger.info("synced", metadata: metadata)
    }
  }
}

/// The rejected records of each follow that were reported already.
private struct LastingRejects {
  /// How many are remembered for each follow; later ones are reported every time.
  static let most = 1000

  private var known: [ExactString: Set<ExactString>] = [:]
  /// Those of the sync that is under way.
  private var present: [ExactString: Set<ExactString>] = [:]

  /// Records a rejected record. Returns whether it is new: not rejected in the previous sync or earlier in this one.
  mutating func isNew(_ text: String, of follow: String) -> Bool {
    if present[follow.exact]?.count ?? 0 < Self.most {
      guard present[follow.exact, default: []].insert(text.exact).inserted else { return false }
    }
    return !(known[follow.exact]?.contains(text.exact) ?? false)
  }

  /// A sync that failed, or whose server had nothing new, says nothing about the records.
  mutating func finish(_ report: FollowReport) {
    let found = present.removeValue(forKey: report.follow.exact)
    guard report.status == .ok || report.status == .partial else { return }
    known[report.follow.exact] = found
  }
}
