import Foundation

/// Days as `2026-12-31`, which sort as text.
package enum CalendarDay {
  package static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard text.utf8.count == 10, parts.count == 3, parts[0].count == 4, parts[1].count == 2,
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), (1...12).contains(month)
    else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...days[month - 1]).contains(day)
  }

  /// Today, in UTC.
  package static func today() -> String {
    var seconds = time(nil)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return text(Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
  }

  /// The same day of a later month, or its 28th, which every month has.
  ///
  /// - Precondition: `day` is valid.
  package static func later(than day: String, months: Int) -> String {
    let parts = day.split(separator: "-").compactMap { Int($0) }
    let month = parts[1] - 1 + months
    return text(parts[0] + month / 12, month % 12 + 1, min(parts[2], 28))
  }

  private static func text(_ year: Int, _ month: Int, _ day: Int) -> String {
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}
