/// A template of RFC 6570, levels 1 to 3 without labels, path segments, parameters and fragments: `{x}`, `{+x}`, `{?x,y}`
/// and `{&x,y}`. Beyond the RFC, `{{` and `}}` are braces, which bodies of requests may have.
///
/// In the field of a record, a name can also be a path: `https://example.org{+$.permalink}`.
public struct URLTemplate: Hashable, Sendable, CustomStringConvertible {
  /// How the values of an expression are written.
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

  /// What an expression names.
  public enum Name: Hashable, Sendable, CustomStringConvertible {
    case variable(String)
    /// A value of the record.
    case path(ValuePath)

    /// The name as written.
    public var description: String {
      switch self {
      case .variable(let name): name
      case .path(let path): path.description
      }
    }
  }

  public enum Part: Hashable, Sendable {
    /// A text.
    case literal(String)
    /// Names whose values come here.
    case expression(Operator, [Name])
  }

  /// A name that has no value where one is needed.
  public struct MissingValue: Error, Hashable, Sendable {
    public var name: Name
  }

  /// The parts in their order.
  public var parts: [Part]
  /// The template as written.
  public var description: String

  /// Reads a template.
  ///
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
    var read: [Name] = []
    for part in names.split(separator: 0x2C, omittingEmptySubsequences: false) {
      let text = String(decoding: part, as: UTF8.self)
      if ValuePath.isPath(text) {
        do throws(DefinitionTextError) {
          read.append(.path(try ValuePath(text)))
        } catch {
          throw DefinitionTextError(error.message, at: part.startIndex + error.offset)
        }
      } else if !part.isEmpty, part.allSatisfy(isNameByte) {
        read.append(.variable(text))
      } else {
        throw DefinitionTextError(
          "expected {x}, {+x}, {?x,y} or {&x,y} (RFC 6570) in the template; {{ and }} are braces", at: bytes.startIndex)
      }
    }
    return .expression(kind, read)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte == 0x5F || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }

  /// Every name with the operator of its expression, in their order.
  public var names: [(name: Name, kind: Operator)] {
    parts.flatMap { part -> [(Name, Operator)] in
      guard case .expression(let kind, let names) = part else { return [] }
      return names.map { ($0, kind) }
    }
  }

  public var paths: [ValuePath] { names.compactMap { if case .path(let path) = $0.name { path } else { nil } } }

  public var variables: [String] {
    names.compactMap { if case .variable(let name) = $0.name { name } else { nil } }
  }

  /// The text with the values in place of their names. O(bytes).
  ///
  /// - Parameters:
  ///   - isURL: whether values are percent-encoded.
  ///   - value: the value of a name; `nil` where it has none.
  /// - Throws: `MissingValue` for a name without a value in `{x}` and `{+x}`.
  public func expanded(isURL: Bool = true, _ value: (Name) -> String?) throws(MissingValue) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .literal(let literal): text += literal
      case .expression(let kind, let names) where kind.skipsUndefined:
        var mark = kind.rawValue
        for name in names {
          guard let found = value(name) else { continue }
          text += "\(mark)\(name)=\(isURL ? percentEncoded(found, strictly: true) : found)"
          mark = "&"
        }
      case .expression(let kind, let names):
        for (index, name) in names.enumerated() {
          guard let found = value(name) else { throw MissingValue(name: name) }
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
