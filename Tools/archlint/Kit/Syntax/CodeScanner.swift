/// Scans the code of a file for what rules forbid: work in a passive role, forbidden names, and global state.
///
/// Comments, strings and regular expressions are not code. Complexity: linear in the bytes of the file.
struct CodeScanner {
  struct Query: Sendable {
    /// Types with identity, mutable global state, and bodies that loop, defer, start a task, lock or wait more than
    /// once.
    ///
    /// Initializers, computed properties, `switch`, the conversion of errors, and a body that forwards a single call
    /// are allowed, because values need them.
    var behaviour = false
    var globals = false
    var names: [ForbiddenName] = []
  }

  /// A body of a passive role with more lines than this counts as work.
  static let longestPassiveBody = 40

  private enum Scope { case type, body }

  private let query: Query
  private let source: SourceBytes
  private var cursor: SourceCursor
  private var lines: LineCounter
  private var result = CodeFindings()
  private var scopes: [Scope] = []
  private var isInBody = false
  /// The scope that the next brace opens.
  private var next = Scope.body
  private var parentheses = 0
  /// The number of waits in the outermost open body.
  private var waits = 0
  private var bodyStart: (line: Int, column: Int) = (1, 1)
  private var previousWord = ""
  /// Attributes and modifiers of the current declaration.
  private var modifiers: Set<String> = []
  /// The words of a chain such as `Task.sleep`; the first one is empty if the chain begins with an expression.
  private var path: [String] = []
  private var isAfterDot = false

  static func scan(_ source: SourceBytes, for query: Query) -> CodeFindings {
    // Most files contain no forbidden name, and searching bytes is much faster than scanning words.
    var query = query
    query.names.removeAll { !$0.mayOccur(in: source) }
    guard query.behaviour || query.globals || !query.names.isEmpty else { return CodeFindings() }
    var scanner = CodeScanner(source, query)
    scanner.scan()
    return scanner.result
  }

  private init(_ source: SourceBytes, _ query: Query) {
    (self.source, self.query) = (source, query)
    cursor = SourceCursor(source)
    lines = LineCounter(source)
  }

  private mutating func scan() {
    let skipsBodies = !query.behaviour && query.names.isEmpty
    while cursor.position < source.count {
      // Nothing inside a body is global.
      if skipsBodies, isInBody { cursor.position = cursor.span(to: "{}()[]\"/#`") }
      guard cursor.position < source.count else { return }
      let start = cursor.position
      let byte = source.base[start]
      if Byte.startsIdentifier(byte) {
        var end = start + 1
        while Byte.continuesIdentifier(source.base[end]) { end += 1 }
        cursor.position = end
        read(source.text(start..<end), at: start)
        continue
      }
      switch byte {
      case Byte.slash where cursor.byte(start + 1) == Byte.slash || cursor.byte(start + 1) == Byte.star:
        cursor.skipSpecial()
      case Byte.quote, Byte.slash, Byte.hash, Byte.backtick:
        cursor.skipSpecial()
        endChain()
      case Byte.dot: readDot(at: start)
      case _ where Byte.isSpace(byte): cursor.position += 1
      default:
        readPunctuation(byte, at: start)
        endChain()
      }
    }
  }

  private mutating func readPunctuation(_ byte: UInt8, at start: Int) {
    cursor.position += 1
    switch byte {
    case UInt8(ascii: "{"):
      let opened = isInBody ? .body : next
      if opened == .body, !isInBody {
        waits = 0
        bodyStart = lines.place(of: start)
      }
      scopes.append(opened)
      isInBody = opened == .body
      next = .body
      modifiers = []
    case UInt8(ascii: "}"):
      // All scopes inside a body are bodies.
      let closed = scopes.popLast()
      isInBody = scopes.last == .body
      if closed == .body, !isInBody, query.behaviour { checkLength(of: start) }
      next = .body
      modifiers = []
    case UInt8(ascii: "("), UInt8(ascii: "["): parentheses += 1
    case UInt8(ascii: ")"), UInt8(ascii: "]"): parentheses -= 1
    default: break
    }
  }

  // MARK: Chains

  private mutating func endChain() {
    path = []
    isAfterDot = false
  }

  private mutating func readDot(at start: Int) {
    cursor.position += 1
    if path.isEmpty { path = [wordBeforeGenericArguments(endingAt: start) ?? ""] }
    isAfterDot = true
  }

