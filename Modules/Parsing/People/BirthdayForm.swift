import Models
import Ports

/// The forms that birthdays come in: `YYYY-MM-DD`, `--MM-DD`, an ISO 8601 date-time, seconds since the epoch, and an
/// object that holds one of them as `date`.
enum BirthdayForm {
  /// The birthday.
  ///
  /// - Throws: `ParsingError` where it is none of the forms, or no day of the calendar.
  static func birthday(_ node: JSONNode) throws(ParsingError) -> Birthday {
    let value = node.isObject ? node.present("date") ?? node : node
    let found = value.isString ? read(value.string ?? "") : value.isNumber ? epoch(value.digits ?? "") : nil
    guard let found else {
      throw value.error(expected: "a birthday as YYYY-MM-DD, --MM-DD, a date-time or seconds since 1970")
    }
    return found
  }

  private static func read(_ text: String) -> Birthday? {
    if let birthday = Birthday(text) { return birthday }
    if let birthday = dateTime(text) { return birthday }
    // Eight digits in quotes may be a date or a time; neither is guessed.
    return text.utf8.count == 8 ? nil : epoch(text)
  }

  /// The date as written, whatever the zone: whoever was born on a day keeps that day.
  private static func dateTime(_ text: String) -> Birthday? {
    guard text.utf8.count > 10, let birthday = Birthday(text.prefix(10)), birthday.year != nil else { return nil }
    if Timestamp(rfc3339: text) != nil || Timestamp(rfc3339: "\(text)Z") != nil { return birthday }
    // ISO 8601 lets the seconds be left out.
    let characters = Array(text.utf8)
    let hasMinutes = characters.count >= 16 && characters[13] == 0x3A
    let filled = hasMinutes ? "\(text.prefix(16)):00\(text.dropFirst(16))" : ""
    return Timestamp(rfc3339: filled) != nil || Timestamp(rfc3339: "\(filled)Z") != nil ? birthday : nil
  }

  /// The day in UTC; before 1970 below zero.
  private static func epoch(_ text: String) -> Birthday? {
    let whole = text.prefix { $0 != "." }
    let fraction = text.dropFirst(whole.count + 1)
    guard var seconds = Int(whole), fraction.utf8.allSatisfy(JSONLexer.isDigit), abs(seconds) < 300_000_000_000,
      whole.utf8.first != 0x2B
    else { return nil }
    if seconds < 0 || whole.utf8.first == 0x2D, fraction.contains(where: { $0 != "0" }) { seconds -= 1 }
    let date = Timestamp(secondsSinceEpoch: seconds).date
    guard (1...9999).contains(date.year) else { return nil }
    return Birthday(year: date.year, month: date.month, day: date.day)
  }
}
