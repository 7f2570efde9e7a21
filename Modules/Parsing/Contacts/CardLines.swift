/// Iterates over the properties of a file of cards and unfolds those that are used.
///
/// Lines may end with CR LF, LF or CR. Other properties are skipped without being copied.
struct CardLines {
  private static let contact: Set<String> = [
    "BEGIN", "END", "VERSION", "KIND", "X-ADDRESSBOOKSERVER-KIND", "UID", "N", "FN", "BDAY", "NICKNAME", "ORG", "AGENT",
    "ADR", "NOTE", "PHOTO", "CATEGORIES", "X-ABLABEL", "PRODID", "X-ABSHOWAS",
    "MEMBER", "X-ADDRESSBOOKSERVER-MEMBER",
  ]

  enum Selection {
    /// Those of contacts, and of a card that is changed.
    case contacts, edited
    case uid
  }

  let bytes: [UInt8]
  private let selection: Selection
  private var position = 0

  private(set) var line = 1

  init(_ bytes: [UInt8], _ selection: Selection = .contacts) {
    self.bytes = bytes
    self.selection = selection
  }

  private func isWanted(_ name: String) -> Bool {
    switch selection {
    case .contacts: Self.isOfContact(name)
    case .edited: Self.isOfContact(name) || name == "REV"
    case .uid: name == "UID"
    }
  }

  private static func isOfContact(_ name: String) -> Bool {
    contact.contains(name) || ListProperty(name) != nil || Card.texts.contains { $0.name == name }
  }

  /// The next property that is used; `nil` at the end of the file.
  mutating func next() -> CardProperty? {
    while position < bytes.count {
      let start = line
      let range = physicalLine()
      let name = Self.name(of: bytes[range])
      if let name, !isWanted(name) {
        skip(range)
      } else if name != nil || continues {
        let unfolded = unfold(range)
        if let property = CardProperty(unfolded, line: start, span: range.lowerBound..<position),
          isWanted(property.name)
        {
          return property
        }
      }
    }
    return nil
  }

  /// Whether the next line is a continuation (RFC 6350 section 3.2).
  private var continues: Bool {
    position < bytes.count && (bytes[position] == 0x20 || bytes[position] == 0x09)
  }

  /// Consumes one line. The range excludes the line break and the byte order mark of a concatenated file.
  private mutating func physicalLine() -> Range<Int> {
    var start = position
    var end = start
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    position = end
    if position < bytes.count {
      position += lineEnd(at: position)
      line += 1
    }
    if end - start >= 3, bytes[start] == 0xEF, bytes[start + 1] == 0xBB, bytes[start + 2] == 0xBF { start += 3 }
    return start..<end
  }

  /// The length of CR LF, LF, CR, or CR CR LF, which programs that convert line breaks twice produce.
  private func lineEnd(at place: Int) -> Int {
    guard bytes[place] == 0x0D else { return 1 }
    let rest = bytes[(place + 1)...].prefix(2)
    return rest.first == 0x0A ? 2 : rest.elementsEqual([0x0D, 0x0A]) ? 3 : 1
  }

  /// The name of the property in upper case without its group; `nil` where the line has neither `:` nor `;`. The result is
  /// empty for a name that is longer than all names in use.
  private static func name(of line: ArraySlice<UInt8>) -> String? {
    guard let end = line.firstIndex(where: { $0 == 0x3A || $0 == 0x3B }) else { return nil }
    var name = line[..<end]
    if let dot = name.lastIndex(of: 0x2E) { name = name[(dot + 1)...] }
    name = CardProperty.trimmed(name)
    return name.count > 32 ? "" : CardProperty.upperCase(name)
  }

  private mutating func skip(_ first: Range<Int>) {
    var softBreak = Self.endsWithSoftBreak(bytes[first]) && CardProperty.isQuotedPrintable(bytes[first])
    while position < bytes.count {
      if softBreak {
        guard !nextIsDelimiter else { return }
        softBreak = Self.endsWithSoftBreak(bytes[physicalLine()])
      } else if continues {
        _ = physicalLine()
      } else {
        return
      }
    }
  }

  private mutating func unfold(_ first: Range<Int>) -> [UInt8] {
    var unfolded = Array(bytes[first])
    var isQuotedPrintable = CardProperty.isQuotedPrintable(bytes[first])
    while position < bytes.count {
      if isQuotedPrintable, Self.endsWithSoftBreak(unfolded[...]) {
        // A soft break of quoted-printable (RFC 2045 section 6.7): the next line is appended whole.
        while unfolded.popLast() != 0x3D {}
        guard !nextIsDelimiter else { break }
        unfolded += bytes[physicalLine()]
      } else if continues {
        unfolded += bytes[physicalLine()].dropFirst()
        // The header may be folded as well. After its end, the result does not change.
        if unfolded.count < 512 { isQuotedPrintable = CardProperty.isQuotedPrintable(unfolded[...]) }
      } else {
        break
      }
    }
    return unfolded
  }

  private static func endsWithSoftBreak(_ line: ArraySlice<UInt8>) -> Bool {
    line.last { $0 != 0x20 && $0 != 0x09 } == 0x3D
  }

  /// Whether the next line begins or ends a card: then a soft break before it is a mistake of the exporter.
  private var nextIsDelimiter: Bool {
    let start = CardProperty.upperCase(bytes[position...].prefix(11))
    return start == "BEGIN:VCARD" || start.hasPrefix("END:VCARD")
  }
}

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
