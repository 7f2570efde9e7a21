/// Finds what does something, in a file that should only say what things are.
///
/// Types with identity (`class`, `actor`), mutable globals and statics, and bodies that loop, defer, start a task or wait
/// more than once. Initialisers, computed properties, `switch`, one error turned into another and a body that forwards one
/// call remain: values need them.
struct BehaviourScanner {
  struct Finding: Sendable {
    var line: Int
    var column: Int
    /// As in 'a loop'.
    var what: String
  }

  private enum Scope { case type, body }

  private let source: SourceBytes
  private var cursor: SourceCursor
  private var lines: LineCounter
  private var findings: [Finding] = []
  private var scopes: [Scope] = []
  /// What the next brace opens.
  private var next = Scope.body
  private var parentheses = 0
  /// In the outermost body that is open.
  private var waits = 0
  private var previousWord = ""

  static func findings(in source: SourceBytes) -> [Finding] {
    var scanner = BehaviourScanner(source)
    scanner.scan()
    return scanner.findings
  }

  private init(_ source: SourceBytes) {
    self.source = source
    cursor = SourceCursor(source)
    lines = LineCounter(source)
  }

  private var isInBody: Bool { scopes.contains(.body) }

  private mutating func scan() {
    while cursor.position < source.count {
      let start = cursor.position
      let byte = source.base[start]
      switch byte {
      case Byte.quote, Byte.slash, Byte.hash, Byte.backtick: cursor.skipSpecial()
      case UInt8(ascii: "{"):
        if next == .body, !isInBody { waits = 0 }
        scopes.append(isInBody ? .body : next)
        next = .body
        cursor.position += 1
      case UInt8(ascii: "}"):
        _ = scopes.popLast()
        next = .body
        cursor.position += 1
      case UInt8(ascii: "("), UInt8(ascii: "["): parentheses += 1; cursor.position += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): parentheses -= 1; cursor.position += 1
      default:
        if Byte.startsIdentifier(byte) {
          while Byte.continuesIdentifier(cursor.byte(cursor.position)) { cursor.position += 1 }
          if start == 0 || source.base[start - 1] != Byte.dot { read(source.text(start..<cursor.position), at: start) }
        } else {
          cursor.position += 1
        }
      }
    }
  }

  private mutating func found(_ what: String, at offset: Int) {
    let place = lines.place(of: offset)
    findings.append(Finding(line: place.line, column: place.column, what: what))
  }

  private mutating func read(_ word: String, at start: Int) {
    defer { previousWord = word }
    if parentheses == 0 || isInBody, followingByte() == Byte.colon { return }  // a label
    isInBody ? readInBody(word, at: start) : readInType(word, at: start)
  }

  private mutating func readInType(_ word: String, at start: Int) {
    guard parentheses == 0 else { return }
    switch word {
    case "struct", "enum", "protocol", "extension": next = .type
    case "class", "actor":
      guard let name = followingWord(), !["func", "var", "let", "subscript"].contains(name) else { return }
      next = .type
      found(word == "class" ? "a class" : "an actor", at: start)
    case "func", "init", "subscript", "deinit", "let": next = .body
    case "var":
      next = .body
      if previousWord == "static" || scopes.isEmpty, isStored() {
        found("mutable state that everybody shares", at: start)
      }
    default: break
    }
  }

  private mutating func readInBody(_ word: String, at start: Int) {
    switch word {
    case "for", "while", "repeat": found("a loop", at: start)
    case "defer": found("'defer', so something happens in order", at: start)
    case "Task", "withTaskGroup", "withThrowingTaskGroup": found("a task", at: start)
    case "await":
      waits += 1
      if waits == 2 { found("a body that waits more than once", at: start) }
    default: break
    }
  }

  /// The next byte that is no space.
  private func followingByte() -> UInt8 {
    var look = cursor
    look.skipTrivia()
    return look.byte(look.position)
  }

  private func followingWord() -> String? {
    var look = cursor
    look.skipTrivia()
    let start = look.position
    while Byte.continuesIdentifier(look.byte(look.position)) { look.position += 1 }
    return look.position > start ? source.text(start..<look.position) : nil
  }

  /// Whether an equal sign comes before a brace or the line's end.
  private func isStored() -> Bool {
    let end = cursor.span(to: "={\n")
    return cursor.byte(end) == UInt8(ascii: "=")
  }
}
