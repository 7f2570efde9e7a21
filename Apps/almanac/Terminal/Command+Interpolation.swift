import Models

extension Advice.StringInterpolation {
  mutating func appendInterpolation(command words: String...) { appendInterpolation(command: words) }

  /// A command of this program.
  ///
  /// - Parameter isQuoted: whether it stands in a sentence; otherwise it is the end of a line that a user copies.
  mutating func appendInterpolation(command words: [String], isQuoted: Bool = true) {
    appendInterpolation(commandLine: ["almanac"] + words, isQuoted: isQuoted)
  }
}

extension DefaultStringInterpolation {
  /// A command in a help text, which names no store.
  mutating func appendInterpolation(help words: String) {
    let command: Advice = "\(commandLine: ["almanac"] + words.split(separator: " ").map(String.init))"
    appendLiteral(command.description)
  }
}
