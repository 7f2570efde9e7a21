import Models
import Ports

/// Reads `FIELD OP VALUE`.
enum ConditionArgument {
  /// The condition, or how one is written.
  static func parse(_ text: String) throws(Failure) -> RecordCondition {
    let operators: Set<Character> = ["=", "!", "<", ">", "~"]
    if let start = text.firstIndex(where: operators.contains) {
      let rest = text[start...]
      let sign = ["!=", "<=", ">=", "=", "<", ">", "~"].first { rest.hasPrefix($0) }
      let field = trimmed(text[..<start])
      if let sign, let comparison = RecordCondition.Comparison(rawValue: sign), !field.isEmpty {
        return RecordCondition(field: field, comparison: comparison, value: trimmed(rest.dropFirst(sign.count)))
      }
    }
    throw Failure(
      .config, .usage, "'\(text)' is no condition", hint: "write 'FIELD OP VALUE' with = != < <= > >= or ~ (contains)")
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
