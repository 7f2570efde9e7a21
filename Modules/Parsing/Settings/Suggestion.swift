import Models

/// Guesses which of the allowed names was meant.
enum Suggestion {
  /// A text of the file in quotes and on one line, cut after 64 characters.
  static func quoted(_ text: String) -> String {
    JSONText.compact(.string("\(text.prefix(64))\(text.count > 64 ? "…" : "")"))
  }

  /// `did you mean "limit"?`, or what is allowed where nothing is near.
  static func hint(_ name: String, _ allowed: [String]) -> String {
    if let nearest = NearestName.of(name, among: allowed) { return "did you mean \(quoted(nearest))?" }
    return list(allowed)
  }

  /// `allowed are "url", "apiKey"`
  static func list(_ allowed: [String]) -> String {
    "allowed \(allowed.count == 1 ? "is" : "are") \(allowed.map(quoted).joined(separator: ", "))"
  }
}