  /// `Task` in `Task<Never, Never>.sleep`, if `end` is the offset of the dot.
  private func wordBeforeGenericArguments(endingAt end: Int) -> String? {
    guard end > 0, source.base[end - 1] == UInt8(ascii: ">") else { return nil }
    var depth = 0
    var index = end
    while index > 0 {
      index -= 1
      switch source.base[index] {
      case UInt8(ascii: ">"): depth += 1
      case UInt8(ascii: "<"): depth -= 1
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ";"), UInt8(ascii: "="): return nil
      default: break
      }
      if depth == 0 { break }
    }
    var start = index
    while start > 0, Byte.continuesIdentifier(source.base[start - 1]) { start -= 1 }
    return start < index ? source.text(start..<index) : nil
  }

  // MARK: Words

  private mutating func read(_ word: String, at start: Int) {
    defer { previousWord = word }
    path = isAfterDot ? path + [word] : [word]
    isAfterDot = false
    let isLabel = followingByte() == Byte.colon
    if !query.names.isEmpty, !isLabel || previousWord == "extension" { checkName(at: start) }
    if path.count > 1 {
      if query.behaviour, isInBody, word == "forEach" { found("a loop", at: start) }
      return
    }
    if isLabel, parentheses == 0 || isInBody { return }
    if query.behaviour, Self.locks.contains(word) { found("a lock", at: start) }
    isInBody ? readInBody(word, at: start) : readInType(word, at: start)
  }

  private static let locks: Set<String> = ["Mutex", "Atomic", "NSLock", "NSRecursiveLock", "OSAllocatedUnfairLock"]

  private static let declarations: Set<String> = [
    "func", "var", "let", "case", "struct", "class", "enum", "actor", "protocol", "typealias", "associatedtype",
    "import",
    "macro",
  ]

  private mutating func checkName(at start: Int) {
    guard path.count > 1 || !Self.declarations.contains(previousWord) else { return }
    let byte = followingByte()
    let isCall = byte == UInt8(ascii: "(") || byte == UInt8(ascii: "{")
    for name in query.names where name.matches(path, isCall: isCall) {
      result.uses.append(CodeFindings.Use(place: lines.place(of: start), name: name))
    }
  }

  private mutating func found(_ what: String, at offset: Int) {
    result.behaviour.append(CodeFindings.Behaviour(place: lines.place(of: offset), what: what))
  }

  private mutating func checkLength(of end: Int) {
    let count = lines.place(of: end).line - bodyStart.line - 1
    guard count > Self.longestPassiveBody else { return }
    result.behaviour.append(CodeFindings.Behaviour(place: bodyStart, what: "a body of \(count) lines"))
  }

  private mutating func readInType(_ word: String, at start: Int) {
    guard parentheses == 0 else { return }
    switch word {
    case "struct", "enum", "protocol", "extension": next = .type
    case "class", "actor":
      guard let name = followingWord(), !["func", "var", "let", "subscript"].contains(name) else { return }
      next = .type
      result.classes.insert(name)
      if query.behaviour { found(word == "class" ? "a class" : "an actor", at: start) }
    case "func", "init", "subscript", "deinit":
      next = .body
      modifiers = []
    case "var", "let":
      next = .body
      if modifiers.contains("static") || scopes.isEmpty { readGlobal(word, at: start) }
      modifiers = []
    case "static": modifiers.insert(word)
    default: break
    }
  }

  private mutating func readInBody(_ word: String, at start: Int) {
    guard query.behaviour else { return }
    switch word {
    case "for", "while", "repeat": found("a loop", at: start)
    case "defer": found("'defer', which makes the order of steps matter", at: start)
    case "Task", "withTaskGroup", "withThrowingTaskGroup", "withDiscardingTaskGroup", "Thread", "DispatchQueue":
      found("a task", at: start)
    case "let" where previousWord == "async": found("a task", at: start)
    case "withCheckedContinuation", "withCheckedThrowingContinuation", "withUnsafeContinuation",
      "withUnsafeThrowingContinuation":
      found("a continuation", at: start)
    case "await":
      waits += 1
      if waits == 2 { found("a body that waits more than once", at: start) }
    default: break
    }
  }

  // MARK: State outside instances

  /// Records a stored variable, or a constant with the words of its type, for the caller to look up.
  private mutating func readGlobal(_ word: String, at start: Int) {
    guard let types = storedTypes() else { return }
    if word == "var", query.behaviour { found("mutable state outside any instance", at: start) }
    guard query.globals else { return }
    result.globals.append(CodeFindings.Global(place: lines.place(of: start), isVariable: word == "var", types: types))
  }

  /// The words of the annotation, or else the first word of the initial value; nil for a computed variable.
  private func storedTypes() -> [String]? {
    var look = cursor
    var types: [String] = []
    var isName = true
    while true {
      let end = look.position
      look.skipTrivia()
      let hasLineEnd = (end..<look.position).contains { look.byte($0) == 0x0A || look.byte($0) == 0x0D }
      let byte = look.byte(look.position)
      if byte == UInt8(ascii: "{") { return nil }
      // A declaration ends with its line, unless its type continues on the next one.
      if hasLineEnd, byte != UInt8(ascii: "="), byte != UInt8(ascii: "<"), !Self.continuesLine(look.byte(end - 1)) {
        return types
      }
      let start = look.position
      switch byte {
      case _ where Byte.startsIdentifier(byte):
        while Byte.continuesIdentifier(look.byte(look.position)) { look.position += 1 }
        if !isName { types.append(source.text(start..<look.position)) }
        isName = false
      case UInt8(ascii: "="):
        guard types.isEmpty else { return types }
        look.position += 1
        look.skipTrivia()
        let start = look.position
        while Byte.continuesIdentifier(look.byte(look.position)) { look.position += 1 }
        // The type of `Type.member` cannot be determined here.
        let isType = look.position > start && look.byte(look.position) != Byte.dot
        return isType ? [source.text(start..<look.position)] : []
      case UInt8(ascii: "-") where look.byte(start + 1) == UInt8(ascii: ">"): return []  // a function holds no state
      case UInt8(ascii: "}"), UInt8(ascii: ";"), 0: return types
      default: look.position += 1
      }
    }
  }

  private static func continuesLine(_ byte: UInt8) -> Bool {
    switch byte {
    case Byte.colon, UInt8(ascii: ","), UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "&"),
      UInt8(ascii: "="):
      true
    default: false
    }
  }

  // MARK: Looking ahead

  /// The next byte that is not a space or part of a comment.
  private func followingByte() -> UInt8 {
    var index = cursor.position
    while index < source.count, Byte.isSpace(source.base[index]) { index += 1 }
    guard source.base[index] == Byte.slash else { return source.base[index] }
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
}

