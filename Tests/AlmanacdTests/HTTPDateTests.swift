import Models
import Testing

@testable import almanacd

/// The date in the head of every answer.
@Suite struct HTTPDateTests {
  @Test(
    "as RFC 9110 writes it",
    arguments: [
      (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
      (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
      (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    ])
  func written(second: Int, text: String) {
    let date = HTTPDate()
    #expect(date.text(Timestamp(secondsSinceEpoch: second)) == text)
    #expect(date.text(Timestamp(secondsSinceEpoch: second)) == text)
    #expect(date.text(Timestamp(secondsSinceEpoch: second + 1)) != text)
  }
}
