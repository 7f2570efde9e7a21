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
  ]) func refuses(text: String) { #expect(Birthday(text) == nil) }

  @Test(arguments: [
    ("1984-02-29", "2026-02-01", Birthday.LeapDayRule.feb28, "2026-02-28"),
    ("1984-02-29", "2026-02-01", .mar1, "2026-03-01"),
    ("1984-02-29", "2028-02-29", .feb28, "2028-02-29"),
    ("1984-02-29", "2026-03-01", .feb28, "2027-02-28"),
    ("1984-02-29", "2026-03-01", .mar1, "2026-03-01"),
    ("1990-12-31", "2026-12-31", .feb28, "2026-12-31"),
    ("1990-01-01", "2026-12-31", .feb28, "2027-01-01"),
    ("--06-15", "2026-06-16", .feb28, "2027-06-15"),
  ]) func next(text: String, from: String, rule: Birthday.LeapDayRule, expected: String) throws {
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

  @Test(arguments: [
    ("5.1.1990", "1990-01-05"), ("5 Jan 1990", "1990-01-05"), ("8 Dec 1966", "1966-12-08"),
    ("January 5, 1990", "1990-01-05"), ("25/1/1990", "1990-01-25"), ("1/25/1990", "1990-01-25"),
    ("5/5/1990", "1990-05-05"), ("--12-10", "--12-10"), ("5 Mar", "--03-05"), ("1990-1-5", "1990-01-05"),
  ])
  func aWrittenDayIsReadInOneWay(text: String, day: String) { #expect(WrittenDate.birthday(text)?.description == day) }

  @Test(arguments: [
    ("1991-02-29", "the calendar has no such day"), ("31.4.1990", "the calendar has no such day"),
    ("31 Apr 1990", "the calendar has no such day"), ("5/1/1990", "cannot be told apart"),
    ("05.01.90", "the year needs four digits"), ("3/4/75", "the year needs four digits"),
    ("0000-01-01", "there is no year 0000"), ("--12-5", "it is written --12-05"),
    ("90-1-5", "the year needs four digits"), ("90-01-05", "the year needs four digits"), ("soon", "it is not a day"),
  ])
  func aDayThatCannotBeReadIsExplained(text: String, reason: String) {
    let mistake = #expect(throws: PersonInput.Mistake.self) { try PersonInput.birthday(text) }
    #expect(mistake?.hint?.contains(reason) == true, "\(mistake as Any)")
  }
}

@Suite struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2000-02-29T23:59:59Z", 951_868_799), ("1969-12-31T23:59:59Z", -1),
    ("2026-11-21T06:00:00Z", 1_795_240_800), ("0001-01-01T00:00:00Z", -62_135_596_800),
  ]) func readsAndWrites(text: String, seconds: Int) throws {
    let time = try #require(Timestamp(rfc3339: text))
    #expect(time.secondsSinceEpoch == seconds)
    #expect(time.description == text)
  }

  @Test(arguments: [
    ("2026-01-01T02:00:00+02:00", "2026-01-01T00:00:00Z"), ("2026-01-01T00:00:00-07:00", "2026-01-01T07:00:00Z"),
    ("2026-01-01T00:00:00.999Z", "2026-01-01T00:00:00Z"), ("2026-01-01t00:00:00z", "2026-01-01T00:00:00Z"),
    ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"), ("2026-01-01T00:00:00+0130", "2025-12-31T22:30:00Z"),
  ]) func readsOtherForms(text: String, expected: String) { #expect(Timestamp(rfc3339: text)?.description == expected) }

  @Test(arguments: [
    "", "2026-01-01", "2026-01-01T00:00:00", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+25:00", "26-01-01T00:00:00Z",
    "2026-01-01T00:00:00Zx",
  ]) func refuses(text: String) { #expect(Timestamp(rfc3339: text) == nil) }

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

  @Test(
    "days as they are written in Japan, with the years of emperors from their first to their last days",
    arguments: [
      ("1975年4月12日", "1975-04-12"), (" １９７５年０４月１２日 ", "1975-04-12"), ("1975年4月12日生まれ", "1975-04-12"),
      ("4月12日", "--04-12"),
      ("昭和50年4月12日", "1975-04-12"), ("昭和 50 年 4 月 12 日生", "1975-04-12"), ("S50.4.12", "1975-04-12"),
      ("昭50/4/12", "1975-04-12"),
      ("H1-1-8", "1989-01-08"), ("昭和元年12月25日", "1926-12-25"), ("昭和64年1月7日", "1989-01-07"), ("平成元年1月8日", "1989-01-08"),
      ("平成31年4月30日", "2019-04-30"), ("令和元年5月1日", "2019-05-01"), ("大正1年7月30日", "1912-07-30"),
      ("大正15年12月25日", "1926-12-25"),
      ("明治45年7月30日", "1912-07-30"), ("明治6年1月1日", "1873-01-01"),
    ])
  func japaneseDays(text: String, day: String) {
    #expect(WrittenDate.birthday(text)?.description == day)
    #expect(WrittenDate.day(text, isDayFirst: true)?.description == day)
  }

  @Test(arguments: [
    ("昭和64年1月8日", "昭和 ended on 1989-01-07"), ("平成31年5月1日", "平成 ended on 2019-04-30"),
    ("S70.1.1", "昭和 ended on 1989-01-07"),
    ("平成元年1月7日", "平成 is read from 1989-01-08"), ("昭和1年1月1日", "昭和 is read from 1926-12-25"),
    ("明治5年12月2日", "明治 is read from 1873-01-01"), ("50年4月12日", "the year needs four digits, or the name of an era"),
    ("1975年2月30日", "the calendar has no such day"), ("昭和50年13月1日", "the calendar has no such day"),
  ])
  func japaneseDaysThatThereAreNot(text: String, fault: String) {
    #expect(WrittenDate.birthday(text) == nil && WrittenDate.day(text, isDayFirst: true) == nil)
    #expect(WrittenDate.fault(of: text) == fault)
  }

  @Test(arguments: [
    "昭和", "1975年", "1975年4月", "昭和50年", "S", "Sam 5.4.12", "五月五日", "12345年1月1日", "昭和0年1月1日",
  ])
  func otherTextsAreNoJapaneseDays(text: String) { #expect(WrittenDate.fault(of: text) == nil) }
}