/// The result of a scan of one file.
struct CodeFindings: Sendable {
  /// The line and the column, as of ``LineCounter``.
  typealias Location = (line: Int, column: Int)

  struct Behaviour: Sendable {
    var place: Location
    /// The construct with its article, as in 'a loop'.
    var what: String
  }

  struct Use: Sendable {
    var place: Location
    var name: ForbiddenName
  }

  struct Global: Sendable {
    var place: Location
    var isVariable: Bool
    /// The words of its type, if they can be determined.
    var types: [String]
  }

  var behaviour: [Behaviour] = []
  var uses: [Use] = []
  var globals: [Global] = []
  /// Classes and actors that the file declares.
  var classes: Set<String> = []
}

/// A forbidden name: `Date` (any use), `print()` (a call), `.random` (a member of any type) or `Task.sleep`.
package struct ForbiddenName: Sendable, Hashable {
  package let text: String
  private let parts: [String]
  private let isMember: Bool
  private let isCall: Bool

  package init(_ text: String) {
    self.text = text
    isCall = text.hasSuffix("()")
    isMember = text.hasPrefix(".")
    parts = (isCall ? text.dropLast(2) : text[...]).split(separator: ".").map(String.init)
  }

  /// Whether the text has one of the forms above.
  package var isValid: Bool {
    !parts.isEmpty
      && parts.allSatisfy { part in part.utf8.allSatisfy(Byte.continuesIdentifier) && !(part.first?.isNumber ?? true) }
  }

  /// Whether the bytes contain the name's last word, in code or elsewhere.
  func mayOccur(in source: SourceBytes) -> Bool {
    guard let word = parts.last else { return false }
    var start = 0
    while let offset = source.offset(of: word, from: start) {
      start = offset + word.utf8.count
      let before = offset > 0 ? source.base[offset - 1] : 0
      if Byte.continuesIdentifier(before) || Byte.continuesIdentifier(source.base[start]) { continue }
      if isMember, before != Byte.dot, !Byte.isSpace(before) { continue }
      let after = source.base[start]
      if !isCall || after == UInt8(ascii: "(") || after == UInt8(ascii: "{") || Byte.isSpace(after) { return true }
    }
    return false
  }

  /// - Parameter path: The words of a chain up to the name, which a module's name may precede.
  func matches(_ path: [String], isCall: Bool) -> Bool {
    guard path.last == parts.last, isCall || !self.isCall else { return false }
    if isMember { return path.count > parts.count && path.suffix(parts.count) == parts[...] }
    if path == parts { return true }
    return path.count == parts.count + 1 && ToolchainModules.names.contains(path[0]) && path[1...] == parts[...]
  }
}
