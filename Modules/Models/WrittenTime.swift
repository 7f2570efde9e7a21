/// A point in the past as people write it: `now`, a day (its end), RFC 3339, `30d` (ago), or words such as `yesterday`,
/// `last monday`, `3 days ago` and `last month`.
///
/// Words that name a day mean its end, as a day in digits does; `2 hours ago`, `3 days ago` and `2 weeks ago` are as exact as
/// `2h`, `3d` and `2w`. A day of the week is the last one before today.
public enum WrittenTime {
  /// What can be written, for hints and help texts.
  public static let examples = "2026-11-10 (its end), RFC 3339, 30d (ago), yesterday, 'last monday', '3 days ago'"

  /// - Parameters:
  ///   - endOfDay: the last second of a day where the user is.
  /// - Returns: `nil` if the text is not a time.
  public static func past(_ text: String, now: Timestamp, endOfDay: (CivilDate) -> Timestamp) -> Timestamp? {
    if text == "now" { return now }
    if let day = CivilDate(text) { return endOfDay(day) }
    if let time = Timestamp(rfc3339: text) { return time }
    if let interval = Interval(text) { return now + -interval.seconds }
    let words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    // The days of two zones differ by one at most.
    let today = (-1...1).map { now.date.adding(days: $0) }.first { endOfDay($0) >= now } ?? now.date
    if let day = day(words, today) { return endOfDay(day) }
    guard words.count == 3, words[2] == "ago", let count = count(words[0]) else { return nil }
    if let months = months[words[1]] { return earlier(today, months: count * months).map(endOfDay) }
    return Interval("\(count)\(words[1])").map { now + -$0.seconds }
  }

  private static let months = ["month": 1, "months": 1, "year": 12, "years": 12]

  private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

  private static func day(_ words: [String], _ today: CivilDate) -> CivilDate? {
    switch words {
    case ["today"]: return today
    case ["yesterday"]: return today.adding(days: -1)
    case ["last", "week"]: return today.adding(days: -7)
    case ["last", "month"]: return earlier(today, months: 1)
    case ["last", "year"]: return earlier(today, months: 12)
    default:
      guard let name = words.last, words.count == 1 || words.count == 2 && words[0] == "last", name.count > 2,
        let weekday = weekdays.firstIndex(where: { $0.hasPrefix(name) })
      else { return nil }
      // 1970-01-01 was a Thursday.
      let passed = (today.daysSinceEpoch + 3 - weekday) % 7
      return today.adding(days: passed > 0 ? -passed : -passed - 7)
    }
  }

  private static func count(_ word: String) -> Int? {
    word == "a" || word == "an" || word == "one" ? 1 : decimal(Array(word.utf8)).flatMap { $0 <= 36_500 ? $0 : nil }
  }

  /// The same day of an earlier month, or its last one where it is shorter; `nil` before the year 1.
  private static func earlier(_ day: CivilDate, months: Int) -> CivilDate? {
    let month = day.year * 12 + day.month - 1 - months
    guard month >= 12 else { return nil }
    let (year, number) = (month / 12, month % 12 + 1)
    return CivilDate(year: year, month: number, day: min(day.day, CivilDate.days(inMonth: number, year: year)))
  }
}
