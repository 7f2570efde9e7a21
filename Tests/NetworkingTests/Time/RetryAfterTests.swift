import Models
import Testing

@testable import Networking

@Suite struct RetryAfterTests {
  static let now = Timestamp(rfc3339: "1994-11-06T08:49:07Z")!

  @Test(
    arguments: [
      ("0", 0), ("30", 30), (" 30\t", 30), ("0030", 30), ("86401", 86_400), ("99999999999999999999", 86_400),
      ("-1", nil), ("+5", nil), ("1.5", nil), ("soon", nil), ("", nil), ("  ", nil), ("30s", nil), ("3 0", nil),
      ("Sun, 06 Nov 1994 08:49:37 GMT", 30), ("Sunday, 06-Nov-94 08:49:37 GMT", 30), ("Sun Nov  6 08:49:37 1994", 30),
      ("Sun, 06 Nov 1994 08:49:07 GMT", 0), ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("Wed, 01 Jan 1800 00:00:00 GMT", 0),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400), ("Sun, 32 Nov 1994 08:49:37 GMT", nil),
      ("Sun, 06 Nov 1994 08:49:37", nil), ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("1994-11-06T08:49:37Z", nil),
      ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
    ] as [(String, Int?)])
  func reads(_ value: String, _ seconds: Int?) { #expect(RetryAfter.seconds(value, now: Self.now) == seconds) }

  @Test func placesYearsOfTwoDigits() {
    let now = Timestamp(rfc3339: "2026-01-01T00:00:00Z")!
    #expect(HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", reference: now)?.date.year == 1994)
    #expect(HTTPDate.parse("Sunday, 06-Nov-30 08:49:37 GMT", reference: now)?.date.year == 2030)
  }
}
