import Models
import Ports
import Synchronization

/// The status of follows, store and outbox, read once for all requests within a second and between two commits.
///
/// Nothing in it is older than the newest commit. Only the bytes of the store and the published files that are
/// behind, which change without a commit, can be those of up to a second ago.
final class StatusCache: Sendable {
  struct Reading: Sendable {
    /// The newest commit before anything was read.
    fileprivate var sequence: UInt64
    /// The time until which stale follows were reported.
    fileprivate var now: Timestamp
    var status: SyncStatus
    var statistics: StoreStatistics
    /// Whose published files do not hold the newest commits.
    var behind: [CollectionName]
  }

  private struct Known {
    var reading: Reading
    var answer: [UInt8]?
  }

  private let known = Mutex<Known?>(nil)

  init() {}

  func read(_ services: DaemonServices) throws(Failure) -> Reading {
    // Read first: a commit during the reads below makes the next request read again.
    let (sequence, now) = (try Self.sequence(services), services.time.now)
    if let known = current(sequence, now) { return known.reading }
    let reading = Reading(
      sequence: sequence, now: now, status: try services.sync.status(services.settings.follows),
      statistics: try Failure.from { () throws(StoreError) in try services.store.statistics() },
      behind: try Failure.from { () throws(StoreError) in try services.store.behind() })
    known.withLock { $0 = Known(reading: reading) }
    return reading
  }

  /// The answer that was kept, while it is true.
  func answer(_ services: DaemonServices) throws(Failure) -> [UInt8]? {
    current(try Self.sequence(services), services.time.now)?.answer
  }

  /// Keeps the answer that was made of a reading.
  func keep(_ bytes: [UInt8], of reading: Reading) {
    known.withLock { known in
      // Another request may have replaced the reading.
      guard known?.reading.sequence == reading.sequence, known?.reading.now == reading.now else { return }
      known?.answer = bytes
    }
  }

  private func current(_ sequence: UInt64, _ now: Timestamp) -> Known? {
    known.withLock { known in
      known.flatMap { $0.reading.sequence == sequence && $0.reading.now == now ? $0 : nil }
    }
  }

  private static func sequence(_ services: DaemonServices) throws(Failure) -> UInt64 {
    try Failure.from { () throws(StoreError) in try services.store.snapshot().sequence }
  }
}
