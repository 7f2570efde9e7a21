import Models

/// What the language of definitions does not say, or what is wrong with a part of a manifest.
struct Refusal: Error {
  var reason: String

  init(_ reason: String) { self.reason = reason }
}

/// An expression of a manifest (Jinja), as a tree. It is translated, and never evaluated.
indirect enum ManifestExpression {
  case constant(JSONValue)
  case name(String)
  case member(Self, String)
  case element(Self, Self)
  case slice(Self, from: Self?, to: Self?)
  case call(Self, [Self], named: [(name: String, value: Self)])
  case filter(Self, String, [Self], named: [(name: String, value: Self)])
  case test(Self, String)
  case not(Self)
  case negative(Self)
  /// `and`, `or`, `+`, `-`, `~`, `*`, `/`, `//`, `%`, `**`
  case binary(String, Self, Self)
  /// `==`, `!=`, `<`, `<=`, `>`, `>=`, `in`, `not in`; a longer chain has further comparisons.
  case comparison(String, Self, Self, further: [Self])
  case choice(Self, yes: Self, no: Self?)
  case list([Self])
  case object([(key: Self, value: Self)])

  var parts: [Self] {
    switch self {
    case .constant, .name: []
    case .member(let base, _), .test(let base, _), .not(let base), .negative(let base): [base]
    case .element(let base, let other), .binary(_, let base, let other): [base, other]
    case .comparison(_, let base, let other, let further): [base, other] + further
    case .slice(let base, let from, let to): [base] + [from, to].compactMap(\.self)
    case .call(let base, let list, let named), .filter(let base, _, let list, let named):
      [base] + list + named.map(\.value)
    case .choice(let test, let yes, let no): [test, yes] + [no].compactMap(\.self)
    case .list(let list): list
    case .object(let members): members.flatMap { [$0.key, $0.value] }
    }
  }

  var names: Set<ExactString> {
    if case .name(let name) = self { [name.exact] } else { parts.reduce(into: []) { $0.formUnion($1.names) } }
  }

  func compares(with operators: [String]) -> Bool {
    if case .comparison(let sign, _, _, _) = self, operators.contains(sign) { return true }
    return parts.contains { $0.compares(with: operators) }
  }
}

enum ManifestTemplate {
  case text(String)
  case output(ManifestExpression)
  case assignment(String, ManifestExpression)
  case condition(ManifestExpression, [Self], [Self])
  case loop([String], ManifestExpression, [Self])

  static func read(_ text: String) throws(Refusal) -> [Self] {
    var reader = try ManifestTemplateReader(text)
    return try reader.nodes(until: []).nodes
  }

  /// The names that these use and do not define.
  static func names(_ nodes: [Self]) -> Set<ExactString> {
    var names: Set<ExactString> = []
    var defined: Set<ExactString> = ["range"]
    for node in nodes {
      switch node {
      case .text: break
      case .output(let expression): names.formUnion(expression.names.subtracting(defined))
      case .assignment(let name, let expression):
        names.formUnion(expression.names.subtracting(defined))
        defined.insert(name.exact)
      case .condition(let test, let yes, let no):
        names.formUnion(test.names.union(Self.names(yes)).union(Self.names(no)).subtracting(defined))
      case .loop(let targets, let expression, let body):
        names.formUnion(expression.names.union(Self.names(body).subtracting(targets.map(\.exact))).subtracting(defined))
      }
    }
    return names
  }
}

private enum Token: Equatable {
  case name(String)
  case text(String)
  case number(String)
  case sign(String)
}

/// Reads texts with expressions: `{{ … }}`, and `{% … %}` of `if`, `set` and `for`.
private struct ManifestTemplateReader {
  private static let sizeLimit = 8 << 10
  private static let depthLimit = 50

  private var rest: Substring.UTF8View
  private var tokens: ArraySlice<Token> = []
  private var depth = 0

  init(_ text: String) throws(Refusal) {
    let isTemplate = text.contains("{{") || text.contains("{%")
    guard !isTemplate || text.utf8.count <= Self.sizeLimit else {
      throw Refusal("an expression of more than \(Self.sizeLimit) bytes")
    }
    rest = Substring(text).utf8
    if rest.last == 0x0A { rest.removeLast() }
  }

