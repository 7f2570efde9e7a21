public import Models
public import Ports

/// Writes birthdays as an iCalendar file (RFC 5545), which calendars import or subscribe to.
///
/// Each person with a birthday is an all-day event that repeats every year and does not block time. Its `UID` contains the
/// person's id, so that a newer file replaces earlier events instead of duplicating them.
///
/// A series has one summary for all years, but the age differs every year. So where the year of birth is known, the
/// birthdays from last year to five years ahead are written as overridden instances (`RECURRENCE-ID`, RFC 5545 section
/// 3.8.4.4) with the age in the summary: 'Ada Lovelace (49)'. Other years show the name alone.
public struct ICalendarFormat: CalendarFormat {
  public init() {}

  /// The start of series without a year of birth: a leap year, so that February 29 exists.
  private static let yearOfUnknown = 1972

  /// Writes one yearly event for each person with a birthday, in their order, with ages in the years around `stamp`.
  public func write(_ people: [Person], leapDay: Birthday.LeapDayRule, alarm: Interval?, stamp: Timestamp) -> [UInt8] {
    var writer = ContentLineWriter()
    Self.begin(&writer)
    writer.line("METHOD", "PUBLISH")
    writer.text("X-WR-CALNAME", "Birthdays")
    for person in people {
      guard let birthday = person.birthday else { continue }
      Self.write(person, birthday, leapDay, alarm, stamp, mark: nil, to: &writer)
    }
    writer.line("END", "VCALENDAR")
    return writer.bytes
  }

  /// Writes one event. The mark is the digest of the rest, in `X-ALMANAC-DIGEST`.
  public func object(
    of person: Person, leapDay: Birthday.LeapDayRule, alarm: Interval?, stamp: Timestamp
  ) -> CalendarObject? {
    guard let birthday = person.birthday else { return nil }
    func written(_ mark: String?) -> CalendarObject? {
      var writer = ContentLineWriter()
      Self.begin(&writer)
      Self.write(person, birthday, leapDay, alarm, stamp, mark: mark, to: &writer)
      writer.line("END", "VCALENDAR")
      return object(writer.bytes)
    }
    return written(nil).flatMap { written($0.digest) }
  }

  public func object(_ bytes: [UInt8]) -> CalendarObject? { CalendarObjectReader(bytes).object() }

  private static func begin(_ writer: inout ContentLineWriter) {
    writer.line("BEGIN", "VCALENDAR")
    writer.line("VERSION", "2.0")
    writer.line("PRODID", "-//Almanac//Almanac//EN")
    writer.line("CALSCALE", "GREGORIAN")
  }

  /// Writes the series of a person, and its instances with an age.
  private static func write(
    _ person: Person, _ birthday: Birthday, _ leapDay: Birthday.LeapDayRule, _ alarm: Interval?, _ stamp: Timestamp,
    mark: String?, to writer: inout ContentLineWriter
  ) {
    writer.line("BEGIN", "VEVENT")
    writer.text("UID", person.id + CalendarObject.uidEnd)
    writer.line("DTSTAMP", basic(stamp))
    if let mark { writer.line(CalendarObjectReader.markName, mark) }
    writer.line("DTSTART;VALUE=DATE", start(birthday))
    writer.line("RRULE", rule(birthday, leapDay))
    write(person.fullName, birthday, alarm, to: &writer)
    for year in yearsWithAge(birthday, stamp) {
      guard let age = birthday.age(in: year), let date = birthday.date(in: year, leapDay: leapDay) else { continue }
      let day = basic(date)
      writer.line("BEGIN", "VEVENT")
      writer.text("UID", person.id + CalendarObject.uidEnd)
      writer.line("DTSTAMP", basic(stamp))
      writer.line("RECURRENCE-ID;VALUE=DATE", day)
      writer.line("DTSTART;VALUE=DATE", day)
      write("\(person.fullName) (\(age))", birthday, alarm, to: &writer)
    }
  }

  /// The years around `stamp` for which ages are written, from the first birthday on.
  private static func yearsWithAge(_ birthday: Birthday, _ stamp: Timestamp) -> Range<Int> {
    guard let birth = birthday.year else { return 0..<0 }
    let this = stamp.date.year
    let end = min(this + 6, 10_000)
    return min(max(this - 1, birth + 1), end)..<end
  }

  private static func write(
    _ summary: String, _ birthday: Birthday, _ alarm: Interval?, to writer: inout ContentLineWriter
  ) {
    writer.text("SUMMARY", summary)
    if let year = birthday.year { writer.text("DESCRIPTION", "Born in \(year)") }
    writer.line("CATEGORIES", "BIRTHDAY")
    writer.line("TRANSP", "TRANSPARENT")
    if let alarm {
      writer.line("BEGIN", "VALARM")
      writer.line("ACTION", "DISPLAY")
      writer.text("DESCRIPTION", summary)
      writer.line("TRIGGER", "-\(duration(alarm))")
      writer.line("END", "VALARM")
    }
    writer.line("END", "VEVENT")
  }

  private static func start(_ birthday: Birthday) -> String {
    "\(padded(birthday.year ?? yearOfUnknown, 4))\(padded(birthday.month, 2))\(padded(birthday.day, 2))"
  }

  /// `YYYYMMDD`.
  private static func basic(_ date: CivilDate) -> String { date.description.filter { $0 != "-" } }

  /// A recurrence rule (RFC 5545 section 3.3.10). A plain yearly rule skips years without a February 29, so that day has
  /// special rules: the last day of February, or day 60 of the year, which is March 1 in years without a leap day.
  private static func rule(_ birthday: Birthday, _ leapDay: Birthday.LeapDayRule) -> String {
    guard birthday.month == 2, birthday.day == 29 else { return "FREQ=YEARLY" }
    switch leapDay {
    case .feb28: return "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"
    case .mar1: return "FREQ=YEARLY;BYYEARDAY=60"
    }
  }

  /// `YYYYMMDDThhmmssZ`.
  private static func basic(_ stamp: Timestamp) -> String {
    stamp.description.filter { $0 != "-" && $0 != ":" }
  }

  /// A duration (RFC 5545 section 3.3.6). Weeks cannot be combined with other units, and no unit between two others may be
  /// missing.
  private static func duration(_ interval: Interval) -> String {
    let seconds = interval.seconds
    if seconds % 604_800 == 0 { return "P\(seconds / 604_800)W" }
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    var duration = days > 0 ? "P\(days)D" : "P"
    if rest > 0 { duration += "T\(rest / 3600)H\(rest / 60 % 60)M\(rest % 60)S" }
    return duration
  }
}
