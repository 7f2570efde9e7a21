/// Writes the lines that vCard and iCalendar share: `NAME:value`, CR LF at the end, folded at 75 octets
/// (RFC 6350 section 3.2, RFC 5545 section 3.1).
struct ContentLineWriter {
  /// What is written so far.
  private(set) var bytes: [UInt8] = []

  /// Adds a line whose value is written as it is.
  ///
  /// - Parameter property: the name with its parameters: `DTSTART;VALUE=DATE`.
  mutating func line(_ property: String, _ value: String) {
    // 75 octets hold the space that begins a continuation, and a character is never cut.
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

  /// Adds a line whose value is text.
  mutating func text(_ property: String, _ value: String) {
    line(property, Self.escaped(value))
  }

  /// Escapes `\`, `,`, `;` and line breaks (RFC 6350 section 3.4, RFC 5545 section 3.3.11). Control characters, which
  /// neither format can hold, are left out.
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
