package import Models
import Ports

/// Reads `Retry-After` headers (RFC 9110 section 10.2.3).
package enum RetryAfter {
  /// The longest wait that is accepted, in seconds: a day.
  package static let maximum = HTTPRetryTime.longest

  /// The seconds to wait, from 0 to a day; `nil` for a value that is neither an integer nor a date.
  ///
  /// A date in the past yields 0. Larger numbers yield a day.
  package static func seconds(_ value: String, now: Timestamp) -> Int? {
    let text = value.trimmingHTTPSpace()
    guard !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) { return min(Int(text) ?? maximum, maximum) }
    guard let date = HTTPDate.parse(text, reference: now) else { return nil }
    return min(max(0, date - now), maximum)
  }
}

extension String {
  /// The string without leading and trailing spaces and tabs (RFC 9110 section 5.6.3, OWS).
  package func trimmingHTTPSpace() -> String {
    let bytes = utf8
    guard let first = bytes.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }),
      let last = bytes.lastIndex(where: { $0 != 0x20 && $0 != 0x09 })
    else { return "" }
    return String(self[first...last])
  }
}

/// Dates in header fields (RFC 9110 section 5.6.7): IMF-fixdate, and the two obsolete formats.
enum HTTPDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Reads a date in any of the three formats. The name of the day is not checked.
  ///
  /// - Parameter reference: the current time, which determines the century of a two-digit year (RFC 9110 section 5.6.7:
  ///   a date more than 50 years ahead is in the past).
  static func parse(_ text: String, reference: Timestamp) -> Timestamp? {
    let words = text.lowercased().split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
    switch words.count {
    case 6 where words[5] == "gmt" || words[5] == "utc":
      // Sun, 06 Nov 1994 08:49:37 GMT, or Sunday, 06-Nov-94 08:49:37 GMT
      guard var year = decimal(words[3].utf8) else { return nil }
      if words[3].utf8.count == 2 {
        let current = reference.date.year
        year += current / 100 * 100
        if year > current + 50 { year -= 100 }
      } else if words[3].utf8.count != 4 {
        return nil
      }
      return make(year: year, month: words[2], day: words[1], clock: words[4])
    case 5:
      // Sun Nov  6 08:49:37 1994
      guard words[4].utf8.count == 4, let year = decimal(words[4].utf8) else { return nil }
      return make(year: year, month: words[1], day: words[2], clock: words[3])
    default: return nil
    }
  }

  private static func make(year: Int, month: String, day: String, clock: String) -> Timestamp? {
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard let month = months.firstIndex(of: month), let day = decimal(day.utf8), parts.count == 3,
      parts.allSatisfy({ $0.utf8.count == 2 }), let hour = decimal(parts[0].utf8), let minute = decimal(parts[1].utf8),
      let second = decimal(parts[2].utf8), hour < 24, minute < 60, second <= 60,
      let date = CivilDate(year: year, month: month + 1, day: day)
    else { return nil }
    return Timestamp(startOf: date) + (hour * 3600 + minute * 60 + min(second, 59))
  }
}
