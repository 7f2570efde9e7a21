/// Decodes text that may not be in its declared character set.
enum CardText {
  /// The text; `nil` where it is not UTF-8 and declares an unsupported character set.
  ///
  /// UTF-8 is tried first, regardless of the declaration: text in other character sets is hardly ever valid UTF-8 by chance,
  /// while declarations are often outdated. Other text without a declaration is decoded as windows-1252, a superset of
  /// ISO 8859-1.
  static func decode(_ bytes: [UInt8], characterSet: String?) -> String? {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    switch characterSet?.uppercased() {
    case nil, "", "UTF-8", "UTF8", "US-ASCII", "ASCII", "ISO-8859-1", "ISO8859-1", "ISO_8859-1", "LATIN1", "LATIN-1",
      "WINDOWS-1252", "CP1252":
      return String(String.UnicodeScalarView(bytes.map(windows1252)))
    case "ISO-8859-15", "ISO8859-15", "ISO_8859-15", "LATIN9", "LATIN-9":
      return String(String.UnicodeScalarView(bytes.map { latin9[$0] ?? Unicode.Scalar($0) }))
    default:
      return nil
    }
  }

  /// The scalars of 0x80 to 0x9F. The five undefined bytes are C1 controls, as in the WHATWG Encoding Standard.
  private static let upper: [Unicode.Scalar] = [
    "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
    "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
    "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
    "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
  ]

  private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
    (0x80...0x9F).contains(byte) ? upper[Int(byte - 0x80)] : Unicode.Scalar(byte)
  }

  /// The differences of ISO 8859-15 from ISO 8859-1.
  private static let latin9: [UInt8: Unicode.Scalar] = [
    0xA4: "\u{20AC}", 0xA6: "\u{160}", 0xA8: "\u{161}", 0xB4: "\u{17D}", 0xB8: "\u{17E}", 0xBC: "\u{152}",
    0xBD: "\u{153}", 0xBE: "\u{178}",
  ]
}
