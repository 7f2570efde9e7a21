import Logging
import Models
import Ports
import Synchronization

/// Writes events to the log. What lasts is logged once: a record that every sync rejects, a follow that fails for the same
/// reason, a follow that is synced without a change, and a paused host, for whatever was to be asked of it.
final class EventLog: EventSink {
  private let logger: Logger
  private let time: any TimeSource
  /// Whether `Health` says what is wrong with the store.
  private let hasHealth: Bool
  private let rejects = Mutex(LastingRejects())
  private let pauses = Mutex(Pauses())
  /// What was logged last about each follow, edit and failure.
  private let said = Mutex<[ExactString: String]>([:])
  private let waited = Mutex<[ExactString: Waited]>([:])
  /// How many are remembered. Beyond it, what lasts is logged once more.
  private static let most = 10_000

  /// A log of events.
  ///
  /// - Parameters:
  ///   - time: the clock by which the next attempts are named.
  ///   - hasHealth: whether something else logs that the store cannot be reached.
  init(logger: Logger, time: any TimeSource, hasHealth: Bool = true) {
    self.logger = logger
    self.time = time
    self.hasHealth = hasHealth
  }

  func report(_ event: Event) {
    switch event {
    case .requestStarted(let method, let url, _): begin(method, url)
    case .followFinished(let report, let duration): log(report, duration)
    case .syncFinished(_, let report):
      log(unsent: report.outbox.unsent, report.outbox.pending)
    case .failed(let what, let failure):
      let isNew = isNewToday("\(what): \(failure.message)")
      logger.log(level: isNew && !isSaidElsewhere(failure) ? .warning : .debug, "\(what): \(failure.message)")
    case .warning(let message): logger.warning("\(message.description)")
    case .program(let source, let line): logger.info("\(line)", metadata: ["source": "\(source)"])
    case .retryScheduled(let url, let attempt, let delay, let reason):
      logger.debug(
        "sends again",
        metadata: [
          "url": "\(url)", "try": .stringConvertible(attempt), "in": .stringConvertible(delay), "why": "\(reason)",
        ])
    case .budgetWait(let name, let seconds):
      logger.info("waits for a rate budget", metadata: ["budget": "\(name)", "seconds": .stringConvertible(seconds)])
    case .breakerChanged(let host, let state, let pause): log(host, state, pause)
    case .edit(let id, let target, let outcome):
      let isNew = replace("edit \(id)", outcome.rawValue) != outcome.rawValue
      logger.log(
        level: isNew ? .info : .debug, "edit",
        metadata: ["id": "\(id)", "target": "\(target)", "outcome": "\(outcome.rawValue)"])
    case .rejected(let follow, let path, let expected, let found):
      guard rejects.withLock({ $0.isNew("\(path) \(expected) \(found)", of: follow) }) else { return }
      logger.notice(
        "record rejected",
        metadata: ["follow": "\(follow)", "path": "\(path)", "expected": "\(expected)", "found": "\(found)"])
    case .compacted(let bytes, let duration):
      logger.info(
        "compacted", metadata: ["bytes": .stringConvertible(bytes), "duration": .stringConvertible(duration)])
    case .requestFinished(let method, let url, let status, let bytes, let duration):
      end(method, url)
      logger.debug(
        "request",
        metadata: [
          "method": "\(method)", "url": "\(url)", "status": .stringConvertible(status),
          "bytes": .stringConvertible(bytes), "duration": .stringConvertible(duration),
        ])
    case .requestFailed(let method, let url, let code, let duration):
      end(method, url)
      logger.debug(
        "request failed",
        metadata: [
          "method": "\(method)", "url": "\(url)", "code": "\(code.rawValue)", "duration": .stringConvertible(duration),
        ])
    default: break
    }
  }

  /// The requests of one address that have no complete answer yet, and the task that tells when that lasts.
  private struct Waited {
    var count = 0
    var task: Task<Void, Never>?
  }

  /// Seconds without a complete answer after which the log says what is waited for.
  static let longWait = 10

  private func begin(_ method: String, _ url: String) {
    waited.withLock { waited in
      let key = "\(method) \(url)".exact
      waited[key, default: Waited()].count += 1
      guard waited[key]?.task == nil else { return }
      waited[key]?.task = Task { [weak self, time] in
        do throws(CancellationError) { try await time.sleep(for: .seconds(Self.longWait)) } catch { return }
        if !Task.isCancelled { self?.log(waitFor: method, url) }
      }
    }
  }

  private func end(_ method: String, _ url: String) {
    waited.withLock { waited in
      let key = "\(method) \(url)".exact
      waited[key]?.count -= 1
      guard let left = waited[key], left.count <= 0 else { return }
      left.task?.cancel()
      waited[key] = nil
    }
  }

  /// A server that hangs is one line a day, whatever is asked of it.
  private func log(waitFor method: String, _ url: String) {
    let host = Self.host(of: url)
    logger.log(
      level: isNewToday("waits for \(host)") ? .info : .debug, "waits for the answer of a server",
      metadata: [
        "host": "\(host)", "method": "\(method)", "url": "\(url)", "seconds": .stringConvertible(Self.longWait),
      ])
  }

  /// `https://host`, without the path.
  private static func host(of url: String) -> String {
    url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
  }

