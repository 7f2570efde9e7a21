/// Edits a Swift file by its structure (declarations, brackets and lines), without markers in comments.
struct SwiftText {
  /// The path of the file, relative to the project.
  let path: String
  private(set) var bytes: [UInt8]
  private(set) var isCode: [Bool]

  init(path: String, _ text: String) {
    self.path = path
    bytes = Array(text.utf8)
    isCode = CodeMask.of(bytes)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func insert(_ text: String, at offset: Int) {
    bytes.insert(contentsOf: text.utf8, at: offset)
    isCode = CodeMask.of(bytes)
  }

  mutating func remove(_ range: Range<Int>) {
    bytes.removeSubrange(range)
    isCode = CodeMask.of(bytes)
  }

  /// An error with the place in the file.
  func error(_ message: String, at offset: Int? = nil) -> ScaffoldError {
    let line = offset.map { ":\(1 + bytes[..<$0].count { $0 == 0x0A })" } ?? ""
    return ScaffoldError(.refused, message, place: path + line)
  }

  // MARK: - Finding

  /// The offsets at which `words` occur in code and not as a part of a longer name.
  func places(of words: String, in range: Range<Int>? = nil) -> [Int] {
    let wanted = Array(words.utf8)
    let range = range ?? bytes.indices
    guard range.count >= wanted.count, let first = wanted.first, let last = wanted.last else { return [] }
    return (range.lowerBound...(range.upperBound - wanted.count)).filter { start in
      guard bytes[start] == first, isCode[start], bytes[start...].starts(with: wanted) else { return false }
      let end = start + wanted.count
      let opens = start == 0 || !Self.isNamePart(first) || !Self.isNamePart(bytes[start - 1])
      let closes = end == bytes.count || !Self.isNamePart(last) || !Self.isNamePart(bytes[end])
      return opens && closes
    }
  }

  /// The only such offset.
  func place(of words: String, in range: Range<Int>? = nil) throws(ScaffoldError) -> Int {
    let found = places(of: words, in: range)
    guard let place = found.first else {
      throw error("'\(words)' is expected here and is not there", at: range?.lowerBound)
    }
    guard found.count == 1 else { throw error("'\(words)' is expected once and is there again", at: found[1]) }
    return place
  }

  /// The content of the brackets that follow a declaration.
  ///
  /// - Parameters:
  ///   - declaration: the beginning of the declaration.
  ///   - marks: the texts before the brackets, in order; the last one opens them.
  func inside(_ declaration: String, _ marks: [String]) throws(ScaffoldError) -> Range<Int> {
    let start = try place(of: declaration)
    var offset = start + declaration.utf8.count
    for mark in marks {
      guard let next = (offset..<bytes.count).first(where: { isCode[$0] && bytes[$0...].starts(with: mark.utf8) })
      else { throw error("'\(declaration)' is not followed by '\(mark)'", at: start) }
      offset = next + mark.utf8.count
    }
    return offset..<(try closing(of: offset - 1))
  }

  /// The offset of the bracket that closes the one at `open`.
  func closing(of open: Int) throws(ScaffoldError) -> Int {
    var depth = 0
    for offset in open..<bytes.count where isCode[offset] {
      switch bytes[offset] {
      case 0x28, 0x5B, 0x7B: depth += 1
      case 0x29, 0x5D, 0x7D: depth -= 1
      default: continue
      }
      if depth == 0 { return offset }
    }
    throw error("a bracket is never closed", at: open)
  }

  // MARK: - Lines

  /// The line at an offset, including its line break.
  func line(at offset: Int) -> Range<Int> {
    let start = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let end = bytes[offset...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
    return start..<end
  }

  /// The line without surrounding white space.
  func words(of line: Range<Int>) -> String {
    var text = Substring(String(decoding: bytes[line], as: UTF8.self))
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text.drop { $0.isWhitespace })
  }

  /// The start of the declaration at `offset`, including its documentation.
  func documentedStart(of offset: Int) -> Int {
    var start = line(at: offset).lowerBound
    while start > 0 {
      let above = line(at: start - 1)
      guard words(of: above).hasPrefix("///") else { break }
      start = above.lowerBound
    }
    return start
  }

  /// Whether only white space precedes `offset` on its line.
  func isFirstOnLine(_ offset: Int) -> Bool {
    bytes[line(at: offset).lowerBound..<offset].allSatisfy { $0 == 0x20 }
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...: true
    default: false
    }
  }
}

extension SwiftText {
  /// Inserts an element before another one of a list: on the same line if it fits, otherwise on a line of its own at
  /// the end of the list.
  mutating func insert(element: String, before other: String, in list: Range<Int>) throws(ScaffoldError) {
    let offset = try place(of: other, in: list)
    let line = line(at: offset)
    let width = bytes[line].count - 1 + element.utf8.count + 2
    if width <= Layout.width {
      insert("\(element), ", at: offset)
    } else {
      try append(element: element, to: list)
    }
  }