  private static func wrong(_ problem: String) -> Refusal { Refusal("an expression that is not Jinja (\(problem))") }

  /// The nodes up to a statement that begins with one of these words, which is taken.
  mutating func nodes(until ends: [String]) throws(Refusal) -> (nodes: [ManifestTemplate], end: String) {
    var nodes: [ManifestTemplate] = []
    try deeper()
    defer { depth -= 1 }
    while !rest.isEmpty {
      let text = rest.prefix { $0 != 0x7B }
      var end = text.endIndex
      while end < rest.endIndex {
        let next = rest.index(after: end)
        if next < rest.endIndex, "{%#".utf8.contains(rest[next]) { break }
        end = rest[next...].firstIndex(of: 0x7B) ?? rest.endIndex
      }
      var plain = String(Substring(rest[..<end]))
      rest = rest[end...]
      if rest.dropFirst(2).first == 0x2D { while plain.last?.isWhitespace == true { plain.removeLast() } }
      if !plain.isEmpty { nodes.append(.text(plain)) }
      guard let kind = rest.dropFirst().first else { break }
      rest = rest.dropFirst(2)
      if rest.first == 0x2D || rest.first == 0x2B { rest.removeFirst() }
      if kind == UInt8(ascii: "#") {
        guard let close = Substring(rest).firstRange(of: "#}") else { throw Self.wrong("a comment without end") }
        rest = rest[close.upperBound...]
        continue
      }
      try readTokens(closing: kind == 0x7B ? "}}" : "%}")
      if kind == 0x7B {
        nodes.append(.output(try expression()))
        try finish()
      } else {
        guard case .name(let word)? = tokens.popFirst() else { throw Self.wrong("a statement without a name") }
        if ends.contains(word) {
          if word != "elif" { try finish() }
          return (nodes, word)
        }
        nodes.append(try statement(word))
      }
    }
    guard ends.isEmpty else { throw Self.wrong("a statement without its end") }
    return (nodes, "")
  }

  private mutating func statement(_ word: String) throws(Refusal) -> ManifestTemplate {
    switch word {
    case "if": return try condition()
    case "set":
      guard case .name(let name)? = tokens.popFirst(), take("=") else { throw Self.wrong("a set without a name") }
      let value = try expression()
      try finish()
      return .assignment(name, value)
    case "for":
      var names: [String] = []
      while case .name(let name)? = tokens.popFirst(), name != "in" {
        names.append(name)
        _ = take(",")
      }
      let list = try expression()
      try finish()
      return .loop(names, list, try nodes(until: ["endfor"]).nodes)
    default: throw Refusal("a statement of Jinja (\(word))")
    }
  }

  private mutating func condition() throws(Refusal) -> ManifestTemplate {
    try deeper()
    defer { depth -= 1 }
    let test = try expression()
    try finish()
    let (yes, end) = try nodes(until: ["elif", "else", "endif"])
    switch end {
    case "elif": return .condition(test, yes, [try condition()])
    case "else": return .condition(test, yes, try nodes(until: ["endif"]).nodes)
    default: return .condition(test, yes, [])
    }
  }

  // MARK: Tokens

