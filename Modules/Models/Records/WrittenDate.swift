/// Days as people and programs write them: `1815-12-10`, `--12-10`, `12/10/1815`, `10-12-1815`, `10.12.1815`, `10 Dec 1815`,
/// `1975年4月12日`, `昭和50年4月12日`.
public enum WrittenDate {
  /// The day, if it can be read in one way only.
  public static func birthday(_ text: String) -> Birthday? {
    let text = text.trimmed
    return isAmbiguous(text) ? nil : day(text, isDayFirst: isDayFirst(text) ?? true)
  }

  /// Why a text that is not read as a day is none; `nil` where it has none of the forms.
  public static func fault(of text: String) -> String? {
    let text = text.trimmed
    if let fault = JapaneseDate.fault(of: text) { return fault }
    if text.hasPrefix("0000") { return "there is no year 0000" }
    let ends = text.dropFirst(2).split(separator: "-").map { Int($0) ?? 0 }
    if text.hasPrefix("--"), ends.count == 2, let day = Birthday(year: nil, month: ends[0], day: ends[1]) {
      return "it is written \(day)"
    }
    if let parts = slashed(text) ?? numbers(text, "."), (1...99).contains(parts[parts[0] < 32 ? 2 : 0]) {
      return "the year needs four digits"
    }
    if isAmbiguous(text) { return "the day and the month of '\(text)' cannot be told apart" }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { $0.isEmpty ? 0 : Int($0) }
    let isWhole = parts.count >= 3 && !parts.contains(nil)
    return isWhole || slashed(text) != nil || numbers(text, ".") != nil || named(text) != nil
      ? "the calendar has no such day" : nil
  }

  /// - Parameter isDayFirst: whether the day stands before the month where they are separated by `/` or `-`.
  public static func day(_ text: String, isDayFirst: Bool) -> Birthday? {
    if let date = Birthday(text) ?? JapaneseDate.birthday(text) { return date }
    if let named = named(text) { return Birthday(year: named.year, month: named.month, day: named.day) }
    let slashed = slashed(text)
    guard let parts = slashed ?? numbers(text, ".") else { return nil }
    if parts[0] > 99 { return Birthday(year: parts[0], month: parts[1], day: parts[2]) }
    let year = parts[2] > 99 ? parts[2] : nil
    // 90-1-5 is not in the year 90, nor on its 90th day.
    guard parts[0] < 32, parts[2] == 0 || year != nil else { return nil }
    let swaps = slashed == nil || isDayFirst
    return Birthday(year: year, month: swaps ? parts[1] : parts[0], day: swaps ? parts[0] : parts[1])
  }

  /// What Outlook writes where there is no date.
  public static func isAbsent(_ text: String) -> Bool {
    (numbers(text, "/") ?? numbers(text, ".")).map { $0[0] == 0 && $0[1] == 0 } ?? false
  }

  /// Whether the day stands before the month in a date with `/` or `-`; `nil` where either could be.
  public static func isDayFirst(_ text: String) -> Bool? {
    guard let parts = slashed(text), parts[0] <= 31, parts[0] != parts[1], max(parts[0], parts[1]) > 12 else {
      return nil
    }
    return parts[0] > 12
  }

  /// Whether a date with `/` or `-` can be read in two ways.
  public static func isAmbiguous(_ text: String) -> Bool {
    guard let parts = slashed(text) else { return false }
    return parts[0] != parts[1] && (1...12).contains(parts[0]) && (1...12).contains(parts[1])
  }

  private static func slashed(_ text: String) -> [Int]? { numbers(text, "/") ?? numbers(text, "-") }

  private static func numbers(_ text: String, _ separator: String) -> [Int]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false).map { Int(String($0).trimmed) ?? -1 }
    return parts.count == 3 && parts.allSatisfy { $0 >= 0 } ? parts : nil
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  /// `5 Jan 1990`, `Jan 5, 1990` and `5 January`.
  private static func named(_ text: String) -> (year: Int?, month: Int, day: Int)? {
    let words = text.lowercased().split { $0.isWhitespace || $0 == "," || $0 == "." }
    guard let place = words.firstIndex(where: { $0.first?.isLetter == true }), place < 2,
      let month = months.firstIndex(where: { words[place].count > 2 && $0.hasPrefix(words[place]) })
    else { return nil }
    let rest = words.indices.filter { $0 != place }.map { Int(words[$0]) ?? 0 }
    guard (1...2).contains(rest.count), (1...31).contains(rest[0]), rest.count == 1 || rest[1] > 99 else { return nil }
    return (rest.count > 1 ? rest[1] : nil, month + 1, rest[0])
  }
}
