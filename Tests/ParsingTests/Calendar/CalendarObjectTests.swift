import Foundation
import Models
import Parsing
import Ports
import Testing

/// Birthdays as objects of a calendar on a server.
@Suite struct CalendarObjectTests {
  private let format = ICalendarFormat()
  private let stamp = Timestamp(rfc3339: "2026-11-21T07:08:09Z")!

  private func object(
    _ name: String = "Ada, Countess; \\of\nLovelace", _ birthday: String = "1815-12-10", at stamp: Timestamp? = nil
  ) throws -> CalendarObject {
    let person = Person(id: "p1", firstName: "", lastName: name, birthday: Birthday(birthday))
    return try #require(format.object(of: person, leapDay: .feb28, alarm: Interval("9h"), stamp: stamp ?? self.stamp))
  }

  private func read(_ text: String) throws -> CalendarObject { try #require(format.object(Array(text.utf8))) }

  @Test func itIsAnEventOfTheExportWithoutAMethod() throws {
    let person = Person(id: "p1", firstName: "Ada", lastName: "B", birthday: Birthday("--12-10"))
    let object = try #require(format.object(of: person, leapDay: .feb28, alarm: nil, stamp: stamp))
    #expect(
      String(decoding: object.bytes, as: UTF8.self) == """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        PRODID:-//Almanac//Almanac//EN\r
        CALSCALE:GREGORIAN\r
        BEGIN:VEVENT\r
        UID:p1@almanac\r
        DTSTAMP:20261121T070809Z\r
        X-ALMANAC-DIGEST:\(object.digest)\r
        DTSTART;VALUE=DATE:19721210\r
        RRULE:FREQ=YEARLY\r
        SUMMARY:Ada B\r
        CATEGORIES:BIRTHDAY\r
        TRANSP:TRANSPARENT\r
        END:VEVENT\r
        END:VCALENDAR\r\n
        """)
    #expect(object.mark == object.digest && object.uid == "p1@almanac" && object.summary == "Ada B")
    let nobody = Person(id: "p2", firstName: "Bo", lastName: "C", birthday: nil)
    #expect(format.object(of: nobody, leapDay: .feb28, alarm: nil, stamp: stamp) == nil)
  }

  /// The digest does not depend on how the content is written, nor on the time.
  @Test func otherFormsAreTheSame() throws {
    let object = try object()
    #expect(try self.object(at: Timestamp(rfc3339: "2026-01-02T00:00:00Z")!).digest == object.digest)
    let text = String(decoding: object.bytes, as: UTF8.self)
    let whole = text.replacing("\r\n ", with: "")
    let series = try #require(whole.range(of: "BEGIN:VEVENT"))
    for other in [
      whole, whole.replacing("\r\n", with: "\n"), whole.replacing("\r\n", with: "\r\n\r\n"),
      whole.replacing("SUMMARY:", with: "summary:").replacing(";VALUE=DATE", with: ";value=\"date\""),
      whole.replacing("Ada\\,", with: "Ada,").replacing("\\nLovelace", with: "\\NLovelace"),
      whole.replacing("-PT9H0M0S", with: "-PT540M"), whole.replacing("-PT9H0M0S", with: "-PT9H"),
      whole.replacing("END:VEVENT", with: "X-SEEN;A=\"b:c\":1\r\nSEQUENCE:3\r\nEND:VEVENT"),
      whole.replacing("TRANSP:TRANSPARENT\r\n", with: "")
        .replacing("RRULE", with: "TRANSP:TRANSPARENT\r\nRRULE")
        .replacing("SUMMARY", with: "TRANSP:TRANSPARENT\r\nSUMMARY").replacing(
          "RRULE:FREQ=YEARLY\r\nTRANSP:TRANSPARENT", with: "RRULE:FREQ=YEARLY"),
      whole[..<series.lowerBound] + "BEGIN:VTIMEZONE\r\nTZID:x\r\nEND:VTIMEZONE\r\n" + whole[series.lowerBound...],
    ] {
      let read = try read(String(other))
      #expect(read.digest == object.digest && read.mark == object.mark && !read.isForeign, "\(other)")
    }
  }

  @Test func theOrderOfARuleDoesNotMatter() throws {
    let object = try object("Leap Day", "1992-02-29")
    let text = String(decoding: object.bytes, as: UTF8.self)
    let rule = "BYMONTH=2;BYMONTHDAY=-1"
    #expect(text.contains(rule))
    #expect(try !read(text.replacing(rule, with: "BYMONTHDAY=-1;BYMONTH=2")).isForeign)
    #expect(try read(text.replacing(rule, with: "BYMONTHDAY=-2;BYMONTH=2")).isForeign)
  }

  @Test func everyChangeIsNoticed() throws {
    let object = try object("Ada B")
    let text = String(decoding: object.bytes, as: UTF8.self)
    let changes = [
      ("SUMMARY:Ada B\r\n", "SUMMARY:Ada C\r\n"), ("TRANSP:TRANSPARENT\r\n", ""),
      ("DTSTART;VALUE=DATE:1815", "DTSTART:1815"),
      ("TRIGGER:-PT9H", "TRIGGER:-PT8H"), ("Ada B (211)", "Ada B (212)"),
      ("RRULE:FREQ=YEARLY\r\n", "RRULE:FREQ=DAILY\r\n"), ("END:VEVENT", "LOCATION:London\r\nEND:VEVENT"),
      ("RECURRENCE-ID;VALUE=DATE:20261210", "RECURRENCE-ID;VALUE=DATE:20261211"),
    ]
    for (old, new) in changes {
      #expect(text.contains(old), "\(old)")
      let read = try read(text.replacing(old, with: new))
      #expect(read.isForeign && read.mark == object.mark && read.uid == object.uid, "\(old)")
    }
    #expect(try read(text.replacing("X-ALMANAC-DIGEST", with: "X-OTHER")).isForeign)
    // Another name, birthday or year is another event.
    let digests = [
      object, try self.object("Ada C"), try self.object("Ada B", "1815-12-11"), try self.object("Ada B", "--12-10"),
    ]
    #expect(Set(digests.map(\.digest.exact)).count == 4)
    #expect(try self.object("Ada B", at: Timestamp(rfc3339: "2027-01-01T00:00:00Z")!).digest != object.digest)
  }

  @Test(arguments: [
    "", "BEGIN:VCALENDAR\r\nEND:VCALENDAR", "BEGIN:VTODO\nUID:x\nEND:VTODO", "BEGIN:VEVENT\nEND:VEVENT", "\u{0}:;\"",
  ])
  func otherTextIsNoEvent(_ text: String) {
    #expect(format.object(Array(text.utf8)) == nil)
  }
}
