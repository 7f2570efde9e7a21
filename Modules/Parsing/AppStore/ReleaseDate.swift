import Models
import Ports

/// A release date, which feeds give as a time, as a day, or in words of any language.
enum ReleaseDate {
  /// An RFC 3339 time in UTC, or the day as it stands; `nil` where there is neither. The human label that stands
  /// beside it in `attributes` is never read.
  static func text(_ node: JSONNode?) throws(ParsingError) -> String? {
    if let time = node?.content?.time() { return time.description }
    guard let text = try node?.text() else { return nil }
    if let time = Timestamp(rfc3339: text) { return time.description }
    return CivilDate(text)?.description
  }
}

/// Decimal numbers as text.
enum Decimal {
  /// Whether the text is digits, with one point between them and a minus before them at most.
  static func isDecimal(_ text: String) -> Bool {
    let unsigned = text.utf8.first == 0x2D ? text.utf8.dropFirst() : text.utf8[...]
    let parts = unsigned.split(separator: 0x2E, maxSplits: 1, omittingEmptySubsequences: false)
    return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(JSONLexer.isDigit) }
  }
}
