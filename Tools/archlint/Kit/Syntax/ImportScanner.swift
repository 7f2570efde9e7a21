import Foundation

/// One `import` of a file, in active or inactive code.
package struct ImportStatement: Sendable, Hashable {
  /// The module: the first part of the path, without backticks.
  package var module: String
  /// The whole path, as in `Foundation.URL`.
  package var path: String
  /// The kind of a scoped import (`struct`, `func`, …).
  package var kind: String?
  /// Attributes without `@`, including arguments, in source order.
  package var attributes: [String]
  /// The explicit access level, if any.
  package var access: String?
  /// The conditions that enclose it, outermost first, as written: `#if os(Linux)`, `#else`.
  package var conditions: [String]
  /// The line from 1, and the column from 1 in UTF-8 bytes as in compiler messages. Both refer to the module's name.
  package var line: Int
  package var column: Int

  package func hasAttribute(_ name: String) -> Bool { attributes.contains(name) }
}

/// Finds all imports in the code of a file, in all branches of `#if`.
///
/// Complexity: linear in the bytes up to the last word `import`; the rest is not scanned.
package struct ImportScanner {
  private let source: SourceBytes
  private var cursor: SourceCursor
  private var lines: LineCounter
  private var conditions: [String] = []
  private var found: [ImportStatement] = []

  package static func imports(of source: SourceBytes) -> [ImportStatement] {
    var scanner = ImportScanner(source)
    scanner.scan()
    return scanner.found
  }

  private init(_ source: SourceBytes) {
    self.source = source
    cursor = SourceCursor(source)
    lines = LineCounter(source)
  }

  private mutating func scan() {
    guard var candidate = nextCandidate(from: cursor.position) else { return }
    while cursor.position < source.count {
      let stop = cursor.nextSpecial()
      if candidate < stop {
        cursor.position = candidate
        readImport()
      } else {
        cursor.position = stop
        if cursor.byte(stop) == Byte.hash { readDirective() }
        if cursor.position == stop { cursor.skipSpecial() }
      }
      if cursor.position > candidate {
        guard let next = nextCandidate(from: cursor.position) else { return }
        candidate = next
      }
    }
  }

  /// The next occurrence of the word `import`, in code or elsewhere.
  private func nextCandidate(from start: Int) -> Int? {
    var start = start
    while start < source.count {
      guard let offset = source.offset(of: "import", from: start) else { return nil }
      let isWord =
        (offset == 0 || !Byte.continuesIdentifier(source.base[offset - 1]) || isAfterMark(offset))
        && !Byte.continuesIdentifier(source.base[offset + 6])
      if isWord { return offset }
      start = offset + 6
    }
    return nil
  }

  private func isAfterMark(_ offset: Int) -> Bool {
    offset == 3 && source.base[0] == 0xEF && source.base[1] == 0xBB && source.base[2] == 0xBF
  }

  // MARK: Conditions

  /// Updates the stack of `#if` conditions; does not move for other directives.
  private mutating func readDirective() {
    let start = cursor.position
    var end = start + 1
    while Byte.continuesIdentifier(cursor.byte(end)) { end += 1 }
    switch source.text(start..<end) {
    case "#if": conditions.append(readCondition(from: start))
    case "#elseif", "#else":
      let condition = readCondition(from: start)
      if !conditions.isEmpty { conditions[conditions.count - 1] = condition }
    case "#endif":
      _ = conditions.popLast()
      cursor.position = end
    default: break
    }
  }

  private mutating func readCondition(from start: Int) -> String {
    cursor.position = start
    cursor.skipLine()
    var end = cursor.position
    for offset in start..<end
    where cursor.byte(offset) == Byte.slash
      && (cursor.byte(offset + 1) == Byte.slash || cursor.byte(offset + 1) == Byte.star)
    {
      end = offset
      break
    }
    cursor.position = end
    while end > start, Byte.isSpace(source.base[end - 1]) { end -= 1 }
    return source.text(start..<end)
  }

  // MARK: One import

  private static let kinds: Set<String> = [
    "struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor",
  ]

  /// Reads an import at the word `import`. Moves behind the path, or behind the word if this is not an import (an
  /// argument label, a member).
  private mutating func readImport() {
    let keyword = cursor.position
    guard let prefix = ImportPrefix(before: keyword, in: cursor) else {
      cursor.position = keyword + 6
      return
    }
    cursor.position = keyword + 6
    cursor.skipTrivia()
    var nameStart = cursor.position
    guard var module = readIdentifier() else {
      cursor.position = keyword + 6
      return
    }
    var kind: String?
    if Self.kinds.contains(module) {
      let afterKind = cursor.position
      cursor.skipTrivia()
      let start = cursor.position
      if let name = readIdentifier() {
        kind = module
        module = name
        nameStart = start
      } else {
        cursor.position = afterKind
      }
    }
    let path = readPath(from: module)
    let end = cursor.position
    cursor.skipTrivia()
    guard cursor.byte(cursor.position) != Byte.colon else {
      cursor.position = keyword + 6
      return
    }
    cursor.position = end
    let place = lines.place(of: nameStart)
    found.append(
      ImportStatement(
        module: module, path: path, kind: kind, attributes: prefix.attributes, access: prefix.access,
        conditions: conditions, line: place.line, column: place.column))
  }

  private mutating func readPath(from module: String) -> String {
    var path = module
    while true {
      let end = cursor.position
      cursor.skipTrivia()
      guard cursor.byte(cursor.position) == Byte.dot else {
        cursor.position = end
        return path
      }
      cursor.position += 1
      cursor.skipTrivia()
      guard let part = readIdentifier() else {
        cursor.position = end
        return path
      }
      path += "." + part
    }
  }

  private mutating func readIdentifier() -> String? {
    let start = cursor.position
    if cursor.byte(start) == Byte.backtick {
      cursor.skipSpecial()
      guard cursor.position > start + 2 else { return nil }
      return source.text(start + 1..<cursor.position - 1)
    }
    guard Byte.startsIdentifier(cursor.byte(start)) else { return nil }
    while Byte.continuesIdentifier(cursor.byte(cursor.position)) { cursor.position += 1 }
    return source.text(start..<cursor.position)
  }
}

/// Finds the attributes and the access level before the word `import` by scanning backwards over comments.
struct ImportPrefix {
  private(set) var attributes: [String] = []
  private(set) var access: String?

  private static let accessLevels: Set<String> = ["public", "internal", "package", "private", "fileprivate", "open"]

  /// Nil if no declaration can begin here, as after a dot or an opening parenthesis.
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
