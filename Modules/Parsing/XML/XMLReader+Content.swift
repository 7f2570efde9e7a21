import Models
import Ports

extension XMLReader {
  /// Reads until the next start tag or end tag. The text before it is appended to `text`, unless that is `nil`.
  mutating func step(into text: inout XMLText?) throws(ParsingError) -> Step {
    guard let element = open.last else { throw fault(at: position, "an open element") }
    if isEmptyElement {
      isEmptyElement = false
      close(element)
      return .end
    }
    while true {
      try characters(into: &text)
      guard position < bytes.count else { throw fault(at: position, "'</\(name(element.tag))>'") }
      // characters(into:) stops only at '<'.
      switch position + 1 < bytes.count ? bytes[position + 1] : 0 {
      case 0x2F:
        try endTag(of: element)
        return .end
      case 0x21:
        if starts("<!--") { try comment() } else { try section(into: &text) }
      case 0x3F:
        try instruction()
      default:
        return .child(try startTag())
      }
    }
  }

  private mutating func close(_ element: Open) {
    open.removeLast()
    prefixes.removeLast(prefixes.count - element.prefixes)
  }

  /// Reads text and references up to the next `<` or the end of the document.
  private mutating func characters(into text: inout XMLText?) throws(ParsingError) {
    var start = position
    while position < bytes.count {
      let byte = bytes[position]
      if Self.isOrdinary(byte) {
        position += 1
        continue
      }
      if byte == 0x3C { break }
      switch byte {
      case 0x26:
        text?.bytes += bytes[start..<position]
        try reference(into: &text)
        start = position
      case 0x0D:
        // CR LF and CR are line feeds (XML 1.0 section 2.11).
        text?.bytes += bytes[start..<position]
        text?.bytes.append(0x0A)
        position += starts("\r\n") ? 2 : 1
        start = position
      case 0x5D where starts("]]>"):
        throw fault(at: position, "']]&gt;' instead of ']]>' outside a CDATA section")
      default:
        if isForbidden(at: position), text?.forbidden == nil { text?.forbidden = position }
        position += 1
      }
    }
    text?.bytes += bytes[start..<position]
  }

  private mutating func reference(into text: inout XMLText?) throws(ParsingError) {
    let start = position
    let scalar = try reference()
    if !Self.isAllowed(scalar), text?.forbidden == nil { text?.forbidden = start }
    text?.bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
  }

  /// Reads a reference to a character or to one of the five predefined entities (XML 1.0 sections 4.1 and 4.6).
  mutating func reference() throws(ParsingError) -> Unicode.Scalar {
    let start = position
    let window = bytes[start...].prefix(12)
    guard let end = window.firstIndex(of: 0x3B) else {
      throw fault(at: start, "';' after an entity; '&' itself is '&amp;'")
    }
    let inside = bytes[(start + 1)..<end]
    position = end + 1
    if inside.first == 0x23 {
      let isHexadecimal = inside.dropFirst().first == 0x78
      let digits = inside.dropFirst(isHexadecimal ? 2 : 1)
      let isNumber = !digits.isEmpty && digits.allSatisfy { Self.isDigit($0, hexadecimal: isHexadecimal) }
      if isNumber, let value = UInt32(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10),
        let scalar = Unicode.Scalar(value)
      {
        return scalar
      }
      throw fault(at: start, "the number of a character")
    }
    if let scalar = Self.entities[String(decoding: inside, as: UTF8.self).exact] { return scalar }
    throw fault(at: start, "one of the entities amp, lt, gt, quot and apos")
  }

  private static let entities: [ExactString: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  private mutating func section(into text: inout XMLText?) throws(ParsingError) {
    guard starts("<![CDATA[") else { throw fault(at: position, "no declaration inside an element") }
    position += 9
    var start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == 0x5D, starts("]]>") {
        text?.bytes += bytes[start..<position]
        position += 3
        return
      }
      if byte == 0x0D {
        text?.bytes += bytes[start..<position]
        text?.bytes.append(0x0A)
        position += starts("\r\n") ? 2 : 1
        start = position
      } else {
        if !Self.isOrdinary(byte), isForbidden(at: position), text?.forbidden == nil { text?.forbidden = position }
        position += 1
      }
    }
    throw fault(at: position, "']]>'")
  }

