import Logging
import Models
import Ports
import ServiceLifecycle
import Synchronization

/// Collects notifications after each look at the store, and delivers them.
struct NotificationLoop: Service {
  let live: LiveServices
  /// An element after each look at the store: after commits, and every few seconds.
  let looks: AsyncStream<Void>
  let metrics: MetricsPage
  let health: Health
  let logger: Logger

  /// Why each receiver did not accept the last message, so that what lasts is logged once.
  private let reasons = Reasons()

  private final class Reasons: Sendable {
    private let known = Mutex<[ExactString: Failure.Cause]>([:])

    /// Records the reason of a receiver, `nil` where it accepted a message. Returns whether it is another one than before.
    func isNew(_ reason: Failure.Cause?, of target: String) -> Bool {
      known.withLock { known in
        defer { known[target.exact] = reason }
        return known[target.exact] != reason
      }
    }
  }

  /// The receivers that are being served.
  private let queues = Queues()

  private final class Queues: Sendable {
    /// Whether another look came while a receiver was being served.
    private let served = Mutex<[ExactString: Bool]>([:])

    /// Records a look. Returns whether nothing serves the receiver, so that the caller does.
    func begins(_ target: String) -> Bool {
      served.withLock { served in
        defer { served[target.exact] = served[target.exact] != nil }
        return served[target.exact] == nil
      }
    }

    /// Records that a receiver is not served any more.
    func end(_ target: String) { served.withLock { $0[target.exact] = nil } }

    /// Records that a receiver was served. Returns whether it must be served again, because a look came meanwhile.
    func goesOn(_ target: String) -> Bool {
      served.withLock { served in
        let isWanted = served[target.exact] == true && !Task.isCancelled
        served[target.exact] = isWanted ? false : nil
        return isWanted
      }
    }
  }

  /// The receivers whose pause ends before the next look.
  private let pauses = Queues()

  init(live: LiveServices, looks: AsyncStream<Void>, metrics: MetricsPage, health: Health, logger: Logger) {
    (self.live, self.looks, self.metrics, self.health, self.logger) = (live, looks, metrics, health, logger)
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        for await _ in looks {
          await collect()
          // A receiver that does not answer holds up neither the others nor what is collected.
          for target in live.current.notifications.targets where queues.begins(target) {
            group.addTask { await serve(target) }
          }
        }
      }
    }
  }

  /// Delivers to a receiver after a look, and again when a pause ends that is shorter than that between two looks.
  private func serve(_ target: String) async {
    var next: Timestamp?
    repeat { next = await deliver(to: target) } while queues.goesOn(target)
    let time = live.current.scheduling.time
    while let due = next, due - time.now <= Int(StoreWatch.pulse.components.seconds), pauses.begins(target) {
      try? await time.sleep(for: .seconds(max(1, due - time.now)))
      pauses.end(target)
      guard !Task.isCancelled, queues.begins(target) else { return }
      repeat { next = await deliver(to: target) } while queues.goesOn(target)
    }
  }

  private func collect() async {
    let services = live.current
    if services.settings.daemon.notifications.isEmpty { return }
    do throws(Failure) { _ = try await services.notifications.collect() } catch {
      // What the store's problem is, the health says; the next look tries again.
      logger.debug("notifications", metadata: ["why": "\(error.message)"])
    }
  }

  /// - Returns: when the next attempt is due.
  private func deliver(to target: String) async -> Timestamp? {
    let services = live.current
    do throws(Failure) {
      let report = try await services.notifications.deliver(to: target)
      for target in report.sent {
        metrics.count("almanac_notifications_total", Self.labels(target, "sent"))
        _ = reasons.isNew(nil, of: target)
      }
      for failed in report.failed {
        metrics.count(
          "almanac_notifications_total", Self.labels(failed.target, failed.isGivenUp ? "given-up" : "failed"))
        // Each message that is dropped is named.
        let isNew = reasons.isNew(failed.failure.cause, of: failed.target) || failed.isGivenUp
        Self.log(failed, isNew ? .warning : .debug, logger)
      }
      let states = try services.notifications.states()
      metrics.set(waiting: states.map(\.waiting).reduce(0, +))
      let failing = states.filter { $0.problem != nil }
      var problem = failing.first?.problem
      problem?.message = failing.compactMap(\.problem?.message).joined(separator: "; ")
      health.set(.notifications, problem, of: failing.map(\.receiver))
      return report.next
    } catch {
      logger.debug("notifications", metadata: ["why": "\(error.message)"])
      return nil
    }
  }

  /// Collects and delivers once, for a daemon that ends.
  static func once(_ services: DaemonServices, _ logger: Logger) async {
    if services.settings.daemon.notifications.isEmpty { return }
    do throws(Failure) {
      _ = try await services.notifications.collect()
      for failed in try await services.notifications.deliver().failed { log(failed, .warning, logger) }
    } catch {
      logger.warning("notifications", metadata: ["why": "\(error.message)"])
    }
  }

  private static func labels(_ target: String, _ result: String) -> [(String, String)] {
    [("target", target), ("result", result)]
  }

  private static func log(_ failed: DeliveryReport.Failed, _ level: Logger.Level, _ logger: Logger) {
    var metadata: Logger.Metadata = ["target": "\(failed.target)", "why": "\(failed.failure.message)"]
    metadata["hint"] = failed.failure.hint.map { .stringConvertible($0) }
    logger.log(
      level: level,
      failed.isGivenUp ? "a notification is dropped, because its receiver refuses it" : "a notification waits",
      metadata: metadata)
  }
}
