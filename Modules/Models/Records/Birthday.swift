/// A day of birth, with the year where it is known.
public struct Birthday: Hashable, Sendable, CustomStringConvertible {
  /// From 1 to 9999; `nil` where it is not known.
  public let year: Int?
  /// From 1 to 12.
  public let month: Int
  /// From 1 to the length of the month. February 29 is valid without a year.
  public let day: Int

  /// Creates a birthday; `nil` where the calendar has no such day.
  public init?(year: Int?, month: Int, day: Int) {
    guard CivilDate(year: year ?? 2000, month: month, day: day) != nil else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Reads `YYYY-MM-DD` or `--MM-DD` (ISO 8601:2000 5.2.1.3 d); `nil` for other text.
  public init?(_ text: some StringProtocol) {
    if text.utf8.count == 7, text.hasPrefix("--") {
      guard let date = CivilDate("2000\(text.dropFirst())") else { return nil }
      self.init(year: nil, month: date.month, day: date.day)
    } else {
      guard let date = CivilDate(text) else { return nil }
      self.init(year: date.year, month: date.month, day: date.day)
    }
  }

  /// The day of a February 29 birthday in years without that day.
  public enum LeapDayRule: String, Sendable, CaseIterable {
    /// February 28.
    case feb28
    /// March 1.
    case mar1
  }

  /// The day of the birthday in a year.
  public func date(in year: Int, leapDay: LeapDayRule) -> CivilDate? {
    if month == 2, day == 29, !CivilDate.isLeap(year) {
      return leapDay == .feb28
        ? CivilDate(year: year, month: 2, day: 28) : CivilDate(year: year, month: 3, day: 1)
    }
    return CivilDate(year: year, month: month, day: day)
  }

  /// The next birthday on or after `day`; `nil` after the year 9999.
  public func next(onOrAfter day: CivilDate, leapDay: LeapDayRule) -> CivilDate? {
    guard let thisYear = date(in: day.year, leapDay: leapDay) else { return nil }
    return thisYear >= day ? thisYear : date(in: day.year + 1, leapDay: leapDay)
  }

  /// The date of birth; `nil` where the year is not known.
  public var dateOfBirth: CivilDate? { year.flatMap { CivilDate(year: $0, month: month, day: day) } }

  /// The age reached in `year`; `nil` without a year of birth or before it.
  public func age(in year: Int) -> Int? {
    self.year.flatMap { year >= $0 ? year - $0 : nil }
  }

  /// `YYYY-MM-DD`, or `--MM-DD` without a year.
  public var description: String {
    let rest = "\(padded(month, 2))-\(padded(day, 2))"
    return year.map { "\(padded($0, 4))-\(rest)" } ?? "--\(rest)"
  }
}