  /// Appends an element to a list, on a line of its own if the closing bracket is on one.
  mutating func append(element: String, to list: Range<Int>) throws(ScaffoldError) {
    let end = list.upperBound
    guard isFirstOnLine(end) else {
      insert(", \(element)", at: end)
      return
    }
    let line = line(at: end)
    let indentation = String(repeating: " ", count: end - line.lowerBound + 2)
    guard words(of: self.line(at: line.lowerBound - 1)).hasSuffix(",") || list.count < 4 else {
      throw error("the last element of the list is not followed by a comma", at: line.lowerBound - 1)
    }
    let text = element.split(separator: "\n").map { "\(indentation)\($0)\n" }.joined()
    let comma = element.hasSuffix(",") ? text : String(text.dropLast()) + ",\n"
    insert(comma, at: line.lowerBound)
  }

  /// Removes an element from a list, including a line of its own.
  ///
  /// - Parameter start: the beginning of the element; if it contains a `(`, everything up to the closing bracket is
  ///   removed.
  mutating func remove(element start: String, from list: Range<Int>) throws(ScaffoldError) {
    let first = try place(of: start, in: list)
    var end = first + start.utf8.count
    if let bracket = start.utf8.firstIndex(of: 0x28) {
      end = try closing(of: first + start.utf8.distance(from: start.startIndex, to: bracket)) + 1
    }
    // A key of a dictionary is removed with its value.
    if end < list.upperBound, bytes[end] == 0x3A {
      while end < list.upperBound, !(isCode[end] && bytes[end] == 0x2C) { end += 1 }
    }
    let hasComma = end < list.upperBound && bytes[end] == 0x2C
    if hasComma { end += 1 }
    if isFirstOnLine(first), end < bytes.count, bytes[end] == 0x0A {
      remove(line(at: first).lowerBound..<(end + 1))
    } else if hasComma {
      remove(first..<(bytes[end] == 0x20 ? end + 1 : end))
    } else {
      let before = bytes[..<first].lastIndex { $0 != 0x20 && $0 != 0x0A } ?? first
      remove((bytes[before] == 0x2C ? before : first)..<end)
    }
  }

  /// Adds an import in alphabetical order.
  mutating func add(import module: String) throws(ScaffoldError) {
    let imports = places(of: "import").map(line).compactMap { line -> (name: String, line: Range<Int>)? in
      let words = words(of: line).split(separator: " ")
      // `import A`, `public import A`
      guard let name = words.last, words.dropLast().last == "import", words.count <= 3 else { return nil }
      return (String(name), line)
    }
    guard let last = imports.last else { throw error("imports are expected at the top") }
    let next = imports.first { $0.name > module }
    insert("import \(module)\n", at: next?.line.lowerBound ?? last.line.upperBound)
  }

  /// Removes an import.
  mutating func remove(import module: String) throws(ScaffoldError) {
    guard let offset = places(of: "import \(module)").first(where: isImport) else {
      throw error("'import \(module)' is expected here and is not there")
    }
    remove(line(at: offset))
  }

  private func isImport(at offset: Int) -> Bool { isFirstOnLine(offset) }
}

/// Distinguishes code from comments and strings.
///
/// Interpolations count as part of the string.
struct CodeMask {
  private let bytes: [UInt8]
  private var isCode: [Bool]
  private var index = 0

  /// The mask of a text: `true` for every byte of code.
  static func of(_ bytes: [UInt8]) -> [Bool] {
    var mask = CodeMask(bytes)
    mask.scan()
    return mask.isCode
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isCode = Array(repeating: true, count: bytes.count)
  }

  private func starts(with text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

  private mutating func skip(_ count: Int) {
    for _ in 0..<count where index < bytes.count {
      isCode[index] = false
      index += 1
    }
  }

  private mutating func scan() {
    while index < bytes.count {
      if !skipAside() { index += 1 }
    }
  }

  /// Skips the comment or string that begins here; `false` if there is none.
  private mutating func skipAside() -> Bool {
    if starts(with: "//") {
      while index < bytes.count, bytes[index] != 0x0A { skip(1) }
      return true
    }
    if starts(with: "/*") {
      skipBlockComment()
      return true
    }
    let pounds = bytes[index...].prefix { $0 == 0x23 }.count
    guard index + pounds < bytes.count, bytes[index + pounds] == 0x22 else { return false }
    skipString(pounds: pounds)
    return true
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        skip(2)
      } else if starts(with: "*/") {
        depth -= 1
        skip(2)
      } else {
        skip(1)
      }
    } while depth > 0 && index < bytes.count
  }

  private mutating func skipString(pounds: Int) {
    skip(pounds)
    let quotes = starts(with: "\"\"\"") ? "\"\"\"" : "\""
    let pound = String(repeating: "#", count: pounds)
    skip(quotes.utf8.count)
    while index < bytes.count {
      if starts(with: quotes + pound) {
        skip(quotes.utf8.count + pounds)
        return
      }
      if starts(with: "\\\(pound)(") {
        skip(1 + pounds)
        skipInterpolation()
      } else if starts(with: "\\\(pound)") {
        skip(2 + pounds)
      } else {
        skip(1)
      }
    }
  }

  private mutating func skipInterpolation() {
    var depth = 0
    repeat {
      if skipAside() { continue }
      if bytes[index] == 0x28 { depth += 1 }
      if bytes[index] == 0x29 { depth -= 1 }
      skip(1)
    } while depth > 0 && index < bytes.count
  }
}