  private mutating func readTokens(closing: String) throws(Refusal) {
    var found: [Token] = []
    var brackets = 0
    let signs = ["==", "!=", "<=", ">=", "//", "**"]
    while let byte = rest.first {
      let two = String(Substring(rest.prefix(2)))
      if brackets == 0, two == closing || byte == 0x2D && Substring(rest.dropFirst()).hasPrefix(closing) {
        rest = rest.dropFirst(byte == 0x2D ? 3 : 2)
        if byte == 0x2D { rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) } }
        tokens = found[...]
        return
      }
      if byte == 0x20 || (0x09...0x0D).contains(byte) {
        rest.removeFirst()
      } else if (0x30...0x39).contains(byte) {
        var number = rest.prefix { (0x30...0x39).contains($0) || $0 == 0x5F }
        let after = rest[number.endIndex...]
        if after.first == 0x2E, let digit = after.dropFirst().first, (0x30...0x39).contains(digit) {
          number = rest[..<after.dropFirst().prefix { (0x30...0x39).contains($0) }.endIndex]
        }
        found.append(.number(String(Substring(number)).filter { $0 != "_" }))
        rest = rest[number.endIndex...]
      } else if byte == 0x5F || byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20) {
        let word = rest.prefix {
          $0 == 0x5F || $0 >= 0x80 || (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)
        }
        found.append(.name(String(Substring(word))))
        rest = rest[word.endIndex...]
      } else if byte == 0x22 || byte == 0x27 {
        found.append(.text(try quoted(byte)))
      } else {
        let sign = signs.contains(two) ? two : String(Unicode.Scalar(byte))
        if "([{".contains(sign) { brackets += 1 }
        if ")]}".contains(sign) { brackets -= 1 }
        found.append(.sign(sign))
        rest = rest.dropFirst(sign.utf8.count)
      }
    }
    throw Self.wrong("an expression without end")
  }

  private mutating func quoted(_ quote: UInt8) throws(Refusal) -> String {
    rest.removeFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == quote { return String(decoding: bytes, as: UTF8.self) }
      guard byte == 0x5C, let next = rest.popFirst() else {
        bytes.append(byte)
        continue
      }
      switch next {
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case 0x22, 0x27, 0x5C: bytes.append(next)
      default: bytes += [byte, next]
      }
    }
    throw Self.wrong("a text without end")
  }

  private func isNext(_ sign: String) -> Bool { tokens.first == .sign(sign) }
  private func isNext(word: String) -> Bool { tokens.first == .name(word) }

  private mutating func take(_ sign: String) -> Bool {
    guard isNext(sign) else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func take(word: String) -> Bool {
    guard isNext(word: word) else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func expect(_ sign: String) throws(Refusal) {
    if !take(sign) { throw Self.wrong("\(sign) is missing") }
  }

  private func finish() throws(Refusal) {
    if let token = tokens.first { throw Self.wrong("\(token) is one too many") }
  }

  private mutating func deeper() throws(Refusal) {
    depth += 1
    if depth > Self.depthLimit { throw Refusal("an expression nested more than \(Self.depthLimit) deep") }
  }

  // MARK: Grammar, from the loosest binding on

  private mutating func expression() throws(Refusal) -> ManifestExpression {
    try deeper()
    defer { depth -= 1 }
    var value = try binary(0)
    while take(word: "if") {
      let test = try binary(0)
      value = .choice(test, yes: value, no: take(word: "else") ? try expression() : nil)
    }
    return value
  }

  private static let levels: [[String]] = [["or"], ["and"], [], [], ["+", "-"], ["~"], ["*", "/", "//", "%"], ["**"]]

  private mutating func binary(_ level: Int) throws(Refusal) -> ManifestExpression {
    guard level < Self.levels.count else { return try unary() }
    if level == 2, take(word: "not") {
      try deeper()
      defer { depth -= 1 }
      return .not(try binary(2))
    }
    if level == 3 { return try comparison() }
    var value = try binary(level + 1)
    while let sign = Self.levels[level].first(where: { level < 2 ? isNext(word: $0) : isNext($0) }) {
      tokens.removeFirst()
      value = .binary(sign, value, try binary(level + 1))
    }
    return value
  }

  private mutating func comparison() throws(Refusal) -> ManifestExpression {
    let left = try binary(4)
    var compared: [(String, ManifestExpression)] = []
    while let sign = comparisonSign() { compared.append((sign, try binary(4))) }
    guard let first = compared.first else { return left }
    return .comparison(first.0, left, first.1, further: compared.dropFirst().map(\.1))
  }

  private mutating func comparisonSign() -> String? {
    if case .sign(let sign)? = tokens.first, ["==", "!=", "<", "<=", ">", ">="].contains(sign) {
      tokens.removeFirst()
      return sign
    }
    if take(word: "in") { return "in" }
    guard isNext(word: "not"), tokens.dropFirst().first == .name("in") else { return nil }
    tokens.removeFirst(2)
    return "not in"
  }

  private mutating func unary(isFiltered: Bool = true) throws(Refusal) -> ManifestExpression {
    try deeper()
    defer { depth -= 1 }
    var value: ManifestExpression
    if take("-") {
      value = .negative(try unary(isFiltered: false))
    } else if take("+") {
      value = try unary(isFiltered: false)
    } else {
      value = try primary()
    }
    value = try postfix(value)
    while isFiltered {
      if take("|") {
        guard case .name(var name)? = tokens.popFirst() else { throw Self.wrong("a filter without a name") }
        while take("."), case .name(let part)? = tokens.popFirst() { name += "." + part }
        let (list, named) = take("(") ? try arguments() : ([], [])
        value = .filter(value, name, list, named: named)
      } else if take(word: "is") {
        let isNot = take(word: "not")
        guard case .name(let name)? = tokens.popFirst() else { throw Self.wrong("a test without a name") }
        if take("(") {
          _ = try arguments()
        } else if hasArgument {
          _ = try postfix(try primary())
        }
        value = isNot ? .not(.test(value, name)) : .test(value, name)
      } else {
        return value
      }
    }
    return value
  }

  private var hasArgument: Bool {
    switch tokens.first {
    case .name(let name): !["else", "or", "and", "if", "is", "in", "not"].contains(name)
    case .text, .number: true
    case .sign(let sign): "([{".contains(sign)
    case nil: false
    }
  }

  private mutating func primary() throws(Refusal) -> ManifestExpression {
    switch tokens.popFirst() {
    case .name(let name):
      switch name {
      case "true", "True": return .constant(true)
      case "false", "False": return .constant(false)
      case "none", "None": return .constant(.null)
      default: return .name(name)
      }
    case .text(var text):
      while case .text(let more)? = tokens.first {
        text += more
        tokens.removeFirst()
      }
      return .constant(.string(text))
    case .number(let digits): return .constant(.number(digits))
    case .sign("("):
      let list = try elements(until: ")")
      return list.elements.count == 1 && !list.hasComma ? list.elements[0] : .list(list.elements)
    case .sign("["): return .list(try elements(until: "]").elements)
    case .sign("{"):
      var members: [(key: ManifestExpression, value: ManifestExpression)] = []
      while !take("}") {
        if !members.isEmpty {
          try expect(",")
          if take("}") { break }
        }
        let key = try expression()
        try expect(":")
        members.append((key, try expression()))
      }
      return .object(members)
    case .sign(let sign): throw Self.wrong("\(sign) begins no value")
    case nil: throw Self.wrong("a value is missing")
    }
  }

  private mutating func elements(
    until end: String
  ) throws(Refusal) -> (elements: [ManifestExpression], hasComma: Bool) {
    var elements: [ManifestExpression] = []
    var hasComma = false
    while !take(end) {
      if !elements.isEmpty {
        try expect(",")
        hasComma = true
        if take(end) { break }
      }
      elements.append(try expression())
    }
    return (elements, hasComma)
  }

  private mutating func postfix(_ start: ManifestExpression) throws(Refusal) -> ManifestExpression {
    var value = start
    while true {
      if take(".") {
        switch tokens.popFirst() {
        case .name(let name): value = .member(value, name)
        case .number(let digits): value = .element(value, .constant(.number(digits)))
        default: throw Self.wrong("a member without a name")
        }
      } else if take("[") {
        let from = isNext(":") ? nil : try expression()
        if take(":") {
          value = .slice(value, from: from, to: isNext("]") ? nil : try expression())
        } else if let from {
          value = .element(value, from)
        }
        try expect("]")
      } else if take("(") {
        let (list, named) = try arguments()
        value = .call(value, list, named: named)
      } else {
        return value
      }
    }
  }

  private mutating func arguments() throws(Refusal) -> (
    [ManifestExpression], [(name: String, value: ManifestExpression)]
  ) {
    var list: [ManifestExpression] = []
    var named: [(name: String, value: ManifestExpression)] = []
    while !take(")") {
      if !list.isEmpty || !named.isEmpty {
        try expect(",")
        if take(")") { break }
      }
      if case .name(let name)? = tokens.first, tokens.dropFirst().first == .sign("=") {
        tokens.removeFirst(2)
        named.append((name, try expression()))
      } else {
        list.append(try expression())
      }
    }
    return (list, named)
  }
}
