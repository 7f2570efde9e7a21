import Models

/// Dates in header fields (RFC 9110 section 5.6.7): IMF-fixdate, and the two obsolete forms that must be read.
enum HTTPDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Reads a date in any of the three forms; the name of the day is not checked against the date.
  ///
  /// - Parameter reference: the present, by which a year of two digits is placed (RFC 9110 section 5.6.7: a date that
  ///   would be more than 50 years ahead lies in the past).
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
    default:
      return nil
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
