import Models
import Synchronization

/// The `Date` of answers (RFC 9110, section 5.6.7), made once for all answers of a second, and only where there is one.
final class HTTPDate: Sendable {
  private let last = Mutex<(second: Int, text: String)>((.min, ""))

  /// No date yet.
  init() {}

  /// The date as it is written.
  func text(_ now: Timestamp) -> String {
    last.withLock { last in
      if last.second != now.secondsSinceEpoch { last = (now.secondsSinceEpoch, Self.written(now)) }
      return last.text
    }
  }

  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// `Sun, 06 Nov 1994 08:49:37 GMT`
  private static func written(_ now: Timestamp) -> String {
    let date = now.date
    let weekday = (date.daysSinceEpoch % 7 + 7) % 7
    // 2026-01-02T03:04:05Z
    let digits = now.description
    return "\(days[weekday]), \(digits.dropFirst(8).prefix(2)) \(months[date.month - 1]) \(digits.prefix(4)) "
      + "\(digits.dropFirst(11).prefix(8)) GMT"
  }
}
