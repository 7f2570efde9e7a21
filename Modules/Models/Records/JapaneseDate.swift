/// Days as they are written in Japan: `1975年4月12日`, `4月12日`, and with the years of an emperor `昭和50年4月12日` and `S50.4.12`.
enum JapaneseDate {
  /// The years of an emperor.
  struct Era {
    /// Its full name, and short forms.
    let names: [String]
    /// The year that is its first one.
    let year: Int
    let first: CivilDate
    /// `nil` for the present one. Two of them ended on the day on which the next one began.
    let last: CivilDate?
  }

  /// Japan has had the Gregorian calendar since 明治6年1月1日; the days before are others.
  private static let eras = [
    Era(names: ["明治", "㍾", "明", "M"], year: 1868, first: day(1873, 1, 1), last: day(1912, 7, 30)),
    Era(names: ["大正", "㍽", "大", "T"], year: 1912, first: day(1912, 7, 30), last: day(1926, 12, 25)),
    Era(names: ["昭和", "㍼", "昭", "S"], year: 1926, first: day(1926, 12, 25), last: day(1989, 1, 7)),
    Era(names: ["平成", "㍻", "平", "H"], year: 1989, first: day(1989, 1, 8), last: day(2019, 4, 30)),
    Era(names: ["令和", "令", "R"], year: 2019, first: day(2019, 5, 1), last: nil),
  ]

  private static func day(_ year: Int, _ month: Int, _ day: Int) -> CivilDate {
    CivilDate(year: year, month: month, day: day)!
  }

  private struct Parts {
    var era: Era?
    var year: Int?
    var month: Int
    var day: Int
  }

  /// The day; `nil` for a text of another form, and for a day that there is not.
  static func birthday(_ text: String) -> Birthday? { fault(of: text) == nil ? parts(text).flatMap(birthday) : nil }

  /// Why a text in this form is not a day; `nil` where it is one, or has another form.
  static func fault(of text: String) -> String? {
    guard let parts = parts(text) else { return nil }
    guard let birthday = birthday(parts) else { return "the calendar has no such day" }
    guard let era = parts.era, let date = birthday.dateOfBirth else {
      return parts.year.map { $0 > 99 } ?? true ? nil : "the year needs four digits, or the name of an era"
    }
    if date < era.first { return "\(era.names[0]) is read from \(era.first)" }
    return era.last.flatMap { date > $0 ? "\(era.names[0]) ended on \($0)" : nil }
  }

  private static func birthday(_ parts: Parts) -> Birthday? {
    let year = parts.era.flatMap { era in parts.year.map { era.year + $0 - 1 } } ?? parts.year
    return Birthday(year: year, month: parts.month, day: parts.day)
  }

  private static func parts(_ text: String) -> Parts? {
    var rest = text.filter { !$0.isWhitespace }[...]
    for end in ["生まれ", "生"] where rest.hasSuffix(end) {
      rest = rest.dropLast(end.count)
      break
    }
    var found: Era?
    for era in eras where found == nil {
      guard let name = era.names.first(where: { rest.hasPrefix($0) }) else { continue }
      (found, rest) = (era, rest.dropFirst(name.count))
    }
    // The first year has a name of its own.
    if found != nil, rest.hasPrefix("元") { rest = "1" + rest.dropFirst() }
    var (numbers, signs): ([Int], [Character]) = ([], [])
    var digits = 0
    for character in rest {
      guard let digit = digit(character) else {
        guard digits > 0 else { return nil }
        signs.append(character)
        digits = 0
        continue
      }
      digits += 1
      guard digits <= 4 else { return nil }
      if digits == 1 {
        numbers.append(digit)
      } else {
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + digit
      }
    }
    let form = String(signs)
    switch numbers.count {
    case 3 where form == "年月日" || found != nil && ["..", "//", "--"].contains(form):
      guard found == nil || (1...99).contains(numbers[0]) else { return nil }
      return Parts(era: found, year: numbers[0], month: numbers[1], day: numbers[2])
    case 2 where found == nil && form == "月日": return Parts(month: numbers[0], day: numbers[1])
    default: return nil
    }
  }

  /// A digit of the usual or the full width.
  private static func digit(_ character: Character) -> Int? {
    guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else { return nil }
    switch scalar.value {
    case 0x30...0x39: return Int(scalar.value - 0x30)
    case 0xFF10...0xFF19: return Int(scalar.value - 0xFF10)
    default: return nil
    }
  }
}
