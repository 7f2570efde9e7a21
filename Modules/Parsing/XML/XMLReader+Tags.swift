import Models
import Ports

extension XMLReader {
  private struct RawAttribute {
    var name: Range<Int>
    var value: String
  }

  mutating func startTag() throws(ParsingError) -> XMLElement {
    let start = position
    guard open.count < limits.depth else {
      throw error(.limit, at: start, "at most \(limits.depth) elements inside one another", "more")
    }
    position += 1
    let tag = try readName()
    let outer = prefixes.count
    let attributes = try rawAttributes()
    if starts("/>") {
      isEmptyElement = true
      position += 2
    } else {
      position += 1
    }
    let isPlain = try declare(attributes)
    var resolved: [XMLElement.Attribute] = []
    if !isPlain {
      for attribute in attributes where !isDeclaration(attribute.name) {
        let name = try expandedName(attribute.name, isElement: false)
        guard !resolved.contains(where: { $0.name == name }) else {
          throw fault(at: attribute.name.lowerBound, "each attribute once")
        }
        resolved.append(.init(name: name, value: attribute.value))
      }
    }
    let element = XMLElement(name: try expandedName(tag, isElement: true), attributes: resolved)
    open.append(Open(tag: tag, name: element.name, prefixes: outer))
    return element
  }

  private mutating func rawAttributes() throws(ParsingError) -> [RawAttribute] {
    var attributes: [RawAttribute] = []
    while true {
      let before = position
      skipSpace()
      guard position < bytes.count else { throw fault(at: position, "'>'") }
      if bytes[position] == 0x3E || starts("/>") { return attributes }
      guard position > before else { throw fault(at: position, "a space, '>' or '/>'") }
      guard attributes.count < limits.attributes else {
        throw error(.limit, at: position, "at most \(limits.attributes) attributes", "more")
      }
      let name = try readName()
      try equals()
      let value = try attributeValue()
      for other in attributes where bytes[other.name].elementsEqual(bytes[name]) {
        throw fault(at: name.lowerBound, "each attribute once")
      }
      attributes.append(RawAttribute(name: name, value: value))
    }
  }

  mutating func equals() throws(ParsingError) {
    skipSpace()
    guard position < bytes.count, bytes[position] == 0x3D else { throw fault(at: position, "'='") }
    position += 1
    skipSpace()
  }

