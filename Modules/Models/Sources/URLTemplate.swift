/// A template of RFC 6570, levels 1 to 3 without labels, path segments, parameters and fragments: `{x}`, `{+x}`, `{?x,y}`
/// and `{&x,y}`. Beyond the RFC, `{{` and `}}` are braces, which bodies of requests may have.
///
/// In the field of a record, a name can also be a path: `https://example.org{+$.permalink}`. In a request, a variable that is a
/// time may be shifted, and has a form: `{since:epoch}`, `{now-30d:YYYYMMDD}`. A parameter of a query may have another name
/// than its variable: `{&page[after]=cursor}`.
public struct URLTemplate: Hashable, Sendable, CustomStringConvertible {
  public enum Operator: String, Sendable, CaseIterable {
    /// One after another, everything but the unreserved characters escaped.
    case simple = ""
    /// Reserved characters as they are.
    case reserved = "+"
    /// As the first parameters of a query; names without a value are left out.
    case query = "?"
    /// As further parameters of a query; names without a value are left out.
    case continuation = "&"

    /// Whether names may be without a value.
    public var skipsUndefined: Bool { self == .query || self == .continuation }
  }

  public enum Name: Hashable, Sendable, CustomStringConvertible {
    case variable(String)
    case path(ValuePath)

    public var description: String {
      switch self {
      case .variable(let name): name
      case .path(let path): path.description
      }
    }
  }

  public struct Term: Hashable, Sendable {
    public var name: Name
    /// The parameter of the query, where it is not the name.
    public var parameter: String?
    /// How many seconds later than its value the time is.
    public var shift = 0
    /// How the time is written; `nil` for a value that is written as it is.
    public var form: SourceDefinition.TimeForm?

    var text: String {
      var text = parameter.map { "\($0)=" } ?? ""
      text += name.description
      if shift != 0 { text += "\(shift < 0 ? "-" : "+")\(abs(shift))s" }
      if let form, shift == 0 || form != .standard { text += ":\(form.word)" }
      return text
    }

    /// The value as it is written. What is no time stays as it is.
    public func written(_ value: String) -> String {
      guard let form, let time = Timestamp(timeOrDay: value) else { return value }
      return form.text(time + shift)
    }
  }

  public enum Part: Hashable, Sendable {
    case literal(String)
    /// Names whose values come here.
    case expression(Operator, [Term])

    /// `{name}`
    public static func variable(_ name: String) -> Part { .expression(.simple, [Term(name: .variable(name))]) }

    var text: String {
      switch self {
      case .literal(let text): text.replacing("{", with: "{{").replacing("}", with: "}}")
      case .expression(let kind, let terms):
        "{\(kind == .simple ? "" : kind.rawValue)\(terms.map(\.text).joined(separator: ","))}"
      }
    }
  }

  public struct MissingValue: Error, Hashable, Sendable { public var name: Name }

  public var parts: [Part]
  public var description: String

  /// - Throws: `DefinitionTextError`, with the place in the text.
  public init(_ text: String) throws(DefinitionTextError) {
    description = text
    parts = []
    let bytes = Array(text.utf8)
    var rest = bytes[...]
    var literal: [UInt8] = []
    while let first = rest.first {
      let isBrace = first == 0x7B || first == 0x7D
      if !isBrace || rest.dropFirst().first == first {
        literal.append(first)
        rest = rest.dropFirst(isBrace ? 2 : 1)
        continue
      }
      guard first == 0x7B else {
        throw DefinitionTextError("} without a { before it in the template; }} is a brace", at: rest.startIndex)
      }
      if !literal.isEmpty { parts.append(.literal(String(decoding: literal, as: UTF8.self))) }
      literal = []
      guard let end = rest.firstIndex(of: 0x7D) else {
        throw DefinitionTextError("{ without a } after it in the template", at: rest.startIndex)
      }
      parts.append(try Self.expression(rest[(rest.startIndex + 1)..<end]))
      rest = rest[(end + 1)...]
    }
    if !literal.isEmpty { parts.append(.literal(String(decoding: literal, as: UTF8.self))) }
  }

  private static func expression(_ bytes: ArraySlice<UInt8>) throws(DefinitionTextError) -> Part {
    var names = bytes
    var kind = Operator.simple
    if let first = bytes.first, let found = Operator(rawValue: String(UnicodeScalar(first))) {
      kind = found
      names = names.dropFirst()
    }
    var read: [Term] = []
    for part in names.split(separator: 0x2C, omittingEmptySubsequences: false) {
      let text = String(decoding: part, as: UTF8.self)
      if ValuePath.isPath(text) {
        do throws(DefinitionTextError) {
          read.append(Term(name: .path(try ValuePath(text))))
        } catch {
          throw DefinitionTextError(error.message, at: part.startIndex + error.offset)
        }
      } else if let term = term(part, hasParameter: kind.skipsUndefined) {
        read.append(term)
      } else {
        throw DefinitionTextError(
          "expected {x}, {+x}, {?x,y} or {&x,y} (RFC 6570) in the template; {{ and }} are braces; a time is {since:epoch} or {now-30d:date}",
          at: bytes.startIndex)
      }
    }
    return .expression(kind, read)
  }

