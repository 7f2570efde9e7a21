import Ports
import Testing

@Suite("vCard: birthdays")
struct VCardBirthdayTests {
  @Test(
    "every form",
    arguments: [
      ("BDAY:1985-04-07", "1985-04-07"), ("BDAY:19850407", "1985-04-07"), ("BDAY;VALUE=date:1985-04-07", "1985-04-07"),
      ("BDAY:1985/04/07", "1985-04-07"), ("BDAY:1985.4.7", "1985-04-07"), ("BDAY: 1985-04-07 ", "1985-04-07"),
      ("BDAY:--0203", "--02-03"), ("BDAY:--04-07", "--04-07"), ("BDAY:02-10", "--02-10"), ("BDAY:--0229", "--02-29"),
      ("BDAY:--0407T1030", "--04-07"), ("BDAY:0000-04-07", "--04-07"), ("BDAY:19531015T231000Z", "1953-10-15"),
      ("BDAY:1953-10-15T23:10:00Z", "1953-10-15"),
      ("BDAY;VALUE=date-time:1953-10-15T23:10:00-06:00", "1953-10-15"),
      ("BDAY:1996-10-22T14:00:00.000+0200", "1996-10-22"), ("BDAY:1953-10-15 00:00:00", "1953-10-15"),
      ("BDAY:1953-10-15Z", "1953-10-15"), ("BDAY:1953-10-15T", "1953-10-15"),
      ("BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-07", "--04-07"),
      ("BDAY;VALUE=date;X-APPLE-OMIT-YEAR=1604:1604-02-29", "--02-29"),
      ("BDAY;X-APPLE-OMIT-YEAR=1604:1985-04-07", "1985-04-07"), ("BDAY:1604-04-07", "1604-04-07"),
      ("BDAY;VALUE=text:1985-04-07", "1985-04-07"),
      ("BDAY;ENCODING=QUOTED-PRINTABLE:1985-=\r\n04-07", "1985-04-07"),
      ("BDAY:1985-0\r\n 4-07", "1985-04-07"), ("BD\r\n AY:1985-04-07", "1985-04-07"),
      ("item3.BDAY:1985-04-07", "1985-04-07"), ("bday;value=DATE:1985-04-07", "1985-04-07"),
      ("BDAY;CALSCALE=gregorian:1985-04-07", "1985-04-07"),
      ("BDAY;ALTID=1;VALUE=text:spring of 85\r\nBDAY;ALTID=1:19850407", "1985-04-07"),
      ("BDAY;ALTID=1:19850407\r\nBDAY;ALTID=1;VALUE=text:spring of 85", "1985-04-07"),
      ("BDAY:1985-04-07\r\nBDAY:1986-04-07", "1985-04-07"),
    ])
  func forms(line: String, expected: String) throws {
    #expect(summaries(try readCards(card("N:Berg;Anna", line, version: "4.0"))) == ["Anna|Berg|\(expected)"])
  }

  @Test(
    "what is not understood is named with its reason, and the person is taken without a birthday",
    arguments: [
      ("BDAY;VALUE=text:circa 1800", "birthday \"circa 1800\" is not a date"),
      ("BDAY:foo", "birthday \"foo\" is not a date"), ("BDAY:T102200", "birthday \"T102200\" is not a date"),
      ("BDAY:7 April 1985", "birthday \"7 April 1985\" is not a date"),
      (
        "BDAY:04/07/1985",
        "birthday \"04/07/1985\" is not a date: the day and the month of '04/07/1985' cannot be told apart"
      ),
      ("BDAY:3/4/75", "birthday \"3/4/75\" is not a date: the year needs four digits"),
      ("BDAY:+19850407", "birthday \"+19850407\" is not a date"),
      ("BDAY:198504071", "birthday \"198504071\" is not a date"),
      ("BDAY:1985-04-07Tea", "birthday \"1985-04-07Tea\" is not a date"),
      ("BDAY:1985", "birthday \"1985\" is not a complete date"),
      ("BDAY:1985-04", "birthday \"1985-04\" is not a complete date"),
      ("BDAY:--04", "birthday \"--04\" is not a complete date"),
      ("BDAY:---07", "birthday \"---07\" is not a complete date"),
      ("BDAY:1985-02-30", "birthday \"1985-02-30\" is not a day of the calendar"),
      ("BDAY:1985-02-29", "birthday \"1985-02-29\" is not a day of the calendar"),
      ("BDAY:--1301", "birthday \"--1301\" is not a day of the calendar"),
      ("BDAY:00000000", "birthday \"00000000\" is not a day of the calendar"),
      ("BDAY;CALSCALE=chinese:1985-04-07", "birthday in another calendar: chinese"),
    ])
  func problems(line: String, reason: String) throws {
    let cards = try readCards("\r\n\r\n" + card("N:Berg;Anna", line, version: "4.0"))
    #expect(notes(cards) == ["3|Anna Berg|\(reason); it is left out"])
    #expect(summaries(cards) == ["Anna|Berg|-"])
    #expect(cards.skipped.isEmpty)
  }

  @Test(
    "a person without a birthday",
    arguments: ["NOTE:none", "BDAY:", "BDAY", "X-ANNIVERSARY:1990-04-30", "X-BDAY:1990-04-30"])
  func none(line: String) throws {
    let cards = try readCards(card("N:Berg;Anna", line, version: "4.0"))
    #expect(summaries(cards) == ["Anna|Berg|-"])
    #expect(cards.skipped.isEmpty && cards.notes.isEmpty)
  }

  @Test(
    "of several birthdays the first usable one counts, and the others are named unless they say the same",
    arguments: [
      (["BDAY:1985-04-07", "BDAY:19850407"], []),
      (["BDAY:1985-04-07", "BDAY:1986-04-07"], ["1|Anna Berg|another birthday, 1986-04-07, is left out"]),
      (["BDAY:soon", "BDAY:1985-04-07"], ["1|Anna Berg|birthday \"soon\" is not a date; it is left out"]),
      (["BDAY;ALTID=1:soon", "BDAY;ALTID=1:1985-04-07"], []),
      (
        ["BDAY;ALTID=1:1985-04-07", "BDAY;ALTID=2:soon"],
        ["1|Anna Berg|birthday \"soon\" is not a date; it is left out"]
      ),
    ])
  func several(lines: [String], expected: [String]) throws {
    let cards = try readCards(card(["N:Berg;Anna"] + lines))
    #expect(summaries(cards) == ["Anna|Berg|1985-04-07"])
    #expect(notes(cards) == expected)
  }

  @Test("a long value is cut in the reason")
  func longValue() throws {
    let cards = try readCards(card("FN:Anna Berg", "BDAY:\(String(repeating: "x", count: 5000))"))
    #expect(cards.notes[0].reason == "birthday \"\(String(repeating: "x", count: 40))…\" is not a date; it is left out")
  }
}
