import Foundation
import Models
import Parsing
import Ports
import Testing

@Suite("iCalendar")
struct ICalendarFormatTests {
  private let stamp = Timestamp(rfc3339: "2026-11-21T07:08:09Z")!

  private func person(_ first: String, _ last: String, _ birthday: String, id: String = "p1") -> Person {
    Person(id: id, firstName: first, lastName: last, birthday: Birthday(birthday)!)
  }

  private func text(_ people: [Person], leapDay: Birthday.LeapDayRule = .feb28, alarm: Int? = nil) -> String {
    let bytes = ICalendarFormat().write(
      people, leapDay: leapDay, alarm: alarm.map { Interval(seconds: $0) }, stamp: stamp)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("a whole calendar, line by line")
  func whole() {
    #expect(
      text([person("Ada", "Lovelace", "--12-10", id: "01ab")]) == """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        PRODID:-//Almanac//Almanac//EN\r
        CALSCALE:GREGORIAN\r
        METHOD:PUBLISH\r
        X-WR-CALNAME:Birthdays\r
        BEGIN:VEVENT\r
        UID:01ab@almanac\r
        DTSTAMP:20261121T070809Z\r
        DTSTART;VALUE=DATE:19721210\r
        RRULE:FREQ=YEARLY\r
        SUMMARY:Ada Lovelace\r
        CATEGORIES:BIRTHDAY\r
        TRANSP:TRANSPARENT\r
        END:VEVENT\r
        END:VCALENDAR\r\n
        """)
  }