  /// `since`, `since:epoch`, `now-30d:date`, `page[after]=cursor`.
  private static func term(_ bytes: ArraySlice<UInt8>, hasParameter: Bool) -> Term? {
    var rest = bytes
    var parameter: String?
    if hasParameter, let equals = rest.firstIndex(of: UInt8(ascii: "=")), equals > rest.startIndex {
      parameter = String(decoding: rest[..<equals], as: UTF8.self)
      rest = rest[(equals + 1)...]
    }
    let name = rest.prefix(while: isNameByte)
    rest = rest.dropFirst(name.count)
    guard !name.isEmpty else { return nil }
    var term = Term(name: .variable(String(decoding: name, as: UTF8.self)), parameter: parameter)
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      let text = rest.dropFirst().prefix { $0 != UInt8(ascii: ":") }
      guard let interval = Interval(String(decoding: text, as: UTF8.self)) else { return nil }
      term.shift = sign == UInt8(ascii: "-") ? -interval.seconds : interval.seconds
      term.form = .standard
      rest = rest.dropFirst(1 + text.count)
    }
    guard rest.first == UInt8(ascii: ":") else { return rest.isEmpty ? term : nil }
    term.form = SourceDefinition.TimeForm(inTemplate: String(decoding: rest.dropFirst(), as: UTF8.self))
    return term.form == nil ? nil : term
  }

  /// Where a variable stands in the text of a template, in bytes; `nil` where it does not.
  public static func place(of variable: String, in text: String) -> Int? {
    text.ranges(of: variable).lazy.filter { range in
      guard range.lowerBound > text.startIndex, range.upperBound < text.endIndex else { return false }
      return "{,=?&+".contains(text[text.index(before: range.lowerBound)]) && "},:-+".contains(text[range.upperBound])
    }.first.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte == 0x5F || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }

  public init(_ parts: [Part]) {
    self.parts = parts
    description = parts.map(\.text).joined()
  }

  /// The template with values in place of some of its variables.
  ///
  /// - Parameter isURL: whether values are percent-encoded.
  func binding(isURL: Bool = true, _ value: (String) -> String?) -> URLTemplate {
    var bound: [Part] = []
    func written(_ term: Term) -> String? {
      guard case .variable(let name) = term.name else { return nil }
      return value(name).map(term.written)
    }
    for part in parts {
      guard case .expression(let kind, let terms) = part else {
        bound.append(part)
        continue
      }
      let known = terms.map(written)
      if kind.skipsUndefined {
        var mark = kind
        for (term, text) in zip(terms, known) {
          guard let text else { continue }
          let content = isURL ? percentEncoded(text, strictly: true) : text
          bound.append(.literal("\(mark.rawValue)\(term.parameter ?? term.name.description)=\(content)"))
          mark = .continuation
        }
        let rest = zip(terms, known).filter { $0.1 == nil }.map(\.0)
        if !rest.isEmpty { bound.append(.expression(mark, rest)) }
      } else if known.contains(where: { $0 == nil }) {
        bound.append(part)
      } else {
        let texts = known.map { text in
          let text = text ?? ""
          return !isURL ? text : kind == .reserved ? Self.reserved(text) : percentEncoded(text, strictly: true)
        }
        bound.append(.literal(texts.joined(separator: ",")))
      }
    }
    return URLTemplate(bound)
  }

  /// Every name with the operator of its expression, in their order.
  public var names: [(name: Name, kind: Operator)] {
    parts.flatMap { part -> [(Name, Operator)] in
      guard case .expression(let kind, let terms) = part else { return [] }
      return terms.map { ($0.name, kind) }
    }
  }

  public var terms: [Term] {
    parts.flatMap { part -> [Term] in
      guard case .expression(_, let terms) = part else { return [] }
      return terms
    }
  }

  public var paths: [ValuePath] { names.compactMap { if case .path(let path) = $0.name { path } else { nil } } }

  public var variables: [String] { names.compactMap { if case .variable(let name) = $0.name { name } else { nil } } }

  /// The text with the values in place of their names. O(bytes).
  ///
  /// - Parameters:
  ///   - isURL: whether values are percent-encoded.
  /// - Throws: `MissingValue` for a name without a value in `{x}` and `{+x}`.
  public func expanded(isURL: Bool = true, _ value: (Name) -> String?) throws(MissingValue) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .literal(let literal): text += literal
      case .expression(let kind, let terms) where kind.skipsUndefined:
        var mark = kind.rawValue
        for term in terms {
          guard let found = value(term.name).map(term.written) else { continue }
          text +=
            "\(mark)\(term.parameter ?? term.name.description)=\(isURL ? percentEncoded(found, strictly: true) : found)"
          mark = "&"
        }
      case .expression(let kind, let terms):
        for (index, term) in terms.enumerated() {
          guard let found = value(term.name).map(term.written) else { throw MissingValue(name: term.name) }
          if index > 0 { text += "," }
          text += !isURL ? found : kind == .reserved ? Self.reserved(found) : percentEncoded(found, strictly: true)
        }
      }
    }
    return text
  }

  /// The text with everything escaped but unreserved and reserved characters and escapes (RFC 6570 section 3.2.3).
  private static func reserved(_ text: String) -> String {
    var encoded = ""
    for scalar in text.unicodeScalars {
      let isKept =
        scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789-._~%:/?#[]@!$&'()*+,;=".unicodeScalars.contains(scalar))
      encoded += isKept ? String(scalar) : percentEncoded(String(scalar), strictly: true)
    }
    return encoded
  }
}
