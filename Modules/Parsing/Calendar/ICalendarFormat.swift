public import Models
public import Ports

/// Birthdays as an iCalendar file (RFC 5545) that calendars import or subscribe to.
///
/// Every person is one all-day event that repeats every year and blocks no time. Its `UID` is made of the person's id,
/// so that a newer file replaces the events of an older one instead of doubling them.
public struct ICalendarFormat: CalendarFormat {
  /// Makes the format; it has no settings.
  public init() {}

  /// Where a series begins whose year of birth is not known: a leap year, so that February 29 is a day of it.
  private static let yearOfUnknown = 1972

  /// Writes one yearly event per person, in their order.
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
      writer.line("BEGIN", "VEVENT")
      writer.text("UID", "\(person.id)@almanac")
      writer.line("DTSTAMP", Self.basic(stamp))
      writer.line("DTSTART;VALUE=DATE", Self.start(person.birthday))
      writer.line("RRULE", Self.rule(person.birthday, leapDay))
      writer.text("SUMMARY", person.fullName)
      if let year = person.birthday.year { writer.text("DESCRIPTION", "Born in \(year)") }
      writer.line("CATEGORIES", "BIRTHDAY")
      writer.line("TRANSP", "TRANSPARENT")
      if let alarm { Self.write(alarm, of: person, to: &writer) }
      writer.line("END", "VEVENT")
    }
    writer.line("END", "VCALENDAR")
    return writer.bytes
  }

  private static func write(_ alarm: Interval, of person: Person, to writer: inout ContentLineWriter) {
    writer.line("BEGIN", "VALARM")
    writer.line("ACTION", "DISPLAY")
    writer.text("DESCRIPTION", person.fullName)
    writer.line("TRIGGER", "-\(duration(alarm))")
    writer.line("END", "VALARM")
  }

  private static func start(_ birthday: Birthday) -> String {
    "\(padded(birthday.year ?? yearOfUnknown, 4))\(padded(birthday.month, 2))\(padded(birthday.day, 2))"
  }

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
