import Models
import Testing

@Suite struct BirthdayTests {
  @Test(
    arguments: [
      ("1984-02-29", 1984, 2, 29), ("--02-29", nil, 2, 29), ("0001-01-01", 1, 1, 1), ("--12-31", nil, 12, 31),
    ] as [(String, Int?, Int, Int)])
  func readsAndWrites(text: String, year: Int?, month: Int, day: Int) throws {
    let birthday = try #require(Birthday(text))
    #expect(birthday.year == year)
    #expect(birthday.month == month)
    #expect(birthday.day == day)
    #expect(birthday.description == text)
  }

  @Test(arguments: [
    "", "1985-02-29", "1985-13-01", "--2-03", "--02-30", "85-01-01", "1985-1-1", "1985-01-01T00:00:00Z", "--0203",
  ])
  func refuses(text: String) {
    #expect(Birthday(text) == nil)
  }

  @Test(arguments: [
    ("1984-02-29", "2026-02-01", Birthday.LeapDayRule.feb28, "2026-02-28"),
    ("1984-02-29", "2026-02-01", .mar1, "2026-03-01"),
    ("1984-02-29", "2028-02-29", .feb28, "2028-02-29"),
    ("1984-02-29", "2026-03-01", .feb28, "2027-02-28"),
    ("1984-02-29", "2026-03-01", .mar1, "2026-03-01"),
    ("1990-12-31", "2026-12-31", .feb28, "2026-12-31"),
    ("1990-01-01", "2026-12-31", .feb28, "2027-01-01"),
    ("--06-15", "2026-06-16", .feb28, "2027-06-15"),
  ])
  func next(text: String, from: String, rule: Birthday.LeapDayRule, expected: String) throws {
    let birthday = try #require(Birthday(text))
    let day = try #require(CivilDate(from))
    #expect(birthday.next(onOrAfter: day, leapDay: rule)?.description == expected)
  }

  @Test func ages() throws {
    let birthday = try #require(Birthday("1990-06-15"))
    #expect(birthday.age(in: 2026) == 36)
    #expect(birthday.age(in: 1989) == nil)
    #expect(try #require(Birthday("--06-15")).age(in: 2026) == nil)
  }
}
