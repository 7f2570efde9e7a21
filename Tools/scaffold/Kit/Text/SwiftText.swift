/// A Swift file that is edited by its structure: declarations, brackets and lines, not by marks left in comments.
struct SwiftText {
  /// The file's path from the project's folder.
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

  /// The error that says where something is not as it should be.
  func error(_ message: String, at offset: Int? = nil) -> ScaffoldError {
    let line = offset.map { ":\(1 + bytes[..<$0].count { $0 == 0x0A })" } ?? ""
    return ScaffoldError(.refused, message, place: path + line)
  }

  // MARK: - Finding

  /// Every place in code where `words` stand by themselves, not as a part of a longer name.
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

  /// The only such place.
  func place(of words: String, in range: Range<Int>? = nil) throws(ScaffoldError) -> Int {
    let found = places(of: words, in: range)
    guard let place = found.first else {
      throw error("'\(words)' is expected here and is not there", at: range?.lowerBound)
    }
    guard found.count == 1 else { throw error("'\(words)' is expected once and is there again", at: found[1]) }
    return place
  }

  /// What stands between the brackets that follow a declaration.
  ///
  /// - Parameters:
  ///   - declaration: what begins it.
  ///   - marks: what comes before the brackets, in order; the last one opens them.
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

  /// Where the bracket that opens at `open` is closed.
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

  /// The line of a place, with its end.
  func line(at offset: Int) -> Range<Int> {
    let start = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let end = bytes[offset...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
    return start..<end
  }

  /// The line without the white space around it.
  func words(of line: Range<Int>) -> String {
    var text = Substring(String(decoding: bytes[line], as: UTF8.self))
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text.drop { $0.isWhitespace })
  }

  /// The start of a declaration whose line is at `offset`, with the documentation above it.
  func documentedStart(of offset: Int) -> Int {
    var start = line(at: offset).lowerBound
    while start > 0 {
      let above = line(at: start - 1)
      guard words(of: above).hasPrefix("///") else { break }
      start = above.lowerBound
    }
    return start
  }

  /// Whether only white space stands between the line's start and `offset`.
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
