public import Models
public import Ports

/// Birthdays as an iCalendar file (RFC 5545) that calendars import or subscribe to.
///
/// Everybody with a birthday is one all-day event that repeats every year and blocks no time. Its `UID` is made of the
/// person's id, so that a newer file replaces the events of an older one instead of doubling them.
///
/// A series has one summary for all years, and an age is another one every year. Where the year of birth is known, the
/// birthdays from last year to five years ahead are therefore written as changed instances of the series
/// (`RECURRENCE-ID`, RFC 5545 section 3.8.4.4), whose summaries hold the age: 'Ada Lovelace (49)'. Those of other years
/// show the name alone.
public struct ICalendarFormat: CalendarFormat {
  /// Makes the format; it has no settings.
  public init() {}

  /// Where a series begins whose year of birth is not known: a leap year, so that February 29 is a day of it.
  private static let yearOfUnknown = 1972

  /// Writes one yearly event for everybody who has a birthday, in their order, with the ages of the years around
  /// `stamp`.
  public func write(
    _ people: [Person], leapDay: Birthday.LeapDayRule, alarm: Interval?, stamp: Timestamp
  ) -> [UInt8] {
    var writer = ContentLineWriter()
    writer.line("BEGIN", "VCALENDAR")
    writer.line("VERSION", "2.0")
    writer.line("PRODID", "-//Almanac//Almanac//EN")
    writer.line("CALSCALE", "GREGORIAN")
    writer.line("METHOD", "PUBLISH")
    writer.text("X-WR-CALNAME", "Birthdays")
    for person in people {
      guard let birthday = person.birthday else { continue }
      writer.line("BEGIN", "VEVENT")
      writer.text("UID", "\(person.id)@almanac")
      writer.line("DTSTAMP", Self.basic(stamp))
      writer.line("DTSTART;VALUE=DATE", Self.start(birthday))
      writer.line("RRULE", Self.rule(birthday, leapDay))
      Self.write(person.fullName, birthday, alarm, to: &writer)
      for year in Self.yearsWithAge(birthday, stamp) {
        guard let age = birthday.age(in: year), let date = birthday.date(in: year, leapDay: leapDay) else { continue }
        let day = Self.basic(date)
        writer.line("BEGIN", "VEVENT")
        writer.text("UID", "\(person.id)@almanac")
        writer.line("DTSTAMP", Self.basic(stamp))
        writer.line("RECURRENCE-ID;VALUE=DATE", day)
        writer.line("DTSTART;VALUE=DATE", day)
        Self.write("\(person.fullName) (\(age))", birthday, alarm, to: &writer)
      }
    }
    writer.line("END", "VCALENDAR")
    return writer.bytes
  }

  /// The years around the one in which the calendar is written, from the first birthday on.
  private static func yearsWithAge(_ birthday: Birthday, _ stamp: Timestamp) -> Range<Int> {
    guard let birth = birthday.year else { return 0..<0 }
    let this = stamp.date.year
    let end = min(this + 6, 10_000)
    return min(max(this - 1, birth + 1), end)..<end
  }

  /// What an event says, and its end.
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

  /// The rule of RFC 5545 section 3.3.10. A plain yearly rule skips the years without a February 29, so that day has
  /// rules of its own: the last of February, or the sixtieth of the year, which is March 1 where there is no leap day.
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

  /// RFC 5545 section 3.3.6, where weeks stand alone and no unit between two others may be left out.
  private static func duration(_ interval: Interval) -> String {
    let seconds = interval.seconds
    if seconds % 604_800 == 0 { return "P\(seconds / 604_800)W" }
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    var duration = days > 0 ? "P\(days)D" : "P"
    if rest > 0 { duration += "T\(rest / 3600)H\(rest / 60 % 60)M\(rest % 60)S" }
    return duration
  }
}
