import Models

/// Reads a text that is a literal of Python or JSON, in which parts may be variables. Airbyte's program reads what a
/// text with expressions gives once more, so that `'[1]'` is `[1]`, and `['a', 'b']` a list.
struct ManifestLiteral {
  /// Who reads the text.
  enum Reader {
    /// A header field: texts.
    case header
    /// A parameter, or a member of a form: texts and lists.
    case parameter
    /// A value in a body of JSON: everything.
    case value
    /// The server, as JSON.
    case server
  }

  private enum Piece {
    case byte(UInt8)
    case value(ManifestValue)
  }

  private static let depthLimit = 50

  private let reader: Reader
  private var rest: ArraySlice<Piece>
  private var depth = 0

  private init(_ reader: Reader, _ text: ManifestValue) {
    self.reader = reader
    let parts = if case .joined(let parts) = text { parts } else { [text] }
    rest =
      parts.flatMap { part in
        if case .constant(.string(let text)) = part { return text.utf8.map(Piece.byte) }
        if case .constant(.number(let digits)) = part { return digits.utf8.map(Piece.byte) }
        return [Piece.value(part)]
      }[...]
  }

  /// A value, of whose texts those that are literals are what they stand for.
  static func read(_ value: ManifestValue, by reader: Reader) -> ManifestValue {
    switch value {
    case .constant(.string), .joined:
      var literal = ManifestLiteral(reader, value)
      guard let read = literal.value(), literal.next == nil, literal.rest.isEmpty else { return value }
      return read
    case .object(let members): return .object(members.map { .init(name: $0.name, value: read($0.value, by: reader)) })
    case .list(let values): return .list(values.map { read($0, by: reader) })
    default: return value
    }
  }

  /// The next byte that is not white space; `nil` before a variable and at the end.
  private var next: UInt8? {
    mutating get {
      while case .byte(let byte)? = rest.first {
        guard byte == 0x20 || (0x09...0x0D).contains(byte) else { return byte }
        rest.removeFirst()
      }
      return nil
    }
  }

  private mutating func take(_ byte: Character) -> Bool {
    guard next == byte.asciiValue else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func value() -> ManifestValue? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { return nil }
    let isOutermost = depth == 1
    switch next {
    case UInt8(ascii: "\""): return texts()
    case UInt8(ascii: "'") where reader != .server: return texts()
    case UInt8(ascii: "[") where reader != .header: return list()
    case UInt8(ascii: "{") where reader == .value || reader == .server: return object()
    case nil:
      guard !isOutermost, case .value(let value)? = rest.first, reader != .parameter || value.isNumber else {
        return nil
      }
      rest.removeFirst()
      return value
    default: return isOutermost && (reader == .header || reader == .parameter) ? nil : word()
    }
  }

  /// Texts one after another, which are one text.
  private mutating func texts() -> ManifestValue? {
    var parts: [ManifestValue] = []
    while let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      guard !(reader == .server && !parts.isEmpty), let text = text(quote) else { return nil }
      parts += text
    }
    return try? ManifestContext.joined(parts)
  }

  private mutating func text(_ quote: UInt8) -> [ManifestValue]? {
    rest.removeFirst()
    var parts: [ManifestValue] = []
    var bytes: [UInt8] = []
    func plain() -> ManifestValue { .constant(.string(String(decoding: bytes, as: UTF8.self))) }
    while let piece = rest.popFirst() {
      switch piece {
      case .value(let value):
        parts += [plain(), value]
        bytes = []
      case .byte(quote): return parts + [plain()]
      case .byte(UInt8(ascii: "\\")):
        guard case .byte(let escaped)? = rest.popFirst() else { return nil }
        switch escaped {
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case _ where "\\\"'/".utf8.contains(escaped): bytes.append(escaped)
        default: return nil
        }
      case .byte(let byte): bytes.append(byte)
      }
    }
    return nil
  }

  private mutating func list() -> ManifestValue? {
    rest.removeFirst()
    var values: [ManifestValue] = []
    while !take("]") {
      guard values.isEmpty || take(",") else { return nil }
      if !values.isEmpty, take("]") { break }
      guard let value = value() else { return nil }
      values.append(value)
    }
    return .list(values)
  }

  private mutating func object() -> ManifestValue? {
    rest.removeFirst()
    var members: [ManifestValue.Member] = []
    while !take("}") {
      guard members.isEmpty || take(",") else { return nil }
      if !members.isEmpty, take("}") { break }
      guard let name = value()?.text, take(":"), let value = value() else { return nil }
      members.append(.init(name: name, value: value))
    }
    return .object(members)
  }

  private mutating func word() -> ManifestValue? {
    var text = ""
    while case .byte(let byte)? = rest.first, ManifestText.isWordByte(byte) || "+-.".utf8.contains(byte) {
      text.unicodeScalars.append(UnicodeScalar(byte))
      rest.removeFirst()
    }
    switch (text, reader == .server) {
    case ("True", false), ("true", true): return .constant(true)
    case ("False", false), ("false", true): return .constant(false)
    case ("None", false), ("null", true): return .nothing
    default:
      guard case .number? = try? JSONText.value(of: Array(text.utf8)) else { return nil }
      return .constant(.number(text))
    }
  }
}

extension ManifestValue {
  /// Whether a variable is sent as digits.
  fileprivate var isNumber: Bool {
    guard case .variable(let name, let form, _) = self else { return false }
    return ["epoch", "epochms"].contains(form) || ["page", "offset", "size"].contains(name)
  }
}
