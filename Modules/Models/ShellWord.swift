public enum ShellWord {
  /// The word as a shell reads it: quoted where it holds more than letters, digits and `-_./:@…`.
  public static func quoted(_ word: String) -> String {
    isPlain(word) ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }

  /// The word for a command that stands between single quotes itself, in a sentence: with double quotes, or as `$'…'` where it
  /// holds control characters or `!`, which an interactive shell replaces.
  public static func inside(_ word: String) -> String {
    if isPlain(word) { return word }
    let scalars = word.unicodeScalars
    guard scalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F || $0 == "!" }) else {
      return "\"\(scalars.map { "\"\\$`".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }.joined())\""
    }
    let escaped = scalars.map { scalar in
      switch scalar {
      case "\n": "\\n"
      case "'", "\\": "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        "\\x\(String(scalar.value + 0x100, radix: 16).dropFirst())"
      default: "\(scalar)"
      }
    }
    return "$'\(escaped.joined())'"
  }

  private static func isPlain(_ word: String) -> Bool {
    !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:@…".contains($0) }
  }
}
