/// Tells which bytes of a Swift text are code, and which stand in comments and strings.
///
/// What is interpolated into a string counts as part of the string.
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

  /// Skips the comment or string that begins here; `false` where there is none.
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
