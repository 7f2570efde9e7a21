import Models
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2000-02-29T23:59:59Z", 951_868_799), ("1969-12-31T23:59:59Z", -1),
    ("2026-11-21T06:00:00Z", 1_795_240_800), ("0001-01-01T00:00:00Z", -62_135_596_800),
  ])
  func readsAndWrites(text: String, seconds: Int) throws {
    let time = try #require(Timestamp(rfc3339: text))
    #expect(time.secondsSinceEpoch == seconds)
    #expect(time.description == text)
  }

  @Test(arguments: [
    ("2026-01-01T02:00:00+02:00", "2026-01-01T00:00:00Z"), ("2026-01-01T00:00:00-07:00", "2026-01-01T07:00:00Z"),
    ("2026-01-01T00:00:00.999Z", "2026-01-01T00:00:00Z"), ("2026-01-01t00:00:00z", "2026-01-01T00:00:00Z"),
    ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"), ("2026-01-01T00:00:00+0130", "2025-12-31T22:30:00Z"),
  ])
  func readsOtherForms(text: String, expected: String) {
    #expect(Timestamp(rfc3339: text)?.description == expected)
  }

  @Test(arguments: [
    "", "2026-01-01", "2026-01-01T00:00:00", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+25:00", "26-01-01T00:00:00Z",
    "2026-01-01T00:00:00Zx",
  ])
  func refuses(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  /// Every day of 600 years, against the rule of leap years.
  @Test func everyDay() throws {
    var date = try #require(CivilDate("1800-01-01"))
    try #require(date.daysSinceEpoch == -62_091)
    for number in date.daysSinceEpoch..<date.daysSinceEpoch + 219_145 {
      #expect(date.daysSinceEpoch == number)
      let next = date.adding(days: 1)
      let isLastOfMonth = date.day == CivilDate.days(inMonth: date.month, year: date.year)
      #expect(next.day == (isLastOfMonth ? 1 : date.day + 1))
      date = next
    }
    #expect(date.description == "2400-01-01")
  }
}
