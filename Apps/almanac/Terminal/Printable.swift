import Models

/// Makes text from elsewhere safe to print.
enum Printable {
  /// The text with control characters shown as `␛`-like pictures, so that no record can steer the terminal.
  static func text(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\n" || scalar == "\t" || scalar == "\r" {
        result.append(" ")
      } else if scalar.value < 0x20 {
        result.append(Unicode.Scalar(0x2400 + scalar.value) ?? "?")
      } else if isControl(scalar) {
        result.append("\u{FFFD}")
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F: true
    default: scalar.isDirectionMark
    }
  }

  /// How many columns the text takes: wide East Asian characters and emoji take two, marks none.
  static func width(_ text: String) -> Int {
    text.utf8.count == text.unicodeScalars.count
      ? text.utf8.count : text.reduce(0) { $0 + width($1) }
  }

  private static func width(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.properties.isEmojiPresentation { return 2 }
    // A text symbol becomes a picture by the selector that follows it, or as part of a sequence.
    if first.value > 0xFF, first.properties.isEmoji, character.unicodeScalars.count > 1 { return 2 }
    return character.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    case 0xAD: return 1
    // Vowels and final consonants of Hangul syllables.
    case 0x1160...0x11FF: return 0
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }

  /// The text between marks (U+200E) where it holds letters that are written from right to left: otherwise a terminal
  /// that orders them also moves the columns beside it.
  static func leftToRight(_ text: String) -> String {
    guard text.utf8.count != text.unicodeScalars.count, text.unicodeScalars.contains(where: \.isRightToLeft) else {
      return text
    }
    return "\u{200E}\(text)\u{200E}"
  }

  /// The text in lines of at most `columns` columns, broken at spaces, and in longer words beside characters that are two
  /// columns wide, because Chinese and Japanese have no spaces; lines after the first begin with `indent` spaces. Any other
  /// word that is longer than a line has a line of its own, so that an address can be copied.
  static func wrapped(_ text: String, _ columns: Int, indent: Int = 0) -> [String] {
    if width(text) <= columns { return [text] }
    var lines: [String] = []
    var (line, used, hasWord) = ("", 0, false)
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      for (index, piece) in pieces(of: word, columns - indent).enumerated() {
        let gap = index == 0 && hasWord ? " " : ""
        let size = width(String(piece))
        if hasWord, used + gap.utf8.count + size > columns {
          lines.append(line)
          (line, used) = (String(repeating: " ", count: indent), indent)
        } else {
          line += gap
          used += gap.utf8.count
        }
        line += piece
        used += size
        hasWord = true
      }
    }
    return lines + [line]
  }

  /// The parts between which a word may be broken: one part where it fits.
  private static func pieces(of word: Substring, _ columns: Int) -> [Substring] {
    guard word.utf8.count != word.unicodeScalars.count, width(String(word)) > columns else { return [word] }
    var pieces: [Substring] = []
    var start = word.startIndex
    var isAfterWide = false
    for index in word.indices {
      let isWide = width(word[index]) == 2
      if index > start, isWide || isAfterWide {
        pieces.append(word[start..<index])
        start = index
      }
      isAfterWide = isWide
    }
    return pieces + [word[start...]]
  }

  /// Names with commas between them: five at most, then how many more there are.
  static func list(_ names: [String]) -> String {
    let more = names.count - 5
    return (names.prefix(5).map(text) + (more > 0 ? ["and \(more) more"] : [])).joined(separator: ", ")
  }

  static func fitted(_ text: String, _ columns: Int) -> String {
    guard width(text) > columns else { return text }
    var result = ""
    var used = 0
    for character in text {
      let next = width(character)
      guard used + next < columns else { break }
      result.append(character)
      used += next
    }
    return result + "…"
  }
}
