import Models

/// A piece of HTML. What is interpolated is text and gets escaped, unless it is HTML already.
struct HTML: ExpressibleByStringInterpolation, Sendable {
  /// The markup.
  private(set) var text: String

  /// Markup as it stands in the source.
  init(stringLiteral value: String) { text = value }

  /// Markup with values in it.
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Takes values apart from markup.
  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

    /// Markup of the source.
    mutating func appendLiteral(_ literal: String) { text += literal }
    /// Markup.
    mutating func appendInterpolation(_ html: HTML) { text += html.text }
    /// Markup, or nothing.
    mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }
    /// Pieces of markup in a row.
    mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { text += piece.text } }
    /// Text.
    mutating func appendInterpolation(_ value: String) { text += Markup.escaped(value) }
    /// A number.
    mutating func appendInterpolation(_ value: Int) { text += String(value) }
  }
}
