import Models
import Testing

@Suite("Times as people write them")
struct WrittenTimeTests {
  /// A Wednesday, a quarter of an hour after midnight in a zone that is two hours ahead of UTC.
  private static let now = Timestamp(rfc3339: "2026-11-24T22:15:00Z")!

  private static func end(_ day: CivilDate) -> Timestamp { Timestamp(startOf: day) + (86_400 - 1 - 7200) }

  private static func read(_ text: String, now: Timestamp = now) -> String? {
    WrittenTime.past(text, now: now, endOfDay: end)?.description
  }

  private static func end(_ day: String) -> String { end(CivilDate(day)!).description }

  @Test(arguments: [
    ("now", "2026-11-24T22:15:00Z"), ("2026-11-10", end("2026-11-10")),
    ("2026-11-10T12:00:00Z", "2026-11-10T12:00:00Z"),
    ("7d", "2026-11-17T22:15:00Z"), ("3 days", "2026-11-21T22:15:00Z"), ("3 days ago", "2026-11-21T22:15:00Z"),
    ("2 weeks ago", "2026-11-10T22:15:00Z"), ("a week ago", "2026-11-17T22:15:00Z"),
    ("an hour ago", "2026-11-24T21:15:00Z"),
    ("today", end("2026-11-25")), ("yesterday", end("2026-11-24")), ("Yesterday ", end("2026-11-24")),
    ("monday", end("2026-11-23")), ("last monday", end("2026-11-23")), ("tue", end("2026-11-24")),
    ("wednesday", end("2026-11-18")), ("last wednesday", end("2026-11-18")), ("thursday", end("2026-11-19")),
    ("last week", end("2026-11-18")), ("last month", end("2026-10-25")), ("last year", end("2025-11-25")),
    ("2 months ago", end("2026-09-25")), ("one year ago", end("2025-11-25")), ("9 months ago", end("2026-02-25")),
  ])
  func aTime(text: String, expected: String) { #expect(Self.read(text) == expected) }

  @Test func aShorterMonthEndsSooner() {
    let now = Timestamp(rfc3339: "2026-03-31T12:00:00Z")!
    #expect(Self.read("last month", now: now) == Self.end("2026-02-28"))
    #expect(Self.read("3 months ago", now: now) == Self.end("2025-12-31"))
    #expect(Self.read("25 months ago", now: now) == Self.end("2024-02-29"))
  }

  @Test(arguments: [
    "", "soon", "mo", "last", "last day", "next monday", "last 3 days", "days ago", "-3 days ago", "3 moons ago",
    "monday ago",
    "99999999 days ago", "40000 months ago", "2026-13-01", "5 ago",
  ])
  func noTime(text: String) { #expect(Self.read(text) == nil) }
}
