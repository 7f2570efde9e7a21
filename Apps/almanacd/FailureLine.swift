import Models

/// Writes a failure to standard error.
enum FailureLine {
  /// One line, and the hint below it.
  static func print(_ failure: Failure) {
    var text = "almanacd: \(failure.message)\n"
    for line in (failure.hint ?? "").split(separator: "\n") { text += "  \(line)\n" }
    LineWriter.standardError.write(Array(text.utf8))
  }
}
