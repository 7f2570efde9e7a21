/// What a card's formatted name (`FN`) says beside its two names (`N`).
enum CardName {
  /// A formatted name split at its last space; `nil` where it is empty.
  static func split(_ formatted: String) -> (first: String, last: String)? {
    guard !formatted.isEmpty else { return nil }
    guard let space = formatted.lastIndex(where: \.isWhitespace) else { return (formatted, "") }
    return (String(formatted[..<space]).trimmed, String(formatted[formatted.index(after: space)...]))
  }

  /// Both names, where one of them is empty and the formatted name is the other one with more words before or after it:
  /// 'Ada Lovelace' beside the family name 'Lovelace', '李小龙' beside '李'.
  static func completed(first: String, last: String, by formatted: String) -> (first: String, last: String) {
    if first.isEmpty, let rest = rest(of: formatted, without: last) { return (rest, last) }
    if last.isEmpty, let rest = rest(of: formatted, without: first) { return (first, rest) }
    return (first, last)
  }

  private static func rest(of formatted: String, without name: String) -> String? {
    var rest: Substring
    if formatted.hasSuffix(name) {
      rest = formatted.dropLast(name.count)
      guard let end = rest.last, end.isWhitespace || isWrittenWithoutSpaces(end) else { return nil }
    } else if formatted.hasPrefix(name) {
      rest = formatted.dropFirst(name.count)
      guard let start = rest.first, start.isWhitespace || isWrittenWithoutSpaces(start) else { return nil }
    } else {
      return nil
    }
    let name = String(rest).trimmed
    return name.isEmpty || name.contains(",") ? nil : name
  }

  /// Chinese characters and Korean syllables.
  private static func isWrittenWithoutSpaces(_ character: Character) -> Bool {
    character.unicodeScalars.allSatisfy { $0.properties.isIdeographic || (0xAC00...0xD7A3).contains($0.value) }
  }

  /// The formatted name, where it says more than both names with a space between: other words, or the same ones in
  /// another order. `nil` where it says as much or less, is the form of an index ('Lovelace, Ada'), or an address.
  static func fullName(_ formatted: String, first: String, last: String) -> String? {
    let said = words(formatted)
    let known = words(first) + words(last)
    if formatted.isEmpty || formatted.contains("@") || said == known { return nil }
    guard Set(said).isSubset(of: known) else { return formatted }
    return said.count < known.count || formatted.contains(where: isSeparator) ? nil : formatted
  }

  private static func words(_ text: String) -> [String] {
    text.lowercased().split { $0.isWhitespace || isSeparator($0) }.map(String.init)
  }

  private static func isSeparator(_ character: Character) -> Bool { character == "," || character == ";" }
}
