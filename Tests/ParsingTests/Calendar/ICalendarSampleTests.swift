import Foundation
import Models
import Parsing
import Ports
import Testing

@Suite("iCalendar: for other readers")
struct ICalendarSampleTests {
  private static let people: [Person] = [
    ("Ada", "Lovelace", "1815-12-10"), ("Leap", "Known", "2000-02-29"), ("Leap", "Early", "1896-02-29"),
    ("Leap", "Unknown", "--02-29"), ("New", "Year", "--01-01"), ("Old", "Year", "1999-12-31"),
    ("Semi;colon, comma", "back\\slash", "1985-04-07"), ("刘", String(repeating: "né😀", count: 30), "--07-31"),
    ("", "Last", "1970-02-28"), ("First", "", "1970-03-01"),
  ].enumerated().map { index, person in
    Person(
      id: "01person\(index)", firstName: person.0, lastName: person.1, birthday: Birthday(person.2)!)
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
