import Foundation

/// Finds every `import` of a file, in code only, under whatever `#if`.
///
/// Complexity: linear in the bytes up to the last word `import`; what follows it is not looked at.
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

  /// Where the word `import` stands next, be it in code or not.
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

  /// Keeps the stack of `#if` conditions; leaves the position where it is when this is no such directive.
  private mutating func readDirective() {
    let start = cursor.position
    var end = start + 1
    while Byte.continuesIdentifier(cursor.byte(end)) { end += 1 }
    switch source.text(start..<end) {
    case "#if":
      conditions.append(readCondition(from: start))
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

  /// The position stands at the word `import`, in code. Leaves it after the path, or after the word when this is none
  /// (an argument label, a member).
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