  private func isSaidElsewhere(_ failure: Failure) -> Bool { hasHealth ? failure.isSaidOnce : failure.isTakenOver }

  /// Records what is logged about something. Returns what was logged about it before.
  private func replace(_ key: String, _ text: String) -> String? {
    said.withLock { said in
      if said.count >= Self.most { said = [:] }
      return said.updateValue(text, forKey: key.exact)
    }
  }

  /// Whether a line was not logged on this day yet: a failure that lasts and has no end that is known is one line a day.
  private func isNewToday(_ line: String) -> Bool {
    let day = time.now.date.description
    return replace(line, day) != day
  }

  /// Why edits wait; also where only warnings are logged, as under cron.
  private func log(unsent failure: Failure?, _ count: Int) {
    let text = failure.map { "\($0.url ?? "") \($0.message)" } ?? ""
    let isNew = replace("outbox", text) != text
    guard let failure else { return }
    var metadata: Logger.Metadata = ["edits": .stringConvertible(count), "error": "\(failure.message)"]
    metadata["url"] = failure.url.map { "\($0)" }
    metadata["hint"] = failure.hint.map { .stringConvertible($0) }
    logger.log(
      level: isNew && !isSaidElsewhere(failure) ? .warning : .debug, "edits could not be sent", metadata: metadata)
  }

  /// A host that does not work is one line when its pause begins, with the time of the next attempt, and one when it ends;
  /// attempts in between change nothing.
  private func log(_ host: String, _ state: CircuitState, _ pause: Int?) {
    var metadata: Logger.Metadata = ["host": "\(host)"]
    switch state {
    case .open:
      metadata["next"] = pause.map { "\(time.now + $0)" }
      let isNew = pauses.withLock { $0.hosts.insert(host.exact).inserted }
      logger.log(
        level: isNew ? .warning : .debug,
        pause == nil ? "host given up after repeated failures" : "host paused after repeated failures",
        metadata: metadata)
    case .halfOpen: logger.debug("host is tried again", metadata: metadata)
    case .closed:
      if pauses.withLock({ $0.hosts.remove(host.exact) }) != nil {
        logger.notice("host works again", metadata: metadata)
      }
    }
  }

  /// A follow that was not asked for, because its host, its address or its budget is paused, has not failed.
  private func log(pause error: Failure, of follow: String) {
    let host = Self.host(of: error.url ?? "")
    let isCircuit = error.code == .transport(.circuitOpen)
    let (now, wait) = (time.now, error.retryAfter)
    let isNew = pauses.withLock { pauses in
      if isCircuit, pauses.hosts.contains(host.exact) { return false }
      // A budget is that of all addresses of a host.
      let place = isCircuit ? error.url ?? "" : host
      return pauses.isNew("\(error.code?.text ?? "") \(place)", until: now + (wait ?? 30), at: now)
    }
    var metadata: Logger.Metadata = ["follow": "\(follow)", "why": "\(error.message)"]
    metadata["next"] = wait.map { "\(now + $0)" }
    logger.log(level: isNew ? .warning : .debug, "sync waits", metadata: metadata)
  }

  private func log(_ report: FollowReport, _ duration: Duration) {
    rejects.withLock { $0.finish(report) }
    var metadata: Logger.Metadata = [
      "follow": "\(report.follow)", "status": "\(report.status.rawValue)",
      "added": .stringConvertible(report.counts.added), "updated": .stringConvertible(report.counts.updated),
      "removed": .stringConvertible(report.counts.removed), "rejected": .stringConvertible(report.counts.rejected),
      "requests": .stringConvertible(report.counts.requests), "duration": .stringConvertible(duration),
    ]
    if let error = report.error, error.isPause, error.retryAfter != nil {
      log(pause: error, of: report.follow)
    } else if let error = report.error, isSaidElsewhere(error) {
      logger.debug("sync failed", metadata: metadata)
    } else if let error = report.error {
      metadata["error"] = "\(error.message)"
      metadata["url"] = error.url.map { "\($0)" }
      metadata["hint"] = error.hint.map { .stringConvertible($0) }
      let last = replace("follow \(report.follow)", error.message)
      logger.log(level: last == error.message ? .debug : .warning, "sync failed", metadata: metadata)
    } else {
      let last = replace("follow \(report.follow)", "")
      // The first one says that the follow works. Later ones without a change are only counted, in the metrics.
      let isNew = last == nil || report.counts.added + report.counts.updated + report.counts.removed > 0
      logger.log(level: last?.isEmpty == false ? .notice : isNew ? .info : .debug, "synced", metadata: metadata)
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

/// The pauses that were logged already.
private struct Pauses {
  var hosts: Set<ExactString> = []
  /// When other pauses end, by what is paused.
  private var ends: [ExactString: Timestamp] = [:]

  /// Records a pause. Returns whether it begins: no earlier one of the same kind has yet to end.
  mutating func isNew(_ text: String, until end: Timestamp, at now: Timestamp) -> Bool {
    // A pause whose end is far away was noted before the clock was set.
    ends = ends.filter { $0.value > now && $0.value - now <= 86_400 }
    guard ends[text.exact] == nil else { return false }
    ends[text.exact] = end
    return true
  }
}
