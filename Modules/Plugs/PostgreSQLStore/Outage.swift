import Models
import Ports
import Synchronization

/// Remembers that a server was silent, so that not every caller waits for it: one at a time asks again, a moment after the
/// one before, and the others get its error at once. A caller that reads several times waits once. A server that answers,
/// or refuses a connection, holds up nobody and is not remembered.
final class Outage: Sendable {
  private struct Known {
    var error: StoreError
    /// When the next caller may ask; until then, all get the error.
    var next: Duration
  }

  private let time: any TimeSource
  private let known = Mutex<Known?>(nil)

  /// A call that failed after this time failed because nothing was heard.
  static let least = Duration.milliseconds(Connection.timeout * 4 / 5)
  /// The time in which nobody asks after a call that failed.
  private static let rest = Duration.milliseconds(500)

  init(_ time: any TimeSource) { self.time = time }

  var isKnown: Bool { error != nil }

  /// The last error of a server that was silent when it was asked last.
  var error: StoreError? { known.withLock { $0?.error } }

  /// Returns if the server may be asked.
  ///
  /// - Throws: the last error while another caller asks.
  func check() throws(StoreError) {
    let now = time.uptime
    let error = known.withLock { known -> StoreError? in
      guard let last = known, now < last.next else {
        // This caller asks; it learns something before that time.
        known?.next = now + .milliseconds(Connection.timeout)
        return nil
      }
      return last.error
    }
    if let error { throw error }
  }

  func note(_ error: StoreError, since begun: Duration) {
    guard error.code == .unreachable else { return }
    let now = time.uptime
    known.withLock { known in known = now - begun < Self.least ? nil : Known(error: error, next: now + Self.rest) }
  }

  func end() { known.withLock { $0 = nil } }
}