  /// Consumes a quotation mark and returns it; `nil` for another character.
  mutating func quote() -> UInt8? {
    guard position < bytes.count, bytes[position] == 0x22 || bytes[position] == 0x27 else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  /// Reads a value in quotes. Tabs and line breaks become spaces (XML 1.0 section 3.3.3).
  private mutating func attributeValue() throws(ParsingError) -> String {
    guard let quote = quote() else { throw fault(at: position, "a value in quotes") }
    var value: [UInt8] = []
    let start = position
    while position < bytes.count {
      guard position - start <= limits.value else {
        throw error(.limit, at: start, "a value of at most \(limits.value) bytes", "more")
      }
      let byte = bytes[position]
      switch byte {
      case quote:
        position += 1
        return String(decoding: value, as: UTF8.self)
      case 0x3C: throw fault(at: position, "'&lt;' instead of '<' in a value")
      case 0x26:
        let place = position
        let scalar = try reference()
        guard Self.isAllowed(scalar) else { throw fault(at: place, "no control characters") }
        value += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      case 0x09, 0x0A, 0x0D:
        position += starts("\r\n") ? 2 : 1
        value.append(0x20)
      default:
        if !Self.isOrdinary(byte), isForbidden(at: position) { throw fault(at: position, "no control characters") }
        value.append(byte)
        position += 1
      }
    }
    throw fault(at: position, "the closing quote")
  }

  /// Declares the namespaces of an element.
  ///
  /// - Returns: whether it has no other attributes.
  private mutating func declare(_ attributes: [RawAttribute]) throws(ParsingError) -> Bool {
    var isPlain = true
    for attribute in attributes {
      guard isDeclaration(attribute.name) else {
        isPlain = false
        continue
      }
      let prefix = name(attribute.name.dropFirst(6))
      let place = attribute.name.lowerBound
      if attribute.name.count > 5 {
        guard let first = prefix.unicodeScalars.first, Self.isNameStart(first), !prefix.utf8.contains(0x3A) else {
          throw fault(at: place, "a prefix that is a name without ':'")
        }
      }
      if prefix.exact == "xmlns" || (prefix.exact == "xml") != (attribute.value.exact == XMLName.xml.exact) {
        throw fault(at: place, "no other meaning of the prefixes xml and xmlns")
      }
      if attribute.value.isEmpty, !prefix.isEmpty { throw fault(at: place, "a namespace that is not empty") }
      if attribute.value.exact == "http://www.w3.org/2000/xmlns/" { throw fault(at: place, "another namespace") }
      prefixes.append((prefix.exact, attribute.value))
    }
    return isPlain
  }

  /// Whether an attribute is `xmlns` or `xmlns:prefix`.
  private func isDeclaration(_ name: Range<Int>) -> Bool {
    let text = bytes[name]
    return text.starts(with: "xmlns".utf8) && (text.count == 5 || text[name.lowerBound + 5] == 0x3A)
  }

  private func expandedName(_ range: Range<Int>, isElement: Bool) throws(ParsingError) -> XMLName {
    let colon = bytes[range].firstIndex(of: 0x3A)
    let local = name((colon.map { $0 + 1 } ?? range.lowerBound)..<range.upperBound)
    guard let colon else {
      let namespace = isElement ? prefixes.last { $0.prefix.text.isEmpty }?.namespace : nil
      return XMLName(namespace ?? "", local)
    }
    guard colon > range.lowerBound, colon + 1 < range.upperBound, !local.utf8.contains(0x3A),
      Self.isNameStart(local.unicodeScalars.first ?? ":")
    else {
      throw fault(at: range.lowerBound, "a name with at most one prefix")
    }
    let prefix = name(range.lowerBound..<colon).exact
    guard let declared = prefixes.last(where: { $0.prefix == prefix }) else {
      throw fault(at: range.lowerBound, "a declaration of the prefix '\(prefix)'")
    }
    return XMLName(declared.namespace, local)
  }

  /// Reads a name (XML 1.0 section 2.3).
  mutating func readName() throws(ParsingError) -> Range<Int> {
    let start = position
    while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
    guard position - start <= limits.name else {
      throw error(.limit, at: start, "a name of at most \(limits.name) bytes", "\(position - start) bytes")
    }
    let scalars = name(start..<position).unicodeScalars
    guard let first = scalars.first, Self.isNameStart(first) else { throw fault(at: start, "a name") }
    // Only names outside ASCII can have characters that names do not allow.
    if scalars.count < position - start, let odd = scalars.firstIndex(where: { !Self.isNameCharacter($0) }) {
      throw fault(at: start + scalars[..<odd].reduce(0) { $0 + UTF8.width($1) }, "a character of a name")
    }
    return start..<position
  }
}

extension XMLReader {
  func name(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  mutating func skipSpace() {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
  }

  /// Whether the rest of the document begins with these ASCII characters.
  @inline(__always)
  func starts(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard position + length <= bytes.count else { return false }
    for index in 0..<length where bytes[position + index] != text.utf8Start[index] { return false }
    return true
  }

  func starts(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  /// The error of a document that is not well-formed.
  func fault(at offset: Int, _ expected: String) -> ParsingError {
    if offset >= bytes.count { return error(.truncated, at: offset, expected, "the end of the document") }
    let rest = String(decoding: bytes[offset...].prefix(24), as: UTF8.self)
    let found = rest.unicodeScalars.prefix(16).prefix { $0.value >= 0x20 && $0.value != 0x7F }
    return error(
      .syntax, at: offset, expected, found.isEmpty ? "byte 0x\(hexadecimal(bytes[offset]))" : "'\(String(found))'")
  }

  /// The error with its position and the open elements.
  func error(_ code: ParsingError.Code, at offset: Int, _ expected: String, _ found: String) -> ParsingError {
    let place = bytes.withUnsafeBufferPointer { TextPlace(of: offset, in: $0) }
    return ParsingError(
      code, path: "/" + open.map(\.name.local).joined(separator: "/"), offset: offset, line: place.line,
      column: place.column, expected: expected, found: found)
  }
}

extension XMLReader {
  /// Whether a byte in text needs no further look: everything but `<`, `&`, `]`, CR, other control characters, and the
  /// first byte of U+FFFE and U+FFFF.
  @inline(__always)
  static func isOrdinary(_ byte: UInt8) -> Bool {
    if byte < 0x20 { return byte == 0x0A || byte == 0x09 }
    return byte != 0x3C && byte != 0x26 && byte != 0x5D && byte != 0xEF
  }

  /// Whether the character at the offset is not allowed in XML 1.0 (section 2.2).
  func isForbidden(at offset: Int) -> Bool {
    let byte = bytes[offset]
    if byte < 0x20 { return byte != 0x09 && byte != 0x0A && byte != 0x0D }
    return byte == 0xEF && offset + 2 < bytes.count && bytes[offset + 1] == 0xBF && bytes[offset + 2] >= 0xBE
  }

  static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  static func isDigit(_ byte: UInt8, hexadecimal: Bool) -> Bool {
    switch byte {
    case 0x30...0x39: true
    case 0x41...0x46, 0x61...0x66: hexadecimal
    default: false
    }
  }

  @inline(__always)
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x61...0x7A, 0x41...0x5A, 0x30...0x3A, 0x2D, 0x2E, 0x5F, 0x80...0xFF: true
    default: false
    }
  }

  static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3A, 0x41...0x5A, 0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF,
      0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
      0x10000...0xEFFFF:
      true
    default: false
    }
  }

  private static func isNameCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
    default: isNameStart(scalar)
    }
  }

  /// The offset of the first byte that is not UTF-8.
  static func invalidUTF8(_ bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return nil }
      var fault = JSONFault(.none, at: 0)
      var index = 0
      while index < buffer.count {
        if base[index] < 0x80 {
          index += 1
        } else {
          let next = JSONLexer.multibyte(base, index, buffer.count, &fault)
          if next < 0 { return index }
          index = next
        }
      }
      return nil
    }
  }
}
