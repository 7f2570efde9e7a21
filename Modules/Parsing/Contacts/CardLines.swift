/// Iterates over the properties of a file of cards and unfolds those that are used.
///
/// Lines may end with CR LF, LF or CR. Other properties, such as photos, are skipped without being copied.
struct CardLines {
  /// The names of the properties that are used.
  private static let wanted: Set<String> = [
    "BEGIN", "END", "VERSION", "KIND", "X-ADDRESSBOOKSERVER-KIND", "N", "FN", "BDAY", "NICKNAME", "ORG", "AGENT",
  ]

  private let bytes: [UInt8]
  private var position = 0

  /// The number of the next line, from 1.
  private(set) var line = 1

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next property that is used; `nil` at the end of the file.
  mutating func next() -> CardProperty? {
    while position < bytes.count {
      let start = line
      let range = physicalLine()
      let name = Self.name(of: bytes[range])
      if let name, !Self.wanted.contains(name) {
        skip(range)
      } else if name != nil || continues {
        let unfolded = unfold(range)
        if let property = CardProperty(unfolded, line: start), Self.wanted.contains(property.name) { return property }
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
    return name.count > 24 ? "" : CardProperty.upperCase(name)
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

  /// Whether the line ends with `=`, ignoring trailing white space.
  private static func endsWithSoftBreak(_ line: ArraySlice<UInt8>) -> Bool {
    line.last { $0 != 0x20 && $0 != 0x09 } == 0x3D
  }

  /// Whether the next line begins or ends a card: then a soft break before it is a mistake of the exporter.
  private var nextIsDelimiter: Bool {
    let start = CardProperty.upperCase(bytes[position...].prefix(11))
    return start == "BEGIN:VCARD" || start.hasPrefix("END:VCARD")
  }
}
