import Models
import Ports

/// Reads `FIELD OP VALUE`, `FIELD is present` or `FIELD is absent`.
enum ConditionArgument {
  /// The condition, or how one is written. Adjacent signs form one operator.
  static func parse(_ text: String) throws(Failure) -> RecordCondition {
    if let condition = presence(text) { return condition }
    let isSign: (Character) -> Bool = { "=!<>~".contains($0) }
    let field = trimmed(text.prefix { !isSign($0) })
    let rest = text.drop { !isSign($0) }
    let signs = String(rest.prefix(while: isSign))
    guard !signs.isEmpty, !field.isEmpty else {
      throw Failure(.config, .usage, "'\(text)' is not a condition", hint: form, code: "bad-condition")
    }
    guard let comparison = RecordCondition.Comparison(rawValue: signs) else {
      throw Failure(
        .config, .usage, "'\(signs)' in '\(text)' is not an operator",
        hint: (meant[signs].map { "did you mean '\(field) \($0) …'? " } ?? "") + form, code: "bad-condition")
    }
    return RecordCondition(field: field, comparison: comparison, value: trimmed(rest.dropFirst(signs.count)))
  }

  /// The condition that a field has a value, or has none; `nil` for any other one.
  private static func presence(_ text: String) -> RecordCondition? {
    let words = text.split(separator: " ")
    guard words.count == 3, words[1] == "is", let comparison = RecordCondition.Comparison(rawValue: String(words[2])),
      [.present, .absent].contains(comparison)
    else { return nil }
    return RecordCondition(field: String(words[0]), comparison: comparison)
  }

  /// Whether the value holds another condition, as it would be written in SQL: `1 and name = x`.
  static func isJoined(_ condition: RecordCondition) -> Bool {
    let words = condition.value.split(separator: " ")
    return words.indices.dropFirst().contains { index in
      guard ["and", "or", "&&", "||"].contains(words[index].lowercased()) else { return false }
      let rest = words[(index + 1)...].joined(separator: " ")
      let field = rest.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }
      return !field.isEmpty && "=!<>~".contains(rest.dropFirst(field.count).drop { $0 == " " }.first ?? " ")
    }
  }

  private static let form =
    "write 'FIELD OP VALUE' with = != < <= > >= or ~ (contains), and a space before a value that begins with a sign; or "
    + "'FIELD is present', 'FIELD is absent'"

  /// Operators of other languages.
  private static let meant = [
    "==": "=", "===": "=", "<>": "!=", "!==": "!=", "=!": "!=", "=<": "<=", "=>": ">=", "=~": "~", "~=": "~", "~~": "~",
  ]

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
