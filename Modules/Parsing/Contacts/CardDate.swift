import Models

/// Reads `BDAY` in the formats of all vCard versions and of common exporters.
enum CardDate {
  /// The reason why a property has no valid birthday.
  struct Problem: Error, Equatable {
    let reason: String
    static let absent = Problem(reason: "no birthday")
  }

  /// The birthday of a property.
  ///
  /// Dates are `YYYY-MM-DD` or `YYYYMMDD`, also with `/` or `.` instead of `-`, and without a year `--MM-DD`, `--MMDD` or
  /// `MM-DD` (RFC 6350 section 4.3.1, RFC 2426 section 3.1.5). A time after the date is ignored, and so is its zone: the
  /// date counts as written. The year 0000 and the year in `X-APPLE-OMIT-YEAR` mean that there is no year.
  ///
  /// - Parameter isApple: whether a program of Apple wrote the card: then 1604, which it writes where there is no year,
  ///   means so also without the parameter, which some servers drop.
  static func birthday(_ property: CardProperty, isApple: Bool) -> Result<Birthday, Problem> {
    if let calendar = property.parameter("CALSCALE"), calendar.uppercased() != "GREGORIAN" {
      return .failure(Problem(reason: "birthday in another calendar: \(calendar)"))
    }
    let text = (property.text ?? "").trimmed
    guard !text.isEmpty else { return .failure(.absent) }
    guard let date = date(Array(text.utf8)) else {
      let written = WrittenDate.birthday(text)
      // Some programs of Japan write it as people do.
      if let written, !text.utf8.allSatisfy({ $0 < 0x80 }) { return .success(written) }
      let fault = written == nil ? WrittenDate.fault(of: text).map { ": \($0)" } ?? "" : ""
      return .failure(Problem(reason: "birthday \(quoted(text)) is not a date\(fault)"))
    }
    guard let month = date.month, let day = date.day else {
      return .failure(Problem(reason: "birthday \(quoted(text)) is not a complete date"))
    }
    let omitted = property.parameter("X-APPLE-OMIT-YEAR").flatMap { Int($0) } ?? (isApple ? Birthday.unknownYear : nil)
    let year = date.year == 0 || date.year == omitted ? nil : date.year
    guard let birthday = Birthday(year: year, month: month, day: day) else {
      return .failure(Problem(reason: "birthday \(quoted(text)) is not a day of the calendar"))
    }
    return .success(birthday)
  }

  private static func quoted(_ text: String) -> String {
    "\"\(text.prefix(40))\(text.count > 40 ? "…" : "")\""
  }

  private struct Parts {
    var year: Int?
    var month: Int?
    var day: Int?
  }

  private static func date(_ bytes: [UInt8]) -> Parts? {
    let end = bytes.firstIndex { $0 == 0x54 || $0 == 0x74 || $0 == 0x20 } ?? bytes.endIndex
    guard isTime(bytes[end...].dropFirst()) else { return nil }
    var date = bytes[..<end]
    if date.last == 0x5A || date.last == 0x7A { date.removeLast() }
    if date.starts(with: [0x2D, 0x2D]) { return withoutYear(date.dropFirst(2)) }
    return withYear(date)
  }

  /// Reads `04-07`, `0407`, `04`, and `-07` for a day alone.
  private static func withoutYear(_ date: ArraySlice<UInt8>) -> Parts? {
    if date.first == 0x2D { return number(date.dropFirst(), 1...2).map { Parts(day: $0) } }
    let pieces = split(date)
    if pieces.count == 2, let month = number(pieces[0], 1...2), let day = number(pieces[1], 1...2) {
      return Parts(month: month, day: day)
    }
    guard pieces.count == 1, let value = number(date, 1...4) else { return nil }
    return date.count == 4 ? Parts(month: value / 100, day: value % 100) : date.count == 2 ? Parts(month: value) : nil
  }

  /// Reads `1985-04-07`, `19850407`, `1985-04`, `1985`, and `04-07` without a year.
  private static func withYear(_ date: ArraySlice<UInt8>) -> Parts? {
    let pieces = split(date)
    switch pieces.count {
    case 1:
      guard let value = number(date, 4...8) else { return nil }
      if date.count == 8 { return Parts(year: value / 10_000, month: value / 100 % 100, day: value % 100) }
      return date.count == 4 ? Parts(year: value) : nil
    case 2:
      guard let second = number(pieces[1], 1...2) else { return nil }
      if let year = number(pieces[0], 4...4) { return Parts(year: year, month: second) }
      return number(pieces[0], 1...2).map { Parts(month: $0, day: second) }
    case 3:
      guard let year = number(pieces[0], 4...4), let month = number(pieces[1], 1...2),
        let day = number(pieces[2], 1...2)
      else { return nil }
      return Parts(year: year, month: month, day: day)
    default:
      return nil
    }
  }

  private static func split(_ date: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    date.split(omittingEmptySubsequences: false) { $0 == 0x2D || $0 == 0x2F || $0 == 0x2E }
  }

  private static func number(_ digits: ArraySlice<UInt8>, _ length: ClosedRange<Int>) -> Int? {
    length.contains(digits.count) ? decimal(digits) : nil
  }

  /// Whether the bytes are digits, separators and a zone; also for no bytes.
  private static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.allSatisfy { (0x30...0x3A).contains($0) || [0x2B, 0x2C, 0x2D, 0x2E, 0x5A, 0x7A].contains($0) }
  }
}