  @Test("where the year is known, the birthdays of the years around have the age")
  func ages() {
    let events = text([person("Ada", "Lovelace", "1977-12-10", id: "01ab")], alarm: 86_400)
      .split(separator: "BEGIN:VEVENT\r\n").dropFirst()
    #expect(events.count == 8)
    #expect(events.allSatisfy { $0.hasPrefix("UID:01ab@almanac\r\n") })
    #expect(
      events.dropFirst(2).first == """
        UID:01ab@almanac\r
        DTSTAMP:20261121T070809Z\r
        RECURRENCE-ID;VALUE=DATE:20261210\r
        DTSTART;VALUE=DATE:20261210\r
        SUMMARY:Ada Lovelace (49)\r
        DESCRIPTION:Born in 1977\r
        CATEGORIES:BIRTHDAY\r
        TRANSP:TRANSPARENT\r
        BEGIN:VALARM\r
        ACTION:DISPLAY\r
        DESCRIPTION:Ada Lovelace (49)\r
        TRIGGER:-P1D\r
        END:VALARM\r
        END:VEVENT\r\n
        """)
  }

  @Test(
    "an instance that is changed is one of the series, and none is before the first birthday",
    arguments: [
      ("2000-02-29", Birthday.LeapDayRule.feb28, ["20250228", "20260228", "20270228", "20280229"]),
      ("2000-02-29", .mar1, ["20250301", "20260301", "20270301", "20280229"]),
      ("2026-05-05", .feb28, ["20270505", "20280505", "20290505", "20300505"]),
      ("2029-05-05", .feb28, ["20300505", "20310505"]), ("2031-05-05", .feb28, []), ("2040-05-05", .feb28, []),
      ("--05-05", .feb28, []),
    ])
  func instances(birthday: String, rule: Birthday.LeapDayRule, expected: [String]) {
    let lines = text([person("A", "B", birthday)], leapDay: rule).split(separator: "\r\n")
    let instances = lines.filter { $0.hasPrefix("RECURRENCE-ID") }.map { $0.suffix(8) }
    #expect(Array(instances.prefix(4)) == expected.map { $0[...] })
    #expect(lines.count { $0.hasPrefix("DTSTART") } == 1 + instances.count)
  }

  @Test("who has no birthday is not in the calendar")
  func noBirthday() {
    let person = Person(id: "1", firstName: "A", lastName: "B", birthday: nil)
    #expect(text([person]) == text([]))
  }

  @Test(
    "where a series begins and how it repeats",
    arguments: [
      ("1985-04-07", Birthday.LeapDayRule.feb28, "19850407", "FREQ=YEARLY"),
      ("--04-07", .feb28, "19720407", "FREQ=YEARLY"),
      ("--02-29", .feb28, "19720229", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"),
      ("--02-29", .mar1, "19720229", "FREQ=YEARLY;BYYEARDAY=60"),
      ("2000-02-29", .mar1, "20000229", "FREQ=YEARLY;BYYEARDAY=60"),
      ("2000-02-28", .mar1, "20000228", "FREQ=YEARLY"), ("2000-03-01", .feb28, "20000301", "FREQ=YEARLY"),
      ("0900-01-01", .feb28, "09000101", "FREQ=YEARLY"),
    ])
  func series(birthday: String, rule: Birthday.LeapDayRule, start: String, expected: String) {
    let lines = text([person("A", "B", birthday)], leapDay: rule).split(separator: "\r\n")
    #expect(lines.contains("DTSTART;VALUE=DATE:\(start)"))
    #expect(lines.contains("RRULE:\(expected)"))
  }

  @Test("no year, no description")
  func unknownYear() { #expect(!text([person("A", "B", "--04-07")]).contains("DESCRIPTION")) }

  @Test(
    "an alarm rings before the day",
    arguments: [
      (1, "-PT0H0M1S"), (90, "-PT0H1M30S"), (3600, "-PT1H0M0S"), (86_400, "-P1D"), (604_800, "-P1W"),
      (1_209_600, "-P2W"), (694_800, "-P8DT1H0M0S"),
    ])
  func alarms(seconds: Int, trigger: String) {
    let expected = [
      "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:A B", "TRIGGER:\(trigger)", "END:VALARM", "END:VEVENT",
    ]
    #expect(text([person("A", "B", "--04-07")], alarm: seconds).contains(expected.joined(separator: "\r\n")))
  }

  @Test("names are escaped and long lines folded at 75 octets")
  func escapingAndFolding() {
    let name = String(repeating: "né😀", count: 40)
    let written = text([person("a;b,c\\d\ne", name, "1985-04-07")])
    #expect(written.contains("SUMMARY:a\\;b\\,c\\\\d\\ne "))
    for line in Array(written.utf8).split(separator: 0x0A) {
      #expect(line.count <= 76 && line.last == 0x0D)
      #expect(String(validating: line, as: UTF8.self) != nil)
    }
    #expect(written.replacing("\r\n ", with: "").contains(name))
  }

  @Test("the same people and stamp yield the same bytes, and no people yield an empty calendar")
  func stable() {
    let people = [person("A", "B", "--04-07"), person("C", "D", "1985-04-07", id: "p2")]
    #expect(text(people) == text(people))
    #expect(text([]).hasSuffix("X-WR-CALNAME:Birthdays\r\nEND:VCALENDAR\r\n"))
  }
}

@Suite("iCalendar: for other readers")
struct ICalendarSampleTests {
  private static let people: [Person] = [
    ("Ada", "Lovelace", "1815-12-10"), ("Leap", "Known", "2000-02-29"), ("Leap", "Early", "1896-02-29"),
    ("Leap", "Unknown", "--02-29"), ("New", "Year", "--01-01"), ("Old", "Year", "1999-12-31"),
    ("Semi;colon, comma", "back\\slash", "1985-04-07"), ("刘", String(repeating: "né😀", count: 30), "--07-31"),
    ("", "Last", "1970-02-28"), ("First", "", "1970-03-01"),
  ].enumerated().map { index, person in
    Person(id: "01person\(index)", firstName: person.0, lastName: person.1, birthday: Birthday(person.2)!)
  }

  /// Writes calendars for `check_ics.py`.
  @Test(
    "dump",
    .enabled(if: ProcessInfo.processInfo.environment["ALMANAC_ICS_DUMP"] != nil, "ALMANAC_ICS_DUMP names no folder"))
  func dump() throws {
    let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["ALMANAC_ICS_DUMP"]!)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for rule in Birthday.LeapDayRule.allCases {
      let bytes = ICalendarFormat().write(
        Self.people, leapDay: rule, alarm: Interval(seconds: 93_600), stamp: Timestamp(rfc3339: "2026-11-21T07:08:09Z")!
      )
      try Data(bytes).write(to: folder.appendingPathComponent("\(rule.rawValue).ics"))
    }
    let summary = Self.people.map { ["id": $0.id, "name": $0.fullName, "birthday": $0.birthday!.description] }
    try JSONEncoder().encode(summary).write(to: folder.appendingPathComponent("people.json"))
  }
}
