/// A day of the proleptic Gregorian calendar, without a time or a zone.
public struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// 1 to 9999.
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to the month's length.
  public let day: Int

  /// A day, or `nil` where the calendar has none such.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= CivilDate.days(inMonth: month, year: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day that lies `daysSinceEpoch` days after 1970-01-01.
  public init(daysSinceEpoch: Int) {
    // Days to civil date by 400-year eras that begin on March 1, so that the leap day is the last of its year.
    let shifted = daysSinceEpoch + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Reads `YYYY-MM-DD`, and nothing else.
  public init?(_ text: some StringProtocol) {
    let digits = Array(text.utf8)
    guard digits.count == 10, digits[4] == 0x2D, digits[7] == 0x2D,
      let year = decimal(digits[0..<4]), let month = decimal(digits[5..<7]), let day = decimal(digits[8..<10])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// Days after 1970-01-01; negative before it.
  public var daysSinceEpoch: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Whether the year has a February 29.
  public static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// How many days the month has, 28 to 31.
  public static func days(inMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The day `days` later.
  public func adding(days: Int) -> CivilDate { CivilDate(daysSinceEpoch: daysSinceEpoch + days) }

  /// `YYYY-MM-DD`.
  public var description: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }

  /// Earlier days come first.
  public static func < (lhs: CivilDate, rhs: CivilDate) -> Bool {
    (lhs.year, lhs.month, lhs.day) < (rhs.year, rhs.month, rhs.day)
  }
}

/// The number that ASCII digits write; `nil` for anything else, also for nothing.
package func decimal(_ digits: some Collection<UInt8>) -> Int? {
  guard !digits.isEmpty, digits.count <= 18 else { return nil }
  var value = 0
  for digit in digits {
    guard digit >= 0x30, digit <= 0x39 else { return nil }
    value = value * 10 + Int(digit - 0x30)
  }
  return value
}

/// A number with leading zeros up to `width`.
package func padded(_ value: Int, _ width: Int) -> String {
  let digits = String(value)
  return digits.utf8.count >= width ? digits : String(repeating: "0", count: width - digits.utf8.count) + digits
}
