/// A point in time in whole seconds, written as RFC 3339 in UTC: from `0000-01-01T00:00:00Z` to `9999-12-31T23:59:59Z`.
///
/// No arithmetic leaves this range: what would be earlier or later is the first or the last time.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The seconds after 1970-01-01T00:00:00Z, without leap seconds.
  public let secondsSinceEpoch: Int

  public static let first = Timestamp(secondsSinceEpoch: .min)
  public static let last = Timestamp(secondsSinceEpoch: .max)

  private static let seconds = -62_167_219_200...253_402_300_799

  /// Creates the time that is so many seconds after 1970, or the first or the last time where that is out of range.
  public init(secondsSinceEpoch: Int) {
    self.secondsSinceEpoch = Swift.min(Swift.max(secondsSinceEpoch, Self.seconds.lowerBound), Self.seconds.upperBound)
  }

  /// Creates the time that is so many seconds after 1970; `nil` where that is out of range.
  public init?(exactly secondsSinceEpoch: Int) {
    guard Self.seconds.contains(secondsSinceEpoch) else { return nil }
    self.secondsSinceEpoch = secondsSinceEpoch
  }

  /// Creates the first second of a day in UTC.
  public init(startOf date: CivilDate) { secondsSinceEpoch = date.daysSinceEpoch * 86_400 }

  /// Parses an RFC 3339 `date-time` with any offset. Fractions of a second are truncated, and a leap second becomes the
  /// second before it (RFC 3339 section 5.6). The result is `nil` also where the offset moves the time out of range.
  public init?(rfc3339 text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, let date = CivilDate(text.prefix(10)),
      bytes[10] == 0x54 || bytes[10] == 0x74 || bytes[10] == 0x20, bytes[13] == 0x3A, bytes[16] == 0x3A,
      let hour = decimal(bytes[11..<13]), let minute = decimal(bytes[14..<16]), let second = decimal(bytes[17..<19]),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    var rest = bytes[19...]
    if rest.first == 0x2E {
      let fraction = rest.dropFirst().prefix { $0 >= 0x30 && $0 <= 0x39 }
      guard !fraction.isEmpty else { return nil }
      rest = rest.dropFirst(1 + fraction.count)
    }
    guard let offset = Timestamp.offset(rest) else { return nil }
    self.init(exactly: date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + Swift.min(second, 59) - offset)
  }

  /// Reads RFC 3339, or a day, which is its beginning in UTC; `nil` for other texts.
  public init?(timeOrDay text: String) {
    guard let time = Timestamp(rfc3339: text) ?? CivilDate(text).map(Timestamp.init(startOf:)) else { return nil }
    self = time
  }

  private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let sign = bytes.first else { return nil }
    if bytes.count == 1, sign == 0x5A || sign == 0x7A { return 0 }
    guard sign == 0x2B || sign == 0x2D else { return nil }
    // RFC 3339 requires the colon, but some feeds write +0200.
    let digits = bytes.dropFirst().filter { $0 != 0x3A }
    guard digits.count == 4, let hours = decimal(digits[0..<2]), let minutes = decimal(digits[2..<4]),
      hours < 24, minutes < 60
    else { return nil }
    return (sign == 0x2D ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  public var date: CivilDate {
    CivilDate(daysSinceEpoch: (secondsSinceEpoch - (secondsSinceEpoch < 0 ? 86_399 : 0)) / 86_400)
  }

  /// The second of the day in UTC, 0 to 86,399.
  public var secondOfDay: Int { secondsSinceEpoch - date.daysSinceEpoch * 86_400 }

  /// `YYYY-MM-DDThh:mm:ssZ`.
  public var description: String {
    let (date, second) = (date, secondOfDay)
    // Every record contains times: one allocation replaces a dozen.
    return String(unsafeUninitializedCapacity: 20) { text in
      func write(_ number: Int, at place: Int, then mark: UInt8) {
        text[place] = UInt8(0x30 + number / 10)
        text[place + 1] = UInt8(0x30 + number % 10)
        if mark != 0 { text[place + 2] = mark }
      }
      write(date.year / 100, at: 0, then: 0)
      write(date.year % 100, at: 2, then: 0x2D)
      write(date.month, at: 5, then: 0x2D)
      write(date.day, at: 8, then: 0x54)
      write(second / 3600, at: 11, then: 0x3A)
      write(second / 60 % 60, at: 14, then: 0x3A)
      write(second % 60, at: 17, then: 0x5A)
      return 20
    }
  }

  public static func + (lhs: Timestamp, seconds: Int) -> Timestamp {
    Timestamp(secondsSinceEpoch: lhs.secondsSinceEpoch.plus(seconds))
  }

  public static func - (lhs: Timestamp, rhs: Timestamp) -> Int { lhs.secondsSinceEpoch - rhs.secondsSinceEpoch }

  public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool { lhs.secondsSinceEpoch < rhs.secondsSinceEpoch }
}

extension JSONValue {
  /// The time that a text says in RFC 3339; `nil` for other values.
  public var timestamp: Timestamp? { string.flatMap { Timestamp(rfc3339: $0) } }
}

/// A day of the proleptic Gregorian calendar, without a time of day or a time zone: from `0000-01-01` to `9999-12-31`.
///
/// No arithmetic leaves this range: what would be earlier or later is the first or the last day.
public struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The year, 0 to 9999.
  public let year: Int
  public let month: Int
  public let day: Int

  public init?(year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= CivilDate.days(inMonth: month, year: year)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  private static let days = -719_528...2_932_896

  /// Creates the day `daysSinceEpoch` days after 1970-01-01, or the first or the last day where that is out of range.
  public init(daysSinceEpoch: Int) {
    let daysSinceEpoch = Swift.min(Swift.max(daysSinceEpoch, Self.days.lowerBound), Self.days.upperBound)
    // The algorithm counts in eras of 400 years that begin on March 1, which makes the leap day the last day of its
    // year.
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

  /// Parses `YYYY-MM-DD`; `nil` for any other text.
  public init?(_ text: some StringProtocol) {
    let digits = Array(text.utf8)
    guard digits.count == 10, digits[4] == 0x2D, digits[7] == 0x2D,
      let year = decimal(digits[0..<4]), let month = decimal(digits[5..<7]), let day = decimal(digits[8..<10])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The number of days after 1970-01-01; negative for earlier days.
  public var daysSinceEpoch: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  public static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  public static func days(inMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  public func adding(days: Int) -> CivilDate { CivilDate(daysSinceEpoch: daysSinceEpoch.plus(days)) }

  /// `YYYY-MM-DD`.
  public var description: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }

  public static func < (lhs: CivilDate, rhs: CivilDate) -> Bool {
    (lhs.year, lhs.month, lhs.day) < (rhs.year, rhs.month, rhs.day)
  }
}

/// The number written in ASCII digits; `nil` for any other text and for empty text.
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
package func padded(_ value: some BinaryInteger, _ width: Int, radix: Int = 10) -> String {
  let digits = String(value, radix: radix)
  return digits.utf8.count >= width ? digits : String(repeating: "0", count: width - digits.utf8.count) + digits
}
