/// What stands before the word `import`: attributes and an access level, found by looking back over comments.
struct ImportPrefix {
  private(set) var attributes: [String] = []
  private(set) var access: String?

  private static let accessLevels: Set<String> = ["public", "internal", "package", "private", "fileprivate", "open"]

  /// Nil when no declaration can begin here, as after a dot or an opening parenthesis.
  init?(before keyword: Int, in cursor: SourceCursor) {
    var end = keyword
    while true {
      end = Self.skipTriviaBack(from: end, in: cursor)
      guard end > 0 else { return }
      let byte = cursor.byte(end - 1)
      if Byte.continuesIdentifier(byte) {
        let start = Self.wordStart(before: end, in: cursor)
        let word = Self.text(start..<end, in: cursor)
        if start > 0, cursor.byte(start - 1) == Byte.at {
          attributes.insert(word, at: 0)
          end = start - 1
        } else if Self.accessLevels.contains(word) {
          access = word
          end = start
        } else {
          return
        }
      } else if byte == UInt8(ascii: ")") {
        guard let open = Self.openParenthesis(before: end, in: cursor) else { return }
        let start = Self.wordStart(before: open, in: cursor)
        guard start < open, start > 0, cursor.byte(start - 1) == Byte.at else { return }
        attributes.insert(Self.text(start..<end, in: cursor), at: 0)
        end = start - 1
      } else {
        switch byte {
        case Byte.dot, UInt8(ascii: "("), UInt8(ascii: ","), UInt8(ascii: "["), Byte.colon, UInt8(ascii: "="),
          Byte.backslash, Byte.at, UInt8(ascii: "&"):
          return nil
        default: return
        }
      }
    }
  }

  private static func skipTriviaBack(from start: Int, in cursor: SourceCursor) -> Int {
    var end = start
    var comment = cursor.comments.count - 1
    while end > 0 {
      while comment >= 0, cursor.comments[comment].upperBound > end { comment -= 1 }
      if comment >= 0, cursor.comments[comment].upperBound == end {
        end = cursor.comments[comment].lowerBound
      } else if Byte.isSpace(cursor.byte(end - 1)) {
        end -= 1
      } else {
        break
      }
    }
    return end
  }

  private static func wordStart(before end: Int, in cursor: SourceCursor) -> Int {
    var start = end
    while start > 0, Byte.continuesIdentifier(cursor.byte(start - 1)) { start -= 1 }
    return start
  }

  private static func openParenthesis(before end: Int, in cursor: SourceCursor) -> Int? {
    var depth = 0
    var index = end
    while index > 0 {
      if let literal = cursor.strings.last(where: { $0.upperBound == index }) {
        index = literal.lowerBound
        continue
      }
      index -= 1
      if cursor.byte(index) == UInt8(ascii: ")") { depth += 1 }
      if cursor.byte(index) == UInt8(ascii: "(") {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return nil
  }

  private static func text(_ range: Range<Int>, in cursor: SourceCursor) -> String {
    String(decoding: UnsafeBufferPointer(start: cursor.base + range.lowerBound, count: range.count), as: UTF8.self)
  }
}