  private mutating func endTag(of element: Open) throws(ParsingError) {
    let start = position
    position += 2
    let length = element.tag.count
    guard bytes[position...].prefix(length).elementsEqual(bytes[element.tag]) else {
      throw fault(at: start, "'</\(name(element.tag))>'")
    }
    position += length
    skipSpace()
    guard position < bytes.count, bytes[position] == 0x3E else {
      throw fault(at: position < bytes.count ? start : position, "'</\(name(element.tag))>'")
    }
    position += 1
    close(element)
  }
}

extension XMLReader {
  /// Skips white space, comments and processing instructions outside the root element.
  mutating func blank() throws(ParsingError) {
    while true {
      skipSpace()
      if starts("<!--") {
        try comment()
      } else if starts("<?") {
        try instruction()
      } else if starts("<!") {
        throw fault(at: position, "no document type declaration")
      } else {
        return
      }
    }
  }

  /// Reads `<?xml version="1.0" encoding="utf-8"?>`, which may be missing.
  mutating func declaration() throws(ParsingError) {
    guard starts("<?xml"), position + 5 < bytes.count, Self.isSpace(bytes[position + 5]) else { return }
    position += 5
    // The name and the values of a declaration are plain ASCII.
    let names = ["version", "encoding", "standalone"]
    var next = 0
    while true {
      let before = position
      skipSpace()
      if starts("?>") { break }
      guard position > before, let index = names[next...].firstIndex(where: starts), index == 0 || next > 0
      else {
        throw fault(at: position, "version, encoding or standalone, or '?>'")
      }
      position += names[index].utf8.count
      let offset = position
      let value = try declaredValue()
      let isValid =
        switch index {
        case 0: value == "1.0"
        case 1: value.lowercased() == "utf-8"
        default: value == "yes" || value == "no"
        }
      guard isValid else {
        throw fault(at: offset, index == 0 ? "XML 1.0" : index == 1 ? "the encoding UTF-8" : "yes or no")
      }
      next = index + 1
    }
    guard next > 0 else { throw fault(at: position, "the version of XML") }
    position += 2
  }

  private mutating func declaredValue() throws(ParsingError) -> String {
    try equals()
    guard let quote = quote() else { throw fault(at: position, "a value in quotes") }
    guard let end = bytes[position...].prefix(40).firstIndex(of: quote) else {
      throw fault(at: position, "a short value in quotes")
    }
    defer { position = end + 1 }
    return String(decoding: bytes[position..<end], as: UTF8.self)
  }

  mutating func comment() throws(ParsingError) {
    position += 4
    while position < bytes.count {
      if bytes[position] == 0x2D, starts("--") {
        guard starts("-->") else { throw fault(at: position, "'-->' after '--' in a comment") }
        position += 3
        return
      }
      try checkAllowed()
      position += 1
    }
    throw fault(at: position, "'-->'")
  }

  /// Skips `<?target …?>`. Only the document may begin with the target `xml`.
  mutating func instruction() throws(ParsingError) {
    let start = position
    position += 2
    let target = try readName()
    guard name(target).lowercased() != "xml" else {
      throw fault(at: start, "the XML declaration at the beginning only")
    }
    guard !bytes[target].contains(0x3A) else { throw fault(at: start, "a target without ':'") }
    guard starts("?>") || position < bytes.count && Self.isSpace(bytes[position]) else {
      throw fault(at: position, "a space or '?>'")
    }
    while position < bytes.count {
      if bytes[position] == 0x3F, starts("?>") {
        position += 2
        return
      }
      try checkAllowed()
      position += 1
    }
    throw fault(at: position, "'?>'")
  }

  private func checkAllowed() throws(ParsingError) {
    if !Self.isOrdinary(bytes[position]), isForbidden(at: position) {
      throw fault(at: position, "no control characters")
    }
  }
}
