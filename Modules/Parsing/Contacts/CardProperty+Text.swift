extension CardProperty {
  /// The whole value as text; `nil` where its character set is not read.
  var text: String? { string(Self.unescaped(decoded(value)[...])) }

  /// The components of a structured value, such as `family;given;…`; `nil` where its character set is not read.
  ///
  /// - Parameter lists: whether `,` separates several values of one component (3.0 and 4.0), which are then joined
  ///   with a space; in 2.1 it is part of the text.
  func components(lists: Bool) -> [String]? {
    // Quoted-printable first splits and then decodes, so that an encoded `;` is text. Where nothing would be split,
    // the exporter has encoded the separators as well.
    var raw = Self.split(value, at: 0x3B).map { decoded($0) }
    if raw.count == 1, isQuotedPrintable || isBase64 { raw = Self.split(raw[0][...], at: 0x3B).map(Array.init) }
    var components: [String] = []
    for component in raw {
      var words: [String] = []
      for piece in lists ? Self.split(component[...], at: 0x2C) : [component[...]] {
        guard let word = string(Self.unescaped(piece)) else { return nil }
        words.append(word.trimmed)
      }
      components.append(words.filter { !$0.isEmpty }.joined(separator: " "))
    }
    return components
  }

  /// The name of the character set that the property says it uses.
  var characterSet: String? { parameter("CHARSET") }

  /// The text on one line: tabs and line breaks are spaces, other control characters, which a terminal might obey, are
  /// left out.
  private func string(_ bytes: [UInt8]) -> String? {
    var plain = bytes
    if bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      plain = bytes.compactMap { byte in
        switch byte {
        case 0x09, 0x0A, 0x0D: 0x20
        case 0x00..<0x20, 0x7F: nil
        default: byte
        }
      }
    }
    return CardText.decode(plain, characterSet: characterSet)
  }

  private func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    if isQuotedPrintable { return Self.quotedPrintable(bytes) }
    return isBase64 ? Self.base64(bytes) ?? Array(bytes) : Array(bytes)
  }

  /// Decodes `=XX` (RFC 2045 section 6.7); a `=` without two digits stays.
  private static func quotedPrintable(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == 0x3D, index + 2 < bytes.endIndex, let high = digit(bytes[index + 1]),
        let low = digit(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return decoded
  }

  /// Decodes base64 (RFC 4648 section 4); `nil` where it is none: a name in plain words, for instance.
  private static func base64(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in Self.trimmed(bytes) {
      if byte == 0x3D { break }
      guard let place = alphabet.firstIndex(of: byte) else { return nil }
      bits = bits << 6 | UInt32(place)
      count += 1
      if count % 4 != 1 { decoded.append(UInt8(truncatingIfNeeded: bits >> UInt32(6 - 2 * ((count + 3) % 4)))) }
    }
    return count % 4 == 1 ? nil : decoded
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  /// Splits at a separator that no `\` precedes.
  private static func split(_ bytes: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    var escaped = false
    for index in bytes.indices {
      if escaped {
        escaped = false
      } else if bytes[index] == 0x5C {
        escaped = true
      } else if bytes[index] == separator {
        pieces.append(bytes[start..<index])
        start = index + 1
      }
    }
    return pieces + [bytes[start...]]
  }

  /// Replaces `\n`, `\N`, `\,`, `\;`, `\:` and `\\` (RFC 6350 section 3.4); any other `\` stays as it is.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var escaped = false
    for byte in bytes {
      guard escaped else {
        if byte == 0x5C { escaped = true } else { text.append(byte) }
        continue
      }
      escaped = false
      switch byte {
      case 0x6E, 0x4E: text.append(0x0A)
      case 0x2C, 0x3B, 0x3A, 0x5C: text.append(byte)
      default: text += [0x5C, byte]
      }
    }
    if escaped { text.append(0x5C) }
    return text
  }
}

extension String {
  /// The text without white space at both ends.
  var trimmed: String {
    var rest = self[...]
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
