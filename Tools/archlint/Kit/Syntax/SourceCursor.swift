import Foundation

/// Moves through Swift source byte by byte and distinguishes code from comments (nested), strings (raw, multi-line,
/// with interpolations), regular expressions and raw identifiers.
///
/// The bytes between special characters are skipped with `strcspn` and `memchr`, so that a debug build is fast too.
/// These functions stop at the NUL that must follow the bytes (see `SourceBytes`).
package struct SourceCursor {
  /// The bytes of the file; `base[count]` is NUL.
  let base: UnsafePointer<UInt8>
  let count: Int
  package var position = 0
  /// The comments passed so far, for backward scans.
  private(set) var comments: [Range<Int>] = []
  /// The string literals passed so far, including delimiters.
  private(set) var strings: [Range<Int>] = []

  package init(_ source: SourceBytes) {
    base = source.base
    count = source.count
    skipStart()
  }

  func byte(_ index: Int) -> UInt8 { index < count ? base[index] : 0 }

  /// Skips a byte order mark and a `#!` line.
  private mutating func skipStart() {
    if byte(0) == 0xEF, byte(1) == 0xBB, byte(2) == 0xBF { position = 3 }
    if byte(position) == Byte.hash, byte(position + 1) == Byte.exclamation { skipLine() }
  }

  /// The next byte that can begin a literal, a comment, a directive or a raw identifier; `count` if there is none.
  func nextSpecial() -> Int { span(to: "\"/#`") }

  /// The next byte in `set`, starting at the position.
  func span(to set: StaticString) -> Int {
    var start = position
    while start < count {
      let stop =
        start
        + UnsafeRawPointer(set.utf8Start).withMemoryRebound(to: CChar.self, capacity: set.utf8CodeUnitCount + 1) {
          set in
          UnsafeRawPointer(base + start).withMemoryRebound(to: CChar.self, capacity: count - start + 1) {
            strcspn($0, set)
          }
        }
      if stop >= count || base[stop] != 0 { return stop }
      start = stop + 1  // a NUL inside the file
    }
    return count
  }

  mutating func skipLine() { position = span(to: "\n\r") }

  /// Skips the literal, comment or raw identifier that begins here. The word of a directive is left for the caller.
  /// Always moves by at least one byte.
  mutating func skipSpecial() {
    switch byte(position) {
    case Byte.quote: skipString(hashes: 0)
    case Byte.slash: skipSlash()
    case Byte.hash: skipHash()
    case Byte.backtick: skipRawIdentifier()
    default: position += 1
    }
  }

  /// Skips spaces, line breaks and comments.
  mutating func skipTrivia() {
    while position < count {
      switch base[position] {
      case 0x20, 0x09, 0x0A, 0x0D, 0x0B, 0x0C, 0x00: position += 1
      case Byte.slash where byte(position + 1) == Byte.slash || byte(position + 1) == Byte.star: skipSlash()
      default: return
      }
    }
  }

  private mutating func skipRawIdentifier() {
    let start = position
    position += 1
    let end = span(to: "`\n\r")
    position = byte(end) == Byte.backtick ? end + 1 : start + 1
  }

  // MARK: Comments and regular expressions

  private mutating func skipSlash() {
    let start = position
    switch byte(position + 1) {
    case Byte.slash:
      skipLine()
      comments.append(start..<position)
    case Byte.star:
      skipBlockComment()
      comments.append(start..<position)
    default:
      if !skipBareRegex() { position = start + 1 }
    }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    while position < count {
      position = span(to: "/*")
      if byte(position) == Byte.slash, byte(position + 1) == Byte.star {
        depth += 1
        position += 2
      } else if byte(position) == Byte.star, byte(position + 1) == Byte.slash {
        depth -= 1
        position += 2
        if depth == 0 { return }
      } else {
        position += 1
      }
    }
    position = min(position, count)
  }

  /// A `/…/` literal begins where a prefix operator could begin, does not start with a space, and ends on its line.
  private mutating func skipBareRegex() -> Bool {
    let start = position
    if start > 0, !Byte.endsBeforePrefixOperator(base[start - 1]) { return false }
    switch byte(start + 1) {
    case 0x20, 0x09, 0x0A, 0x0D, 0, UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: "="): return false
    default: break
    }
    var groups = 0
    var inClass = false
    position += 1
    while position < count {
      position = span(to: "/\\()[]\n\r")
      switch byte(position) {
      case Byte.backslash: position += 2
      case UInt8(ascii: "["): inClass = true; position += 1
      case UInt8(ascii: "]"): inClass = false; position += 1
      case UInt8(ascii: "("): if !inClass { groups += 1 }; position += 1
      case UInt8(ascii: ")"):
        if !inClass { groups -= 1 }
        if groups < 0 { return false }
        position += 1
      case Byte.slash:
        position += 1
        return true
      default: return false
      }
    }
    return false
  }

  // MARK: What a number sign begins

  private mutating func skipHash() {
    let start = position
    while byte(position) == Byte.hash { position += 1 }
    let hashes = position - start
    switch byte(position) {
    case Byte.quote: skipString(hashes: hashes)
    case Byte.slash: skipExtendedRegex(hashes: hashes)
    default: position = start + hashes
    }
  }

  private mutating func skipExtendedRegex(hashes: Int) {
    position += 1
    while position < count {
      position = span(to: "/\\")
      if byte(position) == Byte.backslash {
        position += 2
      } else {
        position += 1
        if hasHashes(hashes, at: position) {
          position += hashes
          return
        }
      }
    }
    position = min(position, count)
  }

  private func hasHashes(_ hashes: Int, at start: Int) -> Bool {
    var index = 0
    while index < hashes {
      if byte(start + index) != Byte.hash { return false }
      index += 1
    }
    return true
  }

  // MARK: Strings

  /// Skips a string; the position is at the first quote, after the number signs.
  private mutating func skipString(hashes: Int) {
    let start = position - hashes
    if opensMultiline(hashes: hashes) {
      position += 3
      skipStringBody(hashes: hashes, quotes: 3, stops: "\"\\")
    } else {
      position += 1
      skipStringBody(hashes: hashes, quotes: 1, stops: "\"\\\n\r")
    }
    position = min(position, count)
    strings.append(start..<position)
  }

  /// Three quotes open a multi-line literal, unless the number signs delimit a short one that contains quotes: `#"""#`.
  private func opensMultiline(hashes: Int) -> Bool {
    guard byte(position + 1) == Byte.quote, byte(position + 2) == Byte.quote else { return false }
    guard hashes > 0 else { return true }
    var index = position + 1
    while index < count, base[index] != 0x0A, base[index] != 0x0D {
      if base[index] == Byte.quote, hasHashes(hashes, at: index + 1) { return false }
      index += 1
    }
    return true
  }

  private mutating func skipStringBody(hashes: Int, quotes: Int, stops: StaticString) {
    while position < count {
      position = span(to: stops)
      switch byte(position) {
      case Byte.backslash:
        position += 1
        guard hasHashes(hashes, at: position) else { continue }
        position += hashes
        if byte(position) == UInt8(ascii: "(") {
          skipInterpolation()
        } else if byte(position) != 0x0A, byte(position) != 0x0D {
          position += 1
        }
      case Byte.quote:
        if quotes == 3, !(byte(position + 1) == Byte.quote && byte(position + 2) == Byte.quote) {
          position += 1
        } else if hasHashes(hashes, at: position + quotes) {
          position += quotes + hashes
          return
        } else {
          position += 1
        }
      default: return  // an unterminated short literal ends with its line
      }
    }
  }

  /// Skips an interpolation; the position is at the opening parenthesis. The text up to the closing one is code.
  private mutating func skipInterpolation() {
    position += 1
    var depth = 1
    while position < count {
      position = span(to: "()\"/#`")
      switch byte(position) {
      case UInt8(ascii: "("): depth += 1; position += 1
      case UInt8(ascii: ")"):
        depth -= 1
        position += 1
        if depth == 0 { return }
      default: skipSpecial()
      }
    }
  }
}
