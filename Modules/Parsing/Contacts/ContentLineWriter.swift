/// Writes the content lines of vCard and iCalendar: `NAME:value`, folded at 75 octets (RFC 6350 section 3.2, RFC 5545
/// section 3.1).
struct ContentLineWriter {
  private(set) var bytes: [UInt8] = []

  /// Appends a line with a raw value.
  ///
  /// - Parameter property: the name with its parameters: `DTSTART;VALUE=DATE`.
  mutating func line(_ property: String, _ value: String) {
    // The 75 octets include the space that starts a continuation. Folding never splits a character.
    var octets = 0
    for character in "\(property):\(value)".unicodeScalars {
      let encoded = UTF8.encode(character)!
      if octets + encoded.count > 75 {
        bytes += [0x0D, 0x0A, 0x20]
        octets = 1
      }
      bytes += encoded
      octets += encoded.count
    }
    bytes += [0x0D, 0x0A]
  }

  /// Appends a line with a value in quoted-printable (RFC 2045 section 6.7), for version 2.1 of vCard.
  mutating func quotedPrintable(_ property: String, _ value: String) {
    var octets = property.utf8.count + 1
    bytes += "\(property):".utf8
    for byte in value.utf8 {
      let isPlain = byte > 0x20 && byte < 0x7F && byte != 0x3D
      let text = isPlain ? [byte] : Array("=\(hexadecimal(byte))".utf8)
      if octets + text.count > 75 {
        bytes += [0x3D, 0x0D, 0x0A]
        octets = 0
      }
      bytes += text
      octets += text.count
    }
    bytes += [0x0D, 0x0A]
  }

  mutating func text(_ property: String, _ value: String) {
    line(property, Self.escaped(value))
  }

  /// Escapes `\`, `,`, `;` and line breaks (RFC 6350 section 3.4, RFC 5545 section 3.3.11). Control characters,
  /// which neither format allows, are removed.
  static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ",", ";": escaped += ["\\", scalar]
      case "\n" where previous == "\r": break
      case "\n", "\r": escaped += ["\\", "n"]
      case "\t": escaped.append(scalar)
      case "\0"..."\u{1F}", "\u{7F}": break
      default: escaped.append(scalar)
      }
      previous = scalar
    }
    return String(escaped)
  }
}
