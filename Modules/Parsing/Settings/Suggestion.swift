import Models

/// Guesses which of the allowed names was meant.
enum Suggestion {
  /// A text of the file in quotes and on one line, cut after 64 characters.
  static func quoted(_ text: String) -> String {
    JSONText.compact(.string("\(text.prefix(64))\(text.count > 64 ? "…" : "")"))
  }

  /// `did you mean "limit"?`, or what is allowed where nothing is near.
  static func hint(_ name: String, _ allowed: [String]) -> String {
    let typed = Array(name.lowercased().unicodeScalars.prefix(64))
    let nearest = allowed.min { distance(typed, $0) < distance(typed, $1) }
    if let nearest, distance(typed, nearest) <= Swift.max(1, nearest.count / 3) {
      return "did you mean \(quoted(nearest))?"
    }
    return "allowed \(allowed.count == 1 ? "is" : "are") \(allowed.map(quoted).joined(separator: ", "))"
  }

  /// The number of letters to insert, drop, replace or swap (optimal string alignment). O(product of the lengths).
  private static func distance(_ typed: [Unicode.Scalar], _ name: String) -> Int {
    let name = Array(name.lowercased().unicodeScalars)
    var before: [Int] = []
    var previous = Array(0...name.count)
    for (row, letter) in typed.enumerated() {
      var current = [row + 1]
      for column in name.indices {
        let replaced = previous[column] + (letter == name[column] ? 0 : 1)
        var best = Swift.min(replaced, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == name[column - 1], typed[row - 1] == name[column] {
          best = Swift.min(best, before[column - 1] + 1)
        }
        current.append(best)
      }
      (before, previous) = (previous, current)
    }
    return previous[name.count]
  }
}
